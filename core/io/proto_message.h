// SPDX-License-Identifier: MIT
// Protobuf messages from bytes that come from strangers: binary and text form, with limits on size and depth, and one
// sentence on what is wrong.
#pragma once

#include <opscape/base/result.h>

#include <google/protobuf/message.h>

#include <string_view>

namespace opscape {

/// `what` names the format in errors, "TensorFlow graph".
[[nodiscard]] Result<> parseBinary(std::string_view bytes, std::string_view what, const std::string& origin,
                                   google::protobuf::Message& message);
/// Fields that the message does not know are skipped. Errors name line and column.
[[nodiscard]] Result<> parseText(std::string_view text, const std::string& origin, google::protobuf::Message& message);
/// The name of the first field of a message in text form, where one begins; blanks and comments may stand before it.
[[nodiscard]] std::string_view firstTextField(std::string_view text);

} // namespace opscape
