// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Lightpaths in packets: latency to the picosecond, packets lost in a cut, restoration, and a
 * complete balance of packets.
 */

#include "../core/odcn-property.h"
#include "../core/odcn-test-case.h"
#include "otn-test-ring.h"
#include "otn-test-sink.h"

#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param n sites in a ring; the link from i has 10 + i km, so 50 + 5 i us
/// @param wavelengths of each link  @return the mesh
std::shared_ptr<const OtnMesh>
Circle(uint32_t n, uint32_t wavelengths = 4)
{
    return MakeRing(n, wavelengths, 10, 1);
}

/// A controlled network, and transponders that record arrivals.
struct OtnLightpathBench
{
    /// @param mesh sites and links
    explicit OtnLightpathBench(std::shared_ptr<const OtnMesh> mesh)
        : network(OtnHelper().Build(std::move(mesh))),
          control(CreateObject<OtnController>())
    {
        control->SetNetwork(network);
        Listen(network,
               "LightpathUp",
               [this](Ptr<OtnLightpath> lightpath)
               {
                   ups.push_back(Simulator::Now().GetPicoSeconds());
                   last = lightpath;
               });
        Listen(network,
               "LightpathDown",
               [this](Ptr<OtnLightpath>, OcsDropCause cause) { downs.push_back(cause); });
    }

    ~OtnLightpathBench()
    {
        Simulator::Destroy();
        control->Dispose();
        network->Dispose();
    }

    /// @param from a site  @param to a site  @param n wavelengths  @return a lightpath, or null
    Ptr<OtnLightpath> SetUp(uint32_t from, uint32_t to, uint32_t n)
    {
        auto lightpath = control->SetUp(from, to, n);
        if (lightpath)
        {
            lightpath->GetTransponder(0)->SetUser(&sinks[0], 0);
            lightpath->GetTransponder(1)->SetUser(&sinks[1], 0);
        }
        return lightpath;
    }

    /// Send at a time. @param lightpath to use  @param end sending end  @param ps time
    /// @param size bytes  @return uid
    static uint64_t Send(Ptr<OtnLightpath> lightpath,
                         uint32_t end,
                         int64_t ps,
                         uint32_t size = 1500)
    {
        auto packet = Create<Packet>(size);
        auto device = lightpath->GetTransponder(end);
        Simulator::Schedule(PicoSeconds(ps) - Simulator::Now(),
                            [device, packet] { device->Transmit(packet); });
        return packet->GetUid();
    }

    /// Run until a time. @param ps time
    static void RunUntil(int64_t ps)
    {
        RunFor(PicoSeconds(ps) - Simulator::Now());
    }

    Ptr<OtnNetwork> network;         //!< the network
    Ptr<OtnController> control;      //!< controller of the network
    TestSink sinks[2];               //!< at the ends of lightpaths
    std::vector<int64_t> ups;        //!< times at which lightpaths came up, ps
    std::vector<OcsDropCause> downs; //!< causes of lightpaths going down
    Ptr<OtnLightpath> last;          //!< latest lightpath that came up
};

constexpr int64_t MS = 1000000000;       //!< ps
constexpr int64_t MICROSECOND = 1000000; //!< ps
constexpr int64_t SET_UP = 10 * MS;
constexpr int64_t OEO = 100 * MICROSECOND;

/// Invariants. @param test the test  @param network its network
#define EXPECT_CONSERVED(network)                                                                  \
    do                                                                                             \
    {                                                                                              \
        const PacketCounts c = (network)->Count();                                                 \
        NS_TEST_EXPECT_MSG_EQ(c.sent, c.received + c.inFlight + c.dropped.Total(), "conserved");   \
    } while (false)

/// Latency = serialisation + O-E-O of both ends + propagation.
ODCN_TEST_CASE(OtnLightpathLatencyTestCase, "latency is exact, whatever lies between")
{
    OtnLightpathBench bench(Circle(7));
    auto lightpath = bench.SetUp(0, 3, 2);
    NS_TEST_ASSERT_MSG_EQ(bool(lightpath), true, "set up");
    NS_TEST_EXPECT_MSG_EQ(lightpath->GetTransponder(0)->GetDataRate(),
                          DataRate("200Gbps"),
                          "two wavelengths");
    const int64_t propagation = (50 + 55 + 60) * MICROSECOND;
    std::map<uint64_t, int64_t> expected[2];
    for (uint32_t end = 0; end < 2; ++end)
    {
        // 1500 bytes take 60 ns at 200 Gb/s, 40 bytes 1.6 ns; the second waits for the first.
        const int64_t at = 20 * MS + end * 7;
        expected[1 - end][OtnLightpathBench::Send(lightpath, end, at)] =
            at + 60000 + 2 * OEO + propagation;
        expected[1 - end][OtnLightpathBench::Send(lightpath, end, at + 1, 40)] =
            at + 61600 + 2 * OEO + propagation;
    }
    OtnLightpathBench::RunUntil(40 * MS);
    NS_TEST_EXPECT_MSG_EQ((bench.ups == std::vector<int64_t>{SET_UP}), true, "set-up time");
    NS_TEST_EXPECT_MSG_EQ((bench.sinks[0].times == expected[0]), true, "to end 0");
    NS_TEST_EXPECT_MSG_EQ((bench.sinks[1].times == expected[1]), true, "to end 1");
    // Intermediate nodes switch the light only optically.
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(1)->GetNConnections(), 4, "passed through");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(1)->GetNTransponders(), 0, "not dropped");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetFiber(0)->GetLightpath(1),
                          PeekPointer(lightpath),
                          "lit");
    EXPECT_CONSERVED(bench.network);
    bench.control->TearDown(lightpath);
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(1)->GetNConnections(), 0, "all undone");
    NS_TEST_EXPECT_MSG_EQ((bench.network->GetFiber(0)->GetLightpath(1) == nullptr), true, "dark");
    NS_TEST_EXPECT_MSG_EQ(bench.control->GetLedger().GetUsed(), 0, "released");
    NS_TEST_EXPECT_MSG_EQ((bench.SetUp(0, 3, 1) == lightpath), true, "transponders are reused");
    NS_TEST_EXPECT_MSG_EQ((bench.SetUp(0, 3, 5) == nullptr), true, "four wavelengths only");
}

/// A wavelength conversion costs one more O-E-O.
ODCN_TEST_CASE(ConversionTestCase, "conversion of wavelengths costs time where it happens")
{
    OtnLightpathBench bench(Circle(7, 1 + 1));
    bench.control->SetAttribute("Conversion", BooleanValue(true));
    bench.SetUp(0, 1, 1);
    auto blocker = bench.SetUp(1, 2, 1);
    auto other = bench.SetUp(1, 2, 1);
    bench.control->TearDown(blocker);
    // Wavelength 1 is free on the first link, 0 on the second.
    auto lightpath = bench.SetUp(0, 2, 1);
    NS_TEST_ASSERT_MSG_EQ(bool(lightpath), true, "converted");
    NS_TEST_EXPECT_MSG_EQ(lightpath->GetLatency(0).GetPicoSeconds(),
                          (50 + 55) * MICROSECOND + 3 * OEO,
                          "there");
    NS_TEST_EXPECT_MSG_EQ(lightpath->GetLatency(1), lightpath->GetLatency(0), "back");
    NS_TEST_EXPECT_MSG_EQ(lightpath->GetFibers(1).size(), 2, "two hops");
    // Wavelengths in use are refused, without side effects.
    OtnGrant taken{{0, 2}, {OtnWavelengths(2), OtnWavelengths(2)}, true};
    auto third = bench.network->AddLightpath(0, 2);
    NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { bench.network->SetUp(third, taken); }), "", "refused");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(1)->GetNConnections(), 4, "as before");
    NS_TEST_EXPECT_MSG_EQ(third->GetState(), OtnLightpath::DOWN, "down");
    NS_TEST_EXPECT_MSG_EQ(bool(other), true, "other");
}

/// A cut loses exactly the packets that have not passed it; lightpaths are up after the repair.
ODCN_TEST_CASE(OtnLightpathCutTestCase, "a cut takes what has not passed it, and nothing else")
{
    OtnLightpathBench bench(Circle(7));
    bench.control->SetAttribute("Restoration", BooleanValue(false));
    auto lightpath = bench.SetUp(0, 3, 1);
    // A packet each microsecond, both ways; 1500 bytes take 120 ns.
    constexpr int N = 1000;
    std::vector<uint64_t> uids[2];
    for (int i = 0; i < N; ++i)
    {
        uids[0].push_back(OtnLightpathBench::Send(lightpath, 0, 20 * MS + i * MICROSECOND));
        uids[1].push_back(OtnLightpathBench::Send(lightpath, 1, 20 * MS + i * MICROSECOND));
    }
    // The middle link: passed after O-E-O and 50 + 55 us from end 0, 60 + 55 us from end 1.
    const int64_t cut = 20 * MS + 500 * MICROSECOND + 60000;
    const int64_t repair = 20 * MS + 800 * MICROSECOND - 1;
    Simulator::Schedule(PicoSeconds(cut), &OtnNetwork::CutLink, bench.network, 1);
    Simulator::Schedule(PicoSeconds(repair), &OtnNetwork::RepairLink, bench.network, 1);
    OtnLightpathBench::RunUntil(cut + 1);
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), false, "down");
    EXPECT_CONSERVED(bench.network);
    OtnLightpathBench::RunUntil(30 * MS);
    EXPECT_CONSERVED(bench.network);
    uint64_t lost = 0;
    for (uint32_t end = 0; end < 2; ++end)
    {
        const int64_t pass = OEO + (end == 0 ? 105 : 115) * MICROSECOND;
        for (int i = 0; i < N; ++i)
        {
            const int64_t begun = 20 * MS + i * MICROSECOND;
            const bool arrives = begun + 120000 + pass <= cut || begun >= repair;
            NS_TEST_EXPECT_MSG_EQ(bench.sinks[1 - end].times.count(uids[end][i]),
                                  (arrives ? 1U : 0U),
                                  "packet " << i << " from end " << end);
            lost += arrives ? 0 : 1;
        }
    }
    const auto counts = bench.network->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::FIBER_CUT], lost, "by the cut");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), lost, "and nothing else");
    NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "all over");
    NS_TEST_EXPECT_MSG_EQ((bench.downs == std::vector{OcsDropCause::FIBER_CUT}), true, "told");
    NS_TEST_EXPECT_MSG_EQ((bench.ups == std::vector<int64_t>{SET_UP, repair}), true, "up");
}

/// The controller reroutes lightpaths after a cut; those without alternative wait for the repair.
ODCN_TEST_CASE(RestorationTestCase, "restoration")
{
    OtnLightpathBench bench(Circle(4));
    auto first = bench.SetUp(0, 1, 3);
    auto second = bench.SetUp(0, 1, 1);
    auto third = bench.SetUp(2, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(first->GetFibers(0).size(), 1, "direct");
    const int64_t cut = 20 * MS;
    Simulator::Schedule(PicoSeconds(cut), &OtnNetwork::CutLink, bench.network, 0);
    const uint64_t before = OtnLightpathBench::Send(first, 0, cut - 500 * MICROSECOND);
    OtnLightpathBench::Send(first, 0, cut + 1);           // cut
    OtnLightpathBench::Send(first, 0, cut + 10 * MS + 1); // dark: being rerouted
    const int64_t later = cut + 20 * MS + 1;              // detection and set-up
    const uint64_t after = OtnLightpathBench::Send(first, 0, later);
    OtnLightpathBench::RunUntil(later + 5 * MS);
    // 3 + 1 wavelengths are to be rerouted, but only three of four are free there.
    NS_TEST_EXPECT_MSG_EQ(bench.control->GetRestored(), 1, "one restored");
    NS_TEST_EXPECT_MSG_EQ(first->GetFibers(0).size(), 3, "round");
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(first), true, "first");
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(second), false, "second");
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(third), true, "third");
    NS_TEST_EXPECT_MSG_EQ(bench.sinks[1].times.size(), 2, "two arrive");
    NS_TEST_EXPECT_MSG_EQ(bench.sinks[1].times[before],
                          cut - 500 * MICROSECOND + 40000 + 2 * OEO + 50 * MICROSECOND,
                          "before");
    NS_TEST_EXPECT_MSG_EQ(bench.sinks[1].times[after],
                          later + 40000 + 2 * OEO + (65 + 60 + 55) * MICROSECOND,
                          "after");
    const auto counts = bench.network->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::FIBER_CUT], 1, "cut");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::DARK], 1, "dark");
    EXPECT_CONSERVED(bench.network);
    NS_TEST_EXPECT_MSG_EQ(bench.control->GetLedger().GetUsed(), 2 * (3 * 3 + 1 + 1), "ledger");
    bench.network->RepairLink(0);
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(second), true, "back with the fibre");
    NS_TEST_EXPECT_MSG_EQ(first->GetFibers(0).size(), 3, "no way back");
    for (const auto& lightpath : {first, second, third})
    {
        bench.control->TearDown(lightpath);
    }
    NS_TEST_EXPECT_MSG_EQ(
        (bench.control->GetLedger() == OtnWavelengthLedger(bench.network->GetMesh())),
        true,
        "all released");
}

/// A cut during set-up, and a repair of a fibre under a failed transponder.
ODCN_TEST_CASE(RepairTestCase, "repairs")
{
    OtnLightpathBench bench(Circle(4));
    bench.control->SetAttribute("Restoration", BooleanValue(false));
    auto lightpath = bench.SetUp(0, 1, 1); // takes 10 ms
    const auto at = [](int64_t ms, auto&& action)
    { Simulator::Schedule(PicoSeconds(ms * MS), std::function<void()>(action)); };
    at(5, [&] { bench.network->CutLink(0); });
    at(7, [&] { bench.network->RepairLink(0); });
    OtnLightpathBench::RunUntil(16 * MS);
    NS_TEST_EXPECT_MSG_EQ(bench.ups.empty(), true, "still being set up");
    OtnLightpathBench::RunUntil(18 * MS);
    NS_TEST_ASSERT_MSG_EQ(bench.ups.size(), 1, "set up after the repair");
    NS_TEST_EXPECT_MSG_EQ(bench.ups[0], 17 * MS, "by a whole set-up time");
    at(2, [&] { bench.network->FailTransponder(lightpath, 0); });
    at(3, [&] { bench.network->CutLink(0); });
    at(4, [&] { bench.network->RepairLink(0); });
    at(5, [&] { bench.network->RepairTransponder(lightpath, 0); });
    OtnLightpathBench::RunUntil(30 * MS);
    NS_TEST_ASSERT_MSG_EQ(bench.ups.size(), 2, "not up while a transponder has failed");
    NS_TEST_EXPECT_MSG_EQ(bench.ups[1], 23 * MS, "up with the transponder");
}

/// Transponders that fail, and lightpaths that are torn down during packets.
ODCN_TEST_CASE(OtnLightpathFailureTestCase, "failed transponders, tearing down, setting up")
{
    OtnLightpathBench bench(Circle(3));
    auto lightpath = bench.SetUp(0, 1, 1);
    OtnLightpathBench::Send(lightpath, 0, 1); // not up yet
    const int64_t at = 20 * MS;
    // Waiting, in transmission, and arriving at the failed transponder.
    OtnLightpathBench::Send(lightpath, 0, at);
    OtnLightpathBench::Send(lightpath, 0, at);
    OtnLightpathBench::Send(lightpath, 1, at - 200 * MICROSECOND);
    Simulator::Schedule(PicoSeconds(at + 1000),
                        &OtnNetwork::FailTransponder,
                        bench.network,
                        lightpath,
                        0);
    OtnLightpathBench::Send(lightpath, 0, at + 2000);
    OtnLightpathBench::RunUntil(at + MS);
    auto counts = bench.network->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::DARK], 1, "before it was up");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::PORT_FAILED], 4, "failed");
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), false, "down");
    bench.network->RepairTransponder(lightpath, 0);
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), true, "up");
    NS_TEST_EXPECT_MSG_EQ((bench.downs == std::vector{OcsDropCause::PORT_FAILED}), true, "why");
    // Torn down with one in flight and one in transmission; then there is no circuit.
    const int64_t then = at + 2 * MS;
    OtnLightpathBench::Send(lightpath, 0, then - 100 * MICROSECOND);
    OtnLightpathBench::Send(lightpath, 0, then - 1000);
    OtnLightpathBench::Send(lightpath, 1, then + 200 * MICROSECOND);
    Simulator::Schedule(PicoSeconds(then) - Simulator::Now(),
                        &OtnController::TearDown,
                        bench.control,
                        lightpath);
    OtnLightpathBench::RunUntil(then + MS);
    counts = bench.network->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::CUT], 2, "torn down");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::NO_CIRCUIT], 1, "nothing there");
    NS_TEST_EXPECT_MSG_EQ(bench.sinks[0].times.size() + bench.sinks[1].times.size(), 0, "none");
    EXPECT_CONSERVED(bench.network);
    // A set-up that is superseded does not complete at the wrong time.
    bench.SetUp(0, 1, 1);
    const int64_t again = then + MS + 3 * MS;
    OtnLightpathBench::RunUntil(again);
    bench.control->TearDown(lightpath);
    bench.SetUp(0, 1, 2);
    bench.ups.clear();
    OtnLightpathBench::RunUntil(again + 2 * SET_UP);
    NS_TEST_EXPECT_MSG_EQ((bench.ups == std::vector<int64_t>{again + SET_UP}), true, "once");
}

/// Set-ups, cuts, failures and packets in a ring of five sites.
class LightpathsUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations; each follows after 0 to 200 us.
    enum Kind : uint32_t
    {
        CUT,        //!< link
        MEND,       //!< link
        SET_UP_ONE, //!< from, to, wavelengths
        TEAR_DOWN,  //!< which lightpath
        FAIL,       //!< which lightpath, end
        REPAIR,     //!< which lightpath, end
        SEND,       //!< which lightpath, end, when and how many bytes
    };

    LightpathsUnderTest()
        : m_bench(m_mesh)
    {
        m_bench.control->SetAttribute("DetectionTime", TimeValue(MicroSeconds(100)));
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        m_now += words[3] % (200 * MICROSECOND);
        OtnLightpathBench::RunUntil(m_now);
        const std::size_t which = m_live.empty() ? 0 : words[0] % m_live.size();
        const auto lightpath = m_live.empty() ? nullptr : m_live[which];
        const uint32_t end = words[1] % 2;
        switch (operation.kind)
        {
        case CUT:
            m_bench.network->CutLink(words[0] % 5);
            break;
        case MEND:
            m_bench.network->RepairLink(words[0] % 5);
            break;
        case SET_UP_ONE:
        {
            const uint32_t from = words[0] % 5;
            const auto made = m_bench.SetUp(from, (from + 1 + words[1] % 4) % 5, 1 + words[2] % 2);
            if (made)
            {
                m_live.push_back(made);
            }
            break;
        }
        case TEAR_DOWN:
            if (lightpath)
            {
                m_live.erase(m_live.begin() + static_cast<std::ptrdiff_t>(which));
                m_bench.control->TearDown(lightpath);
            }
            break;
        default:
            if (lightpath && operation.kind == FAIL)
            {
                m_bench.network->FailTransponder(lightpath, end);
            }
            else if (lightpath && operation.kind == REPAIR)
            {
                m_bench.network->RepairTransponder(lightpath, end);
            }
            else if (lightpath)
            {
                OtnLightpathBench::Send(lightpath,
                                        end,
                                        m_now + words[2] % (100 * MICROSECOND),
                                        40 + words[2] % 1461);
            }
        }
        return Compare();
    }

    std::string Finish() override
    {
        OtnLightpathBench::RunUntil(m_now + 100 * MS);
        const auto counts = m_bench.network->Count();
        for (std::size_t cause = 0; cause < OCS_DROP_CAUSES; ++cause)
        {
            if (counts.dropped[static_cast<OcsDropCause>(cause)] > 0)
            {
                Note(OcsDropCauseName(static_cast<OcsDropCause>(cause)));
            }
        }
        if (m_bench.control->GetRestored() > 0)
        {
            Note("restored");
        }
        return counts.inFlight == 0 ? Compare() : "nothing is in flight in the end";
    }

  private:
    /// @return the broken invariant
    std::string Compare() const
    {
        const auto counts = m_bench.network->Count();
        BROKEN_IF(counts.sent != counts.received + counts.inFlight + counts.dropped.Total(),
                  "sent = received + dropped by cause + in flight");
        for (uint32_t fiber = 0; fiber < m_mesh->GetNFibers(); ++fiber)
        {
            uint32_t lit = SumOf<uint32_t>(
                3,
                [&](uint32_t w)
                { return m_bench.network->GetFiber(fiber)->GetLightpath(w) ? 1 : 0; });
            BROKEN_IF(lit != m_bench.control->GetLedger().GetUsed(fiber),
                      "the wavelengths in use of fibre and ledger");
        }
        return "";
    }

    std::shared_ptr<const OtnMesh> m_mesh{Circle(5, 3)}; //!< the ring
    OtnLightpathBench m_bench;                           //!< under test
    std::vector<Ptr<OtnLightpath>> m_live;               //!< lightpaths
    int64_t m_now{0};                                    //!< ps
};

/// Random events: no packet is unaccounted for, fibres and ledger agree.
ODCN_TEST_CASE(RandomTestCase, "random set-ups, cuts and failures lose no packet without a cause")
{
    Property property{{{"CUT", 1},
                       {"MEND", 7},
                       {"SET_UP_ONE", 4},
                       {"TEAR_DOWN", 3},
                       {"FAIL", 1},
                       {"REPAIR", 6},
                       {"SEND", 78}},
                      [] { return std::make_unique<LightpathsUnderTest>(); },
                      {"restored"}};
    for (auto cause : {OcsDropCause::DARK,
                       OcsDropCause::FIBER_CUT,
                       OcsDropCause::PORT_FAILED,
                       OcsDropCause::NO_CIRCUIT,
                       OcsDropCause::CUT})
    {
        property.events.emplace_back(OcsDropCauseName(cause));
    }
    property.length = 2000;
    property.cost = 5;
    NS_TEST_EXPECT_MSG_EQ(CheckProperty(property).report, "", "whatever happens");
}

/// What a controller may meet while it changes something.
ODCN_TEST_CASE(EntryTestCase, "a sink of LightpathDown may add, set up and tear down lightpaths")
{
    OtnLightpathBench bench(Circle(6));
    const auto lightpath = bench.SetUp(0, 2, 1);
    OtnLightpathBench::RunUntil(20 * MS);
    const OtnGrant grant = bench.control->GetGrant(lightpath);
    uint32_t added = 0;
    Listen(bench.network,
           "LightpathDown",
           [&](Ptr<OtnLightpath>, OcsDropCause)
           {
               for (uint32_t i = 0; i < 100; ++i, ++added)
               {
                   bench.network->AddLightpath(i % 6, (i + 1) % 6);
               }
           });
    // It is up, so that its former path is torn down.
    bench.network->SetUp(lightpath, grant);
    NS_TEST_EXPECT_MSG_EQ(added, 100, "added by the sink");
    OtnLightpathBench::Send(lightpath, 0, 40 * MS);
    OtnLightpathBench::RunUntil(60 * MS);
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), true, "up again");
    NS_TEST_EXPECT_MSG_EQ(bench.sinks[1].times.size(), 1, "carries packets");
    EXPECT_CONSERVED(bench.network);
}

/// A controller that is gone.
ODCN_TEST_CASE(GoneTestCase, "a controller that is dropped after a cut restores nothing")
{
    OtnLightpathBench bench(Circle(6));
    const auto lightpath = bench.SetUp(0, 1, 1);
    OtnLightpathBench::RunUntil(20 * MS);
    bench.network->CutLink(0);
    OtnLightpathBench::RunUntil(21 * MS);
    bench.control->Dispose();
    bench.control = CreateObject<OtnController>();
    OtnLightpathBench::RunUntil(100 * MS);
    NS_TEST_EXPECT_MSG_EQ(int(lightpath->GetState()), int(OtnLightpath::CUT), "as it was");
    bench.network->RepairLink(0);
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), true, "recovers with the fibre");
}

/// A set-up that fails half-way.
ODCN_TEST_CASE(RefusedTestCase, "a set-up that is refused leaves no wavelength and no transponder")
{
    OtnLightpathBench bench(Circle(6));
    bench.network->GetNode(1)->SetAttribute("Transponders", UintegerValue(1));
    NS_TEST_EXPECT_MSG_EQ(bool(bench.SetUp(0, 1, 2)), true, "the only one");
    const auto used = [&] {
        return SumOf<uint64_t>(12,
                               [&](uint32_t f) { return bench.control->GetLedger().GetUsed(f); });
    };
    const uint64_t before = used();
    for (int i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { bench.SetUp(0, 1, 2); }), "", "no room");
    }
    NS_TEST_EXPECT_MSG_EQ(used(), before, "wavelengths");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(0)->GetNTransponders(), 1, "transponders");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNLightpaths(), 1, "lightpaths");
    // A wavelength that is free in the ledger only, since another controller has it.
    auto other = CreateObject<OtnController>();
    other->SetNetwork(bench.network);
    for (int i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { other->SetUp(0, 2, 2); }), "", "taken");
    }
    NS_TEST_EXPECT_MSG_EQ(other->GetLedger().GetUsed(0), 0, "wavelengths of the other one");
    NS_TEST_EXPECT_MSG_EQ(bench.network->GetNode(2)->GetNTransponders(), 1, "is used again");
}

/// Cuts before the controller.
ODCN_TEST_CASE(LateTestCase, "a controller knows links that were cut before it had the network")
{
    OtnLightpathBench bench(Circle(6));
    bench.network->CutLink(0);
    auto late = CreateObject<OtnController>();
    late->SetNetwork(bench.network);
    OtnWavelengthLedger ledger(bench.network->GetMesh());
    int64_t until = 0;
    for (const bool own : {true, false})
    {
        late->SetLedger(own ? nullptr : &ledger);
        const auto lightpath = late->SetUp(0, 1, 1);
        NS_TEST_ASSERT_MSG_EQ(bool(lightpath), true, "the other way round");
        NS_TEST_EXPECT_MSG_EQ(late->GetGrant(lightpath).path.size(), 5, "five links");
        OtnLightpathBench::RunUntil(until += 20 * MS);
        NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), true, "up");
        late->TearDown(lightpath);
    }
    // A grant over the cut is restored, as those that are cut later.
    OtnGrant grant{{0}, {OtnWavelengths(1)}, true};
    NS_TEST_ASSERT_MSG_EQ(ledger.IsWhole(grant.path), false, "known to be cut");
    ledger.SetCut(0, false);
    NS_TEST_ASSERT_MSG_EQ(ledger.Take({&grant, 1}), true, "reserved by its owner");
    ledger.SetCut(0, true);
    const auto lightpath = late->SetUp(grant);
    OtnLightpathBench::RunUntil(100 * MS);
    NS_TEST_EXPECT_MSG_EQ(late->GetRestored(), 1, "restored");
    NS_TEST_EXPECT_MSG_EQ(bench.network->IsUp(lightpath), true, "on another path");
    late->Dispose();
}

/// Lightpaths.
PicosecondSuite g_otnLightpathTestSuite("otn-lightpath");

} // namespace
