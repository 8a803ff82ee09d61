// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Networks divided among ranks, as far as one process shows it: the order of simultaneous packets,
 * and what is refused. test/distributed-test.sh runs several processes.
 */

#include "ns3/node.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/otn-mesh.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Notes the ports at which packets arrive.
class ArrivalLog : public OcsPortUser
{
  public:
    void PortReceived(uint32_t port, const Ptr<Packet>&) override
    {
        text += std::to_string(port) + "@" + std::to_string(Simulator::Now().GetTimeStep()) + " ";
    }

    void PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause) override
    {
    }

    void PortChanged(uint32_t, bool) override
    {
    }

    std::string text; //!< port@time of each packet, or what else happened
};

/// Packets of the same time arrive in the order of the ports, in whatever order they are announced.
class ArrivalOrderTestCase : public TestCase
{
  public:
    ArrivalOrderTestCase()
        : TestCase("Simultaneous packets arrive in the order of the ports")
    {
    }

  private:
    void DoRun() override
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
};

/// What needs all parts in one process refuses a network that is divided.
class RankRefusalTestCase : public TestCase
{
  public:
    RankRefusalTestCase()
        : TestCase("What cannot be divided among ranks is refused")
    {
    }

  private:
    /// @param words of the message  @param call that must be refused
    void Refused(const std::string& words, const std::function<void()>& call)
    {
        std::string message = "nothing";
        try
        {
            call();
        }
        catch (const OdcnError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find(words), std::string::npos, message << " for " << words);
    }

    void DoRun() override
    {
        const OcsFabricSize size{4, 1, 2, 2};
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.Divide();
        Refused("look-ahead", [&]() { helper.Build(size); });
        helper.SetUplinkFiberAttribute("Delay", StringValue("1us"));
        OcsFabricSize hybrid = size;
        hybrid.electrical = 1;
        Refused("electrical", [&]() { helper.Build(hybrid); });

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
                                Refused("torn down", [&]() { control->TearDown(lightpath); });
                                Refused("cut", [&]() { network->CutLink(0); });
                            });
        Simulator::Stop(MilliSeconds(30));
        Simulator::Run();
        Simulator::Destroy();
        control->Dispose();
        network->Dispose();
    }
};

/// The suite.
class RankTestSuite : public TestSuite
{
  public:
    RankTestSuite()
        : TestSuite("odcn-rank", COMPAT_UNIT)
    {
        AddTestCase(new ArrivalOrderTestCase, COMPAT_QUICK);
        AddTestCase(new RankRefusalTestCase, COMPAT_QUICK);
    }
};

RankTestSuite g_rankTestSuite; //!< the suite

} // namespace
