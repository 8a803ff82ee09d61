// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-job.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

namespace
{

using TrainingKind = TrainingProgram::Kind;

/// What a program exchanges with other ranks, by index of its operations, in their order.
struct TrainingExchange
{
    /// By communicator.
    std::map<uint32_t, std::vector<uint32_t>> collectives;
    /// By the other rank minus this rank, and tag.
    std::map<int32_t, std::map<uint32_t, std::vector<uint32_t>>> sends;
    /// The same.
    std::map<int32_t, std::map<uint32_t, std::vector<uint32_t>>> receives;
};

/// @param what a collective
/// @return its word
const char*
CollectiveWord(Collective::Operation what)
{
    switch (what)
    {
    case Collective::Operation::ALL_REDUCE:
        return "all-reduce";
    case Collective::Operation::REDUCE_SCATTER:
        return "reduce-scatter";
    case Collective::Operation::ALL_GATHER:
        return "all-gather";
    case Collective::Operation::ALL_TO_ALL:
        return "all-to-all";
    case Collective::Operation::BROADCAST:
        return "broadcast";
    default:
        return "send";
    }
}

/// Checks a job.
class TrainingChecker
{
  public:
    /// @param job what to check
    explicit TrainingChecker(const TrainingJob& job)
        : m_job(job),
          m_ranksOf(job.GetPrograms().size()),
          m_exchanges(job.GetPrograms().size())
    {
    }

    /// Check all.
    /// @throws OdcnError
    void Run();

  private:
    /// An operation of a rank.
    struct Place
    {
        uint32_t rank;      //!< of the job
        uint32_t operation; //!< index in its program
        auto operator<=>(const Place&) const = default;
    };

    /// @param program index
    /// @return the program
    const TrainingProgram& GetProgram(uint32_t program) const
    {
        return m_job.GetPrograms()[program];
    }

    /// @param program index
    /// @param operation index
    /// @return the operation
    const TrainingProgram::Operation& GetOperation(uint32_t program, uint32_t operation) const
    {
        return GetProgram(program).GetOperations()[operation];
    }

    /// @param place an operation of a rank
    /// @return it
    const TrainingProgram::Operation& GetOperation(const Place& place) const
    {
        return GetOperation(m_job.GetProgramOf(place.rank), place.operation);
    }

    /**
     * @param rank of the job
     * @param id of an operation; nullptr for none
     * @param value what was found
     * @param expected what is valid
     */
    [[noreturn]] void Refuse(uint32_t rank,
                             const uint64_t* id,
                             const std::string& value,
                             const std::string& expected) const
    {
        throw OdcnError(m_job.GetName() + ": rank " + std::to_string(rank) +
                        (id ? ", id " + std::to_string(*id) : "") + ": found " + value +
                        ", expected " + expected);
    }

    /// Check that each rank has a program, and each operation by itself.
    void CheckPrograms();

    /**
     * Check an operation by itself, and enter it into m_exchanges.
     * @param program index of its program
     * @param operation its index
     */
    void CheckOperation(uint32_t program, uint32_t operation);

    /// Check that the ranks of each group run the same collectives in the same order.
    void CheckCollectives() const;

    /// Check that each message is sent and received, with one size.
    void CheckMessages() const;

    /// @return whether programs alone prove that nothing waits for itself
    bool AreProgramsOrdered() const;

    /// Check that nothing waits for itself, rank by rank.
    void CheckOrder() const;

    const TrainingJob& m_job;                     //!< what to check
    std::vector<std::vector<uint32_t>> m_ranksOf; //!< by program
    std::vector<TrainingExchange> m_exchanges;    //!< by program
};

void
TrainingChecker::Run()
{
    CheckPrograms();
    CheckCollectives();
    CheckMessages();
    if (!AreProgramsOrdered())
    {
        CheckOrder();
    }
}

void
TrainingChecker::CheckPrograms()
{
    for (uint32_t rank = 0; rank < m_job.GetNRanks(); ++rank)
    {
        const uint32_t program = m_job.GetProgramOf(rank);
        if (program >= m_ranksOf.size())
        {
            Refuse(rank, nullptr, "no program", "one for each rank");
        }
        m_ranksOf[program].push_back(rank);
    }
    for (uint32_t program = 0; program < m_ranksOf.size(); ++program)
    {
        if (!m_ranksOf[program].empty())
        {
            for (uint32_t i = 0; i < GetProgram(program).GetOperations().size(); ++i)
            {
                CheckOperation(program, i);
            }
        }
    }
}

void
TrainingChecker::CheckOperation(uint32_t program, uint32_t operation)
{
    const auto& ranks = m_ranksOf[program];
    const auto& checked = GetOperation(program, operation);
    for (const uint32_t before : GetProgram(program).GetAfter(checked))
    {
        if (before == operation)
        {
            Refuse(ranks.front(), &checked.id, "that it waits for itself", "no cycle");
        }
        if (before >= GetProgram(program).GetOperations().size())
        {
            Refuse(ranks.front(),
                   &checked.id,
                   "that it waits for operation " + std::to_string(before),
                   "less than " + std::to_string(GetProgram(program).GetOperations().size()));
        }
    }
    auto& exchange = m_exchanges[program];
    if (checked.kind == TrainingKind::COMPUTE)
    {
        if (checked.duration.IsStrictlyNegative())
        {
            Refuse(ranks.front(), &checked.id, "a negative duration", "0 or more");
        }
    }
    else if (checked.kind == TrainingKind::COLLECTIVE)
    {
        const auto& communicators = m_job.GetCommunicators();
        if (checked.communicator >= communicators.size())
        {
            Refuse(ranks.front(),
                   &checked.id,
                   "group " + std::to_string(checked.communicator),
                   "less than " + std::to_string(communicators.size()));
        }
        const auto& communicator = communicators[checked.communicator];
        auto& collectives = exchange.collectives[checked.communicator];
        collectives.push_back(operation);
        for (std::size_t i = 0; collectives.size() == 1 && i < ranks.size(); ++i)
        {
            if (communicator.groupOf[ranks[i]] == TrainingJob::Communicator::NONE)
            {
                Refuse(ranks[i],
                       &checked.id,
                       "a collective of group " + communicator.name,
                       "that the rank is in it");
            }
        }
    }
    else
    {
        auto& messages = checked.kind == TrainingKind::SEND ? exchange.sends : exchange.receives;
        auto& ofPeer = messages[checked.peer];
        for (std::size_t i = 0; ofPeer.empty() && i < ranks.size(); ++i)
        {
            const int64_t peer = int64_t{ranks[i]} + checked.peer;
            if (checked.peer == 0 || peer < 0 || peer >= m_job.GetNRanks())
            {
                Refuse(ranks[i],
                       &checked.id,
                       "a message with rank " + std::to_string(peer),
                       "another rank less than " + std::to_string(m_job.GetNRanks()));
            }
        }
        ofPeer[checked.tag].push_back(operation);
    }
}

void
TrainingChecker::CheckCollectives() const
{
    static const std::vector<uint32_t> NO_COLLECTIVES;
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> equal; // communicator, two programs
    for (uint32_t index = 0; index < m_job.GetCommunicators().size(); ++index)
    {
        const auto& communicator = m_job.GetCommunicators()[index];
        const auto find = [&](uint32_t program) -> const std::vector<uint32_t>&
        {
            const auto found = m_exchanges[program].collectives.find(index);
            return found == m_exchanges[program].collectives.end() ? NO_COLLECTIVES : found->second;
        };
        for (const auto& group : communicator.groups)
        {
            for (const uint32_t rank : group)
            {
                const uint32_t first = group.front();
                const uint32_t firstProgram = m_job.GetProgramOf(first);
                const uint32_t program = m_job.GetProgramOf(rank);
                if (program == firstProgram || !equal.emplace(index, firstProgram, program).second)
                {
                    continue;
                }
                const auto& theirs = find(firstProgram);
                const auto& ours = find(program);
                const std::size_t common = std::min(theirs.size(), ours.size());
                for (std::size_t k = 0; k < common; ++k)
                {
                    const auto& a = GetOperation(firstProgram, theirs[k]);
                    const auto& b = GetOperation(program, ours[k]);
                    if (a.what != b.what || a.bytes != b.bytes || a.weights != b.weights ||
                        a.isBack != b.isBack)
                    {
                        const auto words = [](const TrainingProgram::Operation& operation)
                        {
                            return std::string(CollectiveWord(operation.what)) + " of " +
                                   std::to_string(operation.bytes) + " bytes";
                        };
                        Refuse(rank,
                               &b.id,
                               words(b) + " as number " + std::to_string(k + 1) + " of group " +
                                   communicator.name,
                               words(a) + " as by rank " + std::to_string(first) + ", id " +
                                   std::to_string(a.id));
                    }
                }
                if (theirs.size() != ours.size())
                {
                    const auto count = [](std::size_t n)
                    { return std::to_string(n) + (n == 1 ? " collective" : " collectives"); };
                    Refuse(rank,
                           common < ours.size() ? &GetOperation(program, ours[common]).id : nullptr,
                           count(ours.size()) + " of group " + communicator.name,
                           std::to_string(theirs.size()) + " as by rank " + std::to_string(first));
                }
            }
        }
    }
}

void
TrainingChecker::CheckMessages() const
{
    static const std::map<uint32_t, std::vector<uint32_t>> NO_MESSAGES;
    static const std::vector<uint32_t> NO_OPERATIONS;
    const auto find = [](const auto& map, auto key, const auto& none) -> const auto&
    {
        const auto found = map.find(key);
        return found == map.end() ? none : found->second;
    };
    for (uint32_t program = 0; program < m_exchanges.size(); ++program)
    {
        // Both ends are compared from the sender's side; a receive without any sends is left.
        for (const bool isSend : {true, false})
        {
            const auto& mine = isSend ? m_exchanges[program].sends : m_exchanges[program].receives;
            for (const auto& entry : mine)
            {
                const int32_t peer = entry.first;
                std::set<uint32_t> compared;
                for (const uint32_t rank : m_ranksOf[program])
                {
                    const auto other = static_cast<uint32_t>(int64_t{rank} + peer);
                    const uint32_t otherProgram = m_job.GetProgramOf(other);
                    if (!compared.insert(otherProgram).second)
                    {
                        continue;
                    }
                    const auto& theirs = find(isSend ? m_exchanges[otherProgram].receives
                                                     : m_exchanges[otherProgram].sends,
                                              -peer,
                                              NO_MESSAGES);
                    for (const auto& [tag, ours] : entry.second)
                    {
                        const auto& matching = find(theirs, tag, NO_OPERATIONS);
                        for (std::size_t k = 0; k < ours.size(); ++k)
                        {
                            const auto& a = GetOperation(program, ours[k]);
                            const std::string words =
                                std::string(isSend ? "send" : "receive") + " of " +
                                std::to_string(a.bytes) + " bytes with tag " + std::to_string(tag) +
                                (isSend ? " to rank " : " from rank ") + std::to_string(other);
                            if (k >= matching.size())
                            {
                                Refuse(rank,
                                       &a.id,
                                       words,
                                       std::string("a matching ") + (isSend ? "receive" : "send") +
                                           " there");
                            }
                            const auto& b = GetOperation(otherProgram, matching[k]);
                            if (a.bytes != b.bytes)
                            {
                                Refuse(rank,
                                       &a.id,
                                       words,
                                       std::to_string(b.bytes) + " bytes as by its id " +
                                           std::to_string(b.id));
                            }
                        }
                    }
                }
            }
        }
    }
}

bool
TrainingChecker::AreProgramsOrdered() const
{
    // All ranks of a program, and all groups of a communicator, as one: a cycle of ranks would be
    // one of these, too. The other way round it need not be.
    std::vector<uint32_t> firstNode;
    uint32_t nodes = 0;
    for (const auto& program : m_job.GetPrograms())
    {
        firstNode.push_back(nodes);
        nodes += static_cast<uint32_t>(program.GetOperations().size());
    }
    std::vector<uint32_t> nodeOf(nodes);
    std::map<std::pair<uint32_t, std::size_t>, uint32_t> instances;
    for (uint32_t node = 0; node < nodes; ++node)
    {
        nodeOf[node] = node;
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges; // from, to
    for (uint32_t program = 0; program < m_exchanges.size(); ++program)
    {
        const uint32_t first = firstNode[program];
        for (const auto& [communicator, collectives] : m_exchanges[program].collectives)
        {
            for (std::size_t k = 0; k < collectives.size(); ++k)
            {
                nodeOf[first + collectives[k]] =
                    instances.emplace(std::pair(communicator, k), first + collectives[k])
                        .first->second;
            }
        }
    }
    for (uint32_t program = 0; program < m_exchanges.size(); ++program)
    {
        const uint32_t first = firstNode[program];
        const auto& operations = GetProgram(program).GetOperations();
        for (uint32_t i = 0; i < operations.size() && !m_ranksOf[program].empty(); ++i)
        {
            for (const uint32_t before : GetProgram(program).GetAfter(operations[i]))
            {
                edges.emplace_back(nodeOf[first + before], nodeOf[first + i]);
            }
        }
        for (const auto& [peer, tags] : m_exchanges[program].sends)
        {
            std::set<uint32_t> programs;
            for (const uint32_t rank : m_ranksOf[program])
            {
                programs.insert(m_job.GetProgramOf(static_cast<uint32_t>(int64_t{rank} + peer)));
            }
            for (const uint32_t other : programs)
            {
                for (const auto& [tag, sends] : tags)
                {
                    const auto& receives = m_exchanges[other].receives.at(-peer).at(tag);
                    for (std::size_t k = 0; k < sends.size(); ++k)
                    {
                        edges.emplace_back(first + sends[k], firstNode[other] + receives[k]);
                    }
                }
            }
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<uint32_t> waits(nodes);
    std::vector<uint32_t> firstEdge(nodes + 1);
    for (const auto& [from, to] : edges)
    {
        ++waits[to];
        ++firstEdge[from + 1];
    }
    for (uint32_t node = 0; node < nodes; ++node)
    {
        firstEdge[node + 1] += firstEdge[node];
    }
    std::vector<uint32_t> ready;
    for (uint32_t node = 0; node < nodes; ++node)
    {
        if (waits[node] == 0)
        {
            ready.push_back(node);
        }
    }
    uint32_t ended = 0;
    for (; !ready.empty(); ++ended)
    {
        const uint32_t node = ready.back();
        ready.pop_back();
        for (uint32_t edge = firstEdge[node]; edge < firstEdge[node + 1]; ++edge)
        {
            if (--waits[edges[edge].second] == 0)
            {
                ready.push_back(edges[edge].second);
            }
        }
    }
    return ended == nodes;
}

void
TrainingChecker::CheckOrder() const
{
    // What an operation is waited for by, in its program; and its number among those it is matched
    // with.
    std::vector<std::vector<std::vector<uint32_t>>> next(m_exchanges.size());
    std::vector<std::vector<uint32_t>> number(m_exchanges.size());
    for (uint32_t program = 0; program < m_exchanges.size(); ++program)
    {
        const auto& operations = GetProgram(program).GetOperations();
        next[program].resize(operations.size());
        number[program].resize(operations.size());
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            for (const uint32_t before : GetProgram(program).GetAfter(operations[i]))
            {
                next[program][before].push_back(i);
            }
        }
        const auto count = [&](const std::vector<uint32_t>& matched)
        {
            for (uint32_t k = 0; k < matched.size(); ++k)
            {
                number[program][matched[k]] = k;
            }
        };
        for (const auto& entry : m_exchanges[program].collectives)
        {
            count(entry.second);
        }
        for (const auto* messages : {&m_exchanges[program].sends, &m_exchanges[program].receives})
        {
            for (const auto& entry : *messages)
            {
                for (const auto& ofTag : entry.second)
                {
                    count(ofTag.second);
                }
            }
        }
    }
    constexpr uint32_t ENDED = UINT32_MAX;
    std::vector<std::vector<uint32_t>> waits(m_job.GetNRanks());
    std::vector<Place> ready;
    for (uint32_t rank = 0; rank < m_job.GetNRanks(); ++rank)
    {
        const auto& operations = GetProgram(m_job.GetProgramOf(rank)).GetOperations();
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            waits[rank].push_back(operations[i].nAfter +
                                  (operations[i].kind == TrainingKind::RECEIVE ? 1 : 0));
            if (waits[rank].back() == 0)
            {
                ready.push_back({rank, i});
            }
        }
    }
    // The operation at the other end.
    const auto match = [&](const Place& place, const TrainingProgram::Operation& operation)
    {
        const auto other = static_cast<uint32_t>(int64_t{place.rank} + operation.peer);
        const auto& exchange = m_exchanges[m_job.GetProgramOf(other)];
        const auto& theirs =
            operation.kind == TrainingKind::SEND ? exchange.receives : exchange.sends;
        return Place{
            other,
            theirs.at(-operation.peer)
                .at(operation.tag)[number[m_job.GetProgramOf(place.rank)][place.operation]]};
    };
    // The operations of a collective.
    const auto members = [&](const Place& place, const TrainingProgram::Operation& operation)
    {
        const auto& communicator = m_job.GetCommunicators()[operation.communicator];
        const uint32_t k = number[m_job.GetProgramOf(place.rank)][place.operation];
        std::vector<Place> places;
        for (const uint32_t rank : communicator.groups[communicator.groupOf[place.rank]])
        {
            const auto& exchange = m_exchanges[m_job.GetProgramOf(rank)];
            places.push_back({rank, exchange.collectives.at(operation.communicator)[k]});
        }
        return places;
    };
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::size_t> arrived;
    const auto release = [&](const Place& place)
    {
        if (--waits[place.rank][place.operation] == 0)
        {
            ready.push_back(place);
        }
    };
    const auto end = [&](const Place& place)
    {
        waits[place.rank][place.operation] = ENDED;
        for (const uint32_t i : next[m_job.GetProgramOf(place.rank)][place.operation])
        {
            release({place.rank, i});
        }
    };
    while (!ready.empty())
    {
        const Place place = ready.back();
        ready.pop_back();
        const auto& operation = GetOperation(place);
        if (operation.kind != TrainingKind::COLLECTIVE)
        {
            end(place);
            if (operation.kind == TrainingKind::SEND)
            {
                release(match(place, operation));
            }
            continue;
        }
        const auto& communicator = m_job.GetCommunicators()[operation.communicator];
        const uint32_t group = communicator.groupOf[place.rank];
        const uint32_t k = number[m_job.GetProgramOf(place.rank)][place.operation];
        const auto instance =
            arrived.try_emplace({operation.communicator, group, k}, std::size_t{0}).first;
        if (++instance->second == communicator.groups[group].size())
        {
            arrived.erase(instance);
            for (const Place& member : members(place, operation))
            {
                end(member);
            }
        }
    }
    // From an operation that has not ended to one that it waits for, until one comes twice.
    const auto isOpen = [&](const Place& place)
    { return waits[place.rank][place.operation] != ENDED; };
    Place place{0, 0};
    for (; place.rank < m_job.GetNRanks(); ++place.rank)
    {
        const auto open = std::find_if(waits[place.rank].begin(),
                                       waits[place.rank].end(),
                                       [](uint32_t count) { return count != ENDED; });
        if (open != waits[place.rank].end())
        {
            place.operation = static_cast<uint32_t>(open - waits[place.rank].begin());
            break;
        }
    }
    if (place.rank == m_job.GetNRanks())
    {
        return;
    }
    std::vector<Place> path;
    std::map<Place, std::size_t> positions;
    while (positions.emplace(place, path.size()).second)
    {
        path.push_back(place);
        const auto& operation = GetOperation(place);
        std::vector<Place> before;
        for (const uint32_t i : GetProgram(m_job.GetProgramOf(place.rank)).GetAfter(operation))
        {
            before.push_back({place.rank, i});
        }
        if (operation.kind == TrainingKind::RECEIVE)
        {
            before.push_back(match(place, operation));
        }
        if (std::none_of(before.begin(), before.end(), isOpen))
        {
            // It has begun, and another rank has not: its operation waits for something.
            for (const Place& member : members(place, operation))
            {
                if (waits[member.rank][member.operation] != 0)
                {
                    before.push_back(member);
                }
            }
        }
        place = *std::find_if(before.begin(), before.end(), isOpen);
    }
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(positions[place]));
    constexpr std::size_t MOST_NAMED = 8;
    const auto words = [&](const Place& named)
    {
        return (named.rank == place.rank ? "" : "rank " + std::to_string(named.rank) + " ") +
               "id " + std::to_string(GetOperation(named).id);
    };
    std::string text = "that it waits for ";
    for (std::size_t i = 1; i < path.size(); ++i)
    {
        if (i == MOST_NAMED)
        {
            text += std::to_string(path.size() - i) + " more, for ";
            break;
        }
        text += words(path[i]) + ", that for ";
    }
    const uint64_t id = GetOperation(place).id;
    Refuse(place.rank,
           &id,
           text + "rank " + std::to_string(place.rank) + " id " + std::to_string(id),
           "no cycle");
}

} // namespace

void
TrainingJob::Check() const
{
    TrainingChecker(*this).Run();
}

} // namespace ns3::odcn
