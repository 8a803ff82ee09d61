// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-design.h"

#include "ns3/data-rate.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-table.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-torus-pod.h"
#include "ns3/odcn-torus.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"
#include "ns3/tor-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Rate of the servers of a rack to that of its uplinks, in the network clos.
constexpr double OVERSUBSCRIPTION = 3;

/// A design that a program or library registered.
struct Registered
{
    std::string name;        //!< its name
    std::string text;        //!< circuits and routing
    std::string description; //!< of it
};

/// @return the registered designs
std::vector<Registered>&
GetRegistered()
{
    static std::vector<Registered> registered;
    return registered;
}

/// @param circuits of a design
/// @return whether an agent matches them
bool
UsesAgent(const std::string& circuits)
{
    return circuits.find(".pt") != std::string::npos;
}

/// Open the library of agents, before the processes of an Experiment, if a design needs it.
/// @param design the design
/// @param text its text
void
OpenAgents(const FabricDesign& design, const std::string& text)
{
    if (UsesAgent(text))
    {
        AgentLibrary::Open("design " + design.GetName());
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

/// @param text type and Attributes
/// @return the type; none if it is not known
std::optional<TypeId>
FindType(const std::string& text)
{
    const std::string name = text.substr(0, text.find('['));
    TypeId tid;
    if (TypeId::LookupByNameFailSafe(name, &tid) ||
        TypeId::LookupByNameFailSafe("ns3::odcn::" + name, &tid))
    {
        return tid;
    }
    return std::nullopt;
}

/// @return Attributes of hosts that a program was given and only packets of ns-3 follow; "" for
/// none
std::string
FindHostSettings()
{
    const TypeId host = FlowApplication::GetTypeId();
    return GetDefaultOf<DataRateValue>(host, "Rate").GetBitRate() > 0
               ? "FlowApplication::Rate is given"
               : "";
}

/// @return the same of ToR switches
std::string
FindTorSettings()
{
    const TypeId tor = TorSwitch::GetTypeId();
    return GetDefaultOf<QueueSizeValue>(tor, "QueueSize").GetValue() > 0
               ? "TorSwitch::QueueSize is given"
           : GetDefaultOf<QueueSizeValue>(tor, "BufferSize").GetValue() > 0
               ? "TorSwitch::BufferSize is given"
               : "";
}

/// @param forwarding of a routing
/// @return whether ToR switches spread its packets over shortest paths by flow
bool
SpreadsFlows(const TorForwarding& forwarding)
{
    return (forwarding.bulk.kind == TorForwarding::SHORTEST ||
            forwarding.expedited.kind == TorForwarding::SHORTEST) &&
           GetDefaultOf<CompatEnumValue<TorSwitch::SpreadingMode>>(TorSwitch::GetTypeId(),
                                                                   "Spreading") ==
               TorSwitch::PER_FLOW;
}

/// @param size of a design
/// @return sides of a torus of so many racks
std::string
MakeShape(const FabricSize& size)
{
    std::string shape;
    uint32_t racks = size.racks;
    for (uint32_t sides = std::max(1U, size.uplinks / 2); sides > 1; --sides)
    {
        // The largest divisor up to the root of what is left; rounding must not lose a whole root.
        auto side = static_cast<uint32_t>(std::pow(racks, 1.0 / sides) + 1e-9);
        while (racks % side != 0)
        {
            --side;
        }
        shape += std::to_string(side) + "x";
        racks /= side;
    }
    return shape + std::to_string(racks);
}

/// @param text with products in braces
/// @param size of a design
/// @return the text with their values
std::string
Fill(std::string text, const FabricSize& size)
{
    const std::map<std::string, double> known{{"racks", size.racks},
                                              {"servers", size.servers},
                                              {"uplinks", size.uplinks},
                                              {"gbps", size.gbps},
                                              {"slot", size.slot},
                                              {"dark", size.dark}};
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
        const std::string filled = product == "torus" ? MakeShape(size)
                                   : isFile           ? GetDataFile(product)
                                                      : FormatNumber(value);
        text.replace(open, close - open + 1, filled);
        open += filled.size();
    }
    return text;
}

} // namespace

std::string
FabricDesign::GetPlace() const
{
    // The name of one without is nothing that a user typed.
    return (m_where.empty() ? "" : m_where + ": ") +
           (m_name == "own" && !m_where.empty() ? "" : "design " + m_name + ": ");
}

std::string
FabricDesign::GetDescription() const
{
    return !m_description.empty() ? m_description
           : IsElectrical()       ? "electrical, " + m_routing
                                  : m_circuits + ", " + m_routing;
}

void
FabricDesign::ReadWords(const std::vector<std::string>& words)
{
    const std::map<std::string, bool*> known{{"hold", &m_words.hold},
                                             {"more", &m_words.more},
                                             {"hybrid", &m_words.hybrid},
                                             {"named", &m_words.named}};
    for (const std::string& word : words)
    {
        const auto found = known.find(word);
        if (found == known.end())
        {
            throw OdcnError::InOption("word", word, "hold, more, hybrid or named");
        }
        if (m_kind == ELECTRICAL && word != "named")
        {
            throw OdcnError::InOption("word", word, "named, of an electrical network");
        }
        *found->second = true;
    }
}

void
FabricDesign::FindKind()
{
    if (m_circuits == "electrical")
    {
        m_kind = ELECTRICAL;
        m_circuits.clear();
        ObjectText network = ObjectText::Parse("electrical network", m_routing);
        const std::vector<std::string> networks{"ideal", "clos", "fat-tree"};
        if (std::find(networks.begin(), networks.end(), network.type) == networks.end())
        {
            throw OdcnError::InOption("electrical network",
                                      network.type,
                                      JoinWords(networks) +
                                          AskWhether(FindSimilar(network.type, networks)));
        }
        m_routing = std::exchange(network.type, "PacketSwitch");
        m_switch = network.attributes;
        network.Create("switch of an electrical network",
                       PacketSwitch::GetTypeId()); // or it throws
        return;
    }
    const auto type = FindType(m_circuits);
    const auto is = [&](TypeId base) { return *type == base || type->IsChildOf(base); };
    if (type && is(CircuitController::GetTypeId()))
    {
        m_kind = CONTROLLER;
        m_isPhased = is(PhaseController::GetTypeId());
        m_isHosted = is(HostedController::GetTypeId());
    }
    else if (type && is(TorusSchedule::GetTypeId()))
    {
        // Whether there is a twisted one of these sides is found when it is needed.
        const auto torus = CircuitSchedule::Create(m_circuits);
        m_directions = Torus(GetAttributeOf<StringValue>(*torus, "Shape")).GetNDirections();
    }
    else if (type && is(TorusPodSchedule::GetTypeId()))
    {
        m_directions = TorusPodSchedule::DIRECTIONS;
    }
}

FabricDesign
FabricDesign::Parse(const std::string& text,
                    const FabricSize& size,
                    const std::string& name,
                    const std::string& where)
{
    size.Check();
    FabricDesign design;
    design.m_name = name;
    design.m_where = where;
    design.m_size = size;
    return design.Explain(
        [&]
        {
            const std::string filled = Fill(text, size);
            std::vector<std::string_view> fields;
            SplitText(filled, ';', fields);
            std::vector<std::string> words(fields.begin(), fields.end());
            if (words.size() < 2 || words[0].empty() || words[1].empty())
            {
                throw OdcnError::InOption("text", text, "SCHEDULE;ROUTING");
            }
            const std::vector<std::string> hops{"1", "2", "any"};
            if (words.size() > 2 && std::find(hops.begin(), hops.end(), words[2]) != hops.end())
            {
                words.erase(words.begin() + 2); // of older designs: routings say it now
            }
            design.m_circuits = words[0];
            design.m_routing = words[1];
            design.FindKind();
            design.ReadWords({words.begin() + 2, words.end()});
            return design;
        });
}

FabricDesign
FabricDesign::MakeGranted(const std::string& routing,
                          const FabricSize& size,
                          const std::string& name,
                          const std::string& where)
{
    FabricDesign design;
    design.m_kind = GRANTED;
    design.m_name = name;
    design.m_where = where;
    design.m_size = size;
    design.m_circuits = "granted";
    design.m_routing = routing;
    return design;
}

bool
FabricDesign::Register(const std::string& name,
                       const std::string& text,
                       const std::string& description)
{
    GetRegistered().push_back({name, text, description});
    return true;
}

std::vector<FabricDesign>
FabricDesign::GetAll(const FabricSize& size)
{
    std::vector<FabricDesign> designs;
    const auto add = [&](const std::string& name,
                         const std::string& text,
                         const std::string& description,
                         const std::string& where)
    {
        const auto isSame = [&](const FabricDesign& design) { return design.m_name == name; };
        if (std::any_of(designs.begin(), designs.end(), isSame))
        {
            throw OdcnError::InOption(where, name, "a name that no other design has");
        }
        designs.push_back(Parse(text, size, name, where));
        designs.back().m_description = description;
    };
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
        add(std::string(reader[0]),
            text,
            std::string(what),
            path + ":" + std::to_string(reader.GetLineNumber()));
    }
    for (const Registered& design : GetRegistered())
    {
        add(design.name, design.text, design.description, "registered");
    }
    return designs;
}

FabricDesign
FabricDesign::Find(const std::string& name,
                   const FabricSize& size,
                   const std::string& where,
                   const std::string& expected)
{
    std::string known;
    for (const FabricDesign& design : GetAll(size))
    {
        if (design.m_name == name)
        {
            OpenAgents(design, design.m_circuits);
            return design;
        }
        known += (known.empty() ? "" : ", ") + design.m_name;
    }
    throw OdcnError::InOption(where, name, expected + known);
}

std::vector<FabricDesign>
FabricDesign::Choose(const std::string& names,
                     const std::string& own,
                     const FabricSize& size,
                     bool withHold)
{
    std::vector<FabricDesign> designs;
    if (names == "all")
    {
        designs = GetAll(size);
        std::erase_if(designs, [](const auto& design) { return design.m_words.named; });
    }
    else if (names != "none")
    {
        for (const auto& name : OdcnCommandLine::SplitList(names, "designs"))
        {
            designs.push_back(Find(name, size, "--designs", "all, none, or some of "));
        }
    }
    for (const auto& [name, text] : SplitOwn(own))
    {
        OdcnCommandLine::Check(std::none_of(designs.begin(),
                                            designs.end(),
                                            [&name = name](const auto& design)
                                            { return design.m_name == name; }),
                               "own",
                               name,
                               "a name that no other design has, as in NAME=SCHEDULE;ROUTING");
        designs.push_back(Parse(text, size, name, "--own"));
    }
    std::erase_if(designs, [=](const auto& design) { return design.m_words.hold && !withHold; });
    OdcnCommandLine::Check(
        !designs.empty(),
        "designs",
        names,
        std::string("a design, or one of your own in --own") +
            (withHold ? "" : "; in none may hosts hold flows, by this transport"));
    for (const FabricDesign& design : designs)
    {
        OpenAgents(design, design.m_circuits);
    }
    return designs;
}

uint32_t
FabricDesign::GetUplinks() const
{
    return m_directions > 0 ? m_directions
           : m_words.hybrid ? std::max(2U, m_size.uplinks) - 1
                            : m_size.uplinks + (m_words.more ? 1 : 0);
}

double
FabricDesign::GetLinks() const
{
    if (m_kind == ELECTRICAL)
    {
        return m_routing == "clos" ? m_size.servers / OVERSUBSCRIPTION : m_size.servers;
    }
    return GetUplinks() + (m_words.hybrid ? 1 : 0);
}

uint32_t
FabricDesign::GetSpines() const
{
    return std::max(1U, static_cast<uint32_t>(m_size.servers / OVERSUBSCRIPTION));
}

OcsFabricSize
FabricDesign::GetFabricSize() const
{
    const uint32_t optical = GetUplinks();
    return {m_size.racks, m_size.servers, optical, optical, m_words.hybrid ? 1U : 0U};
}

TorForwarding
FabricDesign::GetForwarding() const
{
    return m_kind == ELECTRICAL
               ? TorForwarding{}
               : Explain([&] { return TorRouting::Create(m_routing)->GetForwarding(); });
}

std::string
FabricDesign::WhyNot(FabricEngine engine) const
{
    if (engine == FabricEngine::PACKETS)
    {
        return "";
    }
    if (m_kind == ELECTRICAL)
    {
        const std::string settings = FindHostSettings();
        return engine != FabricEngine::EXACT || !settings.empty() ? settings
               : m_switch.contains("QueueDisc")                   ? "its switches have queue discs"
                                                : ExactPackets::WhyNot(MakeSettings(0));
    }
    if (m_words.hybrid)
    {
        return "some uplinks are electrical";
    }
    const bool runsController = engine == FabricEngine::FLOWS ? m_isPhased : m_isHosted;
    if (m_kind != SCHEDULE && !runsController)
    {
        return std::string("a ") + (m_kind == CONTROLLER ? "controller" : "program") +
               " sets its circuits";
    }
    const TorForwarding forwarding = GetForwarding();
    if (m_words.hold && forwarding.bulk.kind != TorForwarding::DIRECT)
    {
        return "hosts hold flows, but not for direct circuits";
    }
    if (m_words.hold && m_isHosted)
    {
        return "hosts hold flows, but a controller sets circuits";
    }
    for (const std::string& settings : {FindHostSettings(), FindTorSettings()})
    {
        if (!settings.empty())
        {
            return settings;
        }
    }
    if (m_isPhased && forwarding.bulk.IsTransit())
    {
        return "racks of transit draw circuits of a schedule";
    }
    if (engine == FabricEngine::FLOWS)
    {
        return CircuitFlowLevel::WhyNot(forwarding);
    }
    if (SpreadsFlows(forwarding))
    {
        return "TorSwitch::Spreading is PerFlow";
    }
    const std::string whyNot = SchedulePackets::WhyNot(forwarding);
    return whyNot.empty() ? SchedulePackets::WhyNot(MakeSettings(0)) : whyNot;
}

Ptr<CircuitSchedule>
FabricDesign::MakeSchedule(const DemandMatrix& demand, int64_t stream) const
{
    return Explain(
        [&]
        {
            Ptr<CircuitSchedule> plan = CircuitSchedule::Create(m_circuits);
            if (auto matched = DynamicCast<MatchingSchedule>(plan))
            {
                matched->SetDemand(demand);
            }
            plan->AssignStreams(stream);
            plan->Build(m_size.racks, GetUplinks());
            const auto bytes = static_cast<uint32_t>(
                GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "PacketSize"));
            const DataRate rate(uint64_t(std::llround(m_size.gbps * 1e9)));
            const Time packet = rate.CalculateBytesTxTime(bytes);
            if (!plan->LastsFor(packet))
            {
                throw OdcnError::InOption("schedule",
                                          m_circuits,
                                          "circuits that last for a packet of " +
                                              std::to_string(bytes) + " bytes, " +
                                              std::to_string(packet.GetNanoSeconds()) + " ns");
            }
            return plan;
        });
}

Ptr<CircuitController>
FabricDesign::MakeController(int64_t stream) const
{
    return Explain(
        [&]
        {
            auto controller =
                CreateFromText<CircuitController>("controller of circuits", m_circuits);
            controller->AssignStreams(stream);
            return controller;
        });
}

SchedulePackets::MakeLogic
FabricDesign::GetMakeLogic(int64_t stream) const
{
    return [design = *this, stream]
    {
        const Ptr<CircuitController> controller = design.MakeController(stream);
        auto* logic = dynamic_cast<CircuitLogic*>(PeekPointer(controller));
        if (!logic)
        {
            throw OdcnError(design.GetPlace() + design.m_circuits +
                            " needs a fabric of ns-3, expected a HostedController");
        }
        return std::shared_ptr<CircuitLogic>(logic,
                                             [controller](CircuitLogic*)
                                             { controller->Dispose(); });
    };
}

void
FabricDesign::Check(const DemandMatrix& demand, int64_t stream) const
{
    GetForwarding();
    if (m_kind == SCHEDULE)
    {
        MakeSchedule(demand, stream);
    }
    else if (m_kind == CONTROLLER)
    {
        MakeController(stream);
    }
}

void
FabricDesign::RefusePhases() const
{
    if (m_isPhased)
    {
        throw OdcnError(GetPlace() +
                        "found circuits that follow training jobs, which training-jobs runs, and "
                        "Fabric.training() in Python; expected others");
    }
}

double
FabricDesign::GetBound(const DemandMatrix& demand,
                       const FabricBoundScope& scope,
                       Ptr<CircuitSchedule> schedule) const
{
    // Patterns are scaled to a busiest rack of 1, but for rounding.
    const double most = demand.GetMaxLoad();
    const double busiest = std::abs(most - 1) < 1e-12 ? 1 : most;
    if (m_kind != SCHEDULE || (m_words.hybrid && scope.shortShare < 0))
    {
        // Circuits that stay are never dark; the links of a rack limit it.
        return GetLinks() / scope.unit / busiest;
    }
    const TorForwarding forwarding = GetForwarding();
    const uint32_t bulk = forwarding.bulk.GetMaxHops();
    const uint32_t hops =
        scope.withExpedited ? std::max(bulk, forwarding.expedited.GetMaxHops()) : bulk;
    DemandMatrix capacity = (schedule ? schedule : MakeSchedule(demand, 0))->GetCapacity();
    capacity.Scale(1.0 / scope.unit);
    const ThroughputBound bound(capacity, demand);
    const bool solves = (ThroughputBound::HasSolver() || scope.mustSolve) &&
                        capacity.GetNRacks() <= scope.mostRacks;
    const double theta = hops == 1   ? bound.GetDirect()
                         : !solves   ? bound.GetCut()
                         : hops == 2 ? bound.GetTwoHop()
                                     : bound.GetMultiHop();
    // Each class has uplinks of its own, and its share of the bytes between all racks.
    return m_words.hybrid ? std::min(theta / (1 - scope.shortShare),
                                     1.0 / (scope.unit * scope.shortShare) / busiest)
                          : theta;
}

Time
FabricDesign::GetReorderTime() const
{
    // Few packets that wait are taken for lost.
    return Time(FormatNumber(2 * m_size.slot * m_size.racks) + "us");
}

Time
FabricDesign::GetRepairTimeout() const
{
    return Time(FormatNumber(4 * m_size.slot * m_size.racks) + "us");
}

SchedulePackets::Settings
FabricDesign::MakeSettings(uint64_t shortFlows) const
{
    SchedulePackets::Settings settings;
    static_cast<ExactPackets::HostSettings&>(settings) = ExactPackets::HostSettings::FromDefaults();
    settings.forwarding = GetForwarding();
    settings.shortFlows = shortFlows;
    settings.hold = m_words.hold;
    settings.reorderTime = GetReorderTime();
    settings.repairTimeout = GetRepairTimeout();
    return settings;
}

} // namespace ns3::odcn
