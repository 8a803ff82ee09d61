// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Animations against the trace sources of the run, and pictures against loads that are known.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/node-container.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-topology-drawing.h"
#include "ns3/otn-mesh.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-topology.h"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The animation of a rotor fabric in which all racks send, and some packets are cut.
struct AnimationFixture : TestCase
{
    using TestCase::TestCase;

    /// A change of a circuit: time in ps, node of the rack, uplink, rack it reaches.
    using Change = std::tuple<int64_t, uint32_t, uint32_t, RackId>;

    static void NoteCircuit(std::multiset<Change>* changes,
                            uint32_t node,
                            uint32_t port,
                            RackId to,
                            Time)
    {
        changes->emplace(Simulator::Now().GetPicoSeconds(), node, port, to);
    }

    static void CountPacket(uint64_t* packets, Ptr<const Packet>)
    {
        ++*packets;
    }

    /// @param [out] said what Finish() says
    /// @return the file
    boost::property_tree::ptree Record(std::string& said)
    {
        const std::string path = CreateTempDirFilename("fabric.svg");
        CircuitAnimation animation;
        ScheduledFabric t(RACKS, 2, "Rotor", "ValiantRouting");
        m_changes.clear();
        m_received = 0;
        TopologyDrawing drawing;
        drawing.AddFabric(*t.fabric);
        animation.SetFile(path);
        animation.Start(drawing);
        for (RackId rack = 0; rack < RACKS; ++rack)
        {
            const Ptr<Node> node = t.fabric->GetTorNodes().Get(rack);
            m_racks[node->GetId()] = rack;
            t.fabric->GetTor(rack)->TraceConnectWithoutContext(
                "Circuit",
                MakeBoundCallback(&NoteCircuit, &m_changes, node->GetId()));
        }
        for (const auto& nodes : {t.fabric->GetTorNodes(), t.fabric->GetServers()})
        {
            for (auto i = nodes.Begin(); i != nodes.End(); ++i)
            {
                for (uint32_t d = 0; d < (*i)->GetNDevices(); ++d)
                {
                    (*i)->GetDevice(d)->TraceConnectWithoutContext(
                        "PhyRxEnd",
                        MakeBoundCallback(&CountPacket, &m_received));
                }
            }
        }
        t.Saturate([&t](RackId from)
                   { return (from + t.random->GetInteger(1, RACKS - 1)) % RACKS; });
        // Packets are cut; they must not appear.
        Simulator::Schedule(MicroSeconds(150),
                            &OcsSwitch::FailPort,
                            t.fabric->GetSwitch(0),
                            1,
                            OcsPortSide::BOTH,
                            OcsDropCause::PORT_FAILED);
        RunFor(MicroSeconds(450));
        m_lost = t.fabric->Count().dropped.Total();
        std::ostringstream os;
        animation.Finish(os);
        said = os.str();
        boost::property_tree::ptree tree;
        boost::property_tree::read_xml(path, tree);
        return tree;
    }

    static constexpr uint32_t RACKS = 6;

    std::multiset<Change> m_changes;    //!< of the traces
    std::map<uint32_t, RackId> m_racks; //!< rack by id of its node
    uint64_t m_received{0};             //!< packets that arrived, by the traces
    uint64_t m_lost{0};                 //!< packets
};

/// @copybrief AnimationFixture
ODCN_TEST_CASE_F(AnimationFixture,
                 SvgAnimationTestCase,
                 "An animation as SVG shows each circuit while it is up, and the share received")
{
    std::string said;
    const auto tree = Record(said);
    const std::string packets = std::to_string(m_received) + " packets on links";
    NS_TEST_EXPECT_MSG_NE(said.find(packets), std::string::npos, said);
    NS_TEST_EXPECT_MSG_GT(m_received, 1000, "packets");
    NS_TEST_EXPECT_MSG_GT(m_lost, 0, "packets that were lost");
    // When the racks of a pair have a circuit by an uplink, in either direction, by the traces.
    using Pair = std::tuple<RackId, RackId, uint32_t>;
    std::map<std::pair<RackId, uint32_t>, RackId> peers;
    std::map<Pair, uint32_t> up;
    std::map<Pair, std::vector<int64_t>> expected; // begin, end, begin, ...
    int64_t last = 0;
    for (const auto& [time, node, port, to] : m_changes)
    {
        const RackId rack = m_racks.at(node);
        last = std::max(last, time);
        if (const auto old = peers.find({rack, port}); old != peers.end() && old->second != NO_RACK)
        {
            const Pair pair{std::min(rack, old->second), std::max(rack, old->second), port};
            if (--up[pair] == 0)
            {
                auto& times = expected[pair];
                times.back() == time ? times.pop_back() : times.push_back(time);
            }
        }
        peers[{rack, port}] = to;
        if (const Pair pair{std::min(rack, to), std::max(rack, to), port};
            to != NO_RACK && up[pair]++ == 0)
        {
            auto& times = expected[pair];
            !times.empty() && times.back() == time ? times.pop_back() : times.push_back(time);
        }
    }
    std::vector<std::vector<double>> shares; // of the time, of each circuit, in order
    for (const auto& [pair, times] : expected)
    {
        shares.emplace_back();
        for (const int64_t time : times)
        {
            shares.back().push_back(double(time) / 450e6);
        }
    }
    std::vector<std::vector<double>> drawn;
    std::size_t bars = 0;
    std::size_t busy = 0;
    for (const auto& [name, element] : tree.get_child("svg"))
    {
        const auto kind = element.get<std::string>("<xmlattr>.class", "");
        bars += kind == "received" ? element.count("animate") : 0;
        if (kind != "circuit")
        {
            continue;
        }
        for (const auto& [child, animate] : element)
        {
            const auto property = animate.get<std::string>("<xmlattr>.attributeName", "");
            std::istringstream times(animate.get<std::string>("<xmlattr>.keyTimes", ""));
            std::istringstream values(animate.get<std::string>("<xmlattr>.values", ""));
            std::string time;
            std::string value;
            std::string before = property == "visibility" ? "hidden" : "0.6";
            if (property == "visibility")
            {
                drawn.emplace_back();
            }
            while (std::getline(times, time, ';') && std::getline(values, value, ';'))
            {
                if (value != before && property == "visibility")
                {
                    drawn.back().push_back(std::stod(time));
                }
                busy += value != before && property == "stroke-width" ? 1 : 0;
                before = value;
            }
        }
    }
    NS_TEST_ASSERT_MSG_EQ(drawn.size(), shares.size(), "circuits");
    std::sort(drawn.begin(), drawn.end());
    std::sort(shares.begin(), shares.end());
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(drawn[i].size(), shares[i].size(), "changes of a circuit");
        for (std::size_t c = 0; c < drawn[i].size(); ++c)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(drawn[i][c], shares[i][c], 1e-5, "time of a change");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(bars, RACKS, "racks that received");
    NS_TEST_EXPECT_MSG_GT(busy, 2 * RACKS, "circuits with packets");
}

/// Pictures of networks with loads that are known.
struct DrawingFixture : TestCase
{
    using TestCase::TestCase;

    /// @param drawing drawing  @return its SVG
    static std::string GetSvg(TopologyDrawing& drawing)
    {
        std::ostringstream os;
        drawing.WriteSvg(os);
        return os.str();
    }
};

/// @copybrief DrawingFixture
ODCN_TEST_CASE_F(DrawingFixture,
                 DrawingTestCase,
                 "A picture has all nodes, links and circuits, and the loads of a demand")
{
    // Leaf-spine: a leaf sends 1 to others, evenly over two spines.
    const auto network = PacketNetworkHelper().BuildLeafSpine(4, 3, 2, 2);
    TopologyDrawing clos;
    clos.AddNetwork(*network);
    const auto leaves = clos.FindPlaces(TopologyDrawing::Kind::RACK_SWITCH);
    clos.SetDemand(leaves, DemandMatrix::Make("uniform", 4));
    NS_TEST_EXPECT_MSG_EQ(leaves.size(), 4, "leaves");
    NS_TEST_EXPECT_MSG_EQ(clos.GetPlaces().size(), 4 + 2 + 12, "nodes");
    NS_TEST_EXPECT_MSG_EQ(clos.GetLines().size(), 8 + 12, "links");
    for (const auto& line : clos.GetLines())
    {
        const bool up = clos.GetPlaces()[line.a].kind != TopologyDrawing::Kind::HOST &&
                        clos.GetPlaces()[line.b].kind != TopologyDrawing::Kind::HOST;
        NS_TEST_EXPECT_MSG_EQ_TOL(line.traffic[0], (up ? 0.5 : 0), 1e-12, "traffic");
        NS_TEST_EXPECT_MSG_EQ_TOL(line.traffic[1], (up ? 0.5 : 0), 1e-12, "traffic");
    }
    NS_TEST_EXPECT_MSG_EQ(CountOf(GetSvg(clos), "class=\"link\""), 20, "links drawn");

    // The same in two calls, and a node once more.
    TopologyDrawing parts;
    parts.AddNodes(network->GetSwitchNodes());
    parts.AddNodes(network->GetServers());
    parts.AddNodes(network->GetServers());
    NS_TEST_EXPECT_MSG_EQ(parts.GetPlaces().size(), 4 + 2 + 12, "nodes in two calls");
    NS_TEST_EXPECT_MSG_EQ(parts.GetLines().size(), 8 + 12, "links in two calls");
    for (const auto& line : parts.GetLines())
    {
        NS_TEST_EXPECT_MSG_EQ(line.count[0], 1, "one link");
    }
    TopologyDrawing reversed;
    reversed.AddNodes(network->GetServers());
    reversed.AddNodes(network->GetSwitchNodes());
    NS_TEST_EXPECT_MSG_EQ(reversed.GetLines().size(), 8 + 12, "links, hosts first");

    // One-way circuits 0 to 1 to 2 to 0: three direct pairs and three over two circuits.
    OcsHelper helper;
    const auto fabric = helper.Build({3, 2, 1, 1});
    fabric->Preset({{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 0, 0}});
    TopologyDrawing ring;
    ring.AddFabric(*fabric);
    const std::string plain = GetSvg(ring);
    NS_TEST_EXPECT_MSG_EQ(CountOf(plain, "class=\"arrow\""), 3, "one-way circuits");
    NS_TEST_EXPECT_MSG_EQ(CountOf(plain, "3 circuits of switch 0"), 1, "legend");
    ring.SetDemand(ring.FindPlaces(TopologyDrawing::Kind::RACK_SWITCH),
                   DemandMatrix::Make("uniform", 3));
    std::size_t circuits = 0;
    for (const auto& line : ring.GetLines())
    {
        if (line.plane == 0)
        {
            ++circuits;
            // The link 0 to 2 is drawn from its lower end.
            const int way = line.count[0] == 1 ? 0 : 1;
            NS_TEST_EXPECT_MSG_EQ(line.count[1 - way], 0, "one way");
            NS_TEST_EXPECT_MSG_EQ_TOL(line.traffic[way], 1.5, 1e-12, "traffic");
            NS_TEST_EXPECT_MSG_EQ(line.traffic[1 - way], 0, "no traffic the other way");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(line.traffic[0] + line.traffic[1], 0, "fibres");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(circuits, 3, "circuits");
    TopologyDrawing again;
    again.AddFabric(*fabric);
    NS_TEST_EXPECT_MSG_EQ((GetSvg(again) == plain), true, "the same bytes");

    // k = 4: 16 hosts, 8 edges, 8 aggregation switches, 4 cores, a gateway.
    const auto tree = PacketNetworkHelper::ForCentres().BuildCentre(0, 16);
    const NodeContainer nodes(tree->GetServers(), tree->GetSwitchNodes());
    TopologyDrawing centre;
    centre.AddNodes(nodes);
    NS_TEST_EXPECT_MSG_EQ(centre.GetPlaces().size(), 16 + 8 + 8 + 4 + 1, "nodes");
    NS_TEST_EXPECT_MSG_EQ(centre.GetLines().size(), 16 + 16 + 16 + 4, "links");

    // A map has no nodes of ns-3.
    TopologyDrawing map;
    map.AddMesh(OtnMesh({{"a"}, {"b"}}, {{0, 1, 10}}));
    NS_TEST_EXPECT_MSG_EQ(CountOf(GetSvg(map), "1 link of 40 wavelengths"), 1, "legend");
    CircuitAnimation animation;
    animation.SetFile("map.xml");
    std::string said = GetRefusal([&] { animation.Start(map); });
    NS_TEST_EXPECT_MSG_NE(said.find("ends in .svg"), std::string::npos, said);
    animation.SetFile(CreateTempDirFilename("map.svg"));
    said = GetRefusal([&] { animation.Start(map); });
    NS_TEST_EXPECT_MSG_NE(said.find("nodes of ns-3; the drawing has 'a'"), std::string::npos, said);

    // Channels of a link are drawn as one link.
    const auto rddc = CreateObject<RddcTopology>()->Build();
    TopologyDrawing disaggregated;
    disaggregated.AddFabric(*RddcFabricHelper().Build(rddc));
    NS_TEST_EXPECT_MSG_EQ(disaggregated.GetPlaces().size(), rddc->GetNNodes(), "nodes");
    NS_TEST_EXPECT_MSG_EQ(disaggregated.GetLines().size(), rddc->GetNLinks(), "links");
    for (LinkId link = 0; link < rddc->GetNLinks(); ++link)
    {
        const auto& line = disaggregated.GetLines()[link];
        NS_TEST_EXPECT_MSG_EQ(line.count[0], rddc->GetChannels(link), "channels");
    }
    Simulator::Destroy();
}

/// The suite.
CaseSuite g_pictureTestSuite("odcn-picture");

} // namespace
