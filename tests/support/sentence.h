// SPDX-License-Identifier: MIT
// What an error message has to be like: one sentence on one line.
#pragma once

#include <gmock/gmock.h>

#include <cctype>
#include <string>

namespace opscape::test {

MATCHER(IsOneSentence, "is one sentence on one line that ends with a full stop") {
    const std::string& message = arg;
    if (message.size() < 10 || message.back() != '.' || message.find('\n') != std::string::npos)
        return false;
    for (std::size_t i = 0; i + 2 < message.size(); ++i) {
        if (message[i] == '.' && message[i + 1] == ' ' && std::isupper(static_cast<unsigned char>(message[i + 2])) != 0)
            return false;
    }
    return true;
}

} // namespace opscape::test
