// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The optical layer alone: ports, fibres and circuit switches, without nodes or IP.
 *
 * All rates are a thousandth of the real ones (40 Mb/s, 59.2 us), so that every time is a whole
 * number of nanoseconds and the suite needs no other resolution than ns-3's default.
 */

#include "../core/odcn-test-case.h"
#include "ocs-quiet-user.h"

#include "ns3/ocs-fiber.h"
#include "ns3/ocs-switch.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <deque>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr int64_t BYTE_NS = 200; // at 40 Mb/s

/// A port and its traces.
class TestPort : public QuietUser
{
  public:
    TestPort()
        : device(CreateObjectWithAttributes<OcsNetDevice>("DataRate",
                                                          DataRateValue(DataRate("40Mbps"))))
    {
        device->SetUser(this, 0);
        Listen(device, "MacTxDrop", [this](Ptr<const Packet>) { ++refused; });
        Listen(device, "PhyRxDrop", [this](Ptr<const Packet>) { ++rxDropped; });
    }

    ~TestPort() override
    {
        device->Dispose();
    }

    void PortReceived(uint32_t, const Ptr<Packet>& packet) override
    {
        received[packet->GetUid()] = Simulator::Now().GetNanoSeconds();
        order.push_back(packet->GetUid());
    }

    void PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause cause) override
    {
        ++dropped[cause];
    }

    /// Transmit at a time. @param ns time  @param size bytes  @return uid of the packet
    uint64_t SendAt(int64_t ns, uint32_t size)
    {
        Ptr<Packet> packet = Create<Packet>(size);
        Simulator::Schedule(NanoSeconds(ns) - Simulator::Now(),
                            [this, packet] { device->Transmit(packet); });
        return packet->GetUid();
    }

    Ptr<OcsNetDevice> device;             //!< the port
    std::map<uint64_t, int64_t> received; //!< time of the last bit received, by uid
    std::vector<uint64_t> order;          //!< uids in order of arrival
    OcsDropCounts dropped;                //!< lost on the transmit side
    uint32_t refused{0};                  //!< MacTxDrop
    uint32_t rxDropped{0};                //!< PhyRxDrop
};

/// A fibre. @param ns its delay  @return the fibre
Ptr<OcsFiber>
MakeFiber(int64_t ns)
{
    return CreateObjectWithAttributes<OcsFiber>("Delay", TimeValue(NanoSeconds(ns)));
}

/// Ports around an optical switch.
struct OpticsBench
{
    /// @param n number of ports  @param delayNs delay of fibre i is i mod 2 ? delayNs : 0
    /// @param policy in-flight policy  @param darkNs reconfiguration time
    OpticsBench(uint32_t n, int64_t delayNs, OcsSwitch::InFlightPolicy policy, int64_t darkNs)
        : ocs(CreateObject<OcsSwitch>()),
          ports(n)
    {
        ocs->SetNPorts(n);
        ocs->SetAttribute("InFlight", CompatEnumValue<OcsSwitch::InFlightPolicy>(policy));
        ocs->SetAttribute("ReconfigurationTime", TimeValue(NanoSeconds(darkNs)));
        Listen(ocs,
               "Drop",
               [this](Ptr<const Packet> packet, uint32_t, OcsDropCause cause)
               {
                   lost.emplace(packet->GetUid(), cause);
                   ++drops[cause];
               });
        using Changes = std::vector<OcsPortChange>;
        const auto now = [] { return Simulator::Now().GetNanoSeconds(); };
        Listen(ocs, "ReconfigurationStart", [=, this](const Changes&) { starts.push_back(now()); });
        Listen(ocs, "ReconfigurationDone", [=, this](const Changes&) { dones.push_back(now()); });
        Record(ocs, "ReconfigurationDone", up);
        for (uint32_t i = 0; i < n; ++i)
        {
            delay.push_back(i % 2 ? delayNs : 0);
            MakeFiber(delay[i])->Connect(ports[i].device, ocs, i);
        }
    }

    ~OpticsBench()
    {
        ocs->Dispose();
    }

    Ptr<OcsSwitch> ocs;                         //!< the switch
    std::deque<TestPort> ports;                 //!< by port of the switch
    std::vector<int64_t> delay;                 //!< of their fibres
    std::map<uint64_t, OcsDropCause> lost;      //!< packets lost in the switch, by uid
    OcsDropCounts drops;                        //!< the same, counted
    std::vector<int64_t> starts;                //!< times of ReconfigurationStart
    std::vector<int64_t> dones;                 //!< times of ReconfigurationDone
    std::vector<std::vector<OcsPortChange>> up; //!< arguments of ReconfigurationDone
};

/// Time from first bit to arrival is serialisation plus propagation, through a switch or not.
ODCN_TEST_CASE(LatencyTestCase, "A packet takes its serialisation once, and the fibres' delays")
{
    for (int64_t delay : {int64_t(0), int64_t(12345)})
    {
        TestPort a;
        TestPort b;
        MakeFiber(delay)->Connect(a.device, b.device);
        const uint64_t first = a.SendAt(1000, 296);
        const uint64_t second = a.SendAt(1000, 1500);
        const uint64_t back = b.SendAt(1000, 296);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(b.received[first], 1000 + 59200 + delay, "296 bytes: 59.2 us");
        NS_TEST_EXPECT_MSG_EQ(b.received[second], 1000 + 59200 + 300000 + delay, "then 1500");
        NS_TEST_EXPECT_MSG_EQ(a.received[back], 1000 + 59200 + delay, "the other strand");
        NS_TEST_EXPECT_MSG_EQ(a.device->GetReceived(), 1, "a's packets");
        NS_TEST_EXPECT_MSG_EQ(b.device->GetReceived(), 2, "b's packets");
        Simulator::Destroy();
    }
    OpticsBench bench(4, 777, OcsSwitch::IN_FLIGHT_DROP, 1000);
    bench.ocs->Preset({{0, 2}, {1, 3}, {2, 1}, {3, 0}});
    for (uint32_t i = 0; i < 4; ++i)
    {
        TestPort& from = bench.ports[i];
        TestPort& to = bench.ports[bench.ocs->GetOutput(i)];
        const int64_t delay = bench.delay[i] + bench.delay[bench.ocs->GetOutput(i)];
        const int64_t start = Simulator::Now().GetNanoSeconds();
        const uint64_t first = from.SendAt(start + 5, 1500);
        const uint64_t second = from.SendAt(start + 5, 296);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(to.received[first], start + 5 + 300000 + delay, "one hop");
        NS_TEST_EXPECT_MSG_EQ(to.received[second], start + 5 + 359200 + delay, "next packet");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetForwarded(), 8, "all went through");
    Simulator::Destroy();
}

/// Packets arrive by time, in any order of sending, and do not outlive their fibre.
ODCN_TEST_CASE(FiberDelayTestCase,
               "A packet overtakes when the delay of a fibre is set to less, and a fibre that is "
               "gone frees its packets")
{
    TestPort a;
    TestPort b;
    const Ptr<OcsFiber> fiber = MakeFiber(1000000);
    fiber->Connect(a.device, b.device);
    const auto setDelay = [&](int64_t at, int64_t ns)
    {
        Simulator::Schedule(NanoSeconds(at),
                            [fiber, ns]
                            { fiber->SetAttribute("Delay", TimeValue(NanoSeconds(ns))); });
    };
    std::map<uint64_t, int64_t> expected;
    const auto send = [&](int64_t at, int64_t delay)
    {
        const uint64_t uid = a.SendAt(at, 100);
        expected[uid] = at + 100 * BYTE_NS + delay;
        return uid;
    };
    std::vector<uint64_t> order;
    const uint64_t first = send(0, 1000000);
    const uint64_t second = send(50000, 1000000);
    setDelay(100000, 1000);
    order.push_back(send(200000, 1000));
    setDelay(300000, 2000000);
    const uint64_t last = send(400000, 2000000);
    order.insert(order.end(), {first, second});
    order.push_back(last);
    RunFor(NanoSeconds(500000));
    NS_TEST_EXPECT_MSG_EQ(fiber->GetInFlight(), 3, "packets on the fibre");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((b.order == order), true, "order of arrival");
    NS_TEST_EXPECT_MSG_EQ((b.received == expected), true, "times of arrival");
    NS_TEST_EXPECT_MSG_EQ(fiber->GetInFlight(), 0, "none is left");
    // The end of the run comes before that of the packet.
    const auto packet = Create<Packet>(100);
    {
        TestPort c;
        TestPort d;
        MakeFiber(10000000)->Connect(c.device, d.device);
        c.device->Transmit(packet);
        RunFor(NanoSeconds(1000000));
        NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 2, "on the fibre");
    }
    Simulator::Destroy(); // and with it ns-3's list of channels
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 1, "freed");
}

/// 15 packets wait, one is on the wire, the next is refused.
ODCN_TEST_CASE(PortQueueTestCase,
               "A port holds 15 packets and one in transmission, and counts the others")
{
    TestPort a;
    TestPort b;
    a.SendAt(0, 100); // no fibre yet
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(a.dropped[OcsDropCause::PORT_FAILED], 1, "nothing plugged in");
    MakeFiber(0)->Connect(a.device, b.device);
    auto uids = ListOf<uint64_t>(20, [&](uint32_t) { return a.SendAt(10, 296); });
    RunFor(NanoSeconds(11));
    NS_TEST_EXPECT_MSG_EQ(a.device->GetWaiting(), 15, "waiting");
    NS_TEST_EXPECT_MSG_EQ(a.device->IsTransmitting(), true, "on the wire");
    NS_TEST_EXPECT_MSG_EQ(a.dropped[OcsDropCause::QUEUE_OVERFLOW], 4, "lost");
    NS_TEST_EXPECT_MSG_EQ(a.refused, 5, "MacTxDrop");
    Simulator::Run();
    uids.resize(16);
    NS_TEST_EXPECT_MSG_EQ((b.order == uids), true, "in order");
    // A port that fails loses waiting packets, and truncates the one in transmission.
    for (uint32_t i = 0; i < 5; ++i)
    {
        a.SendAt(10000000, 296);
    }
    const Time ahead = NanoSeconds(10000000) - Simulator::Now();
    Simulator::Schedule(ahead + NanoSeconds(60000), &OcsNetDevice::Fail, a.device);
    a.SendAt(10000000 + 70000, 296);
    Simulator::Schedule(ahead + NanoSeconds(80000), &OcsNetDevice::Repair, a.device);
    a.SendAt(10000000 + 90000, 296);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(a.dropped[OcsDropCause::PORT_FAILED], 1 + 3 + 1, "3 waited, 1 new");
    NS_TEST_EXPECT_MSG_EQ(b.rxDropped, 1, "one was truncated");
    NS_TEST_EXPECT_MSG_EQ(b.order.size(), 16 + 1 + 1, "one before, one after");
    const OcsNetDevice& d = *a.device;
    NS_TEST_EXPECT_MSG_EQ(d.GetOffered(),
                          d.GetSent() + d.GetTakenBack() + d.GetWaiting() +
                              d.GetTxDropped().Total(),
                          "transmit identity");
    NS_TEST_EXPECT_MSG_EQ(b.device->GetArrived(),
                          b.device->GetReceived() + b.device->GetRxDropped().Total(),
                          "receive identity");
    Simulator::Destroy();
}

/// Moved circuits are dark for exactly the reconfiguration time, others never.
ODCN_TEST_CASE(DarkTimeTestCase, "Only moved circuits go dark, for exactly ReconfigurationTime")
{
    // Back-to-back packets of 10 us on all inputs; at 1 ms + 3 us two outputs are swapped, and
    // at 1.5 ms one of them is reconfigured again; dark time is 1 ms.
    constexpr uint32_t PACKETS = 400;
    constexpr int64_t TX = 50 * BYTE_NS;
    constexpr int64_t DARK = 1000000;
    constexpr int64_t T1 = 1003000;
    constexpr int64_t T2 = 1500000;
    OpticsBench bench(5, 0, OcsSwitch::IN_FLIGHT_DROP, DARK);
    bench.ocs->Preset({{0, 1}, {1, 0}, {2, 3}, {3, 2}});
    std::vector<std::vector<uint64_t>> uids(4);
    for (uint32_t k = 0; k < PACKETS; ++k)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            uids[i].push_back(bench.ports[i].SendAt(k * TX, 50));
        }
    }
    uint32_t moved = 0;
    // clang-format off
    Simulator::Schedule(NanoSeconds(T1),
                        [&] {
                            moved = bench.ocs->Reconfigure({{0, 3}, {1, 0}, {2, 1}});
                        });
    // clang-format on
    Simulator::Schedule(
        NanoSeconds(T2),
        [&]
        {
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsDark(0), true, "moved");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsDark(1), false, "named, but not moved");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->Reconfigure({{2, 1}}), 0, "nothing new");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->Reconfigure({{0, 4}}), 1, "moved again");
        });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(moved, 2, "circuits that changed");
    const std::vector<int64_t> starts{T1, T2};
    const std::vector<int64_t> dones{T1 + DARK, T2 + DARK};
    NS_TEST_EXPECT_MSG_EQ((bench.starts == starts), true, "ReconfigurationStart");
    NS_TEST_EXPECT_MSG_EQ((bench.dones == dones), true, "ReconfigurationDone");
    const std::vector<std::vector<OcsPortChange>> up{{{2, 1}}, {{0, 4}}};
    NS_TEST_EXPECT_MSG_EQ((bench.up == up), true, "what came up");
    NS_TEST_EXPECT_MSG_EQ(bench.ports[0].order.size(), PACKETS, "1 to 0 undisturbed");
    NS_TEST_EXPECT_MSG_EQ(bench.ports[2].order.size(), PACKETS, "3 to 2 undisturbed");
    for (uint32_t k = 0; k < PACKETS; ++k)
    {
        const int64_t first = k * TX;
        const int64_t last = first + TX;
        for (uint32_t i : {0, 2})
        {
            const int64_t shines = (i == 0 ? T2 : T1) + DARK;
            const bool lost = last > T1 && first < shines;
            const auto fate = bench.lost.find(uids[i][k]);
            NS_TEST_EXPECT_MSG_EQ((fate != bench.lost.end()), lost, "packet " << k);
            if (lost && fate != bench.lost.end())
            {
                NS_TEST_EXPECT_MSG_EQ(fate->second,
                                      (first < T1 ? OcsDropCause::CUT : OcsDropCause::DARK),
                                      "packet " << k);
                continue;
            }
            const uint32_t to = first < T1 ? i + 1 : (i == 0 ? 4 : 1);
            NS_TEST_EXPECT_MSG_EQ(bench.ports[to].received[uids[i][k]], last, "packet " << k);
        }
    }
    Simulator::Destroy();
}

/// Ties with the time of a bit: a packet occupies a circuit during [first bit, last bit).
ODCN_TEST_CASE(EdgeTestCase, "A packet is through when its last bit is, whatever happens then")
{
    // when: time of a reconfiguration; result: why a packet from 100 to 59300 ns is lost
    const auto doFate = [&](int64_t when) -> std::string
    {
        OpticsBench bench(3, 0, OcsSwitch::IN_FLIGHT_DROP, 1000);
        bench.ocs->Preset({{0, 1}});
        // Scheduled first, so that at equal times the circuit moves before the packet does.
        Simulator::Schedule(NanoSeconds(when), [&bench] { bench.ocs->Reconfigure({{0, 2}}); });
        const uint64_t uid = bench.ports[0].SendAt(100, 296);
        Simulator::Run();
        const auto lost = bench.lost.find(uid);
        const std::string fate = lost != bench.lost.end() ? OcsDropCauseName(lost->second)
                                 : bench.ports[1].received.count(uid) ? "1"
                                 : bench.ports[2].received.count(uid) ? "2"
                                                                      : "nowhere";
        Simulator::Destroy();
        return fate;
    };
    NS_TEST_EXPECT_MSG_EQ(doFate(59300), "1", "with the last bit");
    NS_TEST_EXPECT_MSG_EQ(doFate(59299), "cut", "just before the last bit");
    NS_TEST_EXPECT_MSG_EQ(doFate(101), "cut", "just after the first bit");
    NS_TEST_EXPECT_MSG_EQ(doFate(100), "dark", "with the first bit");
}

/// An outage that is over when the last bit arrives.
ODCN_TEST_CASE(OutageTestCase, "A port that is down for a part of a packet loses it")
{
    // end: port that is down  @param from ns  @param until ns
    // result: whether a packet arrives that leaves from 100 to 59300 ns, 1000 ns earlier
    const auto arrives = [](uint32_t end, int64_t from, int64_t until)
    {
        std::array<TestPort, 2> ports;
        MakeFiber(1000)->Connect(ports[0].device, ports[1].device);
        const Ptr<OcsNetDevice> device = ports[end].device;
        Simulator::Schedule(NanoSeconds(from), [device] { device->Fail(); });
        Simulator::Schedule(NanoSeconds(until), [device] { device->Repair(); });
        const uint64_t uid = ports[0].SendAt(100, 296);
        ports[0].SendAt(200000, 296);
        Simulator::Run();
        const bool isFirst = ports[1].received.count(uid) > 0;
        const bool isSecond = ports[1].received.size() == (isFirst ? 2 : 1);
        const uint64_t lost = ports[1].device->GetRxDropped()[OcsDropCause::PORT_FAILED];
        const bool isCounted = ports[1].device->GetArrived() == 2 && lost == (isFirst ? 0 : 1);
        Simulator::Destroy();
        return !isSecond || !isCounted ? "wrong" : isFirst ? "arrives" : "lost";
    };
    const std::string arrived = "arrives";
    const std::string lost = "lost";
    NS_TEST_EXPECT_MSG_EQ(arrives(1, 500, 1100), arrived, "up with the first bit");
    NS_TEST_EXPECT_MSG_EQ(arrives(1, 500, 1101), lost, "just after the first bit");
    NS_TEST_EXPECT_MSG_EQ(arrives(1, 30000, 30001), lost, "in between");
    NS_TEST_EXPECT_MSG_EQ(arrives(1, 60298, 60299), lost, "just before the last bit");
    NS_TEST_EXPECT_MSG_EQ(arrives(1, 60301, 60400), arrived, "after the last bit");
    NS_TEST_EXPECT_MSG_EQ(arrives(0, 10, 90), arrived, "before it is sent");
    NS_TEST_EXPECT_MSG_EQ(arrives(0, 30000, 30001), lost, "while it is sent");
    NS_TEST_EXPECT_MSG_EQ(arrives(0, 59301, 59400), arrived, "after it was sent");
}

/// An invalid batch changes nothing.
ODCN_TEST_CASE(BadBatchTestCase, "A batch of circuits is done whole or refused")
{
    OpticsBench bench(4, 0, OcsSwitch::IN_FLIGHT_DROP, 1000);
    bench.ocs->Preset({{0, 1}, {2, 3}});
    const std::vector<std::vector<OcsPortChange>> bad{
        {{0, 2}, {4, 0}},           // no such input
        {{0, 2}, {1, 4}},           // no such output
        {{0, 2}, {0, 0}},           // an input twice
        {{0, 2}, {1, 2}},           // an output twice
        {{1, 0}, {3, 1}},           // output 1 belongs to 0
        {{0, OCS_NO_PORT}, {1, 3}}, // output 3 belongs to 2
    };
    for (const auto& batch : bad)
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { bench.ocs->Reconfigure(batch); }), "", "refused");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetOutput(0), 1, "as it was");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetOutput(1), OCS_NO_PORT, "as it was");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetOutput(2), 3, "as it was");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetInput(3), 2, "as it was");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.starts.size(), 0, "nothing moved");
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->Reconfigure({{0, 3}, {2, 1}}), 2, "a swap is possible");
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->Reconfigure({{0, OCS_NO_PORT}, {3, 3}}), 2, "handed on");
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetInput(3), 3, "handed on");
    NS_TEST_EXPECT_MSG_NE(GetRefusal(
                              [&]
                              {
                                  TestPort lonely;
                                  MakeFiber(0)->Connect(lonely.device, bench.ocs, 2);
                              }),
                          "",
                          "a port takes one fibre");
    Simulator::Run();
    Simulator::Destroy();
}

/// The outcome of each packet under random circuits and failures, against an evaluation of the
/// history.
struct FateFixture : ParameterCase<std::pair<OcsSwitch::InFlightPolicy, int64_t>>
{
    using ParameterCase::ParameterCase;

    static constexpr uint32_t PORTS = 7;
    static constexpr int64_t DARK = 700000;
    static constexpr int64_t END = 400000000;

    /// A packet that was sent.
    struct Sent
    {
        uint64_t uid;   //!< its number
        uint32_t input; //!< input port of the switch
        int64_t first;  //!< first bit at the switch
        int64_t last;   //!< last bit at the switch
    };

    /// A change of a circuit or of a port's state.
    struct Change
    {
        int64_t when;   //!< time
        uint32_t value; //!< new output, or 1 for failed and 0 for repaired
    };

    /// @param changes a history  @param t time  @return its value then (0 before the first)
    static const Change& At(const std::vector<Change>& changes, int64_t t)
    {
        std::size_t i = changes.size() - 1;
        while (changes[i].when > t)
        {
            --i;
        }
        return changes[i];
    }

    /// @param changes a history  @param first start  @param last end  @return time of an event
    static int64_t Within(const std::vector<Change>& changes,
                          int64_t first,
                          int64_t last,
                          bool failuresOnly)
    {
        for (const Change& c : changes)
        {
            if (c.when > first && c.when < last && (!failuresOnly || c.value == 1))
            {
                return c.when;
            }
        }
        return last;
    }

    const OcsSwitch::InFlightPolicy m_policy = parameter.first; //!< in-flight policy
    const int64_t m_delay = parameter.second;                   //!< of every other fibre
};

/// @copybrief FateFixture
ODCN_TEST_CASES_F(FateFixture,
                  FateTestCase,
                  std::string("The fate of each packet follows from the history, in flight ") +
                      (parameter.first == OcsSwitch::IN_FLIGHT_DROP ? "dropped" : "delivered") +
                      ", delay " + std::to_string(parameter.second) + " ns",
                  {OcsSwitch::IN_FLIGHT_DROP, 0},
                  {OcsSwitch::IN_FLIGHT_DELIVER, 0},
                  {OcsSwitch::IN_FLIGHT_DROP, 1300},
                  {OcsSwitch::IN_FLIGHT_DELIVER, 1300},
                  {OcsSwitch::IN_FLIGHT_DROP, 900000},
                  {OcsSwitch::IN_FLIGHT_DELIVER, 900000})
{
    OpticsBench bench(PORTS, m_delay, m_policy, DARK);
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(17);
    const auto pick = [&random](uint32_t n) { return random->GetInteger(0, n - 1); };
    // Packets are sent at multiples of 100 ns, all other events 50 ns apart from them: no ties.
    std::vector<Sent> sent;
    for (uint32_t i = 0; i < PORTS; ++i)
    {
        int64_t t = 0;
        while (t < END)
        {
            const uint32_t size = 20 + pick(1480);
            const int64_t first = t + bench.delay[i];
            const uint64_t uid = bench.ports[i].SendAt(t, size);
            sent.push_back({uid, i, first, first + size * BYTE_NS});
            t += size * BYTE_NS + (pick(2) ? 0 : 100 * pick(2000));
        }
    }
    constexpr int64_t LONG_AGO = -2 * DARK;
    std::vector<std::vector<Change>> circuit(PORTS, {{LONG_AGO, OCS_NO_PORT}});
    std::vector<std::vector<Change>> inputFailed(PORTS, {{LONG_AGO, 0}});
    std::vector<std::vector<Change>> outputFailed(PORTS, {{LONG_AGO, 0}});
    for (int64_t t = 50; t < END; t += 100 * (1 + pick(8000)))
    {
        Simulator::Schedule(
            NanoSeconds(t),
            [&, t]
            {
                if (pick(4) == 0)
                {
                    const uint32_t port = pick(PORTS);
                    const bool input = pick(2);
                    auto& history = input ? inputFailed[port] : outputFailed[port];
                    const OcsPortSide side = input ? OcsPortSide::INPUT : OcsPortSide::OUTPUT;
                    const bool fails = history.back().value == 0;
                    fails ? bench.ocs->FailPort(port, side) : bench.ocs->RepairPort(port, side);
                    history.push_back({t, fails});
                    return;
                }
                // Some inputs exchange their outputs with each other or with free ones.
                std::vector<uint32_t> inputs;
                std::vector<uint32_t> outputs;
                std::vector<bool> taken(PORTS, false);
                for (uint32_t i = 0; i < PORTS; ++i)
                {
                    const uint32_t now = circuit[i].back().value;
                    if (pick(3) == 0)
                    {
                        inputs.push_back(i);
                    }
                    else if (now != OCS_NO_PORT)
                    {
                        taken[now] = true;
                    }
                }
                for (uint32_t o = 0; o < PORTS; ++o)
                {
                    if (!taken[o] && pick(4) != 0)
                    {
                        outputs.push_back(o);
                    }
                }
                outputs.resize(std::max(outputs.size(), inputs.size()), OCS_NO_PORT);
                std::vector<OcsPortChange> batch;
                for (uint32_t i : inputs)
                {
                    const uint32_t k = pick(static_cast<uint32_t>(outputs.size()));
                    batch.push_back({i, outputs[k]});
                    if (outputs[k] != circuit[i].back().value)
                    {
                        circuit[i].push_back({t, outputs[k]});
                    }
                    outputs.erase(outputs.begin() + k);
                }
                bench.ocs->Reconfigure(batch);
            });
    }
    uint32_t inFlightSeen = 0;
    for (int64_t t = 75; t < END; t += 1000000)
    {
        Simulator::Schedule(NanoSeconds(t),
                            [&]
                            {
                                const OcsSwitch& s = *bench.ocs;
                                inFlightSeen += s.GetInFlight() > 0;
                                NS_TEST_EXPECT_MSG_EQ(s.GetReceived(),
                                                      s.GetForwarded() + s.GetDropped().Total() +
                                                          s.GetInFlight(),
                                                      "identity at " << Simulator::Now());
                            });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(inFlightSeen, 100, "the identity was tried with packets in flight");

    OcsDropCounts expected;
    for (const Sent& p : sent)
    {
        const Change& now = At(circuit[p.input], p.first);
        bool lost = true;
        OcsDropCause cause = OcsDropCause::PORT_FAILED;
        if (At(inputFailed[p.input], p.first).value == 1)
        {
        }
        else if (now.value == OCS_NO_PORT)
        {
            cause = OcsDropCause::NO_CIRCUIT;
        }
        else if (p.first < now.when + DARK)
        {
            cause = OcsDropCause::DARK;
        }
        else if (At(outputFailed[now.value], p.first).value == 0)
        {
            const int64_t cut = m_policy == OcsSwitch::IN_FLIGHT_DROP
                                    ? Within(circuit[p.input], p.first, p.last, false)
                                    : p.last;
            const int64_t broken = std::min(Within(inputFailed[p.input], p.first, p.last, true),
                                            Within(outputFailed[now.value], p.first, p.last, true));
            lost = std::min(cut, broken) < p.last;
            cause = cut < broken ? OcsDropCause::CUT : OcsDropCause::PORT_FAILED;
        }
        const auto fate = bench.lost.find(p.uid);
        NS_TEST_ASSERT_MSG_EQ((fate != bench.lost.end()),
                              lost,
                              "packet at input " << p.input << " at " << p.first);
        if (lost)
        {
            ++expected[cause];
            NS_TEST_ASSERT_MSG_EQ(fate->second, cause, "cause at " << p.first);
            continue;
        }
        const auto& received = bench.ports[now.value].received;
        const auto arrival = received.find(p.uid);
        NS_TEST_ASSERT_MSG_EQ((arrival != received.end()), true, "arrives where it should");
        NS_TEST_ASSERT_MSG_EQ(arrival->second, p.last + bench.delay[now.value], "when");
    }
    for (OcsDropCause cause : {OcsDropCause::DARK,
                               OcsDropCause::NO_CIRCUIT,
                               OcsDropCause::PORT_FAILED,
                               OcsDropCause::CUT})
    {
        if (cause != OcsDropCause::CUT || m_policy == OcsSwitch::IN_FLIGHT_DROP)
        {
            NS_TEST_EXPECT_MSG_GT(expected[cause], 20, "enough of " << cause);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetDropped()[cause], expected[cause], cause);
        NS_TEST_EXPECT_MSG_EQ(bench.drops[cause], expected[cause], "traced " << cause);
    }
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetReceived(), sent.size(), "all came in");
    NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetInFlight(), 0, "none is left");
    Simulator::Destroy();
}

/// The optical layer.
CaseSuite g_ocsTestSuite("odcn-optics");

} // namespace
