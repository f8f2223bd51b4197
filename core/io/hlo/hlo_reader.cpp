// SPDX-License-Identifier: MIT
#include <opscape/io/hlo/hlo_proto.h>
#include <opscape/io/hlo/hlo_reader.h>
#include <opscape/io/hlo/hlo_text.h>
#include <opscape/io/proto_message.h>
#include <opscape/io/wire.h>

namespace opscape {
namespace {

bool looksLikeInstruction(std::string_view bytes) {
    enum : std::uint64_t { kName = 1, kOpcode = 2, kShape = 3 };
    WireReader reader(bytes);
    bool hasOpcode = false;
    for (WireField field; reader.next(field);) {
        if (field.number <= kShape && field.type != WireField::Length)
            return false;
        if ((field.number == kName || field.number == kOpcode) && !looksLikeName(field.bytes))
            return false;
        hasOpcode = hasOpcode || field.number == kOpcode;
    }
    return reader.isSound() && (hasOpcode || reader.isCut());
}

bool looksLikeComputation(std::string_view bytes) {
    enum : std::uint64_t { kName = 1, kInstruction = 2, kSignature = 4, kId = 5, kRoot = 6, kLast = 8 };
    WireReader reader(bytes);
    bool hasInstruction = false;
    for (WireField field; reader.next(field);) {
        const bool isText = field.number <= kSignature || field.number == kLast;
        const bool isNumber = field.number > kSignature && field.number < kLast;
        if ((!isText && !isNumber) || field.type != (isNumber ? WireField::Varint : WireField::Length))
            return false;
        if (field.number == kInstruction && !hasInstruction) {
            if (!looksLikeInstruction(field.bytes))
                return false;
            hasInstruction = true;
        }
    }
    return reader.isSound() && hasInstruction;
}

bool looksLikeModule(std::string_view bytes) {
    enum : std::uint64_t { kName = 1, kEntry = 2, kComputation = 3 };
    WireReader reader(bytes);
    bool hasComputation = false;
    for (WireField field; reader.next(field);) {
        if (field.number <= kEntry && (field.type != WireField::Length || !looksLikeName(field.bytes)))
            return false;
        if (field.number == kComputation && !hasComputation) {
            if (field.type != WireField::Length || !looksLikeComputation(field.bytes))
                return false;
            hasComputation = true;
        }
    }
    return reader.isSound() && hasComputation;
}

/// A HloProto, which is a module first of all.
bool looksLikeWrapped(std::string_view bytes) {
    WireReader reader(bytes);
    WireField field;
    return reader.next(field) && field.number == 1 && field.type == WireField::Length && looksLikeModule(field.bytes);
}

Result<GraphFile> convert(HloModule module, std::string_view format, const std::string& origin) {
    GraphFile file;
    file.format = format;
    if (auto converted = convertHlo(std::move(module), origin, file); !converted)
        return fail(std::move(converted.error()));
    return file;
}

} // namespace

bool isHloText(std::string_view bytes) {
    HloText text(bytes, {});
    return text.takeWord("HloModule");
}

Result<GraphFile> readHloText(std::string_view bytes, const std::string& origin) {
    if (!isHloText(bytes))
        return fail("{}: this is not an XLA module as text; it would begin with \"HloModule\".", origin);
    auto module = parseHloText(bytes, origin);
    if (!module)
        return fail(module.error());
    return convert(std::move(*module), "hlo", origin);
}

bool isHloProto(std::string_view bytes) { return looksLikeWrapped(bytes) || looksLikeModule(bytes); }

Result<GraphFile> readHloProto(FileText text, const std::string& origin) {
    const std::string_view bytes = text.view();
    if (!isHloProto(bytes))
        return fail("{}: this is not an XLA module, neither a HloProto nor a HloModuleProto.", origin);
    xla::HloProto proto;
    auto parsed = looksLikeWrapped(bytes) ? parseBinary(bytes, "XLA module", origin, proto)
                                          : parseBinary(bytes, "XLA module", origin, *proto.mutable_hlo_module());
    if (!parsed)
        return fail(std::move(parsed.error()));
    text.release();
    auto module = moduleOf(proto.hlo_module(), origin);
    if (!module)
        return fail(module.error());
    return convert(std::move(*module), "hlo-proto", origin);
}

} // namespace opscape
