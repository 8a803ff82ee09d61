// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Networks divided among ranks, as far as one process shows it: the order of simultaneous packets,
 * and what is refused. test/distributed-test.sh runs several processes.
 */

#include "../core/odcn-test-case.h"
#include "ocs-quiet-user.h"

#include "ns3/node.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/otn-mesh.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Notes the ports at which packets arrive.
class ArrivalLog : public QuietUser
{
  public:
    void PortReceived(uint32_t port, const Ptr<Packet>&) override
    {
        text += std::to_string(port) + "@" + std::to_string(Simulator::Now().GetTimeStep()) + " ";
    }

    std::string text; //!< port@time of each packet, or what else happened
};

/// Packets of the same time arrive in the order of the ports, in whatever order they are announced.
ODCN_TEST_CASE(ArrivalOrderTestCase, "Simultaneous packets arrive in the order of the ports")
{
    const auto node = CreateObject<Node>();
    ArrivalLog log;
    std::vector<Ptr<OcsNetDevice>> ports;
    Ptr<RankArrivals> arrivals;
    for (uint32_t port = 0; port < 3; ++port)
    {
        ports.push_back(CreateObject<OcsNetDevice>());
        node->AddDevice(ports.back());
        ports.back()->SetUser(&log, port);
        arrivals = RankArrivals::Install(ports.back(), {});
    }
    NS_TEST_EXPECT_MSG_EQ(arrivals->IsRemote(), false, "of this process");
    const auto announce = [&](int64_t time, uint32_t port)
    {
        Simulator::Schedule(TimeStep(time),
                            &RankArrivals::Announce,
                            arrivals,
                            ports[port],
                            Create<Packet>(100),
                            true);
    };
    const auto note = [&](int64_t time, const std::string& text)
    { Simulator::Schedule(TimeStep(time), [&log, text]() { log.text += text; }); };
    for (const uint32_t port : {2, 0, 1})
    {
        announce(9, port);
    }
    announce(10, 1); // the next time step, announced before the packets above arrive
    announce(20, 1);
    announce(20, 0);
    note(10, "before "); // scheduled before the announcement
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(log.text, "before 0@10 1@10 2@10 1@11 0@21 1@21 ", "order");
    Simulator::Destroy();
}

/// What needs all parts in one process refuses a network that is divided.
ODCN_TEST_CASE_F(RefusalFixture,
                 RankRefusalTestCase,
                 "What cannot be divided among ranks is refused")
{
    const OcsFabricSize size{4, 1, 2, 2};
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.Divide();
    ExpectRefusal("look-ahead", [&]() { helper.Build(size); });
    helper.SetUplinkFiberAttribute("Delay", StringValue("1us"));
    OcsFabricSize hybrid = size;
    hybrid.electrical = 1;
    ExpectRefusal("electrical", [&]() { helper.Build(hybrid); });

    const std::vector<OtnSite> sites{{"a", "A"}, {"b", "B"}};
    const std::vector<OtnLink> links{{0, 1, 20}};
    OtnHelper otn;
    otn.Divide();
    const auto network = otn.Build(std::make_shared<OtnMesh>(sites, links));
    // As if another process simulated one of the sites.
    network->GetSite(1)->SetAttribute("SystemId", UintegerValue(1));
    const auto control = CreateObject<OtnController>();
    control->SetNetwork(network);
    const auto lightpath = control->SetUp(0, 1, 1);
    TimeValue delay;
    lightpath->GetAttribute("Delay", delay);
    NS_TEST_EXPECT_MSG_EQ(delay.Get(),
                          lightpath->GetLatency(0) - RankArrivals::GetNotice(),
                          "look-ahead");
    Simulator::Schedule(MilliSeconds(20),
                        [&]()
                        {
                            ExpectRefusal("torn down", [&]() { control->TearDown(lightpath); });
                            ExpectRefusal("cut", [&]() { network->CutLink(0); });
                        });
    RunFor(MilliSeconds(30));
    Simulator::Destroy();
    control->Dispose();
    network->Dispose();
}

/// The suite.
CaseSuite g_rankTestSuite("odcn-rank");

} // namespace
