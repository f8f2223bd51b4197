// SPDX-License-Identifier: MIT
// Protobuf messages from bytes that come from strangers: binary and text form, with limits on size and depth, and one
// sentence on what is wrong.
#pragma once

#include <opscape/base/result.h>

#include <google/protobuf/message.h>

#include <functional>
#include <string_view>

namespace opscape {

/// `what` names the format in errors, "TensorFlow graph".
[[nodiscard]] Result<> parseBinary(std::string_view bytes, std::string_view what, const std::string& origin,
                                   google::protobuf::Message& message);
/// Fields that the message does not know are skipped. Errors name line and column.
[[nodiscard]] Result<> parseText(std::string_view text, const std::string& origin, google::protobuf::Message& message);
/// The same for a text that is large, some of its outermost fields at a time: `take` is called whenever `message` holds
/// the next of them, and says whether to go on.
[[nodiscard]] Result<> parseTextInPieces(std::string_view text, const std::string& origin,
                                         google::protobuf::Message& message, const std::function<bool()>& take);
/// What parseBinary() says of a message whose outline is sound and whose content is not.
[[nodiscard]] Error damaged(std::string_view what, const std::string& origin);
/// The name of the first field of a message in text form, where one begins; blanks and comments may stand before it.
[[nodiscard]] std::string_view firstTextField(std::string_view text);

} // namespace opscape
