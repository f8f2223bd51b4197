// SPDX-License-Identifier: MIT
// Result<T>: what a function returns when it can fail in ordinary use. An Error is one clear sentence that names the
// file, the place and the way out; it is shown to the person as it stands.
#pragma once

#include <fmt/format.h>
#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace opscape {

struct Error {
    std::string message;
};

template <class T = void>
using Result = tl::expected<T, Error>;

/// fail("{}: line {}: ...", file, line) is an error ready to be returned from any function with a Result.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

/// The same with a ready sentence, e.g. an error passed on from another Result type.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

} // namespace opscape
