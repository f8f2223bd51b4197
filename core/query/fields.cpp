// SPDX-License-Identifier: MIT
#include "fields.h"

#include <opscape/base/text.h>

#include <algorithm>
#include <string>

namespace opscape {
namespace {

using F = QueryField;
using V = QueryValue;

constexpr QueryFieldInfo kFields[] = {
    {F::Name, "name", V::Text, false, "part of the name; name=... for the whole of it"},
    {F::Type, "type", V::Text, false, "what the op does"},
    {F::Scope, "scope", V::Text, false, "part of the path of its group"},
    {F::Phase, "phase", V::Phase, false, "forward, backward or update"},
    {F::Device, "device", V::Device, true, "where it runs: number, letter or name"},
    {F::Time, "time", V::Time, false, "how long it runs"},
    {F::Start, "start", V::Time, true, "when it starts"},
    {F::End, "end", V::Time, true, "when it ends"},
    {F::Wait, "wait", V::Time, true, "how long it is ready before it starts"},
    {F::Memory, "mem", V::Bytes, false, "what it writes, with its scratch memory"},
    {F::Flops, "flops", V::Count, false, "floating-point operations"},
    {F::Inputs, "in", V::Count, false, "number of ops it waits for"},
    {F::Outputs, "out", V::Count, false, "number of ops that wait for it"},
    {F::Priority, "priority", V::Count, true, "its priority in the queue of its device"},
    {F::Critical, "critical", V::None, true, "on the critical path"},
    {F::Fused, "fused", V::None, true, "one kernel together with others"},
    {F::Cut, "cut", V::None, true, "exchanges tensors with another device"},
};

} // namespace

std::span<const QueryFieldInfo> queryFields() { return kFields; }

const QueryFieldInfo* findQueryField(std::string_view name) {
    const auto* it = std::ranges::find(kFields, lowerCase(name), [](const QueryFieldInfo& f) { return f.name; });
    return it == std::end(kFields) ? nullptr : it;
}

std::string_view queryFieldNames() {
    static const std::string kNames = [] {
        std::string names;
        for (const QueryFieldInfo& field : kFields)
            names += (names.empty() ? "" : ", ") + std::string(field.name);
        return names;
    }();
    return kNames;
}

} // namespace opscape
