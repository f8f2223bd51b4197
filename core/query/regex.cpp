// SPDX-License-Identifier: MIT
// Thompson's construction (Regular Expression Search Algorithm, CACM 1968): the expression becomes an automaton whose
// states are all followed at once. RegexSearch makes it deterministic as it goes, one entry per set of states that
// occurs, and starts anew when there are too many of them.
#include "regex.h"

#include <opscape/base/text.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace opscape {
namespace {

constexpr int kMostNested = 100;
constexpr int kMostRepeats = 1000;
constexpr std::size_t kMostStates = 10'000; ///< of an automaton
constexpr std::size_t kMostKnown = 2'000;   ///< sets of them that are remembered
constexpr int kNoLimit = -1;

/// What an expression is made of.
struct Part {
    enum class Kind : std::uint8_t { Bytes, Sequence, Choice, Repeat, Begin, End };
    Kind kind = Kind::Sequence;
    Regex::Bytes bytes;
    std::vector<Part> parts;
    int least = 0, most = kNoLimit;
};

Part bytesPart(const Regex::Bytes& bytes) {
    Part part;
    part.kind = Part::Kind::Bytes;
    part.bytes = bytes;
    return part;
}

Regex::Bytes range(int first, int last) {
    Regex::Bytes bytes;
    for (int i = first; i <= last; ++i)
        bytes.set(static_cast<std::size_t>(i));
    return bytes;
}

/// One of these ASCII characters, or any character beyond ASCII, which is several bytes.
Part asciiOrBeyond(const Regex::Bytes& ascii) {
    Part more, beyond, choice;
    more.kind = Part::Kind::Repeat;
    more.parts = {bytesPart(range(0x80, 0xBF))};
    beyond.parts = {bytesPart(range(0xC0, 0xFF)), more};
    choice.kind = Part::Kind::Choice;
    choice.parts = {bytesPart(ascii & range(0, 0x7F)), beyond};
    return choice;
}

/// Texts are in lower case.
Regex::Bytes folded(Regex::Bytes bytes) {
    for (int upper = 'A'; upper <= 'Z'; ++upper) {
        if (bytes.test(static_cast<std::size_t>(upper)))
            bytes.set(static_cast<std::size_t>(upper - 'A' + 'a'));
    }
    return bytes;
}

Regex::Bytes wordBytes() { return range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_'); }
Regex::Bytes spaceBytes() { return range('\t', '\r') | range(' ', ' '); }

class Parser {
public:
    explicit Parser(std::string_view pattern) : m_text(pattern) {}

    tl::expected<Part, RegexError> parse() {
        Part whole = choice(0);
        if (!m_failed && m_at < m_text.size())
            refuse("a ) closes nothing", m_at);
        if (m_failed)
            return tl::unexpected(m_error);
        return whole;
    }

private:
    [[nodiscard]] bool more() const { return !m_failed && m_at < m_text.size(); }
    bool take(char c) {
        if (!more() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    Part refuse(std::string message, std::size_t offset) {
        if (!m_failed)
            m_error = {std::move(message), offset};
        m_failed = true;
        return {};
    }

    Part choice(int depth) {
        Part part;
        part.kind = Part::Kind::Choice;
        do
            part.parts.push_back(sequence(depth));
        while (take('|'));
        return part.parts.size() == 1 ? std::move(part.parts.front()) : part;
    }

    Part sequence(int depth) {
        Part part;
        while (more() && m_text[m_at] != '|' && m_text[m_at] != ')')
            part.parts.push_back(repeated(depth));
        return part;
    }

    Part repeated(int depth) {
        Part part = atom(depth);
        const std::size_t at = m_at;
        int least = 0, most = kNoLimit;
        if (take('+'))
            least = 1;
        else if (take('?'))
            most = 1;
        else if (take('{')) {
            if (!counts(least, most))
                return refuse("{ needs a count up to 1000, as in {2} or {2,5}; write \\{ for the character", at);
        } else if (!take('*'))
            return part;
        take('?'); // shortest or longest is all the same where only the fact counts
        Part repeat;
        repeat.kind = Part::Kind::Repeat;
        repeat.least = least;
        repeat.most = most;
        repeat.parts.push_back(std::move(part));
        return repeat;
    }

    bool number(int& value) {
        const char* end = m_text.data() + m_text.size();
        const auto read = std::from_chars(m_text.data() + m_at, end, value);
        if (read.ec != std::errc() || value < 0 || value > kMostRepeats)
            return false;
        m_at = static_cast<std::size_t>(read.ptr - m_text.data());
        return true;
    }
    bool counts(int& least, int& most) {
        if (!number(least))
            return false;
        if (!take(','))
            most = least;
        else if (more() && m_text[m_at] != '}' && !number(most))
            return false;
        return take('}') && (most == kNoLimit || most >= least);
    }

    Part atom(int depth) {
        const std::size_t at = m_at;
        const char c = m_text[m_at++];
        switch (c) {
        case '(': {
            if (depth >= kMostNested)
                return refuse("there are more than 100 groups in one another", at);
            if (take('?') && !take(':'))
                return refuse("(? has no meaning here; write \\( for the character", at);
            Part part = choice(depth + 1);
            return take(')') ? part : refuse("the ( is never closed", at);
        }
        case '[':
            return characters(at);
        case '.':
            return asciiOrBeyond(~range('\n', '\n'));
        case '^':
        case '$': {
            Part part;
            part.kind = c == '^' ? Part::Kind::Begin : Part::Kind::End;
            return part;
        }
        case '*':
        case '+':
        case '?':
        case '{':
            return refuse(fmt::format("the {} repeats nothing; write \\{} for the character", c, c), at);
        case '\\':
            if (m_at >= m_text.size())
                return refuse("it ends in a lone \\", at);
            return escaped(at);
        default:
            return character(at);
        }
    }

    /// One that stands for itself; beyond ASCII it is several bytes.
    Part character(std::size_t at) {
        const std::string lower = lowerCase(m_text.substr(at, characterBytes(m_text.substr(at))));
        m_at = at + lower.size();
        Part part;
        for (const char c : lower)
            part.parts.push_back(bytesPart(range(static_cast<unsigned char>(c), static_cast<unsigned char>(c))));
        return part.parts.size() == 1 ? std::move(part.parts.front()) : part;
    }

    /// What stands behind a backslash that was read.
    bool escape(std::size_t at, Regex::Bytes& bytes, bool& beyond) {
        const char c = m_text[m_at++];
        const auto plain = static_cast<unsigned char>(c);
        switch (c) {
        case 'd':
        case 'D':
            bytes = range('0', '9');
            break;
        case 'w':
        case 'W':
            bytes = wordBytes();
            break;
        case 's':
        case 'S':
            bytes = spaceBytes();
            break;
        case 't':
            bytes = range('\t', '\t');
            return true;
        default:
            if (wordBytes().test(plain) || plain >= 0x80) {
                refuse(fmt::format("\\{} has no meaning", m_text.substr(at + 1, characterBytes(m_text.substr(at + 1)))),
                       at);
                return false;
            }
            bytes = range(plain, plain);
            return true;
        }
        beyond = c == 'D' || c == 'W' || c == 'S';
        if (beyond)
            bytes = ~bytes & range(0, 0x7F);
        return true;
    }
    Part escaped(std::size_t at) {
        Regex::Bytes bytes;
        bool beyond = false;
        if (!escape(at, bytes, beyond))
            return {};
        return beyond ? asciiOrBeyond(bytes) : bytesPart(bytes);
    }

    Part characters(std::size_t at) {
        const bool negated = take('^');
        Regex::Bytes all;
        bool beyond = false;
        for (bool first = true; more() && (first || m_text[m_at] != ']'); first = false) {
            const std::size_t here = m_at;
            const auto low = static_cast<unsigned char>(m_text[m_at++]);
            if (low >= 0x80)
                return refuse("[ ] holds plain Latin characters only", here);
            if (low == '\\') {
                Regex::Bytes bytes;
                bool others = false;
                if (m_at >= m_text.size() || !escape(here, bytes, others))
                    return refuse("it ends in a lone \\", here);
                all |= bytes;
                beyond |= others;
                continue;
            }
            unsigned char high = low;
            if (m_at + 1 < m_text.size() && m_text[m_at] == '-' && m_text[m_at + 1] != ']') {
                high = static_cast<unsigned char>(m_text[m_at + 1]);
                if (high < low || high >= 0x80 || high == '\\')
                    return refuse("this range of characters is none; write \\- for the character", here);
                m_at += 2;
            }
            all |= range(low, high);
        }
        if (!take(']'))
            return refuse("the [ is never closed", at);
        all = folded(all);
        if (negated)
            return beyond ? bytesPart(~all & range(0, 0x7F)) : asciiOrBeyond(~all);
        return beyond ? asciiOrBeyond(all) : bytesPart(all);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_failed = false;
    RegexError m_error;
};

/// Builds states from the last part to the first, so that each knows what follows it.
class Builder {
public:
    /// States that lead through `part` on to `next`; where to enter them.
    int build(const Part& part, int next) {
        using Kind = Regex::State::Kind;
        if (states.size() > kMostStates)
            return next;
        switch (part.kind) {
        case Part::Kind::Bytes:
            return add({Kind::Bytes, part.bytes, next, -1});
        case Part::Kind::Begin:
            return add({Kind::Begin, {}, next, -1});
        case Part::Kind::End:
            return add({Kind::End, {}, next, -1});
        case Part::Kind::Sequence:
            for (std::size_t i = part.parts.size(); i-- > 0;)
                next = build(part.parts[i], next);
            return next;
        case Part::Kind::Choice: {
            int entry = build(part.parts.back(), next);
            for (std::size_t i = part.parts.size() - 1; i-- > 0;)
                entry = add({Kind::Split, {}, build(part.parts[i], next), entry});
            return entry;
        }
        case Part::Kind::Repeat:
            break;
        }
        int entry = next;
        if (part.most == kNoLimit) {
            entry = add({Kind::Split, {}, -1, next});
            states[static_cast<std::size_t>(entry)].out = build(part.parts.front(), entry);
        }
        for (int i = part.least; i < part.most; ++i)
            entry = add({Kind::Split, {}, build(part.parts.front(), entry), next});
        for (int i = 0; i < part.least; ++i) {
            const int once = build(part.parts.front(), entry);
            if (once == entry) // nothing, however often it is repeated
                break;
            entry = once;
        }
        return entry;
    }

    int add(Regex::State state) {
        states.push_back(state);
        return static_cast<int>(states.size()) - 1;
    }

    std::vector<Regex::State> states;
};

} // namespace

tl::expected<Regex, RegexError> Regex::compile(std::string_view pattern) {
    const auto part = Parser(pattern).parse();
    if (!part)
        return tl::unexpected(part.error());
    Builder builder;
    const int match = builder.add({});
    Regex regex;
    regex.m_start = builder.build(*part, match);
    if (builder.states.size() > kMostStates)
        return tl::unexpected(RegexError{"it repeats too much to be searched for", 0});
    regex.m_states = std::move(builder.states);
    return regex;
}

void RegexSearch::close(int state, bool atBegin, bool atEnd, std::vector<std::uint8_t>& in) const {
    std::vector<int> open{state};
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        if (at < 0 || std::exchange(in[static_cast<std::size_t>(at)], 1) != 0)
            continue;
        const Regex::State& s = m_regex.states()[static_cast<std::size_t>(at)];
        using Kind = Regex::State::Kind;
        if (s.kind == Kind::Split || (s.kind == Kind::Begin && atBegin) || (s.kind == Kind::End && atEnd))
            open.insert(open.end(), {s.out, s.other});
    }
}

int RegexSearch::enter(const std::vector<std::uint8_t>& in) {
    using Kind = Regex::State::Kind;
    Known known;
    known.next.fill(-1);
    std::vector<std::uint8_t> atEnd(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i] == 0)
            continue;
        const Kind kind = m_regex.states()[i].kind;
        if (kind == Kind::Match)
            known.matches = true;
        else if (kind == Kind::Bytes || kind == Kind::End)
            known.states.push_back(static_cast<int>(i));
        if (kind == Kind::End)
            close(static_cast<int>(i), false, true, atEnd);
    }
    for (std::size_t i = 0; i < in.size(); ++i)
        known.matchesAtEnd |= atEnd[i] != 0 && m_regex.states()[i].kind == Kind::Match;
    std::vector<int> key = known.states;
    if (known.matches)
        key.push_back(-1);
    const auto [it, added] = m_index.try_emplace(std::move(key), static_cast<int>(m_known.size()));
    if (added)
        m_known.push_back(std::move(known));
    return it->second;
}

int RegexSearch::begin() {
    if (m_known.size() > kMostKnown) {
        m_known.clear();
        m_index.clear();
    }
    if (m_known.empty()) { // the first one is where every text begins
        std::vector<std::uint8_t> in(m_regex.states().size());
        close(m_regex.start(), true, false, in);
        enter(in);
    }
    return 0;
}

int RegexSearch::step(int from, unsigned char byte) {
    std::vector<std::uint8_t> in(m_regex.states().size());
    for (const int state : m_known[static_cast<std::size_t>(from)].states) {
        const Regex::State& s = m_regex.states()[static_cast<std::size_t>(state)];
        if (s.kind == Regex::State::Kind::Bytes && s.bytes.test(byte))
            close(s.out, false, false, in);
    }
    close(m_regex.start(), false, false, in); // it may begin anywhere
    const int to = enter(in);
    m_known[static_cast<std::size_t>(from)].next[byte] = to;
    return to;
}

bool RegexSearch::found(std::string_view lowerText) {
    if (lowerText.empty()) { // begins and ends in one place
        std::vector<std::uint8_t> in(m_regex.states().size());
        close(m_regex.start(), true, true, in);
        return in.front() != 0; // the state that was built first is the match
    }
    int at = begin();
    for (const char c : lowerText) {
        const Known& known = m_known[static_cast<std::size_t>(at)];
        if (known.matches)
            return true;
        const auto byte = static_cast<unsigned char>(c);
        at = known.next[byte] >= 0 ? known.next[byte] : step(at, byte);
    }
    const Known& last = m_known[static_cast<std::size_t>(at)];
    return last.matches || last.matchesAtEnd;
}

} // namespace opscape
