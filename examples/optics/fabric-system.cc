// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-system.h"

#include "ns3/data-rate.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-csv-table.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-matching.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"
#include "ns3/tor-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Rate of the servers of a rack to that of its uplinks, in the network clos.
constexpr double OVERSUBSCRIPTION = 3;

/// @param circuits of a design  @return whether an agent matches them
bool
UsesAgent(const std::string& circuits)
{
    return circuits.find(".pt") != std::string::npos;
}

/// Open the library of agents, before the processes of an Experiment, if a design needs it.
/// @param design the design
void
OpenAgents(const FabricDesign& design)
{
    if (UsesAgent(design.circuits))
    {
        AgentLibrary::Open("design " + design.name);
    }
}

/**
 * @param own texts of designs separated by commas, each behind NAME= if it has a name
 * @return names and texts; one without a name is "own"
 */
std::vector<std::pair<std::string, std::string>>
SplitOwn(const std::string& own)
{
    std::vector<std::pair<std::string, std::string>> designs;
    std::string text;
    int depth = 0;
    for (std::size_t i = 0; i <= own.size() && !own.empty(); ++i)
    {
        const char c = i < own.size() ? own[i] : ',';
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c != ',' || (depth > 0 && i < own.size()))
        {
            text += c;
            continue;
        }
        const auto equals = text.find('=');
        const bool isNamed = equals != std::string::npos && equals < text.find_first_of("[;");
        // The name is part of the names of files.
        const std::string letters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_.";
        OdcnCommandLine::Check(
            !isNamed ||
                (equals > 0 && text.front() != '.' && text.find_first_not_of(letters) == equals),
            "own",
            text,
            "NAME=SCHEDULE;ROUTING, with letters, digits, +, -, _ and . in the name");
        designs.emplace_back(isNamed ? text.substr(0, equals) : "own",
                             isNamed ? text.substr(equals + 1) : text);
        text.clear();
    }
    return designs;
}

/// @param design a design
/// @param create what it says
/// @return what create() returns; its errors say where the design stands
template <typename F>
auto
CreateOf(const FabricDesign& design, const F& create)
{
    try
    {
        return create();
    }
    catch (const OdcnError& error)
    {
        throw design.where.empty() ? error : OdcnError(design.where + ": " + error.what());
    }
}

} // namespace

TorForwarding
FabricDesign::GetForwarding() const
{
    return circuits.empty() ? TorForwarding{} : TorRouting::Create(routing)->GetForwarding();
}

/// @return Attributes of hosts and ToR switches that a program was given and only packets of ns-3
/// follow; "" for none
static std::string
FindOthers()
{
    const auto host = CreateObject<FlowApplication>();
    const auto tor = CreateObject<TorSwitch>();
    return GetAttributeOf<DataRateValue>(*host, "Rate").GetBitRate() > 0
               ? "FlowApplication::Rate is given"
           : GetAttributeOf<QueueSizeValue>(*tor, "QueueSize").GetValue() > 0
               ? "TorSwitch::QueueSize is given"
           : GetAttributeOf<QueueSizeValue>(*tor, "BufferSize").GetValue() > 0
               ? "TorSwitch::BufferSize is given"
               : "";
}

/// @param design an optical design
/// @param whyNot why an engine cannot forward as its routing says
/// @return "" if that engine can run the design without events of ns-3, or why not
static std::string
FindObstacle(const FabricDesign& design, std::string (*whyNot)(const TorForwarding&))
{
    if (design.hybrid)
    {
        return "some uplinks are electrical";
    }
    if (design.IsController())
    {
        return "a controller sets its circuits";
    }
    const TorForwarding forwarding = design.GetForwarding();
    if (design.hold && forwarding.bulk.kind != TorForwarding::DIRECT)
    {
        return "hosts hold flows, but not for direct circuits";
    }
    const std::string others = FindOthers();
    return others.empty() ? whyNot(forwarding) : others;
}

std::string
FabricDesign::WhyNotExact() const
{
    return circuits.empty() ? "an electrical network"
                            : FindObstacle(*this, &SchedulePackets::WhyNot);
}

std::string
FabricDesign::WhyNotFluid() const
{
    return circuits.empty() ? "" : FindObstacle(*this, &CircuitFlowLevel::WhyNot);
}

SchedulePackets::Settings
FabricDesign::MakeSettings(uint64_t shortFlows) const
{
    SchedulePackets::Settings settings;
    settings.forwarding = GetForwarding();
    settings.shortFlows = shortFlows;
    settings.hold = hold;
    const auto host = CreateObject<FlowApplication>();
    settings.packetSize = GetAttributeOf<UintegerValue>(*host, "PacketSize");
    CompatEnumValue<FlowApplication::Order> order;
    host->GetAttribute("Order", order);
    static_assert(int(SchedulePackets::Order::FIFO) == FlowApplication::FIFO);
    static_assert(int(SchedulePackets::Order::SHORTEST_REMAINING) ==
                  FlowApplication::SHORTEST_REMAINING);
    settings.order = static_cast<SchedulePackets::Order>(order.Get());
    return settings;
}

std::string
Text(double value, const std::string& unit)
{
    return FormatNumber(value) + unit;
}

void
CheckSignals()
{
    Interruption::Check();
    Simulator::Schedule(MicroSeconds(10), &CheckSignals);
}

void
FabricSystem::AddOptions(OdcnCommandLine& cmd, bool withFaults)
{
    cmd.SetGroup("Network");
    cmd.AddRange("racks", "Number of racks, a multiple of uplinks for rotors", racks, 2U, 1024U);
    cmd.AddRange("servers", "Servers of a rack", servers, 1U, 64U);
    cmd.AddRange("uplinks", "Uplinks of a rack", uplinks, 1U, 64U);
    cmd.AddRange("gbps", "Rate of all links, Gb/s", gbps, 1.0, 1000.0);
    cmd.AddRange("slot", "Time between reconfigurations of a schedule, us", slot, 1.0, 1e6);
    cmd.AddRange("dark", "Dark time of a reconfiguration, us", dark, 0.0, 1e6);
    cmd.AddRange("delay", "Propagation from rack to rack, ns", delay, 0.0, 1e6);
    if (withFaults)
    {
        faults.AddOptions(cmd);
    }
}

void
FabricSystem::Check()
{
    faults.Check();
    OdcnCommandLine::Check(dark < slot, "dark", dark, "less than --slot");
}

std::string
FabricSystem::Describe() const
{
    PlainStream os;
    os.precision(std::numeric_limits<double>::digits10); // as given
    os << racks << " racks of " << servers << " servers, " << uplinks << " uplinks, " << gbps
       << " Gb/s, slots of " << slot << " us, dark " << dark << " us";
    return os.str();
}

std::string
FabricSystem::Fill(std::string text) const
{
    const std::map<std::string, double> known{{"racks", racks},
                                              {"servers", servers},
                                              {"uplinks", uplinks},
                                              {"gbps", gbps},
                                              {"slot", slot},
                                              {"dark", dark}};
    for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', open))
    {
        const auto close = std::min(text.find('}', open), text.size() - 1);
        const std::string product = text.substr(open + 1, close - open - 1);
        double value = 1;
        bool isFile = false;
        for (std::size_t at = 0, end = 0; end < product.size(); at = end + 1)
        {
            end = std::min(product.find_first_of("*/", at), product.size());
            const std::string factor = product.substr(at, end - at);
            const auto found = known.find(factor);
            const auto number =
                found != known.end() ? std::optional(found->second) : ParseFinite(factor);
            isFile = isFile || !number;
            value = at > 0 && product[at - 1] == '/' ? value / number.value_or(1)
                                                     : value * number.value_or(1);
        }
        const std::string filled = isFile ? GetDataFile(product) : Text(value, "");
        text.replace(open, close - open + 1, filled);
        open += filled.size();
    }
    return text;
}

FabricDesign
FabricSystem::MakeDesign(const std::string& name,
                         const std::string& text,
                         const std::string& what,
                         const std::string& where) const
{
    const std::string filled = Fill(text);
    std::vector<std::string_view> parts;
    SplitText(filled, ';', parts);
    const std::vector<std::string_view> hops{"1", "2", "any"};
    if (parts.size() > 2 && std::find(hops.begin(), hops.end(), parts[2]) != hops.end())
    {
        parts.erase(parts.begin() + 2); // of older designs: routings say it now
    }
    const auto has = [&](const char* word)
    { return std::find(parts.begin() + 2, parts.end(), word) != parts.end(); };
    if (parts.size() < 2 || parts[0].empty() || parts[1].empty())
    {
        throw OdcnError::InOption(where, text, "SCHEDULE;ROUTING");
    }
    const std::vector<std::string_view> options{"hold", "more", "hybrid"};
    for (std::size_t i = 2; i < parts.size(); ++i)
    {
        if (std::find(options.begin(), options.end(), parts[i]) == options.end())
        {
            throw OdcnError::InOption(where, std::string(parts[i]), "hold, more or hybrid");
        }
    }
    if (parts[0] == "electrical")
    {
        const std::vector<std::string> networks{"ideal", "clos", "fat-tree"};
        if (std::find(networks.begin(), networks.end(), parts[1]) == networks.end())
        {
            throw OdcnError::InOption(where,
                                      std::string(parts[1]),
                                      JoinWords(networks) +
                                          AskWhether(FindSimilar(parts[1], networks)));
        }
    }
    return {name,
            std::string(parts[0] == "electrical" ? "" : parts[0]),
            std::string(parts[1]),
            what,
            has("hold"),
            has("more"),
            has("hybrid"),
            where};
}

std::vector<FabricDesign>
FabricSystem::GetDesigns() const
{
    std::vector<FabricDesign> designs;
    const std::string path = GetDataFile("fabric-designs.txt");
    RowReader reader(path, RowReader::BLANKS);
    while (reader.NextRow())
    {
        if (reader[0].front() == '#')
        {
            continue;
        }
        if (reader.GetWidth() < 3)
        {
            reader.Refuse(reader.GetLine(), "name, text and description of a design");
        }
        const std::string text(reader[1]);
        if (UsesAgent(text) && !AgentLibrary::IsPresent())
        {
            continue;
        }
        const auto what = reader.GetLine().substr(reader[2].data() - reader.GetLine().data());
        designs.push_back(MakeDesign(std::string(reader[0]),
                                     text,
                                     std::string(what),
                                     path + ":" + std::to_string(reader.GetLineNumber())));
    }
    return designs;
}

FabricDesign
FabricSystem::FindDesign(const std::string& name,
                         const std::string& option,
                         const std::string& expected) const
{
    std::string known;
    for (const FabricDesign& design : GetDesigns())
    {
        if (design.name == name)
        {
            OpenAgents(design);
            return design;
        }
        known += (known.empty() ? "" : ", ") + design.name;
    }
    throw OdcnError::InOption(option, name, expected + known);
}

std::vector<FabricDesign>
FabricSystem::ChooseDesigns(const std::string& names, const std::string& own, bool withHold) const
{
    std::vector<FabricDesign> designs;
    if (names == "all")
    {
        designs = GetDesigns();
    }
    else if (names != "none")
    {
        for (const auto& name : OdcnCommandLine::SplitList(names, "designs"))
        {
            designs.push_back(FindDesign(name, "--designs", "all, none, or some of "));
        }
    }
    for (const auto& [name, text] : SplitOwn(own))
    {
        OdcnCommandLine::Check(std::none_of(designs.begin(),
                                            designs.end(),
                                            [&](const auto& design)
                                            { return design.name == name; }),
                               "own",
                               name,
                               "a name that no other design has, as in NAME=SCHEDULE;ROUTING");
        designs.push_back(MakeDesign(name, text, "", "--own"));
        designs.back().what = designs.back().circuits + ", " + designs.back().routing;
    }
    std::erase_if(designs, [=](const auto& design) { return design.hold && !withHold; });
    OdcnCommandLine::Check(
        !designs.empty(),
        "designs",
        names,
        std::string("a design, or one of your own in --own") +
            (withHold ? "" : "; in none may hosts hold flows, by this transport"));
    std::for_each(designs.begin(), designs.end(), OpenAgents);
    return designs;
}

void
FabricSystem::CheckFile(const std::string& option,
                        const std::string& file,
                        std::size_t runs,
                        const std::string& what)
{
    OdcnCommandLine::Check(file.empty() || runs == 1 || file.find('%') != std::string::npos,
                           option,
                           file,
                           "a name with % for " + what + ", since there are several");
}

std::string
FabricSystem::MakeUnique(const std::string& name, std::set<std::string>& used)
{
    std::string unique = name;
    for (int i = 2; !used.insert(unique).second; ++i)
    {
        unique = name + "-" + std::to_string(i);
    }
    return unique;
}

uint32_t
FabricSystem::GetUplinks(const FabricDesign& design) const
{
    return design.hybrid ? std::max(2U, uplinks) - 1 : uplinks + (design.more ? 1 : 0);
}

double
FabricSystem::GetLinks(const FabricDesign& design) const
{
    if (design.circuits.empty())
    {
        return design.routing == "clos" ? servers / OVERSUBSCRIPTION : servers;
    }
    return GetUplinks(design) + (design.hybrid ? 1 : 0);
}

double
FabricSystem::FindThroughput(const DemandMatrix& capacity,
                             const DemandMatrix& demand,
                             uint32_t hops,
                             uint32_t most)
{
    const ThroughputBound bound(capacity, demand);
    return hops == 1                                                      ? bound.GetDirect()
           : !ThroughputBound::HasSolver() || capacity.GetNRacks() > most ? bound.GetCut()
           : hops == 2                                                    ? bound.GetTwoHop()
                                                                          : bound.GetMultiHop();
}

OcsFabricSize
FabricSystem::GetSize(const FabricDesign& design) const
{
    const uint32_t optical = GetUplinks(design);
    return {racks, servers, optical, optical, design.hybrid ? 1U : 0U};
}

Ptr<CircuitSchedule>
FabricSystem::MakeSchedule(const FabricDesign& design,
                           const DemandMatrix& demand,
                           int64_t stream) const
{
    Ptr<CircuitSchedule> plan =
        CreateOf(design, [&] { return CircuitSchedule::Create(design.circuits); });
    if (auto matched = DynamicCast<MatchingSchedule>(plan))
    {
        matched->SetDemand(demand);
    }
    plan->AssignStreams(stream);
    plan->Build(racks, GetUplinks(design));
    return plan;
}

Ptr<Object>
FabricSystem::StartCircuits(const FabricDesign& design,
                            const Ptr<OcsFabric>& fabric,
                            const DemandMatrix& demand,
                            int64_t stream) const
{
    CreateOf(design, [&] { return TorRouting::Create(design.routing); });
    if (!design.IsController())
    {
        const auto follower = CreateObject<OcsScheduleFollower>();
        const Ptr<CircuitSchedule> plan = MakeSchedule(design, demand, stream);
        if (fabric)
        {
            follower->Start(fabric, plan);
        }
        return follower;
    }
    const auto controller = CreateOf(
        design,
        [&]
        { return CreateFromText<MatchingController>("controller of circuits", design.circuits); });
    controller->AssignStreams(stream);
    if (fabric)
    {
        controller->SetFabric(fabric);
        CreateObject<Node>()->AddApplication(controller);
    }
    return controller;
}

OcsHelper
FabricSystem::MakeHelper(const std::string& routing, const std::string& queueDisc) const
{
    const StringValue rate(Text(gbps, "Gbps"));
    const StringValue half(Text(delay / 2, "ns"));
    OcsHelper helper;
    helper.SetSwitchAttribute("ReconfigurationTime", StringValue(Text(dark, "us")));
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetTorAttribute("QueueDisc", StringValue(queueDisc));
    helper.SetSpineAttribute("QueueDisc", StringValue(queueDisc));
    helper.SetUplinkAttribute("DataRate", rate);
    helper.SetServerAttribute("DataRate", rate);
    helper.SetElectricalAttribute("DataRate", rate);
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetElectricalQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", half);
    helper.SetElectricalFiberAttribute("Delay", half);
    return helper;
}

FabricNetwork
FabricSystem::Build(const FabricDesign& design,
                    const std::string& queueDisc,
                    uint32_t switches) const
{
    FabricNetwork network{{}, {}, design.hold};
    if (design.circuits.empty())
    {
        network.electrical = BuildElectrical(design.routing, queueDisc);
        return network;
    }
    OcsHelper helper = MakeHelper(design.routing, queueDisc);
    OcsFabricSize size = GetSize(design);
    size.switches = switches > 0 ? switches : size.switches;
    network.optical = helper.Build(size);
    helper.InstallServers(network.optical);
    return network;
}

Ptr<PacketNetwork>
FabricSystem::BuildElectrical(const std::string& name, const std::string& queueDisc) const
{
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("QueueDisc", StringValue(queueDisc));
    const double uplinkRate =
        name == "clos" ? servers / OVERSUBSCRIPTION / GetClos() * gbps : gbps; // Gb/s
    helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate(std::llround(uplinkRate * 1e9))));
    helper.SetServerAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue(Text(delay, "ns")));
    uint32_t k = 2 * servers;
    while (k * k / 2 < racks)
    {
        k += 2;
    }
    Ptr<PacketNetwork> network = name == "ideal" ? helper.BuildIdeal(racks, servers)
                                 : name == "clos"
                                     ? helper.BuildLeafSpine(racks, servers, GetClos(), GetClos())
                                     : helper.BuildFatTree(k, racks, servers);
    helper.InstallServers(network);
    return network;
}

uint32_t
FabricSystem::GetClos() const
{
    return std::max(1U, static_cast<uint32_t>(servers / OVERSUBSCRIPTION));
}
