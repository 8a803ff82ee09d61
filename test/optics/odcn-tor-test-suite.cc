// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * ToR switches: forwarding, spreading, detours, and how they follow the circuits.
 */

#include "../core/odcn-test-case.h"
#include "ocs-test-fabric.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Forwarding, and packets without a valid destination.
ODCN_TEST_CASE(ForwardingTestCase, "A ToR switch forwards by address and names what it drops")
{
    // More than 254 servers per rack: addresses need 9 bits for the server.
    OcsHelper helper;
    TestFabric t({3, 300, 2, 2}, helper);
    const Ptr<OcsFabric>& f = t.fabric;
    NS_TEST_EXPECT_MSG_EQ(f->GetServerAddress(2, 299), Ipv4Address("10.0.5.44"), "address");
    NS_TEST_EXPECT_MSG_EQ(OcsAddressPlan::For(64, 32).GetAddress(5, 16),
                          Ipv4Address("10.0.5.17"),
                          "usual address");
    f->PresetAllToAll();
    for (RackId u = 0; u < 3; ++u)
    {
        for (RackId v = 0; v < 3; ++v)
        {
            NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(u, v), (u == v ? 0U : 1U), "all to all");
            Ptr<Packet> packet = MakeTestPacket(f, u, v, 1);
            f->GetServerDevice(u, 7)->Transmit(packet);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(t.servers[v * 300].uids.empty(), false, "it comes");
            NS_TEST_EXPECT_MSG_EQ(t.servers[v * 300].uids.back(), packet->GetUid(), "it");
        }
    }
    // Not IPv4, not our address range, no such server, no such rack.
    Ptr<OcsNetDevice> nic = f->GetServerDevice(0, 0);
    Ptr<TorSwitch> tor = f->GetTor(0);
    nic->Transmit(Create<Packet>(100));
    nic->Transmit(Create<Packet>(10));
    for (const char* address : {"192.168.0.1", "10.0.1.255", "10.0.0.0"})
    {
        nic->Transmit(MakeTestPacket(Ipv4Address(), Ipv4Address(address), 1));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(tor->GetDropped()[OcsDropCause::MISROUTED], 5, "misrouted");
    nic->Transmit(MakeTestPacket(Ipv4Address(), Ipv4Address("10.200.0.1"), 1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(tor->GetDropped()[OcsDropCause::NO_CIRCUIT], 1, "no such rack");
    // A circuit that does not lead where its ToR switch is configured.
    f->GetSwitch(0)->Preset({{0, 2}, {1, 1}, {2, 0}});
    t.Send(0, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(2)->GetDropped()[OcsDropCause::MISROUTED], 1, "astray");
    NS_TEST_EXPECT_MSG_EQ(f->Count().inFlight, 0, "none is left");
}

/// The three ways to spread a pair's packets over its circuits.
struct TorSpreadingFixture : TestCase
{
    using TestCase::TestCase;

    static constexpr uint32_t PORTS = 4;
    static constexpr uint32_t PACKETS = 4000;

    /// @param mode spreading mode  @param flows number of flows, each with its own port
    /// @param [out] portsOfFlow ports that each flow used  @return packets by port
    std::vector<uint64_t> Run(TorSwitch::SpreadingMode mode,
                              uint32_t flows,
                              std::map<uint32_t, std::set<uint32_t>>& portsOfFlow)
    {
        OcsHelper helper;
        helper.SetTorAttribute("Spreading", CompatEnumValue<TorSwitch::SpreadingMode>(mode));
        TestFabric t({2, 1, PORTS, 2}, helper);
        t.fabric->PresetAllToAll();
        NS_TEST_EXPECT_MSG_EQ(t.fabric->GetNCircuits(0, 1), PORTS, "all lead there");
        const auto sent = [&t]
        {
            return ListOf<uint64_t>(PORTS,
                                    [&](uint32_t p)
                                    { return t.fabric->GetUplink(0, p)->GetSent(); });
        };
        for (uint32_t k = 0; k < PACKETS; ++k)
        {
            const auto before = sent();
            t.Send(0, 1, k % flows);
            Simulator::Run();
            const auto after = sent();
            for (uint32_t p = 0; p < PORTS; ++p)
            {
                if (after[p] != before[p])
                {
                    portsOfFlow[k % flows].insert(p);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(t.servers[1].uids.size(), PACKETS, "all come");
        return sent();
    }

    /// Only the first fragment of a datagram has the ports: all must take the same circuit.
    void CheckFragments()
    {
        OcsHelper helper;
        helper.SetTorAttribute("Spreading", StringValue("PerFlow"));
        TestFabric t({2, 1, PORTS, 2}, helper);
        t.fabric->PresetAllToAll();
        uint32_t used = 0;
        for (uint8_t k = 0; k < 20; ++k)
        {
            const std::vector<uint8_t> data(400, k);
            Ptr<Packet> packet = Create<Packet>(data.data(), data.size());
            Ipv4Header ip;
            ip.SetSource(t.fabric->GetServerAddress(0, 0));
            ip.SetDestination(t.fabric->GetServerAddress(1, 0));
            ip.SetProtocol(17);
            ip.SetPayloadSize(400);
            k == 19 ? ip.SetLastFragment() : ip.SetMoreFragments();
            ip.SetFragmentOffset(400 * k);
            packet->AddHeader(ip);
            t.fabric->GetTor(0)->GetDownlink(0)->Receive(packet, true);
            Simulator::Run();
        }
        for (uint32_t p = 0; p < PORTS; ++p)
        {
            used += t.fabric->GetUplink(0, p)->GetSent() > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(used, 1, "fragments keep to one circuit");
    }
};

/// @copybrief TorSpreadingFixture
ODCN_TEST_CASE_F(TorSpreadingFixture,
                 TorSpreadingTestCase,
                 "Packets spread per packet, in turn, or per flow")
{
    constexpr uint64_t SHARE = PACKETS / PORTS;
    const double sigma = std::sqrt(SHARE * (1 - 1.0 / PORTS));
    std::map<uint32_t, std::set<uint32_t>> ports;
    for (uint64_t n : Run(TorSwitch::PER_PACKET, 1, ports))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(double(n), double(SHARE), 4 * sigma, "uniform");
    }
    NS_TEST_EXPECT_MSG_EQ(ports[0].size(), PORTS, "one flow uses all circuits");
    ports.clear();
    for (uint64_t n : Run(TorSwitch::ROUND_ROBIN, 1, ports))
    {
        NS_TEST_EXPECT_MSG_EQ(n, SHARE, "in turn");
    }
    ports.clear();
    constexpr uint32_t FLOWS = 400;
    const double flowSigma = PACKETS / FLOWS * std::sqrt(FLOWS / PORTS * (1 - 1.0 / PORTS));
    for (uint64_t n : Run(TorSwitch::PER_FLOW, FLOWS, ports))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(double(n), double(SHARE), 4 * flowSigma, "flows spread");
    }
    for (const auto& [flow, used] : ports)
    {
        NS_TEST_EXPECT_MSG_EQ(used.size(), 1, "a flow keeps to one circuit");
    }
    CheckFragments();
}

/// Detours go over one rack, and only one.
ODCN_TEST_CASE(DetourTestCase, "A detour visits one transit rack, whatever the circuits do")
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Detour"));
    TestFabric t({4, 1, 2, 1}, helper);
    const Ptr<OcsFabric>& f = t.fabric;
    // 0 to 1 and 2, 1 to 3, no other circuits.
    f->Preset({{0, 0, 1, 0}, {0, 1, 2, 0}, {1, 0, 3, 0}});
    t.Send(0, 3, 1000, 10);
    t.Send(0, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].uids.size(), 10, "over rack 1, which has a circuit");
    NS_TEST_EXPECT_MSG_EQ(t.servers[1].uids.size(), 1, "directly");
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDetoured(), 10, "counted");
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(2)->GetReceived(), 0, "not over rack 2");
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].tagged, 0, "the mark does not leave the switches");
    f->GetUplink(0, 0)->Fail();
    t.Send(0, 3);
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDropped()[OcsDropCause::NO_CIRCUIT],
                          1,
                          "no detour over a port that has failed");
    f->GetUplink(0, 0)->Repair();
    // Two detours in a row are not made.
    f->Preset({{1, 0, 2, 1}, {2, 0, 3, 0}});
    t.Send(0, 3); // now over 2
    t.Send(1, 3); // also over 2
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].uids.size(), 12, "over rack 2");
    t.Send(3, 0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(3)->GetDropped()[OcsDropCause::NO_CIRCUIT], 1, "no way");
    // The optical switch leads 0's circuit to 1 and 1's circuit back to 0, while both ToR
    // switches are configured as if they led to 3: a packet must not loop for ever.
    f->Preset({{0, 0, NO_RACK, 0}, {0, 1, NO_RACK, 0}, {1, 0, NO_RACK, 0}, {2, 0, NO_RACK, 0}});
    f->GetSwitch(0)->Preset({{f->GetSwitchPort(0, 0), f->GetSwitchPort(1, 0)},
                             {f->GetSwitchPort(1, 0), f->GetSwitchPort(0, 0)}});
    f->GetTor(0)->SetCircuit(0, 3);
    f->GetTor(1)->SetCircuit(0, 3);
    t.Send(0, 3);
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDropped()[OcsDropCause::MISROUTED], 1, "stopped");
    NS_TEST_EXPECT_MSG_EQ(f->Count().inFlight, 0, "none is left");
}

/// A detour that is taken back before the packet has left.
ODCN_TEST_CASE(DetourCountTestCase,
               "A packet is counted as detoured once, or not if it goes directly")
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Detour"));
    TestFabric t({4, 1, 3, 1}, helper);
    const Ptr<OcsFabric>& f = t.fabric;
    // 0 to 1 and 2; only 1 reaches 3.
    f->Preset({{0, 0, 1, 0}, {0, 1, 2, 0}, {1, 0, 3, 0}});
    t.Send(0, 3, 1000, 10); // one leaves, nine wait
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDetoured(), 10, "over rack 1");
    f->Preset({{2, 0, 3, 1}});
    f->GetUplink(0, 0)->Fail();
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDetoured(), 10, "nine of them over rack 2 instead");
    f->GetUplink(0, 0)->Repair();
    f->Preset({{0, 0, 3, 2}});
    f->GetUplink(0, 1)->Fail();
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDetoured(), 2, "eight of those directly");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].uids.size(), 8, "two were cut");
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].tagged, 0, "the mark does not leave the switches");
}

/// Flows that chose one of two detours meet two circuits there.
ODCN_TEST_CASE(DetourPolarisationTestCase, "Flows on one detour spread over the circuits after it")
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Detour"));
    helper.SetTorAttribute("Spreading", StringValue("PerFlow"));
    TestFabric t({4, 1, 4, 4}, helper);
    t.fabric->Preset(
        {{0, 0, 1, 0}, {0, 1, 2, 1}, {1, 0, 3, 0}, {1, 1, 3, 1}, {2, 2, 3, 2}, {2, 3, 3, 3}});
    constexpr uint32_t FLOWS = 400;
    for (uint32_t flow = 0; flow < FLOWS; ++flow)
    {
        t.Send(0, 3, 1000 + flow);
        Simulator::Run();
    }
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].uids.size(), FLOWS, "all come");
    for (const auto& [rack, port] :
         std::vector<std::pair<RackId, uint32_t>>{{1, 0}, {1, 1}, {2, 2}, {2, 3}})
    {
        // 100 each, with a standard deviation of 9.
        const uint64_t sent = t.fabric->GetUplink(rack, port)->GetSent();
        NS_TEST_EXPECT_MSG_GT(sent, 60, "by uplink " << port << " of rack " << rack);
        NS_TEST_EXPECT_MSG_LT(sent, 140, "by uplink " << port << " of rack " << rack);
    }
}

/// Waiting packets are redistributed when their circuit is removed, or are lost with its cause.
ODCN_TEST_CASE(RespreadTestCase, "Packets that wait for a circuit that goes take another one")
{
    OcsHelper helper;
    TestFabric t({3, 1, 3, 1}, helper);
    const Ptr<OcsFabric>& f = t.fabric;
    const Ptr<TorSwitch> tor = f->GetTor(0);
    f->Preset({{0, 0, 1, 0}});
    auto uids = ListOf<uint64_t>(6, [&](uint32_t) { return t.Send(0, 1); });
    NS_TEST_EXPECT_MSG_EQ(f->GetUplink(0, 0)->GetWaiting(), 5, "5 wait, 1 leaves");
    f->Preset({{0, 1, 1, 1}});
    tor->ClearCircuit(0);
    NS_TEST_EXPECT_MSG_EQ(f->GetUplink(0, 0)->GetWaiting(), 0, "taken back");
    NS_TEST_EXPECT_MSG_EQ(f->GetUplink(0, 1)->GetWaiting(), 4, "4 wait there, 1 leaves");
    Simulator::Run();
    // The first packets of both circuits arrive together, then the others in order.
    NS_TEST_EXPECT_MSG_EQ((t.servers[1].uids == uids), true, "all come, in order");

    t.servers[1].uids.clear();
    tor->SetCircuit(0, 1);
    t.Send(0, 1, 1000, 12);
    // Both at once: the packets of one must not be moved to the other first.
    tor->ClearCircuits({0, 1});
    NS_TEST_EXPECT_MSG_EQ(tor->GetDropped()[OcsDropCause::NO_CIRCUIT], 10, "10 waited");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.servers[1].uids.size(), 2, "2 were leaving");

    // Packets of a failed port are moved to the others; the last port loses them.
    t.servers[1].uids.clear();
    tor->SetCircuit(0, 1);
    tor->SetCircuit(1, 1);
    t.Send(0, 1, 1000, 12);
    f->GetUplink(0, 0)->Fail();
    NS_TEST_EXPECT_MSG_EQ(tor->GetNCircuits(1), 1, "one is left");
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 1), 1, "and the table knows");
    NS_TEST_EXPECT_MSG_EQ(f->GetUplink(0, 1)->GetWaiting(), 10, "all wait there");
    f->GetUplink(0, 1)->Fail();
    NS_TEST_EXPECT_MSG_EQ(tor->GetDropped()[OcsDropCause::PORT_FAILED], 10, "10 waited");
    t.Send(0, 1);
    NS_TEST_EXPECT_MSG_EQ(tor->GetDropped()[OcsDropCause::PORT_FAILED], 11, "no port");
    f->GetUplink(0, 0)->Repair();
    const uint64_t uid = t.Send(0, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((t.servers[1].uids == std::vector<uint64_t>{uid}), true, "repaired");
    NS_TEST_EXPECT_MSG_EQ(f->GetSwitch(0)->GetDropped()[OcsDropCause::PORT_FAILED],
                          2,
                          "truncated packets");
    NS_TEST_EXPECT_MSG_EQ(tor->GetReceived(),
                          tor->GetSent() + tor->GetWaiting() + tor->GetDropped().Total(),
                          "identity");
}

/// A reconfiguration: ToR switches first, then circuits, then ToR switches again.
ODCN_TEST_CASE(ApplyTestCase,
               "A fabric moves circuits together with the ToR switches that use them")
{
    OcsHelper helper;
    helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(MilliSeconds(5)));
    TestFabric t({4, 1, 3, 2}, helper);
    const Ptr<OcsFabric>& f = t.fabric;
    f->PresetAllToAll();
    // Uplinks 0 and 2 are on optical switch 0, uplink 1 on optical switch 1.
    const std::vector<std::vector<OcsCircuit>> bad{
        {{0, 0, 2, 0}}, // 2's receive side 0 is in use
        {{0, 0, 1, 1}}, // another optical switch
        {{0, 0, 0, 2}}, // to itself
        {{0, 0, NO_RACK, 0}, {4, 0, 1, 0}},
        {{0, 0, NO_RACK, 0}, {1, 3, 2, 0}},
    };
    for (const auto& batch : bad)
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { f->Apply(batch); }), "", "refused");
        NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 1), 1, "nothing changed");
        NS_TEST_EXPECT_MSG_EQ(f->GetCircuit(0, 0).to, 1, "nothing changed");
    }
    // 0 to 1 becomes 0 to 2, in exchange with 1 to 2.
    std::vector<OcsCircuit> up;
    Listen(f,
           "CircuitsUp",
           [&up](const std::vector<OcsCircuit>& c) { up.insert(up.end(), c.begin(), c.end()); });
    const uint32_t moved = f->Apply({{0, 0, 2, 0}, {1, 0, NO_RACK, 0}, {2, 1, 0, 1}});
    NS_TEST_EXPECT_MSG_EQ(moved, 2, "one line changes nothing");
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 1), 0, "0 to 1 gone");
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 2), 1, "0 to 2 not yet two");
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(2, 0), 1, "2 to 0 undisturbed");
    t.Send(0, 1);
    NS_TEST_EXPECT_MSG_EQ(f->GetTor(0)->GetDropped()[OcsDropCause::NO_CIRCUIT], 1, "gone");
    RunFor(NanoSeconds(4999999));
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 2), 1, "still dark");
    RunFor(NanoSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(f->GetNCircuits(0, 2), 2, "shines");
    const std::vector<OcsCircuit> expected{{0, 0, 2, 0}, {1, 0, NO_RACK, 0}};
    NS_TEST_EXPECT_MSG_EQ((up == expected), true, "told");
    t.Send(0, 2, 1000, 10);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.servers[2].uids.size(), 10, "carries packets");
    NS_TEST_EXPECT_MSG_GT(f->GetUplink(0, 0)->GetSent(), 0, "on the new circuit too");
}

/// ToR switches.
CaseSuite g_torTestSuite("odcn-tor");

} // namespace
