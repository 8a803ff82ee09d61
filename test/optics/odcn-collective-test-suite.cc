// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Collectives: that they compute what their names say, and their times on an idle network.
 */

#include "../core/odcn-test-case.h"

#include "ns3/config.h"
#include "ns3/odcn-collective-builder.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-tcp-flow-transport.h"
#include "ns3/queue-size.h"

#include <bit>
#include <random>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// What each rank has of each block: the ranks whose data were added.
using BlockState = std::vector<std::vector<std::set<uint32_t>>>;

/// @param name of a collective
/// @param n ranks
/// @param blocks number
/// @return what ranks have first
BlockState
GetFirstState(const std::string& name, uint32_t n, uint32_t blocks)
{
    BlockState state(n, std::vector<std::set<uint32_t>>(blocks));
    for (uint32_t r = 0; r < n; ++r)
    {
        for (uint32_t b = 0; b < blocks; ++b)
        {
            const bool reduces = name.starts_with("all-reduce") || name.starts_with("reduce");
            const bool own = name.starts_with("all-gather")   ? b == r
                             : name.starts_with("all-to-all") ? b / n == r
                                                              : r == 0;
            if (reduces || own)
            {
                state[r][b] = {r};
            }
        }
    }
    return state;
}

/// @param name of a collective
/// @param n ranks
/// @param state what ranks have at the end
/// @return whether it is what the operation promises
bool
IsRightState(const std::string& name, uint32_t n, const BlockState& state)
{
    for (uint32_t r = 0; r < n; ++r)
    {
        for (uint32_t b = 0; b < state[r].size(); ++b)
        {
            std::set<uint32_t> all;
            for (uint32_t i = 0; i < n; ++i)
            {
                all.insert(i);
            }
            const bool wrong = name.starts_with("all-reduce")   ? state[r][b] != all
                               : name.starts_with("reduce")     ? b == r && state[r][b] != all
                               : name.starts_with("all-gather") ? state[r][b] != std::set{b}
                               : name.starts_with("all-to-all")
                                   ? b % n == r && state[r][b] != std::set{b / n}
                                   : state[r][b] != std::set{0U};
            if (wrong)
            {
                return false;
            }
        }
    }
    return true;
}

/// Plays the steps of a collective: each rank has blocks, which steps read, and change when they
/// are received.
class StepPlayer
{
  public:
    /// @param name of the collective
    /// @param collective the collective
    StepPlayer(const std::string& name, const Collective& collective)
        : state(GetFirstState(name, collective.GetNRanks(), collective.GetNBlocks())),
          received(collective.GetNRanks()),
          m_collective(collective),
          m_read(collective.GetSteps().size())
    {
    }

    /// @param index of a step, whose sender reads what it sends
    void Read(uint32_t index)
    {
        const Collective::Step& step = m_collective.GetSteps()[index];
        for (uint32_t i = 0; i < step.nBlocks; ++i)
        {
            m_read[index].push_back(state[step.from][(step.block + i) % m_collective.GetNBlocks()]);
            Note(m_read[index].back().empty(), "a rank sends what it does not have");
        }
    }

    /// @param index of a step that was read, and is received
    void Receive(uint32_t index)
    {
        const Collective::Step& step = m_collective.GetSteps()[index];
        for (uint32_t i = 0; i < step.nBlocks; ++i)
        {
            auto& own = state[step.to][(step.block + i) % m_collective.GetNBlocks()];
            const std::set<uint32_t>& sent = m_read[index][i];
            if (!step.reduce)
            {
                own = sent;
                continue;
            }
            for (const uint32_t r : sent)
            {
                Note(!own.insert(r).second, "data are added twice");
            }
        }
        received[step.to] += step.bytes;
    }

    BlockState state;               //!< what each rank has
    std::vector<uint64_t> received; //!< bytes, by rank
    std::string fault;              //!< the first one; empty if there is none

  private:
    /// @param isWrong whether something is wrong
    /// @param text what
    void Note(bool isWrong, const char* text)
    {
        fault = isWrong && fault.empty() ? text : fault;
    }

    const Collective& m_collective;                        //!< what is played
    std::vector<std::vector<std::set<uint32_t>>> m_read{}; //!< by step, what was sent
};

/// Play all steps, in their order or in a random one that respects GetAfter(): a step is read any
/// time after those before it have been received, and received any time after that.
/// @param name of a collective
/// @param n ranks
/// @param seed of the order; 0 for that of the steps
/// @return what is wrong; empty if nothing is
std::string
CheckData(const std::string& name, uint32_t n, uint32_t seed = 0)
{
    const uint64_t bytes = 1000 + n;
    const Collective collective = Collective::Make(name, n, bytes);
    const auto& steps = collective.GetSteps();
    std::vector<std::vector<uint32_t>> next(steps.size());
    std::vector<uint32_t> waits(steps.size());
    std::vector<std::pair<uint32_t, bool>> events; // possible now: a step, whether to be received
    for (uint32_t i = 0; i < steps.size(); ++i)
    {
        for (const uint32_t before : collective.GetAfter(steps[i]))
        {
            if (before >= i || steps[before].to != steps[i].from)
            {
                return "a step waits for what its sender does not notice";
            }
            next[before].push_back(i);
            ++waits[i];
        }
        if (waits[i] == 0)
        {
            events.emplace_back(i, false);
        }
    }
    StepPlayer player(name, collective);
    std::mt19937 random(seed);
    for (uint32_t i = 0; seed == 0 && i < steps.size(); ++i)
    {
        player.Read(i);
        player.Receive(i);
    }
    while (seed > 0 && !events.empty())
    {
        std::swap(events[random() % events.size()], events.back());
        const auto [step, isReceived] = events.back();
        events.pop_back();
        if (!isReceived)
        {
            player.Read(step);
            events.emplace_back(step, true);
            continue;
        }
        player.Receive(step);
        for (const uint32_t after : next[step])
        {
            if (--waits[after] == 0)
            {
                events.emplace_back(after, false);
            }
        }
    }
    if (!player.fault.empty())
    {
        return player.fault;
    }
    if (name.starts_with("all-gather:ring") &&
        *std::max_element(player.received.begin(), player.received.end()) > bytes - bytes / n)
    {
        return "too many bytes";
    }
    return IsRightState(name, n, player.state) ? "" : "wrong data at the end";
}

/// @param name of a collective
/// @param n ranks
/// @return whether Collective::Make() makes it
bool
Exists(const std::string& name, uint32_t n)
{
    return !name.starts_with("send") || n == 2;
}

ODCN_TEST_CASE(CollectiveDataTestCase, "all collectives end with the right data")
{
    uint32_t checked = 0;
    for (const std::string& name : Collective::GetNames())
    {
        for (uint32_t n = 2; n <= 33; ++n)
        {
            if (Exists(name, n))
            {
                NS_TEST_EXPECT_MSG_EQ(CheckData(name, n), "", name << " of " << n);
                ++checked;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(checked, 16 * 32 + 1, "16 names for 2 to 33 ranks, and send for 2");
}

ODCN_TEST_CASE(CollectiveOrderTestCase, "data are right in any order that steps allow")
{
    std::vector<std::string> names = Collective::GetNames();
    for (const char* more : {"all-reduce:double-binary-tree:1",
                             "all-reduce:double-binary-tree:3",
                             "broadcast:double-binary-tree:1",
                             "broadcast:pipeline:1",
                             "broadcast:pipeline:5"})
    {
        names.emplace_back(more);
    }
    for (const std::string& name : names)
    {
        for (uint32_t n = 2; n <= 17; ++n)
        {
            for (uint32_t seed = 1; seed <= 20 && Exists(name, n); ++seed)
            {
                NS_TEST_EXPECT_MSG_EQ(CheckData(name, n, seed),
                                      "",
                                      name << " of " << n << ", order " << seed);
            }
        }
    }
}

/// @param name of a collective
/// @param n ranks
/// @param bytes a multiple of all numbers of blocks
/// @return bytes of all its steps, as the theory says
uint64_t
GetVolume(const std::string& name, uint64_t n, uint64_t bytes)
{
    const bool isAllReduce = name.starts_with("all-reduce");
    if (name.find("halving") != std::string::npos)
    {
        // Ranks too many give all that they have to a neighbour, and get what they lack. A
        // rank of the others sends and receives what is not its own, in each half.
        const uint64_t core = std::bit_floor(n);
        const uint64_t extra = n - core;
        if (isAllReduce)
        {
            return 2 * (core - 1) * bytes + 2 * extra * bytes;
        }
        // In a round, each block of a vector goes from one half of a group to the other.
        const uint64_t among = (core - 1) * bytes;
        return name.starts_with("reduce") ? among + extra * bytes + extra * bytes / n
                                          : among + extra * bytes / n + extra * (n - 1) * bytes / n;
    }
    if (name == "all-to-all:ring")
    {
        // Each of the n blocks of each rank takes as many hops as its receiver is away.
        return n * (n - 1) / 2 * bytes;
    }
    if (name.starts_with("broadcast") || name.starts_with("all-to-all"))
    {
        return (n - 1) * bytes;
    }
    return name.starts_with("send") ? bytes : (isAllReduce ? 2 : 1) * (n - 1) * bytes;
}

ODCN_TEST_CASE(CollectiveVolumeTestCase, "volumes are those of the theory")
{
    for (const std::string& name : Collective::GetNames())
    {
        for (uint32_t n = 2; n <= 33; ++n)
        {
            if (!Exists(name, n))
            {
                continue;
            }
            const uint64_t bytes = 16 * 32 * 7 * n;
            const Collective collective = Collective::Make(name, n, bytes);
            NS_TEST_EXPECT_MSG_EQ(collective.GetBytes(),
                                  GetVolume(name, n, bytes),
                                  name << " of " << n);
        }
    }
}

ODCN_TEST_CASE(CollectiveTreeShapeTestCase, "two trees share their work, and no way both at a time")
{
    for (uint32_t n = 2; n <= 65; ++n)
    {
        const Collective trees = Collective::Make("all-reduce:double-binary-tree:1", n, 4 * n);
        std::vector<uint32_t> children(n);
        std::vector<std::set<uint32_t>> inner(n);
        std::vector<std::pair<uint64_t, uint64_t>> bytes(n); // sent and received
        std::array<std::set<std::pair<uint32_t, uint32_t>>, 2> up;
        std::array<std::set<std::pair<uint32_t, uint32_t>>, 2> down;
        for (const Collective::Step& step : trees.GetSteps())
        {
            (step.reduce ? up : down)[step.block].emplace(step.from, step.to);
            children[step.to] += step.reduce;
            if (step.reduce)
            {
                inner[step.to].insert(step.block);
            }
            bytes[step.from].first += step.bytes;
            bytes[step.to].second += step.bytes;
        }
        const std::string title = std::to_string(n) + " ranks";
        uint32_t twice = 0;
        for (uint32_t r = 0; r < n; ++r)
        {
            twice += inner[r].size() == 2;
            NS_TEST_EXPECT_MSG_LT(children[r], 3, title << ", rank " << r);
            NS_TEST_EXPECT_MSG_LT(std::max(bytes[r].first, bytes[r].second),
                                  8 * n + 1,
                                  title << ", rank " << r);
        }
        NS_TEST_EXPECT_MSG_EQ(twice, n % 2, title << ": inner ones of both trees");
        for (const auto& [from, to] : up[0])
        {
            NS_TEST_EXPECT_MSG_EQ((n >= 6 && down[1].contains({from, to})),
                                  false,
                                  title << ", from " << from << " to " << to);
        }
    }
}

ODCN_TEST_CASE(CollectiveSizesTestCase, "sizes of blocks are exact, from 1 byte to 2^53")
{
    // A rank's blocks are all sent by an all-to-all; one of them stays.
    for (const auto& [n, bytes] :
         std::vector<std::pair<uint32_t, uint64_t>>{{2, 1},
                                                    {7, 3},
                                                    {100, 101},
                                                    {512, uint64_t{1} << 39},
                                                    {1024, (uint64_t{1} << 50) - 1},
                                                    {2, uint64_t{1} << 53}})
    {
        const Collective all = Collective::Make("all-to-all:direct", n, bytes);
        std::vector<uint64_t> sent(n);
        uint64_t total = 0;
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (const auto& step : all.GetSteps())
        {
            sent[step.from] += step.bytes;
            total += step.bytes;
            least = std::min(least, step.bytes);
            most = std::max(most, step.bytes);
        }
        for (uint32_t r = 0; r < n; ++r)
        {
            const uint64_t own = bytes - sent[r];
            NS_TEST_EXPECT_MSG_LT(own, bytes / n + 2, n << " ranks, rank " << r);
            NS_TEST_EXPECT_MSG_GT(own + 1, bytes / n, n << " ranks, rank " << r);
        }
        NS_TEST_EXPECT_MSG_LT(most - least, 2, n << " ranks, " << bytes);
        NS_TEST_EXPECT_MSG_EQ(all.GetBytes(), total, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(total, (n - 1) * bytes, "each rank keeps a part of n");
    }
    // 50 GB of 1,000 ranks, in parts of 50 MB: 8 x 50 GB x 1,000 x 1,000 does not fit into 64 bits.
    const Collective wide = Collective::Make("all-to-all:direct", 1000, 50000000000);
    NS_TEST_EXPECT_MSG_EQ(wide.GetBytes(), 999 * uint64_t{50000000000}, "50 GB of 1,000 ranks");
    NS_TEST_EXPECT_MSG_EQ_TOL(wide.GetLeastTime({0, 1e10}), 39.96, 1e-9, "at 10 Gb/s");
    // 1 GiB of 2,048 ranks, whose product with n^2 does not fit into 64 bits.
    const Collective large = Collective::Make("all-to-all:direct", 2048, 1 << 30);
    NS_TEST_EXPECT_MSG_EQ(large.GetBytes(), uint64_t{2047} << 30, "1 GiB of 2,048 ranks");
    NS_TEST_EXPECT_MSG_EQ_TOL(large.GetLeastTime({0, 8e9}),
                              2047.0 / 2048 * (1 << 30) / 1e9,
                              1e-9,
                              "");
}

ODCN_TEST_CASE_F(RefusalFixture, BadCollectivesTestCase, "bad collectives are refused")
{
    ExpectRefusal("one of", [] { Collective::Make("all-reduce", 4, 100); });
    ExpectRefusal("all-to-all:direct", [] { Collective::Make("all-to-all:rings", 4, 100); });
    ExpectRefusal("CHUNKS", [] { Collective::Make("broadcast:pipeline:0", 4, 100); });
    ExpectRefusal("CHUNKS", [] { Collective::Make("all-reduce:ring:4", 4, 100); });
    ExpectRefusal("double-binary-tree[:CHUNKS]",
                  [] { Collective::Make("all-reduce:double-binary-tree:0", 4, 100); });
    ExpectRefusal("2 or more", [] { Collective::Make("all-reduce:ring", 1, 100); });
    ExpectRefusal("expected 1 to", [] { Collective::Make("all-reduce:ring", 4, 0); });
    ExpectRefusal("1 to 9007199254740992 for 2 ranks",
                  [] { Collective::Make("send:direct", 2, (uint64_t{1} << 53) + 1); });
    ExpectRefusal("1 to 70368744177664 for 32768 ranks",
                  [] { Collective::Make("all-gather:ring", 32768, uint64_t{1} << 47); });
    for (const char* name : {"all-reduce:ring", "all-to-all:direct", "all-reduce:direct"})
    {
        ExpectRefusal("more than 2^31 steps", [&] { Collective::Make(name, 65536, 1 << 20); });
    }
    ExpectRefusal("more than 2^31 steps",
                  [] { Collective::Make("broadcast:pipeline:1000000", 1000, 1 << 20); });

    const std::string path = CreateTempDirFilename("steps.txt");
    const auto refuse = [&](const std::string& part, const std::string& text)
    {
        std::ofstream(path) << text;
        ExpectRefusal(part, [&] { Collective::Read(path); });
    };
    refuse("steps.txt:1", "");
    refuse("steps.txt:1", "0 1 5\n");
    refuse("steps.txt:2", "ranks 2\n0 2 5\n");
    refuse("steps.txt:2", "ranks 2\n0 1\n");
    refuse("steps.txt:2", "ranks 2\n0 1 0\n");
    refuse("another rank", "ranks 2\n1 1 5\n");
    refuse("no step before", "ranks 2\n0 1 5 0\n");
    refuse("steps.txt:4", "ranks 2\n0 1 5\n\n1 0 5 1\n");
    std::string many = "ranks 2\n";
    for (uint32_t i = 0; i < 513; ++i)
    {
        many += "0 1 9007199254740992\n"; // 2^53: 512 of them are 2^62
    }
    refuse("steps.txt:514", many);
    std::ofstream(path) << "ranks 3 # a chain\n0 1 500\n\n1 2  500 0\n";
    const Collective chain = Collective::Read(path);
    NS_TEST_EXPECT_MSG_EQ(chain.GetSteps().size(), 2, "steps");
    NS_TEST_EXPECT_MSG_EQ(chain.GetAfter(chain.GetSteps()[1]).size(), 1, "before the second");
    NS_TEST_EXPECT_MSG_EQ(chain.GetTraffic({0, 1, 1}, 2).Get(0, 1), 500, "between racks");
    NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetLeastTime({1e-6, 1e9}), 2 * (1e-6 + 4e-6), 1e-15, "chain");
    DemandMatrix skewed(3);
    skewed.Set(0, 1, 100);
    skewed.Set(2, 0, 50.4);
    const Collective shuffle = Collective::MakeAllToAll(skewed);
    NS_TEST_EXPECT_MSG_EQ(shuffle.GetBytes(), 150, "bytes of an unequal all-to-all");
    NS_TEST_EXPECT_MSG_EQ(shuffle.GetSteps().size(), 2, "nothing is sent for 0");
    skewed.Set(1, 2, 1e16);
    ExpectRefusal("at most 2^53", [&] { Collective::MakeAllToAll(skewed); });
}

/// An idle network of servers at one switch, with 10 Gb/s.
class IdleNetwork
{
  public:
    /// @param n servers
    explicit IdleNetwork(uint32_t n)
    {
        PacketNetworkHelper helper;
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerFiberAttribute("Delay", StringValue("500ns"));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        network = helper.BuildIdeal(1, n);
        helper.InstallServers(network);
    }

    /// @return the flow level of the network
    Ptr<NetworkFlowLevel> MakeFlowLevel() const
    {
        Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
        level->SetHosts(network->GetServers());
        return level;
    }

    /// @param plane carries the messages
    /// @param name of a collective
    /// @param bytes of it
    /// @return its time in seconds
    double Run(const Ptr<MessagePlane>& plane, const std::string& name, uint64_t bytes)
    {
        const uint32_t n = plane->GetNEndPoints();
        const Ptr<PlaneRun> run = plane->Send(Collective::Make(name, n, bytes).GetMessages());
        Simulator::Run();
        return run->IsDone() ? run->GetTime().GetSeconds() : -1;
    }

    Ptr<PacketNetwork> network; //!< the network
    SimulationEnd end;          //!< of the simulation
};

/// @param name of a collective
/// @param n ranks
/// @param bytes size of a rank's vector
/// @param full bytes of data in a full packet
/// @param headers bytes of them for each packet
/// @return its time in the textbook in seconds
double
GetTextbookTime(const std::string& name,
                uint32_t n,
                double bytes,
                double full = 1440,
                double headers = 60)
{
    // The last packet of a message is received and sent again by the switch, behind a full one if
    // there is one.
    const auto wire = [=](double m) { return 8 * (m + headers * std::ceil(m / full)) / 1e10; };
    const auto alpha = [=](double m) { return 2 * 500e-9 + (m > full ? 1.2e-6 : wire(m)); };
    const double block = bytes / n;
    const double one = wire(block) + alpha(block);
    if (name == "all-reduce:ring")
    {
        return 2 * (n - 1) * one;
    }
    if (name == "all-gather:ring" || name == "reduce-scatter:ring")
    {
        return (n - 1) * one;
    }
    if (name == "all-reduce:halving-doubling")
    {
        double sum = 0;
        for (double m = bytes / 2; m >= block; m /= 2)
        {
            sum += 2 * (wire(m) + alpha(m));
        }
        return sum;
    }
    return (n - 1) * wire(block) + alpha(block); // direct all-to-all
}

ODCN_TEST_CASE(CollectiveTextbookTestCase, "times of the textbook on an idle network")
{
    for (const std::string name : {"all-reduce:ring",
                                   "all-gather:ring",
                                   "reduce-scatter:ring",
                                   "all-reduce:halving-doubling",
                                   "all-to-all:direct"})
    {
        for (const uint32_t n : {4, 8, 16, 64})
        {
            for (const uint64_t bytes : {1024ULL, 1ULL << 20, 1ULL << 30})
            {
                const double textbook = GetTextbookTime(name, n, static_cast<double>(bytes));
                const auto check = [&](bool flows)
                {
                    IdleNetwork idle(n);
                    Ptr<MessagePlane> plane = idle.MakeFlowLevel();
                    if (!flows)
                    {
                        plane = FlowHelper().InstallMessages(idle.network->GetServers());
                    }
                    const double time = idle.Run(plane, name, bytes);
                    NS_TEST_EXPECT_MSG_EQ_TOL(time / textbook,
                                              1,
                                              1e-3,
                                              name << " of " << n << ", " << bytes << ", "
                                                   << (flows ? "flows" : "packets"));
                };
                check(true);
                // In packets up to 1 MB; of all-to-all those of 4 and 8 ranks.
                if (bytes <= 1 << 20 && (n <= 16 || bytes == 1024))
                {
                    check(false);
                }
            }
        }
    }
}

ODCN_TEST_CASE(CollectiveFoldedTestCase, "halving and doubling of any number of ranks")
{
    // Of n = 2^k + r ranks, r give S to a neighbour first, and get S from it at the end.
    for (uint32_t n = 3; n <= 33; ++n)
    {
        if (std::has_single_bit(n))
        {
            continue;
        }
        const double core = std::bit_floor(n);
        for (const bool flows : {true, false})
        {
            const uint64_t bytes = flows ? 1 << 28 : 1 << 18;
            if (!flows && n != 3 && n != 6 && n != 7 && n != 12)
            {
                continue;
            }
            IdleNetwork idle(n);
            Ptr<MessagePlane> plane = idle.MakeFlowLevel();
            if (!flows)
            {
                plane = FlowHelper().InstallMessages(idle.network->GetServers());
            }
            const double time = idle.Run(plane, "all-reduce:halving-doubling", bytes);
            const double textbook =
                (2 + 2 * (core - 1) / core) * double(bytes) * 8 / 1e10 * 1500 / 1440;
            const double alpha = 2.2e-6 * 2 * (std::log2(core) + 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(time / (textbook + alpha),
                                      1,
                                      flows ? 0.001 : 0.02,
                                      n << (flows ? " ranks, flows" : " ranks, packets"));
            const double least = Collective::Make("all-reduce:halving-doubling", n, bytes)
                                     .GetLeastTime({1e-6, 1e10, 1440, 60});
            NS_TEST_EXPECT_MSG_LT(least, time, n << " ranks: the least time");
            NS_TEST_EXPECT_MSG_GT(least / time, flows ? 0.999 : 0.95, n << " ranks: not far below");
        }
    }
}

ODCN_TEST_CASE(CollectiveLeastTestCase, "no collective takes less than its least time")
{
    for (const std::string& name : Collective::GetNames())
    {
        for (uint32_t n = 2; n <= 33 && Exists(name, std::min(n, 3U)); n += 3)
        {
            IdleNetwork idle(n);
            const double time = idle.Run(idle.MakeFlowLevel(), name, 1 << 24);
            const double least =
                Collective::Make(name, n, 1 << 24).GetLeastTime({1e-6, 1e10, 1440, 60});
            NS_TEST_EXPECT_MSG_GT(time / least, 1, name << " of " << n);
        }
    }
}

ODCN_TEST_CASE(CollectiveTcpTestCase, "large collectives by DCTCP")
{
    // Round trips through full queues of 15 connections take more than 2 ms.
    FlowHelper::SetDataCentreTcp(
        {.congestionControl = "ns3::TcpDctcp", .minRto = MilliSeconds(10)});
    for (const std::string name :
         {"all-gather:ring", "all-reduce:halving-doubling", "all-to-all:direct"})
    {
        for (const uint32_t n : {4, 16})
        {
            const uint64_t bytes = 4 << 20;
            IdleNetwork idle(n);
            FlowHelper helper;
            helper.SetAttribute("Transport", StringValue("Tcp"));
            const Ptr<PacketMessages> packets = helper.InstallMessages(idle.network->GetServers());
            const double time = idle.Run(packets, name, bytes);
            // Each link carries data one way and, for every other packet, an acknowledgement back.
            constexpr double HEADERS = TcpFlowTransport::HEADERS;
            const double textbook =
                GetTextbookTime(name, n, double(bytes), 1500 - HEADERS, HEADERS * 1.5);
            NS_TEST_EXPECT_MSG_EQ_TOL(time / textbook, 1, 0.01, name << " of " << n);
        }
    }
    Config::Reset();
}

ODCN_TEST_CASE(CollectiveTreeTestCase, "trees and pipelines approach the bandwidth of their links")
{
    // Chunks make all close to the least time: 2 S/B for an all-reduce, S/B for a broadcast.
    const double bytes = 1 << 28;
    for (const auto& [name, least, fill] : std::vector<std::tuple<std::string, double, double>>{
             {"all-reduce:double-binary-tree:2048", 2, 0.002},
             {"broadcast:double-binary-tree:2048", 1, 0.003},
             {"broadcast:pipeline:2048", 1, 16.0 / 2048}})
    {
        IdleNetwork idle(16);
        const Ptr<NetworkFlowLevel> level = idle.MakeFlowLevel();
        const double time = idle.Run(level, name, static_cast<uint64_t>(bytes));
        const double bound = least * bytes * 8 / 1e10 * 1500 / 1440;
        NS_TEST_EXPECT_MSG_GT(time / bound, 1, name);
        NS_TEST_EXPECT_MSG_LT(time / bound, 1 + fill, name);
    }
    // Any number of ranks: to fill the trees takes 0.7 chunks for each of their levels.
    for (uint32_t n = 3; n <= 33; ++n)
    {
        IdleNetwork idle(n);
        const double time =
            idle.Run(idle.MakeFlowLevel(), "all-reduce:double-binary-tree:512", 1 << 28);
        NS_TEST_EXPECT_MSG_GT(time / (2 * bytes * 8 / 1e10 * 1500 / 1440), 1, n << " ranks");
        NS_TEST_EXPECT_MSG_LT(time / (2 * bytes * 8 / 1e10 * 1500 / 1440),
                              1 + 0.7 * std::bit_width(n - 1) / 512,
                              n << " ranks");
    }
    // Packets as well: leaves do not fill the queues to inner ranks.
    for (const uint32_t n : {7, 8, 16})
    {
        IdleNetwork idle(n);
        const Ptr<PacketMessages> packets =
            FlowHelper().InstallMessages(idle.network->GetServers());
        const double time = idle.Run(packets, "all-reduce:double-binary-tree:256", 1 << 23);
        NS_TEST_EXPECT_MSG_LT(time / (2.0 * (1 << 23) * 8 / 1e10 * 1500 / 1440),
                              1.02,
                              n << " ranks in packets");
    }
}

/// All-to-all in rounds: in round k, each rank sends to the one k further on.
/// @param builder the builder
void
AddRounds(CollectiveBuilder& builder)
{
    const uint32_t n = builder.GetNRanks();
    builder.ExpectSteps(double(n) * n);
    CollectiveBuilder::Steps last(n, CollectiveBuilder::NONE); // received by each rank
    for (uint32_t k = 1; k < n; ++k)
    {
        CollectiveBuilder::Steps now(n);
        for (uint32_t r = 0; r < n; ++r)
        {
            const uint32_t peer = (r + k) % n;
            now[peer] = builder.Add(r, peer, r * n + peer, 1, false, {last[r]});
        }
        last = now;
    }
}

ODCN_REGISTER_COLLECTIVE(AddRounds, "all-to-all:rounds")

ODCN_TEST_CASE(CollectiveTogetherTestCase, "collectives on disjoint links do not touch each other")
{
    // Ranks 0 to 3 and 4 to 7 of one switch; then both on the same servers.
    const auto run = [](bool first, bool second, bool same) -> std::pair<Time, Time>
    {
        IdleNetwork idle(8);
        const Ptr<NetworkFlowLevel> level = idle.MakeFlowLevel();
        const Ptr<PlaneRun> a = CreateObject<PlaneRun>();
        const Ptr<PlaneRun> b = CreateObject<PlaneRun>();
        if (first)
        {
            a->Start(level, Collective::Make("all-to-all:direct", 4, 1000003).GetMessages());
        }
        const std::vector<uint32_t> places{same ? 1U : 4U, same ? 0U : 5U, 6, 7};
        if (second)
        {
            const auto ring = Collective::Make("all-reduce:ring", 4, 777777);
            Simulator::Schedule(MicroSeconds(17),
                                [=] { b->Start(level, ring.GetMessages(places)); });
        }
        Simulator::Run();
        return {a->GetTime(), b->GetTime()};
    };
    const auto both = run(true, true, false);
    NS_TEST_EXPECT_MSG_EQ(both.first, run(true, false, false).first, "to the picosecond");
    NS_TEST_EXPECT_MSG_EQ(both.second, run(false, true, false).second, "to the picosecond");
    NS_TEST_EXPECT_MSG_GT(run(true, true, true).second, both.second, "on shared servers");
}

ODCN_TEST_CASE(CollectiveFewBytesTestCase, "collectives of fewer bytes than blocks")
{
    // Four bytes of eight ranks: every other block is empty, and its steps send nothing.
    IdleNetwork idle(8);
    for (const std::string& name : Collective::GetNames())
    {
        for (const uint64_t bytes : {1, 4, 7})
        {
            if (!Exists(name, 8))
            {
                continue;
            }
            const Collective collective = Collective::Make(name, 8, bytes);
            const Ptr<NetworkFlowLevel> level = idle.MakeFlowLevel();
            const Ptr<PlaneRun> run = CreateObject<PlaneRun>();
            uint32_t traced = 0;
            Listen(run, "Received", [&traced](uint32_t, Time) { ++traced; });
            bool isEnd = false;
            run->Start(level, collective.GetMessages(), [&] { isEnd = true; });
            NS_TEST_EXPECT_MSG_EQ(isEnd, false, "not at once");
            Simulator::Run();
            const std::string title = name + " of " + std::to_string(bytes) + " bytes";
            NS_TEST_EXPECT_MSG_EQ(isEnd && run->IsDone(), true, title);
            NS_TEST_EXPECT_MSG_EQ(traced, collective.GetSteps().size(), title << ": all steps");
            NS_TEST_EXPECT_MSG_EQ(level->CountBytes().delivered, collective.GetBytes(), title);
            // A message of some bytes takes 1 us and two transmissions of less than 60 ns.
            const double least = collective.GetLeastTime({1e-6, 1e10, 1440, 60});
            const double ratio = run->GetTime().GetSeconds() / least;
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1.25, 0.25, title);
        }
    }
    const Collective ring = Collective::Make("all-gather:ring", 8, 4);
    NS_TEST_EXPECT_MSG_EQ(ring.GetBytes(), 7 * 4, "each byte goes round");
}

ODCN_TEST_CASE(CollectiveEmptyTestCase, "a collective without steps ends at once, in an event")
{
    IdleNetwork idle(3);
    const Ptr<PlaneRun> run = CreateObject<PlaneRun>();
    NS_TEST_EXPECT_MSG_EQ(run->IsDone(), false, "it has not started");
    bool isEnd = false;
    run->Start(idle.MakeFlowLevel(),
               Collective::MakeAllToAll(DemandMatrix(3)).GetMessages(),
               [&] { isEnd = true; });
    NS_TEST_EXPECT_MSG_EQ(isEnd, false, "not within Start()");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isEnd && run->IsDone(), true, "done");
    NS_TEST_EXPECT_MSG_EQ(GetRefusal(
                              [&] {
                                  run->Start(
                                      idle.MakeFlowLevel(),
                                      Collective::Make("all-reduce:ring", 3, 3).GetMessages());
                              })
                              .empty(),
                          false,
                          "a second start");
}

ODCN_TEST_CASE(PlaneRunTestCase, "messages are sent at their starts, and a run ends with the last")
{
    // 10 Gb/s and 1 us to another server; an empty message counts as received at its start.
    IdleNetwork idle(4);
    const Ptr<NetworkFlowLevel> level = idle.MakeFlowLevel();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    Traffic traffic{{0, 1, 1250, MicroSeconds(3)}, {1, 0, 1250, MicroSeconds(9)}, {2, 3, 1250}};
    traffic.Add({1, 2, 1250, MicroSeconds(1)}, std::vector<uint32_t>{0});
    traffic.Add({3, 2, 0, MicroSeconds(40)}, std::vector<uint32_t>{2});
    Time done;
    Ptr<PlaneRun> run;
    Simulator::Schedule(MicroSeconds(4),
                        [&] { run = level->Send(traffic, [&done] { done = Simulator::Now(); }); });
    Simulator::Run();
    const auto inNs = [](const std::vector<Time>& times)
    { return ListOf<int64_t>(times, [](const Time& time) { return time.GetNanoSeconds(); }); };
    using List = std::vector<int64_t>;
    const TrafficResult& seen = run->GetResult();
    NS_TEST_EXPECT_MSG_EQ((inNs(seen.sent) == List{3000, 9000, 0, 6000, 40000}), true, "sent");
    NS_TEST_EXPECT_MSG_EQ((inNs(seen.received) == List{6000, 12000, 3000, 9000, 40000}),
                          true,
                          "received");
    NS_TEST_EXPECT_MSG_EQ((inNs(seen.GetTimes()) == List{3000, 3000, 3000, 3000, 0}), true, "");
    NS_TEST_EXPECT_MSG_EQ(run->GetTime(), MicroSeconds(40), "from its start");
    NS_TEST_EXPECT_MSG_EQ(done, MicroSeconds(44), "with the empty message");
    NS_TEST_EXPECT_MSG_EQ((seen.engine == FabricEngine::FLOWS), true, "engine");
}

/// Counts runs that exist.
class CountedRun : public PlaneRun
{
  public:
    CountedRun()
    {
        ++alive;
    }

    ~CountedRun() override
    {
        --alive;
    }

    inline static int32_t alive{0}; //!< their number
};

/// Counts planes that exist.
class CountedPlane : public NetworkFlowLevel
{
  public:
    CountedPlane()
    {
        ++alive;
    }

    ~CountedPlane() override
    {
        --alive;
    }

    inline static int32_t alive{0}; //!< their number
};

ODCN_TEST_CASE(CollectiveLifetimeTestCase, "a run and its plane keep each other, until the end")
{
    const Collective collective = Collective::Make("all-reduce:ring", 4, 4000);
    for (const std::string when : {"end", "stop", "step", "sent", "dispose"})
    {
        int32_t ends = 0;
        {
            IdleNetwork idle(4);
            {
                const Ptr<CountedPlane> plane = CreateObject<CountedPlane>();
                plane->SetHosts(idle.network->GetServers());
                const Ptr<CountedRun> run = CreateObject<CountedRun>();
                CountedRun* bare = PeekPointer(run);
                if (when == "step")
                {
                    Listen(run, "Received", [bare](uint32_t, Time) { bare->Dispose(); });
                }
                if (when == "sent")
                {
                    const auto dispose = [bare](const Message& message)
                    { message.number == 5 ? bare->Dispose() : void(); };
                    Listen(plane, "Sent", dispose);
                }
                run->Start(plane, collective.GetMessages(), [&ends] { ++ends; });
                if (when == "dispose")
                {
                    plane->Dispose();
                }
            }
            const bool isHeld = when != "dispose";
            NS_TEST_EXPECT_MSG_EQ(CountedRun::alive,
                                  (isHeld ? 1 : 0),
                                  when << ": held by messages");
            NS_TEST_EXPECT_MSG_EQ(CountedPlane::alive, (isHeld ? 1 : 0), when);
            Simulator::Stop(when == "stop" ? NanoSeconds(2000) : Seconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(CountedRun::alive, (when == "stop" ? 1 : 0), when << ": after");
        }
        NS_TEST_EXPECT_MSG_EQ(CountedRun::alive, 0, when << ": run");
        NS_TEST_EXPECT_MSG_EQ(CountedPlane::alive, 0, when << ": plane");
        NS_TEST_EXPECT_MSG_EQ(ends, (when == "end" ? 1 : 0), when << ": ends");
    }
}

ODCN_TEST_CASE_F(RefusalFixture, BadRunsTestCase, "bad runs are refused")
{
    IdleNetwork idle(3);
    const Ptr<NetworkFlowLevel> level = idle.MakeFlowLevel();
    const auto start = [&](uint32_t ranks, const std::vector<uint32_t>& places)
    { level->Send(Collective::Make("all-reduce:ring", ranks, 100).GetMessages(places)); };
    ExpectRefusal("below 3", [&] { start(4, {}); });
    ExpectRefusal("3 ranks at 2 places", [&] { start(3, {0, 1}); });
    ExpectRefusal("3 ranks at 2 places", [&] { start(3, {0, 1, 1}); });
    ExpectRefusal("below 3", [&] { start(3, {0, 1, 3}); });
    NS_TEST_EXPECT_MSG_EQ(level->CountMessages().sent, 0, "nothing was sent");
    const Ptr<PlaneRun> run =
        level->Send(Collective::Make("send:direct", 2, 1000).GetMessages({2, 0}));
    NS_TEST_EXPECT_MSG_EQ(
        run->DescribeUnfinished(),
        "1 of 1 messages were not received; of the plane, 1 of 1 messages (1000 "
        "bytes) were not delivered; the first has 1000 bytes from 2 to 0, sent at 0.000000 s",
        "before the run");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(run->DescribeUnfinished(), "", "after it");
}

/// One step, as builder.GetNumber() says.
/// @param builder the builder
void
AddFault(CollectiveBuilder& builder)
{
    const uint32_t first = builder.Add(0, 1, 0, 1, true, {});
    switch (builder.GetNumber())
    {
    case 1:
        builder.Add(0, 3, 0, 1, true, {});
        break;
    case 2:
        builder.Add(2, 2, 0, 1, true, {});
        break;
    case 3:
        builder.Add(2, 0, 0, 1, true, {first}); // rank 2 does not know of it
        break;
    case 4:
        builder.Add(1, 2, 0, 1, true, {7});
        break;
    case 5:
        builder.Add(1, 2, 0, 4, true, {first});
        break;
    case 6:
        builder.SetNBlocks(5);
        break;
    case 7:
        builder.ExpectSteps(3e9);
        break;
    default:
        break;
    }
}

ODCN_TEST_CASE_F(RefusalFixture, CollectiveRegisterTestCase, "algorithms of one's own")
{
    // Last in this file, since it is known by Collective::GetNames() from now on.
    static const bool isRegistered =
        CollectiveBuilder::Register({"all-reduce:fault:WHICH=8"}, AddFault);
    NS_TEST_EXPECT_MSG_EQ(isRegistered, true, "");
    for (const uint32_t n : {2, 3, 8, 13})
    {
        NS_TEST_EXPECT_MSG_EQ(CheckData("all-to-all:rounds", n, 1), "", n << " ranks");
        IdleNetwork idle(n);
        // One after the other at full rate: as fast as all at once, but for the latency.
        const double direct = idle.Run(idle.MakeFlowLevel(), "all-to-all:direct", 1 << 28);
        const double rounds = idle.Run(idle.MakeFlowLevel(), "all-to-all:rounds", 1 << 28);
        NS_TEST_EXPECT_MSG_EQ_TOL(rounds / direct, 1, 0.001, n << " ranks");
    }
    NS_TEST_EXPECT_MSG_EQ(Collective::Make("all-reduce:fault", 3, 9).GetSteps().size(), 1, "");
    const std::vector<std::string> faults{
        "step 1 is from rank 0 to rank 3, expected two different ones below 3",
        "step 1 is from rank 2 to rank 2",
        "step 1 from rank 2 is after step 0 to rank 1, expected only steps to its sender",
        "step 1 is after step 7, expected an earlier one",
        "step 1 has 4 blocks, expected at most 3",
        "5 blocks, expected 1 or more, before the first step",
        "more than 2^31 steps"};
    for (std::size_t i = 0; i < faults.size(); ++i)
    {
        const std::string name = "all-reduce:fault:" + std::to_string(i + 1);
        ExpectRefusal(faults[i], [&] { Collective::Make(name, 3, 9); });
    }
    ExpectRefusal("all-to-all:rounds", [] { Collective::Make("all-to-all:round", 3, 9); });
    ExpectRefusal("all-reduce:fault[:WHICH]", [] { Collective::Make("all-reduce:ring:2", 3, 9); });
    for (const char* name :
         {"ring", "sum:ring", "all-reduce:", "all-reduce:ring", "send:a:B", "send:a:=1"})
    {
        ExpectRefusal("expected OPERATION:NAME or OPERATION:NAME:WORD=DEFAULT, once",
                      [&] { CollectiveBuilder::Register({name}, AddRounds); });
    }
}

/// Collectives.
PicosecondSuite g_collectiveTestSuite("odcn-collective");

} // namespace
