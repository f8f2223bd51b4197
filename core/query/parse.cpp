// SPDX-License-Identifier: MIT
// Recursive descent over the tokens:  any = all {"or" all};  all = one {["and"] one};  one = {"not"} ("(" any ")" |
// term).
#include "query.h"

#include <opscape/base/text.h>

#include <algorithm>

namespace opscape {
namespace {

using Node = Query::Node;
using Kind = QueryToken::Kind;

constexpr int kMostNested = 100;

class Parser {
public:
    Parser(std::string_view text, std::vector<QueryToken> tokens) : m_text(text), m_tokens(std::move(tokens)) {}

    Result<Node> parse() {
        auto root = any(0);
        if (root && m_at < m_tokens.size()) // only a bracket ends an expression early
            return refuse(m_tokens[m_at].at, "this ) closes nothing");
        return root;
    }

private:
    [[nodiscard]] tl::unexpected<Error> refuse(std::size_t at, std::string_view sentence) const {
        return fail(queryError(m_text, at, sentence));
    }
    [[nodiscard]] bool at(Kind kind) const { return m_at < m_tokens.size() && m_tokens[m_at].kind == kind; }
    bool take(Kind kind) {
        if (!at(kind))
            return false;
        ++m_at;
        return true;
    }

    Result<Node> any(int depth) {
        Node node;
        node.kind = Node::Kind::Any;
        do {
            auto next = all(depth);
            if (!next)
                return next;
            node.nodes.push_back(std::move(*next));
        } while (take(Kind::Or));
        return node.nodes.size() == 1 ? std::move(node.nodes.front()) : std::move(node);
    }

    Result<Node> all(int depth) {
        Node node;
        node.kind = Node::Kind::All;
        do {
            auto next = one(depth);
            if (!next)
                return next;
            node.nodes.push_back(std::move(*next));
        } while (take(Kind::And) || (m_at < m_tokens.size() && !at(Kind::Or) && !at(Kind::Close)));
        return node.nodes.size() == 1 ? std::move(node.nodes.front()) : std::move(node);
    }

    Result<Node> one(int depth) {
        bool negated = false;
        while (take(Kind::Not))
            negated = !negated;
        auto node = bracketOrTerm(depth);
        if (!node || !negated)
            return node;
        Node opposite;
        opposite.kind = Node::Kind::Not;
        opposite.nodes.push_back(std::move(*node));
        return opposite;
    }

    Result<Node> bracketOrTerm(int depth) {
        if (m_at >= m_tokens.size())
            return missing(m_text.size());
        const std::size_t opened = m_tokens[m_at].at;
        if (take(Kind::Open)) {
            if (depth >= kMostNested)
                return refuse(opened, "there are more than 100 brackets in one another");
            auto inner = any(depth + 1);
            if (inner && !take(Kind::Close))
                return refuse(opened, "this ( is never closed");
            return inner;
        }
        if (at(Kind::Close) || at(Kind::And) || at(Kind::Or))
            return missing(opened);
        return term(std::move(m_tokens[m_at++]));
    }

    [[nodiscard]] tl::unexpected<Error> missing(std::size_t place) const {
        if (m_at == 0)
            return refuse(place, "something to look for is missing here");
        const QueryToken& before = m_tokens[m_at - 1];
        const std::string_view said = before.kind == Kind::And   ? "and"
                                      : before.kind == Kind::Or  ? "or"
                                      : before.kind == Kind::Not ? "not"
                                                                 : "(";
        return refuse(place, fmt::format("something to look for is missing after \"{}\"", said));
    }

    Result<Node> term(QueryToken token) {
        Node node;
        node.lower = lowerCase(token.text);
        const QueryFieldInfo* field = token.field;
        if (token.regex) {
            if (field != nullptr && field->value != QueryValue::Text)
                return refuse(token.textAt - 1, fmt::format("{} takes no regular expression", field->name));
            if (field != nullptr && token.comparison != Comparison::Has && token.comparison != Comparison::NotEqual)
                return refuse(token.at, fmt::format("write {0}:/.../ or {0}!=/.../", field->name));
            auto regex = Regex::compile(token.text);
            if (!regex)
                return refuse(token.textAt + regex.error().offset, regex.error().message);
            node.regex = std::make_shared<const Regex>(std::move(*regex));
        } else if (token.kind == Kind::Field) {
            if (auto valued = value(token, node); !valued)
                return fail(valued.error());
        }
        node.term = std::move(token);
        return node;
    }

    Result<> value(const QueryToken& token, Node& node) const {
        const std::string_view name = token.field->name;
        const bool ordered = token.comparison != Comparison::Has && token.comparison != Comparison::Equal &&
                             token.comparison != Comparison::NotEqual;
        const auto wrong = [&](std::string_view what) -> Result<> {
            return refuse(token.textAt, fmt::format("\"{}\" is {}", token.text, what));
        };
        std::optional<Quantity> number = parseQuantity(token.field->value, token.text);
        switch (token.field->value) {
        case QueryValue::Time:
            if (!number)
                return wrong("no time; write a number with ns, us, ms or s, such as 2ms");
            break;
        case QueryValue::Bytes:
            if (!number)
                return wrong("no size; write a number with B, KiB, MiB or GiB, such as 1MiB");
            break;
        case QueryValue::Count:
            if (!number)
                return wrong("no number; write one such as 3, 20k or 1.5G");
            break;
        case QueryValue::Phase:
            if (const auto phase = parsePhase(node.lower))
                number = exactly(static_cast<std::int64_t>(*phase));
            else
                return wrong("no phase; they are forward, backward and update");
            [[fallthrough]];
        default:
            if (ordered)
                return refuse(token.at, fmt::format("{0} cannot be more or less; write {0}: or {0}=", name));
        }
        node.number = number.value_or(Quantity{});
        return {};
    }

    static Quantity exactly(std::int64_t value) { return {value, value, value}; }

    std::string_view m_text;
    std::vector<QueryToken> m_tokens;
    std::size_t m_at = 0;
};

bool asks(const Node& node) {
    return (node.term.field != nullptr && (node.term.field->ofPlan || node.term.field->field == QueryField::Time)) ||
           std::ranges::any_of(node.nodes, asks);
}

} // namespace

Result<Query> Query::parse(std::string_view text) {
    auto tokens = queryTokens(text);
    if (!tokens)
        return fail(tokens.error());
    Query query;
    query.m_text = text;
    if (tokens->empty())
        return query;
    auto root = Parser(text, std::move(*tokens)).parse();
    if (!root)
        return fail(root.error());
    query.m_root = std::make_shared<const Node>(std::move(*root));
    return query;
}

bool Query::empty() const { return m_root == nullptr; }

bool Query::asksPlan() const { return m_root != nullptr && asks(*m_root); }

} // namespace opscape
