// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Pictures of networks: the designs of optical-fabrics with their circuits at a time, a mesh of
 * computing centres as a map, the fat tree of a centre, and a resource-disaggregated data centre.
 *
 * The network is built as for a run, and drawn as SVG, for a browser. With --demand the links have
 * the colour of what they are offered on shortest paths. With --run centres and links of a mesh
 * have the colour of their use in an hour of a run of icci-hotspot-migration.
 *
 *     ./ns3 run show-topology                                      Opera in the first slot
 *     ./ns3 run "show-topology --network=rotornet --at=250us"
 *     ./ns3 run "show-topology --schedule=XorSchedule"             of your own, or a FileSchedule
 *     ./ns3 run "show-topology --network=clos-3:1 --demand=uniform --load=0.3"
 *     ./ns3 run "show-topology --network=mesh --demand=uniform --load=0.2 --labels=1"
 *     ./ns3 run "show-topology --network=mesh --run=icci-hotspot-migration-out --hour=20"
 *     ./ns3 run "show-topology --network=centre --gpus=64"
 *     ./ns3 run "show-topology --network=rddc"
 */

#include "ns3/icci-helper.h"
#include "ns3/node.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-topology-drawing.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-topology.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options of the program.
struct Options : FabricSize
{
    Options()
        : FabricSize{18, 6, 6}
    {
    }

    std::string network{"opera"};                       //!< a design, mesh, centre or rddc
    std::string schedule;                               //!< instead of a design's
    Time at;                                            //!< time of the circuits
    std::string mesh{GetDataFile("sf-bay-22-38.json")}; //!< file
    uint32_t gpus{16};                                  //!< of a centre
    std::string demand;                                 //!< a pattern
    double load{0.1};                                   //!< of the busiest rack or site
    std::string run;                                    //!< folder of icci-hotspot-migration
    std::string policy;                                 //!< of that run
    uint32_t hour{20};                                  //!< of the first day of that run
    bool labels{false};                                 //!< whether links bear their rates
    std::string output{"show-topology-out"};            //!< folder

    /// Add the options. @param cmd command line
    void AddTo(OdcnCommandLine& cmd);
};

void
Options::AddTo(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Picture");
    cmd.AddValue("network", "a design of optical-fabrics, mesh, centre or rddc", network);
    cmd.AddValue("demand",
                 "uniform, permutation, hot:8, ...: colour links by what they are offered on "
                 "shortest paths",
                 demand);
    cmd.AddRange("load",
                 "with demand: offered by the busiest rack, of its servers' rate; by the busiest "
                 "site, of a link's wavelengths",
                 load,
                 0.0,
                 100.0);
    cmd.AddValue("labels", "write rates and loads beside links", labels);
    cmd.AddValue("output", "folder of the picture", output);
    AddOptions(cmd);
    cmd.AddValue("at", "time at which circuits are drawn; 0 for the middle of a slot", at);
    cmd.AddValue("schedule", "a CircuitSchedule of your own, instead of a design's", schedule);
    cmd.SetGroup("Mesh, centre");
    cmd.AddValue("mesh", "file of the sites and links, X.json or X.nodes.csv", mesh);
    cmd.AddValue("run",
                 "folder of icci-hotspot-migration: colour centres and links by their use",
                 run);
    cmd.AddValue("policy", "with run: a policy; empty for the first", policy);
    cmd.AddRange("hour", "with run: hour of the first day", hour, 0U, 23U);
    cmd.AddRange("gpus", "GPUs of a centre", gpus, 1U, 2662U);
    cmd.Restrict({"load"}, {"demand"});
    cmd.Restrict({"mesh", "run"}, {"network=mesh"});
    cmd.Restrict({"policy", "hour"}, {"run"});
    cmd.Restrict({"gpus"}, {"network=centre"});
    cmd.Restrict({"schedule"}, {"!network"});
}

/// Racks or sites of a drawing.
struct Ends
{
    std::vector<uint32_t> places; //!< their nodes in the drawing
    double rate{1};               //!< that each may offer, in the unit of the links
};

/// @return demand of n racks or sites, whose busiest one is 1
DemandMatrix
MakeDemand(const Options& o, uint32_t n)
{
    // The stream of the first run of optical-fabrics.
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(0);
    return DemandMatrix::Make(o.demand.empty() ? "uniform" : o.demand, n, random);
}

/// @return circuits of a schedule that are up at a time
uint32_t
CountCircuits(const CircuitSchedule& plan, Time at)
{
    uint32_t circuits = 0;
    for (uint32_t plane = 0; plane < plan.GetNPlanes(); ++plane)
    {
        for (RackId rack = 0; rack < plan.GetNRacks(); ++rack)
        {
            circuits += plan.GetPeer(plane, rack, at) != NO_RACK;
        }
    }
    return circuits;
}

/// @param plan a schedule
/// @param preferred a time
/// @return that time, or one in the first slots at which more circuits are up
Time
FindTime(const CircuitSchedule& plan, Time preferred)
{
    std::set<Time> changes{Time(0)};
    for (uint32_t plane = 0; plane < plan.GetNPlanes(); ++plane)
    {
        const CircuitSchedule::Place place = plan.Find(plane, Time(0));
        for (const auto& start : {place.start, place.end})
        {
            changes.insert(std::max(Time(0), start));
            changes.insert(std::max(Time(0), start + plan.GetReconfigurationTime()));
        }
    }
    Time best = preferred;
    for (auto change = changes.begin(); std::next(change) != changes.end(); ++change)
    {
        const Time middle = TimeStep((*change + *std::next(change)).GetTimeStep() / 2);
        best = CountCircuits(plan, middle) > CountCircuits(plan, best) ? middle : best;
    }
    return best;
}

/// Draw a fabric.
/// @return its racks
Ends
DrawFabric(const Options& o, TopologyDrawing& drawing)
{
    const FabricDesign design =
        o.schedule.empty()
            ? FabricDesign::Find(o.network, o, "--network", "mesh, centre, rddc, ")
            : FabricDesign::Parse(o.schedule + ";DirectRouting", o, "own", "--schedule");
    Ends ends;
    ends.rate = o.servers * o.gbps * 1e9;
    const std::string title =
        design.GetName() + ": " + (o.schedule.empty() ? design.GetDescription() : o.schedule);
    const Ptr<FabricNetwork> built = FabricDesignHelper().BuildNetwork(design);
    if (const Ptr<PacketNetwork> network = built->GetPacketNetwork())
    {
        drawing.AddNetwork(*network);
        for (RackId rack = 0; rack < o.racks; ++rack)
        {
            // Switches come first.
            uint32_t index = 0;
            while (network->GetSwitch(index) != network->GetSwitchOf(rack))
            {
                ++index;
            }
            ends.places.push_back(index);
        }
        drawing.SetTitle(title);
        return ends;
    }
    std::string when = "its circuits follow the demand that a run measures";
    const Ptr<OcsFabric> fabric = built->GetFabric();
    if (design.IsScheduled())
    {
        const auto plan = design.MakeSchedule(MakeDemand(o, o.racks), 900);
        const Time middle = NanoSeconds(std::llround((o.slot + o.dark) * 500));
        const Time at = o.at.IsZero() ? FindTime(*plan, middle) : o.at;
        for (RackId rack = 0; rack < o.racks; ++rack)
        {
            for (uint32_t port = 0; port < plan->GetNPlanes(); ++port)
            {
                if (const RackId peer = plan->GetPeer(port, rack, at); peer != NO_RACK)
                {
                    fabric->GetTor(rack)->SetCircuit(port, peer);
                }
            }
        }
        when = "circuits at " + FormatNumber(at.ToDouble(Time::US)) + " us";
    }
    drawing.AddFabric(*fabric);
    ends.places = drawing.FindPlaces(TopologyDrawing::Kind::RACK_SWITCH);
    drawing.SetTitle(title + "\n" + when);
    return ends;
}

/// Colour centres and links by their use in an hour of the first day of a run.
/// @return what was drawn
std::string
ShowRun(const Options& o, const std::shared_ptr<const OtnMesh>& mesh, TopologyDrawing& drawing)
{
    IcciHelper helper;
    helper.SetMesh(mesh);
    const double cus = helper.CreateProblem()->GetManager()->GetCusPerCentre();
    std::string first;
    std::string policy = o.policy;
    std::set<std::string> known;
    const auto read = [&](const std::string& file,
                          const std::string& part,
                          const std::string& column,
                          uint32_t parts,
                          const std::function<void(uint32_t, double)>& take)
    {
        const std::string path = o.run + "/" + file;
        const auto row = [&](const std::vector<std::string>& cells)
        {
            first = first.empty() ? cells[0] : first;
            policy = policy.empty() ? cells[1] : policy;
            known.insert(cells[1]);
            if (cells[0] != first || cells[1] != policy || cells[2] != std::to_string(o.hour))
            {
                return;
            }
            const auto index = ParseCount(cells[3]);
            const auto value = ParseFinite(cells[4]);
            if (!index || !value || *index >= parts)
            {
                throw OdcnError::InFile(path, 0, cells[3] + "," + cells[4], part + "s of --mesh");
            }
            take(static_cast<uint32_t>(*index), *value);
        };
        RunReport::ReadCsv(path, {"run", "policy", "hour", part, column}, row);
    };
    read("hotspots.csv",
         "centre",
         "remaining_cus",
         mesh->GetNSites(),
         [&](uint32_t site, double free) { drawing.GetPlaces()[site].load = 1 - free / cus; });
    read("links.csv",
         "link",
         "use",
         mesh->GetNLinks(),
         [&](uint32_t link, double use) { drawing.SetUse(link, use); });
    if (!known.contains(policy))
    {
        std::string names;
        for (const std::string& name : known)
        {
            names += name + " ";
        }
        throw OdcnError::InOption("--policy", policy, "one of " + names + "in " + o.run);
    }
    return "policy " + policy + ", " + std::to_string(o.hour) + ":00 of day " + first;
}

/// Draw a network.
/// @return its racks or sites
Ends
Draw(const Options& o, TopologyDrawing& drawing)
{
    Ends ends;
    if (o.network == "mesh")
    {
        const auto mesh = OtnMesh::Read(o.mesh);
        drawing.AddMesh(*mesh);
        ends.places.resize(mesh->GetNSites());
        std::iota(ends.places.begin(), ends.places.end(), 0);
        ends.rate = mesh->GetNLinks() > 0 ? mesh->GetLink(0).wavelengths : 1;
        const std::string file = o.mesh.substr(o.mesh.find_last_of('/') + 1);
        drawing.SetTitle("optical transport mesh " + file +
                         (o.run.empty() ? "" : "\n" + ShowRun(o, mesh, drawing)));
    }
    else if (o.network == "centre")
    {
        const auto centre = PacketNetworkHelper::ForCentres().BuildCentre(0, o.gpus);
        drawing.AddNodes(NodeContainer::GetGlobal());
        ends.places = drawing.FindPlaces(TopologyDrawing::Kind::RACK_SWITCH);
        ends.rate = centre->GetServersPerRack() *
                    double(centre->GetServerDevice(0)->GetDataRate().GetBitRate());
        drawing.SetTitle("computing centre: fat tree of " +
                         std::to_string(2 * centre->GetServersPerRack()) + "-port switches, " +
                         std::to_string(o.gpus) + " GPUs");
    }
    else if (o.network == "rddc")
    {
        const auto network = CreateObject<RddcTopology>()->Build();
        drawing.AddFabric(*RddcFabricHelper().Build(network));
        const RddcSizes& sizes = network->GetSizes();
        ends.places.resize(network->GetNRacks());
        std::iota(ends.places.begin(), ends.places.end(), network->GetNServers());
        ends.rate = sizes.serversPerRack * sizes.channels[0];
        drawing.SetTitle("resource-disaggregated data centre");
    }
    else
    {
        ends = DrawFabric(o, drawing);
    }
    return ends;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    Options o;
    OdcnCommandLine cmd(argc, argv, "Pictures of networks, with circuits and loads.");
    o.AddTo(cmd);
    cmd.Parse();
    o.Check("--");
    TopologyDrawing drawing;
    drawing.SetLabels(o.labels);
    const Ends ends = Draw(o, drawing);
    if (!o.demand.empty())
    {
        DemandMatrix demand = MakeDemand(o, static_cast<uint32_t>(ends.places.size()));
        demand.Scale(o.load * ends.rate);
        drawing.SetDemand(ends.places, demand);
    }
    OutputFiles files(o.output, OutputFiles::Earlier::KEEP);
    drawing.Write(files, "topology.svg");
    files.Print(std::cout);
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
