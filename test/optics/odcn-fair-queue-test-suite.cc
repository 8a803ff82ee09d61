// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fair queues in a port to a server, and in a ToR switch: completion times by hand, the same in
 * packets of ns-3, in the exact engine, and on the flow level.
 */

#include "../core/odcn-test-case.h"

#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-plane-run.h"

#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Times of flows by engine, in transmission times of a full packet.
using TimesByEngine = std::map<std::string, std::vector<double>>;

/// Time of a packet of 1500 bytes at 10 Gb/s.
const Time g_packet = NanoSeconds(1200);

/// @param design a design
/// @param flows the flows
/// @param fair whether queues are
/// @return their times
TimesByEngine
RunEngines(const FabricDesign& design, const Traffic& flows, bool fair)
{
    TimesByEngine times;
    const Time until = MilliSeconds(5);
    FabricDesignHelper helper;
    helper.SetFairQueues(fair);
    const auto add = [&](const std::string& engine, Time time)
    { times[engine].push_back((time / g_packet).GetDouble()); };
    for (const Time& time : helper.RunExact(design, flows, until).GetTimes())
    {
        add("exact", time);
    }
    {
        const SimulationEnd end;
        FlowHelper hosts;
        hosts.Install(helper.Build(design), flows);
        Simulator::Stop(until);
        Simulator::Run();
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            add("packets", hosts.GetRecorder()->GetCompletionTime(i));
        }
    }
    const SimulationEnd end;
    const Ptr<MessagePlane> level = helper.MakePlane(helper.Build(design), FabricEngine::FLOWS);
    level->SetAttribute("HeaderSize", UintegerValue(UdpFlowTransport::HEADERS));
    const Ptr<PlaneRun> run = level->Send(flows);
    Simulator::Stop(until);
    Simulator::Run();
    for (const Time& time : run->GetResult().GetTimes())
    {
        add("flows", time);
    }
    return times;
}

/// @param from sender
/// @param to receiver
/// @param packets number of full packets
/// @param start in transmission times
/// @return a flow
Traffic::Item
MakeFlow(ServerId from, ServerId to, uint64_t packets, int64_t start)
{
    return {from, to, packets * (1500 - UdpFlowTransport::HEADERS), g_packet * start};
}

/// Two networks in which three flows share one link of 10 Gb/s: a port to a server, and an uplink.
class SharesFixture : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Compare the times of all engines.
    /// @param packets of the third flow, which starts after 60 packets of the two others
    /// @param fair times of the two and of the third with fair queues and on the flow level
    /// @param fifo times first in, first out
    void Compare(uint64_t packets, std::vector<double> fair, std::vector<double> fifo)
    {
        const FabricSize port{.racks = 4, .servers = 1, .uplinks = 1, .delay = 0};
        const FabricSize uplink{.racks = 2, .servers = 3, .uplinks = 1, .delay = 0};
        const std::map<std::string, std::pair<FabricDesign, Traffic>> networks{
            {"port",
             {FabricDesign::Parse("electrical;ideal", port),
              {MakeFlow(0, 3, 90, 0), MakeFlow(1, 3, 90, 0), MakeFlow(2, 3, packets, 60)}}},
            // The only circuit of two racks never changes.
            {"uplink",
             {FabricDesign::Parse("RoundRobinSchedule;DirectRouting", uplink),
              {MakeFlow(0, 3, 90, 0), MakeFlow(1, 4, 90, 0), MakeFlow(2, 5, packets, 60)}}}};
        for (const auto& [name, network] : networks)
        {
            for (const bool isFair : {false, true})
            {
                TimesByEngine times = RunEngines(network.first, network.second, isFair);
                for (auto& [engine, seen] : times)
                {
                    const bool isShared = isFair || engine == "flows";
                    for (uint32_t i = 0; i < 3; ++i)
                    {
                        // Two or three hops of a packet, and whose turn it is.
                        NS_TEST_EXPECT_MSG_EQ_TOL(seen[i],
                                                  (isShared ? fair : fifo)[i / 2],
                                                  4,
                                                  name << ", " << engine << ", flow " << i
                                                       << (isFair ? ", fair" : ", fifo"));
                    }
                }
                for (uint32_t i = 0; i < 3; ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(times["exact"][i], times["packets"][i], name);
                }
            }
        }
    }
};

/// @copybrief SharesFixture
ODCN_TEST_CASE_F(SharesFixture,
                 LongTestCase,
                 "flows that meet share a link: times by hand, in each engine")
{
    // Until 60, each of the two has sent 30 packets. Then a third for each: 30 of the third take
    // until 150, when the two have 30 left, which end at 210. First in, first out, the last packet
    // of the third, sent at 90, waits for all 210.
    Compare(30, {210, 90}, {210, 150});
}

/// @copybrief SharesFixture
ODCN_TEST_CASE_F(SharesFixture,
                 ShortTestCase,
                 "a short flow beside long ones: times by hand, in each engine")
{
    // One packet: its turn comes after two others at most. First in, first out, it waits for the
    // 60 packets that arrived and did not leave.
    Compare(1, {181, 3}, {181, 62});
}

/// Fair queues.
PicosecondSuite g_fairQueueTestSuite("odcn-fair-queue");

} // namespace
