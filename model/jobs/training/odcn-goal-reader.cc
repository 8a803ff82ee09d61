// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// A statement, before it is known what others wait for.
struct GoalStatement
{
    TrainingProgram::Operation operation; //!< with its line as id
    std::vector<uint32_t> afterEnds;      //!< those that it requires
    std::vector<uint32_t> afterBegins;    //!< those that it irequires
};

/// Reads a file.
class GoalReader
{
  public:
    /// @param path file name
    /// @param report counts
    GoalReader(const std::string& path, TrainingReadReport& report)
        : m_path(path),
          m_reader(path),
          m_report(report)
    {
    }

    /// @param options how to read it
    /// @return the job
    TrainingJob Read(const TrainingReadOptions& options);

  private:
    /**
     * Go to the next line with words outside of comments.
     * @return false at the end of the file
     */
    bool NextStatement();

    /// @return the next word of the statement, or ""
    std::string_view Peek() const;

    /**
     * @param expected what must come, for errors
     * @return the next word of the statement
     */
    std::string_view Take(const char* expected);

    /**
     * Take the next word if it is the one asked for.
     * @param word what may come
     * @return whether it came
     */
    bool TakeIf(std::string_view word);

    /**
     * @param most the largest valid number
     * @param expected what must come, for errors
     * @return the next word of the statement, a number
     */
    uint64_t TakeNumber(uint64_t most, const char* expected);

    /// @return a size, such as 4096b
    uint64_t TakeBytes();

    /**
     * @param word that stands before the rank
     * @return a rank of the job
     */
    uint32_t TakeRank(const char* word);

    /**
     * Read "rank R { ... }".
     * @param job gets the rank's program
     */
    void ReadRank(TrainingJob& job);

    /**
     * Read calc, send or recv, after its label.
     * @param rank of the statement
     */
    void ReadOperation(uint32_t rank);

    /**
     * Read what stands after requires or irequires.
     * @param label of the statement that waits
     * @param afterBegin whether it waits for a begin
     */
    void ReadDependency(const std::string& label, bool afterBegin);

    /**
     * @param label of a statement of the rank
     * @return its index
     */
    uint32_t FindLabel(std::string_view label) const;

    /// @return the program of m_statements
    TrainingProgram MakeProgram() const;

    std::string m_path;                                      //!< file name
    TextReader m_reader;                                     //!< of the file
    TrainingReadReport& m_report;                            //!< counts
    bool m_isComment{false};                                 //!< whether a comment goes on
    std::string m_text;                                      //!< statement without comments
    std::vector<std::string_view> m_words;                   //!< its words
    std::size_t m_next{0};                                   //!< the next of them
    uint64_t m_ranks{0};                                     //!< of the job
    std::vector<GoalStatement> m_statements;                 //!< of the rank
    std::unordered_map<std::string, uint32_t> m_statementOf; //!< by label
};

bool
GoalReader::NextStatement()
{
    while (m_reader.NextLine())
    {
        m_text.clear();
        const std::string_view line = m_reader.GetLine();
        for (std::size_t i = 0; i < line.size(); ++i)
        {
            const std::string_view two = line.substr(i, 2);
            if (m_isComment)
            {
                m_isComment = two != "*/";
                i += m_isComment ? 0 : 1;
            }
            else if (two == "//")
            {
                break;
            }
            else if (two == "/*")
            {
                m_isComment = true;
                m_text += ' ';
                ++i;
            }
            else if (line[i] == '{' || line[i] == '}' || line[i] == ':')
            {
                m_text += ' ';
                m_text += line[i];
                m_text += ' ';
            }
            else
            {
                m_text += line[i];
            }
        }
        m_words = SplitWords(m_text);
        m_next = 0;
        if (!m_words.empty())
        {
            return true;
        }
    }
    return false;
}

std::string_view
GoalReader::Peek() const
{
    return m_next < m_words.size() ? m_words[m_next] : std::string_view();
}

std::string_view
GoalReader::Take(const char* expected)
{
    if (m_next == m_words.size())
    {
        m_reader.Refuse(m_reader.GetLine(), std::string(expected) + " at its end");
    }
    return m_words[m_next++];
}

bool
GoalReader::TakeIf(std::string_view word)
{
    const bool came = Peek() == word;
    m_next += came ? 1 : 0;
    return came;
}

uint64_t
GoalReader::TakeNumber(uint64_t most, const char* expected)
{
    const std::string_view word = Take(expected);
    const auto number = ParseCount(word);
    if (!number || *number > most)
    {
        m_reader.Refuse(word, std::string(expected) + " from 0 to " + std::to_string(most));
    }
    return *number;
}

uint64_t
GoalReader::TakeBytes()
{
    constexpr const char* EXPECTED = "a size such as 4096b";
    std::string_view word = Take(EXPECTED);
    const std::string_view whole = word;
    if (word.ends_with('b'))
    {
        word.remove_suffix(1);
    }
    else if (!TakeIf("b"))
    {
        m_reader.Refuse(whole, EXPECTED);
    }
    const auto bytes = ParseCount(word);
    if (!bytes || *bytes > MAX_TRAINING_BYTES)
    {
        m_reader.Refuse(whole,
                        std::string(EXPECTED) + ", at most " + std::to_string(MAX_TRAINING_BYTES));
    }
    return *bytes;
}

uint32_t
GoalReader::TakeRank(const char* word)
{
    if (!TakeIf(word))
    {
        m_reader.Refuse(Peek(), std::string("'") + word + " RANK'");
    }
    if (Peek() == "-1")
    {
        m_reader.Refuse("-1", "a rank: messages from any source are not supported");
    }
    return static_cast<uint32_t>(TakeNumber(m_ranks - 1, "a rank"));
}

void
GoalReader::ReadOperation(uint32_t rank)
{
    GoalStatement statement;
    auto& operation = statement.operation;
    operation.id = m_reader.GetLineNumber();
    const std::string word(Take("calc, send or recv"));
    if (word == "calc")
    {
        operation.duration = NanoSeconds(TakeNumber(MAX_TRAINING_NANOSECONDS, "a time in ns"));
        m_report.Add("computations");
    }
    else
    {
        const bool isSend = word == "send";
        operation.kind = isSend ? TrainingProgram::Kind::SEND : TrainingProgram::Kind::RECEIVE;
        operation.bytes = TakeBytes();
        const uint32_t other = TakeRank(isSend ? "to" : "from");
        if (other == rank)
        {
            m_reader.Refuse(std::to_string(other), "another rank than this one");
        }
        operation.peer = static_cast<int32_t>(int64_t{other} - rank);
        if (TakeIf("tag"))
        {
            if (Peek() == "-1")
            {
                m_reader.Refuse("-1", "a tag: messages of any tag are not supported");
            }
            operation.tag = static_cast<uint32_t>(TakeNumber(UINT32_MAX, "a tag"));
        }
        m_report.Add(isSend ? "sends" : "receives");
    }
    for (const char* unit : {"cpu", "nic"})
    {
        if (word == "calc" && unit == std::string_view("nic"))
        {
            continue;
        }
        if (TakeIf(unit) && TakeNumber(UINT8_MAX, unit) != 0)
        {
            m_reader.Refuse(m_words[m_next - 1],
                            std::string(unit) + " 0: a rank has one of each here");
        }
    }
    m_statements.push_back(std::move(statement));
}

uint32_t
GoalReader::FindLabel(std::string_view label) const
{
    const auto found = m_statementOf.find(std::string(label));
    if (found == m_statementOf.end())
    {
        m_reader.Refuse(label, "a label defined before in this rank");
    }
    return found->second;
}

void
GoalReader::ReadDependency(const std::string& label, bool afterBegin)
{
    const uint32_t statement = FindLabel(label);
    const uint32_t before = FindLabel(Take("a label"));
    if (statement == before)
    {
        m_reader.Refuse(label, "another label: it would wait for itself");
    }
    if (afterBegin && m_statements[before].operation.kind == TrainingProgram::Kind::COMPUTE)
    {
        m_reader.Refuse("irequires",
                        "the label of a send or recv after it: waiting for the begin of a calc is "
                        "not supported");
    }
    auto& list =
        afterBegin ? m_statements[statement].afterBegins : m_statements[statement].afterEnds;
    list.push_back(before);
    m_report.Add(afterBegin ? "dependencies on a begin" : "dependencies");
}

TrainingProgram
GoalReader::MakeProgram() const
{
    // A send or a receive begins when those it requires have ended: what waits for its begin waits
    // for these.
    std::vector<std::vector<uint32_t>> after(m_statements.size());
    std::vector<uint8_t> state(m_statements.size()); // 0: not seen, 1: on the path, 2: complete
    std::vector<std::pair<uint32_t, std::size_t>> path;
    for (uint32_t first = 0; first < m_statements.size(); ++first)
    {
        if (state[first] != 0)
        {
            continue;
        }
        path.emplace_back(first, 0);
        state[first] = 1;
        while (!path.empty())
        {
            const uint32_t top = path.back().first;
            const GoalStatement& statement = m_statements[top];
            if (path.back().second == statement.afterBegins.size())
            {
                after[top].insert(after[top].end(),
                                  statement.afterEnds.begin(),
                                  statement.afterEnds.end());
                std::sort(after[top].begin(), after[top].end());
                after[top].erase(std::unique(after[top].begin(), after[top].end()),
                                 after[top].end());
                state[top] = 2;
                path.pop_back();
                if (!path.empty())
                {
                    auto& waiting = after[path.back().first];
                    waiting.insert(waiting.end(), after[top].begin(), after[top].end());
                }
                continue;
            }
            const uint32_t before = statement.afterBegins[path.back().second++];
            if (state[before] == 1)
            {
                throw OdcnError::InFile(m_path,
                                        statement.operation.id,
                                        "a begin that waits for itself",
                                        "no cycle, but the statement of line " +
                                            std::to_string(m_statements[before].operation.id) +
                                            " waits for it");
            }
            if (state[before] == 2)
            {
                after[top].insert(after[top].end(), after[before].begin(), after[before].end());
                continue;
            }
            state[before] = 1;
            path.emplace_back(before, 0);
        }
    }
    TrainingProgram program;
    for (std::size_t i = 0; i < m_statements.size(); ++i)
    {
        program.Add(m_statements[i].operation, after[i]);
    }
    return program;
}

void
GoalReader::ReadRank(TrainingJob& job)
{
    if (!TakeIf("rank"))
    {
        m_reader.Refuse(Peek(), "'rank R {'");
    }
    const auto rank = static_cast<uint32_t>(TakeNumber(m_ranks - 1, "a rank"));
    const uint64_t begin = m_reader.GetLineNumber();
    if (!TakeIf("{") && !(m_next == m_words.size() && NextStatement() && TakeIf("{")))
    {
        m_reader.Refuse(Peek(), "'{' after the rank");
    }
    m_statements.clear();
    m_statementOf.clear();
    while (true)
    {
        if (m_next == m_words.size() && !NextStatement())
        {
            throw OdcnError::InFile(m_path, begin, "no end of the rank", "'}' on a later line");
        }
        if (TakeIf("}"))
        {
            break;
        }
        std::string label;
        if (const std::string_view word = Peek();
            word != "calc" && word != "send" && word != "recv")
        {
            label = Take("a statement");
            const bool isName =
                std::isalpha(static_cast<unsigned char>(label[0])) &&
                std::all_of(label.begin(),
                            label.end(),
                            [](unsigned char c) { return std::isalnum(c) || c == '_'; });
            if (!isName)
            {
                m_reader.Refuse(label, "a label, calc, send, recv or '}'");
            }
        }
        if (!label.empty() && (Peek() == "requires" || Peek() == "irequires"))
        {
            const bool afterBegin = Take("requires") == "irequires";
            ReadDependency(label, afterBegin);
        }
        else
        {
            if (!label.empty() && !TakeIf(":"))
            {
                m_reader.Refuse(label,
                                "calc, send, recv, or a label before ':', requires or irequires");
            }
            const std::string_view word = Peek();
            if (word != "calc" && word != "send" && word != "recv")
            {
                m_reader.Refuse(word, "calc, send or recv");
            }
            const auto index = static_cast<uint32_t>(m_statements.size());
            if (!label.empty() && !m_statementOf.emplace(label, index).second)
            {
                m_reader.Refuse(label, "a label that is new in this rank");
            }
            ReadOperation(rank);
        }
        if (m_next != m_words.size() && Peek() != "}")
        {
            m_reader.Refuse(Peek(), "the end of the statement");
        }
    }
    if (m_next != m_words.size())
    {
        m_reader.Refuse(Peek(), "the end of the line");
    }
    if (job.GetProgramOf(rank) != TrainingJob::Communicator::NONE)
    {
        m_reader.Refuse("rank " + std::to_string(rank), "each rank once");
    }
    const uint32_t ranks[]{rank};
    job.AddProgram(MakeProgram(), ranks);
}

TrainingJob
GoalReader::Read(const TrainingReadOptions& options)
{
    if (!NextStatement() || !TakeIf("num_ranks"))
    {
        m_reader.Refuse(Peek(), "'num_ranks N'");
    }
    m_ranks = TakeNumber(MAX_TRAINING_RANKS, "a number of ranks");
    if (m_ranks == 0 || (options.ranks != 0 && options.ranks != m_ranks))
    {
        m_reader.Refuse(std::to_string(m_ranks),
                        options.ranks == 0
                            ? "1 rank or more"
                            : std::to_string(options.ranks) + " ranks, as the option ranks says");
    }
    TrainingJob job(m_path, static_cast<uint32_t>(m_ranks));
    while (m_next != m_words.size() || NextStatement())
    {
        ReadRank(job);
    }
    if (m_isComment)
    {
        throw OdcnError(m_path + ": found no end of a comment, expected */");
    }
    return job;
}

} // namespace

TrainingJob
ReadGoalText(const std::string& path,
             const TrainingReadOptions& options,
             TrainingReadReport& report)
{
    return GoalReader(path, report).Read(options);
}

} // namespace ns3::odcn
