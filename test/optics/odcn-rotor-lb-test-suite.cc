// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * RotorLB: what is offered and accepted, throughput against exact values and bounds, the limit of
 * relayed backlogs. Conservation of packets with failures is part of odcn-schedule-test-suite.cc.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-rotor-lb.h"
#include "ns3/odcn-throughput-bound.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string DIRECT = "ns3::odcn::DirectRouting";
const std::string IDLE = "ns3::odcn::ValiantRouting";
const std::string ROTOR_LB = "ns3::odcn::RotorLbRouting";

/// Bytes that an uplink carries in the 90 us of a slot that are not dark.
constexpr uint64_t SLOT_BYTES = 112500;

/// What a run has shown.
struct Outcome
{
    double share{0};           //!< received traffic as a share of all uplinks' rate
    double hops{0};            //!< circuits that packets have taken, for each received packet
    uint64_t relayed{0};       //!< most relayed bytes for one destination in one rack
    uint64_t dropped{0};       //!< packets lost
    std::vector<double> rates; //!< received traffic of each rack in units of an uplink's rate
};

/// Let servers of a RotorNet of 16 racks with 4 uplinks send, and measure after five periods.
/// @param routing a TorRouting  @param traffic starts the servers
/// @param schedule kind of schedule  @param skew largest error of clocks, ns, and guard
/// @return the result
Outcome
RunRotorNet(const std::string& routing,
            const std::function<void(ScheduledFabric&)>& traffic,
            const std::string& schedule = "Rotor",
            int skew = 0)
{
    const std::string range = std::to_string(skew);
    ScheduledFabric t(16,
                      4,
                      schedule,
                      routing,
                      OcsHelper(),
                      NanoSeconds(skew),
                      "ns3::UniformRandomVariable[Min=-" + range + "|Max=" + range + "]");
    Outcome outcome;
    for (RackId rack = 0; rack < 16; ++rack)
    {
        const Ptr<TorSwitch> tor = t.fabric->GetTor(rack);
        Callback<void, uint64_t, uint64_t> changed(
            [buffer = &tor->GetBuffer(), &outcome](uint64_t, uint64_t)
            {
                for (const RackId to : buffer->GetBusy(TorQueueKind::RELAY))
                {
                    outcome.relayed =
                        std::max(outcome.relayed, buffer->GetBytes({TorQueueKind::RELAY, to}));
                }
            });
        tor->TraceConnectWithoutContext("Held", changed);
    }
    traffic(t);
    RunFor(MicroSeconds(2000));
    for (const SaturatingServer& server : t.servers)
    {
        outcome.rates.push_back(-double(server.received));
    }
    const Time window = MicroSeconds(2400);
    outcome.share = t.Measure(Time(0), window);
    const PacketCounts counts = t.fabric->Count();
    outcome.dropped = counts.dropped.Total();
    uint64_t sent = 0;
    for (RackId rack = 0; rack < 16; ++rack)
    {
        outcome.rates[rack] += t.servers[rack].received;
        outcome.rates[rack] *= 8 / (UPLINK_RATE * window.GetSeconds());
        for (uint32_t port = 0; port < 4; ++port)
        {
            sent += t.fabric->GetUplink(rack, port)->GetSent();
        }
    }
    outcome.hops = double(sent - counts.controlSent) / counts.received;
    return outcome;
}

/// @param uniform destinations, or each rack to the fifth after it  @return traffic without pause
std::function<void(ScheduledFabric&)>
Saturate(bool uniform)
{
    return [uniform](ScheduledFabric& t)
    {
        t.Saturate([&t, uniform](RackId from)
                   { return (from + (uniform ? t.random->GetInteger(1, 15) : 5)) % 16; });
    };
}

/// @param choose destination of a rack, its own for none  @return traffic of racks 0 to 3
std::function<void(ScheduledFabric&)>
Few(RackId (*choose)(RackId))
{
    return [choose](ScheduledFabric& t)
    {
        for (RackId rack = 0; rack < 4; ++rack)
        {
            if (const RackId to = choose(rack); to != rack)
            {
                t.servers[rack].next = [&t, rack, to] { return t.Make(rack, to); };
                t.servers[rack].PortIdle(0);
            }
        }
    };
}

/// Each step of an exchange.
ODCN_TEST_CASE(ExchangeTestCase,
               "A rack relays what it has accepted, where circuits lead both ways")
{
    // Rack i reaches i + 1, then i + 2, then i + 3 mod 4; only the second is symmetric.
    ScheduledFabric t(4, 1, "RoundRobin", ROTOR_LB);
    // clang-format off
    const auto count = [&t](RackId rack, TorQueueKind kind, RackId to) {
        return t.fabric->GetTor(rack)->GetBuffer().GetBytes({kind, to}) / SIZE;
    };
    // clang-format on
    // They need 96 us to their ToR switch, so the first slot's offers are over.
    for (uint32_t k = 0; k < 80; ++k)
    {
        t.servers[0].device->Transmit(t.Make(0, 3));
    }
    RunFor(MicroSeconds(105));
    NS_TEST_EXPECT_MSG_EQ(count(0, TorQueueKind::LOCAL, 3), 80, "all wait");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().controlSent, 0, "nothing to offer yet");
    // Rack 2 accepts 90 us, 75 packets. Two messages of 21 bytes leave time for 74.
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(count(2, TorQueueKind::RELAY, 3), 74, "relayed");
    NS_TEST_EXPECT_MSG_EQ(count(0, TorQueueKind::LOCAL, 3), 6, "not relayed");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().controlSent, 2, "offer and accept");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().controlReceived, 2, "offer and accept");
    // In the third slot, rack 1 reaches rack 0, and rack 0 reaches rack 3.
    for (uint32_t k = 0; k < 3; ++k)
    {
        t.servers[1].device->Transmit(t.Make(1, 2));
    }
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].received, 6 * SIZE, "direct");
    NS_TEST_EXPECT_MSG_EQ(count(1, TorQueueKind::LOCAL, 2), 3, "not answered");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().controlReceived, 3, "the third is an offer");
    RunFor(MicroSeconds(100));
    const PacketCounts counts = t.fabric->Count();
    NS_TEST_EXPECT_MSG_EQ(t.servers[3].received, 80 * SIZE, "the second hop");
    NS_TEST_EXPECT_MSG_EQ(t.servers[2].received, 3 * SIZE, "direct");
    NS_TEST_EXPECT_MSG_EQ(counts.sent, 83, "control packets are no servers' packets");
    NS_TEST_EXPECT_MSG_EQ(counts.received, 83, "control packets end in ToR switches");
    NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "none is left");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(0)->GetControlSent(), 1, "an offer");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(2)->GetControlSent(), 1, "an accept");
    for (RackId rack = 0; rack < 4; ++rack)
    {
        const Ptr<TorSwitch> tor = t.fabric->GetTor(rack);
        NS_TEST_EXPECT_MSG_EQ(tor->GetReceived(), tor->GetSent(), "without control packets");
        for (RackId to = 0; to < 4; ++to)
        {
            const uint32_t packets = rack == 0 && to == 3 ? 80 : rack == 1 && to == 2 ? 3 : 0;
            NS_TEST_EXPECT_MSG_EQ(tor->GetDemand(to), packets * SIZE, "of servers alone");
        }
    }
}

/// A ToR switch that reboots in the middle of a slot.
ODCN_TEST_CASE(RebootTestCase, "What was agreed on is forgotten in a reboot")
{
    // As in ExchangeTestCase: rack 2 has agreed to relay 74 packets of rack 0 to rack 3.
    for (const RackId reboots : {0U, NO_RACK})
    {
        ScheduledFabric t(4, 1, "RoundRobin", ROTOR_LB);
        const auto send = [&t](uint32_t packets)
        {
            for (uint32_t k = 0; k < packets; ++k)
            {
                t.servers[0].device->Transmit(t.Make(0, 3));
            }
        };
        send(80);
        RunFor(MicroSeconds(130));
        const uint64_t relayed =
            t.fabric->GetTor(2)->GetBuffer().GetBytes({TorQueueKind::RELAY, 3}) / SIZE;
        NS_TEST_EXPECT_MSG_GT(relayed, 5, "some have been");
        NS_TEST_EXPECT_MSG_LT(relayed, 30, "others have not");
        if (reboots != NO_RACK)
        {
            t.fabric->GetTor(reboots)->LoseQueues();
        }
        send(20);
        RunFor(MicroSeconds(69));
        const uint64_t more =
            t.fabric->GetTor(2)->GetBuffer().GetBytes({TorQueueKind::RELAY, 3}) / SIZE;
        if (reboots == NO_RACK)
        {
            NS_TEST_EXPECT_MSG_GT(more, 70, "as agreed");
        }
        else
        {
            // What had left or was leaving when it rebooted.
            NS_TEST_EXPECT_MSG_LT(more, relayed + 3, "no packet by an agreement of before");
        }
    }
}

/// Division of a circuit's room.
ODCN_TEST_CASE(DivideTestCase,
               "Destinations get equal shares of the room, and what others leave over")
{
    // total: to divide; wanted: by destination; expected: by destination
    const auto check =
        [&](uint64_t total, std::vector<uint64_t> wanted, std::vector<uint64_t> expected)
    {
        auto shares = ListOf<RotorLb::Share>(wanted.size(),
                                             [&](RackId rack) {
                                                 return RotorLb::Share{rack, wanted[rack]};
                                             });
        std::vector<uint64_t> given(wanted.size());
        for (const RotorLb::Share& share : RotorLb::Divide(total, shares, 10))
        {
            NS_TEST_EXPECT_MSG_GT(share.bytes, 0, "no empty share");
            given[share.rack] = share.bytes;
        }
        NS_TEST_EXPECT_MSG_EQ((given == expected), true, "of " << total);
    };
    check(0, {5, 5}, {0, 0});
    check(100, {}, {});
    check(100, {5, 0, 40}, {5, 0, 40});
    check(95, {5, 100, 100}, {5, 50, 40});
    check(25, {100, 100, 100}, {10, 10, 5});
}

/// Throughput and backlogs of a RotorNet with 16 racks.
ODCN_TEST_CASE(RotorNetTestCase,
               "RotorLB is near the exact throughput, with bounded relayed backlogs")
{
    const Outcome uniform = RunRotorNet(ROTOR_LB, Saturate(true));
    NS_TEST_EXPECT_MSG_LT(uniform.share, 0.9 * 15 / 16 + 1e-3, "uniform");
    NS_TEST_EXPECT_MSG_GT(uniform.share, 0.83, "uniform");
    const Outcome permutation = RunRotorNet(ROTOR_LB, Saturate(false));
    NS_TEST_EXPECT_MSG_LT(permutation.share, 0.45 + 1e-3, "permutation");
    NS_TEST_EXPECT_MSG_GT(permutation.share, 0.435, "permutation");
    NS_TEST_EXPECT_MSG_GT(permutation.relayed, SLOT_BYTES / 2, "relays are in use");
    const Outcome again = RunRotorNet(ROTOR_LB, Saturate(false));
    NS_TEST_EXPECT_MSG_EQ((again.rates == permutation.rates), true, "same seed, same result");
    const Outcome tight = RunRotorNet(ROTOR_LB + "[BacklogLimit=0.25]", Saturate(false));
    NS_TEST_EXPECT_MSG_GT(tight.relayed, SLOT_BYTES / 8, "relays are in use");
    NS_TEST_EXPECT_MSG_LT(tight.relayed, SLOT_BYTES / 4 + 1, "another limit");
    const Outcome none = RunRotorNet(ROTOR_LB + "[BacklogLimit=0]", Saturate(false));
    NS_TEST_EXPECT_MSG_EQ(none.relayed, 0, "no relays");
    NS_TEST_EXPECT_MSG_EQ_TOL(none.share, 0.9 / 16, 0.02 * 0.9 / 16, "direct");
    // All send to rack 0. Without offers, packets for it move from rack to rack.
    const auto incast = [](ScheduledFabric& t)
    { t.Saturate([](RackId from) { return from == 0 ? 1 : 0; }); };
    const Outcome many = RunRotorNet(ROTOR_LB, incast);
    NS_TEST_EXPECT_MSG_EQ_TOL(many.rates[0], 0.9 * 4 * 15 / 16, 0.1, "incast");
    NS_TEST_EXPECT_MSG_LT(many.hops, 2, "incast");
    const Outcome valiant = RunRotorNet(IDLE, incast);
    NS_TEST_EXPECT_MSG_GT(valiant.relayed, 50 * SLOT_BYTES, "no limit");
    NS_TEST_EXPECT_MSG_GT(valiant.hops, 4, "relayed in vain");
    // Offers of early clocks arrive before the other rack uses its circuit.
    const Outcome skewed = RunRotorNet(ROTOR_LB, Saturate(false), "Rotor", 2000);
    NS_TEST_EXPECT_MSG_GT(skewed.share, 0.435 * 86 / 90, "4 us of guards");
    // Racks 0 to 2 send to rack 3. Others are offered packets for it by several at a time.
    const Outcome three = RunRotorNet(ROTOR_LB, Few([](RackId) -> RackId { return 3; }));
    NS_TEST_EXPECT_MSG_GT(three.rates[3], 3.2, "three senders");
    for (const Outcome& outcome : {uniform, permutation, many, skewed, three})
    {
        NS_TEST_EXPECT_MSG_LT(outcome.relayed, SLOT_BYTES + 1, "limit");
    }
    // Circuits of 590 us that come up one after the other; the first ones have no dark time.
    const Outcome opera = RunRotorNet(ROTOR_LB, Saturate(false), "Opera");
    NS_TEST_EXPECT_MSG_LT(opera.relayed, 750000 + 1, "limit");
    NS_TEST_EXPECT_MSG_GT(opera.relayed, 737500 / 2, "relays are in use");
    for (const Outcome& outcome : {uniform, permutation, tight, none, many, opera, skewed, three})
    {
        NS_TEST_EXPECT_MSG_EQ(outcome.dropped, 0, "nothing is lost");
    }
}

/// Few racks send.
ODCN_TEST_CASE(SkewedTestCase,
               "Relays multiply the throughput of few active racks, within the exact bound")
{
    // Racks 0 to 3 send to the next one of them.
    const auto few = Few([](RackId from) { return (from + 1) % 4; });
    DemandMatrix demand(16);
    for (RackId rack = 0; rack < 4; ++rack)
    {
        demand.Set(rack, (rack + 1) % 4, 1);
    }
    const auto least = [](const Outcome& outcome)
    { return *std::min_element(outcome.rates.begin(), outcome.rates.begin() + 4); };
    const double direct = least(RunRotorNet(DIRECT, few));
    const double relayed = least(RunRotorNet(ROTOR_LB, few));
    ScheduledFabric t(16, 4, "Rotor", DIRECT);
    const ThroughputBound bound(t.plan->GetCapacity(), demand);
    NS_TEST_EXPECT_MSG_EQ_TOL(direct, bound.GetDirect(), 0.02 * direct, "direct");
    NS_TEST_EXPECT_MSG_LT(relayed, bound.GetBest() * 1.001, "bound");
    NS_TEST_EXPECT_MSG_GT(relayed, bound.GetBest() * 0.96, "near the bound");
    NS_TEST_EXPECT_MSG_GT(relayed, 13 * direct, "relays");
}

/// RotorLB.
CaseSuite g_rotorLbTestSuite("odcn-rotor-lb");

} // namespace
