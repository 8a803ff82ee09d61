// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-controller.h"

#include "ns3/double.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-take-index.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingController);

namespace
{

/// Of a tag: a circuit may be up, rather than a message of the cluster. Plane and rack follow.
constexpr uint64_t WAKE = uint64_t{1} << 63;

/// Of a tag: circuits are commanded. The number of the change follows.
constexpr uint64_t COMMANDED = uint64_t{1} << 62;

/// Most kinds of jobs whose phases are kept.
constexpr std::size_t MAX_KINDS = 64;

/// @param list of indices
/// @param index to remove
template <typename L>
void
EraseFrom(L& list, uint32_t index)
{
    list.erase(std::find(list.begin(), list.end(), index));
}

} // namespace

TypeId
TrainingController::GetTypeId()
{
    using T = TrainingController;
    static TypeId tid =
        TypeIdOf<TrainingController, PhaseController>("ns3::odcn::TrainingController")
            .Add(Attribute("Rule", &T::m_ruleText, "PerPhaseRule"),
                 "CircuitRule with Attributes that chooses circuits: StaticRule, PerJobRule, "
                 "PerIterationRule, PerPhaseRule, PerStepRule, LeastTimeRule, LearnedRule, or one "
                 "of your "
                 "own.")
            .Add(Attribute("Keep", &T::m_keep, true),
                 "Whether circuits that the next phase has, too, stay as they are; otherwise all "
                 "circuits of a phase are set, and are dark, as closed forms count them.")
            .Add(Trace("Phase", &T::m_phaseTrace, "PhaseTracedCallback"),
                 "A phase is about to begin: its circuits are set as soon as ports are free.");
    return tid;
}

TrainingController::TrainingController() = default;

TrainingController::~TrainingController() = default;

void
TrainingController::DoDispose()
{
    m_rule = nullptr;
    m_cluster = nullptr;
    m_fabric = nullptr;
    m_jobs.clear();
    m_phases.clear();
    m_kinds.clear();
    m_queued.clear();
    m_circuits.clear();
    m_candidates.clear();
    m_out.clear();
    m_in.clear();
    m_passed.clear();
    m_underWay.clear();
    m_leaving.clear();
    m_changesUnderWay.clear();
    PhaseController::DoDispose();
}

void
TrainingController::SetRule(Ptr<CircuitRule> rule)
{
    m_rule = rule;
}

Ptr<CircuitRule>
TrainingController::GetRule()
{
    if (!m_rule)
    {
        m_rule = CreateFromText<CircuitRule>("rule of circuits", m_ruleText);
    }
    return m_rule;
}

void
TrainingController::SetCluster(Ptr<TrainingCluster> cluster)
{
    m_cluster = cluster;
}

int64_t
TrainingController::AssignStreams(int64_t stream)
{
    return GetRule()->AssignStreams(stream);
}

void
TrainingController::SetFabric(Ptr<OcsFabric> fabric)
{
    const OcsFabricSize& size = fabric->GetSize();
    if (!size.IsUniform() || size.switches != size.uplinks)
    {
        throw OdcnError("TrainingController: racks that differ, or " +
                        std::to_string(size.switches) + " optical switches for " +
                        std::to_string(size.uplinks) +
                        " uplinks: expected equal racks, and one switch an uplink");
    }
    const Ptr<CircuitRule> rule = GetRule();
    const auto routing = GetAttributeOf<StringValue>(*fabric->GetTor(0), "Routing");
    m_isMultiHop =
        TorRouting::Create(routing)->GetForwarding().bulk.kind == TorForwarding::SHORTEST;
    m_fabric = fabric;
    m_planes = size.uplinks;
    m_dark = GetAttributeOf<TimeValue>(*fabric->GetSwitch(0), "ReconfigurationTime");
    const auto getRate = [](const Ptr<OcsNetDevice>& device)
    { return static_cast<double>(device->GetDataRate().GetBitRate()); };
    const Ptr<OcsNetDevice> uplink = fabric->GetUplink(0, 0);
    m_links = {size.serversPerRack,
               getRate(fabric->GetServerDevice(0, 0)),
               getRate(uplink),
               2 * DynamicCast<OcsFiber>(uplink->GetChannel())->GetDelay()};
    const Matching none(size.racks, NO_RACK);
    m_to.assign(m_planes, none);
    m_last = m_to;
    m_from.assign(m_planes, none);
    m_set.assign(m_planes, std::vector<Time>(size.racks, Time(0)));
    m_commanded.assign(m_planes, std::vector<uint32_t>(size.racks));
    m_out.assign(m_planes, std::vector<std::deque<uint32_t>>(size.racks));
    m_in.assign(m_planes, std::vector<std::deque<uint32_t>>(size.racks));
    TrainingPhase all;
    all.name = "run";
    all.isMultiHop = m_isMultiHop;
    all.bytes = all.reductions = DemandMatrix::Make("uniform", size.racks);
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        all.racks.push_back(rack);
    }
    const CircuitRule::Circuits circuits = rule->ChooseFirst(all, m_planes);
    if (circuits.empty())
    {
        return;
    }
    CheckCircuits(all, circuits);
    std::vector<OcsCircuit> preset;
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        m_to[plane] = circuits[plane].front();
        for (RackId from = 0; from < size.racks; ++from)
        {
            if (m_to[plane][from] != NO_RACK)
            {
                preset.push_back({from, plane, m_to[plane][from], plane});
                m_from[plane][m_to[plane][from]] = from;
                m_set[plane][from] = Time(0) - m_dark; // up at the start
            }
        }
    }
    m_last = m_to;
    fabric->Preset(preset);
}

void
TrainingController::StartApplication()
{
    if (!m_cluster || !m_fabric)
    {
        throw OdcnError("TrainingController: started without a cluster or a fabric, expected "
                        "SetCluster() and SetFabric() before");
    }
}

void
TrainingController::Start(std::vector<Message>& send)
{
    StartApplication();
    m_cluster->Start(send);
}

void
TrainingController::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    if (!m_cluster)
    {
        return; // disposed of meanwhile
    }
    const Ptr<TrainingController> self(this); // sinks of traces may drop it
    m_send = &send;
    m_now = now;
    if ((message.tag & WAKE) != 0 && (message.tag & COMMANDED) != 0)
    {
        CarryOut(message.tag & ~(WAKE | COMMANDED));
    }
    else if ((message.tag & WAKE) != 0)
    {
        const auto plane = static_cast<uint32_t>((message.tag & ~WAKE) >> 32);
        const auto from = static_cast<RackId>(message.tag);
        const std::deque<uint32_t> circuits = m_out[plane][from];
        for (const uint32_t circuit : circuits)
        {
            if (m_circuits[circuit].isSet && IsUp(m_circuits[circuit]))
            {
                Release(m_circuits[circuit].phase);
            }
        }
    }
    else
    {
        Message seen = message;
        const auto passed = message.bytes > 0 ? m_passed.find(message.tag) : m_passed.end();
        if (passed != m_passed.end())
        {
            const Pair pair{message.from / m_links.servers, message.to / m_links.servers};
            seen.sent = passed->second.sent;
            NoteReceived(pair);
            Count(passed->second.phase, pair);
        }
        if (!m_cluster)
        {
            return;
        }
        std::vector<Message> sent;
        const Ptr<TrainingCluster> cluster = m_cluster; // sinks may dispose of this
        cluster->Receive(seen, now, sent);
        if (!m_cluster)
        {
            return;
        }
        if (passed != m_passed.end())
        {
            m_passed.erase(message.tag); // those sent may have the same tag
        }
        EndJobs(message);
        Take(sent);
    }
    if (m_cluster)
    {
        Settle();
    }
    m_send = nullptr;
}

bool
TrainingController::IsBetween(const Message& message) const
{
    return message.bytes > 0 && message.from / m_links.servers != message.to / m_links.servers;
}

std::unique_ptr<TrainingPhases>
TrainingController::FindPhases(uint32_t index, CircuitRule::Unit unit)
{
    const TrainingCluster::Outcome& outcome = m_cluster->GetOutcomes()[index];
    const Ptr<TrainingRun> own = m_cluster->GetRun(index);
    const auto& programs = outcome.job->GetPrograms();
    const bool moves = std::any_of(programs.begin(),
                                   programs.end(),
                                   [](const TrainingProgram& program)
                                   {
                                       const auto& operations = program.GetOperations();
                                       return std::any_of(operations.begin(),
                                                          operations.end(),
                                                          [](const auto& operation)
                                                          { return operation.weights > 0; });
                                   });
    const Kind kind{unit,
                    outcome.job,
                    moves ? own->GetFirstIteration() : 0,
                    own->CountIterations(),
                    TrainingPhases::FindRacks(outcome.places, m_links.servers)};
    if (const auto known = m_kinds.find(kind); known != m_kinds.end())
    {
        return std::make_unique<TrainingPhases>(*known->second, index, outcome.places);
    }
    // The same job without random times, and without taking random numbers.
    const Ptr<TrainingRun> run = m_cluster->MakeRun();
    const auto one = CreateObject<ConstantRandomVariable>();
    one->SetAttribute("Constant", DoubleValue(1));
    run->SetAttribute("Jitter", PointerValue(one));
    run->SetAttribute("Straggling", PointerValue(one));
    run->SetIterations(own->GetFirstIteration(), own->CountIterations());
    run->SetJob(outcome.job, outcome.places, uint64_t{index} << TrainingRun::TAG_BITS);
    auto phases = std::make_unique<TrainingPhases>(*run, index, unit, m_links);
    run->Dispose();
    if (m_kinds.size() == MAX_KINDS)
    {
        m_kinds.clear();
    }
    m_kinds[kind] = std::make_shared<const TrainingPhases>(*phases);
    return phases;
}

void
TrainingController::BeginJob(uint32_t index)
{
    std::map<CircuitRule::Unit, std::unique_ptr<TrainingPhases>> known;
    const auto find = [&](CircuitRule::Unit unit) -> const std::vector<TrainingPhase>&
    {
        std::unique_ptr<TrainingPhases>& found = known[unit];
        if (!found)
        {
            found = FindPhases(index, unit);
        }
        return found->GetPhases();
    };
    const CircuitRule::Unit unit = m_rule->ChooseUnit({index,
                                                       m_dark,
                                                       m_links.uplinkRate,
                                                       m_planes,
                                                       m_isMultiHop,
                                                       m_to,
                                                       find,
                                                       m_cluster->CountWaiting()});
    find(unit);
    Job& job = m_jobs[index];
    job.run = m_cluster->GetRun(index);
    job.phases = std::move(known[unit]);
    const std::vector<TrainingPhase>& phases = job.phases->GetPhases();
    job.first = m_nPhases;
    m_nPhases += static_cast<uint32_t>(phases.size());
    for (uint32_t i = 0; i < phases.size(); ++i)
    {
        Phase& phase = m_phases[job.first + i];
        phase.phase = &phases[i];
        for (const auto& [pair, messages] : job.phases->GetMessages(i))
        {
            phase.messages[pair].left = messages;
            phase.left += messages;
        }
    }
    std::vector<uint32_t> next;
    for (uint32_t i = 0; i < phases.size(); ++i)
    {
        if (IsNext(job, i))
        {
            next.push_back(job.first + i);
        }
    }
    for (const uint32_t phase : next)
    {
        QueuePhase(phase);
    }
}

void
TrainingController::EndJobs(const Message& received)
{
    std::vector<Message> held;
    const bool isOfRun = TrainingCluster::IsOfRun(received); // which ends no run but its own
    auto job = isOfRun ? m_jobs.find(TrainingCluster::GetJobOf(received)) : m_jobs.begin();
    const auto end = isOfRun && job != m_jobs.end() ? std::next(job) : m_jobs.end();
    while (job != end)
    {
        if (m_cluster->GetRun(job->first) == job->second.run)
        {
            ++job;
            continue;
        }
        const auto phases = static_cast<uint32_t>(job->second.phases->GetPhases().size());
        for (uint32_t i = job->second.first; i < job->second.first + phases; ++i)
        {
            if (m_phases.contains(i))
            {
                DropPhase(i, held);
            }
        }
        job = m_jobs.erase(job);
    }
    std::vector<Message> none; // a job that has failed sends nothing
    for (const Message& message : held)
    {
        m_cluster->Receive(message, m_now, none);
    }
}

void
TrainingController::DropPhase(uint32_t index, std::vector<Message>& held)
{
    Phase& phase = m_phases.at(index);
    phase.phase = nullptr;
    for (const Message& message : phase.held)
    {
        --phase.active;
        --phase.messages.at({message.from / m_links.servers, message.to / m_links.servers}).active;
    }
    m_nHeld -= phase.held.size();
    held.insert(held.end(), phase.held.begin(), phase.held.end());
    phase.held.clear();
    if (phase.active == 0)
    {
        LeavePhase(index);
        m_phases.erase(index);
        return;
    }
    for (auto& [pair, messages] : phase.messages)
    {
        if (!m_isMultiHop)
        {
            LeavePair(index, messages, messages.active == 0);
        }
    }
}

void
TrainingController::CountDropped(uint32_t index, const Pair& pair)
{
    Phase& phase = m_phases.at(index);
    Messages& messages = phase.messages.at(pair);
    --messages.active;
    if (--phase.active == 0)
    {
        LeavePhase(index);
        m_phases.erase(index);
    }
    else if (messages.active == 0 && !m_isMultiHop)
    {
        LeavePair(index, messages, true);
    }
}

bool
TrainingController::IsNext(const Job& job, uint32_t phase)
{
    const std::vector<RackId>& racks = job.phases->GetPhases()[phase].racks;
    return std::all_of(racks.begin(),
                       racks.end(),
                       [&](RackId rack)
                       {
                           const auto next = job.next.find(rack);
                           const auto& order = job.phases->GetOrder().at(rack);
                           return order[next == job.next.end() ? 0 : next->second] == phase;
                       });
}

void
TrainingController::CheckCircuits(const TrainingPhase& phase,
                                  const CircuitRule::Circuits& circuits) const
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    const auto refuse = [&](const std::string& what)
    {
        throw OdcnError("TrainingController: circuits of " + m_rule->GetInstanceTypeId().GetName() +
                        " for phase " + std::to_string(phase.index) + " (" + phase.name +
                        ") of job " + std::to_string(phase.job) + ": " + what);
    };
    if (circuits.size() != m_planes)
    {
        refuse("found " + std::to_string(circuits.size()) + " planes, expected " +
               std::to_string(m_planes));
    }
    std::vector<std::vector<RackId>> reached(racks);
    for (const auto& plane : circuits)
    {
        if (m_isMultiHop && plane.size() != 1)
        {
            refuse("found " + std::to_string(plane.size()) +
                   " turns of a plane, expected 1 where messages take several circuits");
        }
        for (const Matching& matching : plane)
        {
            std::vector<bool> isUsed(racks);
            if (matching.size() != racks)
            {
                refuse("found a matching of " + std::to_string(matching.size()) +
                       " racks, expected " + std::to_string(racks));
            }
            for (RackId from = 0; from < racks; ++from)
            {
                const RackId to = matching[from];
                if (to == NO_RACK)
                {
                    continue;
                }
                if (to >= racks || to == from || isUsed[to])
                {
                    refuse("found a circuit from rack " + std::to_string(from) + " to " +
                           std::to_string(to) + " of the phase, expected one to another of its " +
                           std::to_string(racks) + " racks, which receives no other");
                }
                isUsed[to] = true;
                reached[from].push_back(to);
            }
        }
    }
    for (RackId from = 0; from < racks; ++from)
    {
        std::vector<bool> isSeen(racks);
        std::vector<RackId> queue{from};
        for (std::size_t i = 0; i < (m_isMultiHop ? queue.size() : 1); ++i)
        {
            for (const RackId to : reached[queue[i]])
            {
                if (!isSeen[to])
                {
                    isSeen[to] = true;
                    queue.push_back(to);
                }
            }
        }
        for (RackId to = 0; to < racks; ++to)
        {
            if (phase.bytes.Get(from, to) > 0 && !isSeen[to])
            {
                refuse("found none from rack " + std::to_string(phase.racks[from]) + " to rack " +
                       std::to_string(phase.racks[to]) + ", expected " +
                       (m_isMultiHop ? "a path" : "a circuit"));
            }
        }
    }
}

void
TrainingController::QueuePhase(uint32_t index)
{
    if (!m_cluster)
    {
        return; // a sink of Phase has disposed of this
    }
    TrainingPhase known = *m_phases.at(index).phase;
    known.isMultiHop = m_isMultiHop;
    m_phaseTrace(known);
    if (!m_cluster)
    {
        return;
    }
    const CircuitRule::Circuits circuits = m_rule->Choose(known, m_planes);
    CheckCircuits(known, circuits);
    Phase& phase = m_phases.at(index);
    phase.isQueued = true;
    m_queued.insert(index);
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        for (const Matching& matching : circuits[plane])
        {
            for (RackId i = 0; i < matching.size(); ++i)
            {
                if (matching[i] == NO_RACK)
                {
                    continue;
                }
                const Pair pair{known.racks[i], known.racks[matching[i]]};
                const auto messages = phase.messages.find(pair);
                const bool isNeeded = messages != phase.messages.end() && messages->second.left > 0;
                if (!m_isMultiHop && !isNeeded)
                {
                    continue;
                }
                const uint32_t circuit = TakeIndex(m_circuits, m_freeCircuits);
                m_circuits[circuit] = {index, plane, pair.first, pair.second};
                phase.circuits.push_back(circuit);
                if (isNeeded)
                {
                    messages->second.circuits.push_back(circuit);
                }
                m_out[plane][pair.first].push_back(circuit);
                m_in[plane][pair.second].push_back(circuit);
                m_candidates.push_back(circuit);
            }
        }
    }
}

void
TrainingController::RemoveCircuit(uint32_t index)
{
    const Circuit& circuit = m_circuits[index];
    for (std::deque<uint32_t>* list :
         {&m_out[circuit.plane][circuit.from], &m_in[circuit.plane][circuit.to]})
    {
        EraseFrom(*list, index);
        m_candidates.insert(m_candidates.end(), list->begin(), list->end());
    }
    m_circuits[index].phase = NONE;
    m_freeCircuits.push_back(index);
}

void
TrainingController::LeavePair(uint32_t index, Messages& messages, bool isSet)
{
    std::vector<uint32_t> kept;
    for (const uint32_t circuit : messages.circuits)
    {
        if (m_circuits[circuit].isSet && !isSet)
        {
            kept.push_back(circuit);
            continue;
        }
        EraseFrom(m_phases.at(index).circuits, circuit);
        RemoveCircuit(circuit);
    }
    messages.circuits = std::move(kept);
}

void
TrainingController::LeavePhase(uint32_t index)
{
    Phase& phase = m_phases.at(index);
    for (const uint32_t circuit : phase.circuits)
    {
        RemoveCircuit(circuit);
    }
    phase.circuits.clear();
    for (auto& [pair, messages] : phase.messages)
    {
        messages.circuits.clear();
    }
    phase.isQueued = false;
    m_queued.erase(index);
}

void
TrainingController::EndPhase(uint32_t index)
{
    LeavePhase(index);
    const TrainingPhase& ended = *m_phases.at(index).phase;
    m_phases.erase(index);
    Job& job = m_jobs.at(ended.job);
    std::set<uint32_t> next;
    for (const RackId rack : ended.racks)
    {
        const std::vector<uint32_t>& order = job.phases->GetOrder().at(rack);
        std::size_t& at = job.next[rack];
        while (at < order.size() && !m_phases.contains(job.first + order[at]))
        {
            ++at;
        }
        if (at < order.size())
        {
            next.insert(order[at]);
        }
    }
    std::erase_if(next,
                  [&](uint32_t phase)
                  { return m_phases.at(job.first + phase).isQueued || !IsNext(job, phase); });
    const uint32_t first = job.first;
    for (const uint32_t phase : next)
    {
        QueuePhase(first + phase);
    }
}

void
TrainingController::NoteReceived(const Pair& pair)
{
    if (--m_underWay.at(pair) > 0)
    {
        return;
    }
    m_underWay.erase(pair);
    const auto& [from, to] = pair;
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        if (m_to[plane][from] == to)
        {
            for (const std::deque<uint32_t>* list : {&m_out[plane][from], &m_in[plane][to]})
            {
                m_candidates.insert(m_candidates.end(), list->begin(), list->end());
            }
        }
    }
}

void
TrainingController::Count(uint32_t index, const Pair& pair)
{
    Phase& phase = m_phases.at(index);
    if (!phase.phase)
    {
        CountDropped(index, pair);
        return;
    }
    Messages& messages = phase.messages.at(pair);
    --phase.active;
    --phase.left;
    --messages.left;
    --messages.active;
    if (phase.left == 0)
    {
        EndPhase(index);
    }
    else if (messages.left == 0 && !m_isMultiHop)
    {
        LeavePair(index, messages, true);
    }
}

bool
TrainingController::IsUp(const Circuit& circuit) const
{
    return circuit.isSet && m_to[circuit.plane][circuit.from] == circuit.to &&
           m_commanded[circuit.plane][circuit.from] == 0 &&
           m_set[circuit.plane][circuit.from] + m_dark <= m_now;
}

const TrainingController::Circuit*
TrainingController::FindCircuit(const Phase& phase, const Pair& pair) const
{
    if (!phase.isQueued)
    {
        return nullptr;
    }
    if (m_isMultiHop)
    {
        const Circuit* last = nullptr; // to be set
        for (const uint32_t index : phase.circuits)
        {
            const Circuit& circuit = m_circuits[index];
            if (!IsUp(circuit))
            {
                return nullptr;
            }
            last = !last || m_set[circuit.plane][circuit.from] > m_set[last->plane][last->from]
                       ? &circuit
                       : last;
        }
        return last;
    }
    if (m_leaving.contains(pair))
    {
        return nullptr;
    }
    for (const uint32_t index : phase.messages.at(pair).circuits)
    {
        if (IsUp(m_circuits[index]))
        {
            return &m_circuits[index];
        }
    }
    return nullptr;
}

void
TrainingController::Pass(Message message, uint32_t index, Time dark)
{
    m_passed[message.tag] = {index, message.sent, m_now, dark};
    ++m_underWay[{message.from / m_links.servers, message.to / m_links.servers}];
    message.sent = m_now;
    m_send->push_back(message);
}

void
TrainingController::Release(uint32_t index)
{
    Phase& phase = m_phases.at(index);
    std::deque<Message> held = std::exchange(phase.held, {});
    for (const Message& message : held)
    {
        const Circuit* circuit =
            FindCircuit(phase, {message.from / m_links.servers, message.to / m_links.servers});
        if (!circuit)
        {
            phase.held.push_back(message);
            continue;
        }
        const Time set = m_set[circuit->plane][circuit->from];
        const Time dark = std::min(set + m_dark, m_now) - std::max(set, message.sent);
        --m_nHeld;
        Pass(message, index, std::max(Time(0), dark));
    }
}

void
TrainingController::Take(const std::vector<Message>& sent)
{
    for (const Message& message : sent)
    {
        if (!m_cluster)
        {
            return; // a sink of Phase has disposed of this
        }
        if (m_rule->GetUnit() == CircuitRule::RUN || !TrainingCluster::IsOfRun(message))
        {
            m_send->push_back(message);
            continue;
        }
        const uint32_t job = TrainingCluster::GetJobOf(message);
        if (!m_jobs.contains(job))
        {
            BeginJob(job);
        }
        if (!m_cluster)
        {
            return;
        }
        if (!IsBetween(message))
        {
            m_send->push_back(message);
            continue;
        }
        const TrainingRun::Purpose purpose = m_cluster->GetRun(job)->GetPurpose(message);
        const uint32_t index = m_jobs[job].first + m_jobs[job].phases->Take(message, purpose);
        const Pair pair{message.from / m_links.servers, message.to / m_links.servers};
        ++m_phases.at(index).active;
        ++m_phases.at(index).messages.at(pair).active;
        if (FindCircuit(m_phases.at(index), pair))
        {
            Pass(message, index, Time(0));
            continue;
        }
        m_phases.at(index).held.push_back(message);
        ++m_nHeld;
        if (!m_phases.at(index).isQueued)
        {
            QueuePhase(index);
        }
    }
}

bool
TrainingController::IsInUse(RackId from, RackId to) const
{
    return !m_isMultiHop && from != NO_RACK && to != NO_RACK && m_underWay.contains({from, to});
}

void
TrainingController::TrySet(uint32_t index)
{
    Circuit& circuit = m_circuits[index];
    if (circuit.phase == NONE || circuit.isSet)
    {
        return;
    }
    const auto [phase, plane, from, to, isSet] = circuit;
    for (const std::deque<uint32_t>* list : {&m_out[plane][from], &m_in[plane][to]})
    {
        for (const uint32_t before : *list)
        {
            if (before == index)
            {
                break;
            }
            if (!m_keep || m_circuits[before].from != from || m_circuits[before].to != to)
            {
                return; // another one has the port
            }
        }
    }
    // ToR switches may send by this plane what goes there by another one, too.
    const bool isThere = m_to[plane][from] == to;
    if (!isThere && (IsInUse(from, m_to[plane][from]) || IsInUse(m_from[plane][to], to)))
    {
        return;
    }
    circuit.isSet = true;
    if (m_to[plane][from] == to && m_keep)
    {
        Release(phase);
        return;
    }
    if (const RackId old = m_to[plane][from]; old != NO_RACK)
    {
        m_from[plane][old] = NO_RACK;
    }
    if (const RackId old = m_from[plane][to]; old != NO_RACK)
    {
        m_to[plane][old] = NO_RACK;
        m_changes[{plane, old}] = NO_RACK;
    }
    m_to[plane][from] = to;
    m_from[plane][to] = from;
    m_set[plane][from] = m_now;
    m_changes[{plane, from}] = to;
    ++m_nSwitches;
    Wake(plane, from);
}

bool
TrainingController::IsActive(const Circuit& circuit) const
{
    const Phase& phase = m_phases.at(circuit.phase);
    return m_isMultiHop ? phase.active > 0
                        : phase.messages.at({circuit.from, circuit.to}).active > 0;
}

bool
TrainingController::IsWanted(const std::deque<uint32_t>& list, const Circuit& circuit) const
{
    bool isPast = false;
    for (const uint32_t index : list)
    {
        const Circuit& other = m_circuits[index];
        isPast |= &other == &circuit;
        if (isPast && (other.from != circuit.from || other.to != circuit.to) && IsActive(other))
        {
            return true;
        }
    }
    return false;
}

bool
TrainingController::Yield()
{
    for (const uint32_t index : m_nHeld > 0 ? m_queued : std::set<uint32_t>())
    {
        for (const uint32_t i : m_phases.at(index).circuits)
        {
            Circuit& circuit = m_circuits[i];
            std::deque<uint32_t>& out = m_out[circuit.plane][circuit.from];
            std::deque<uint32_t>& in = m_in[circuit.plane][circuit.to];
            if (IsActive(circuit) || !(IsWanted(out, circuit) || IsWanted(in, circuit)))
            {
                continue;
            }
            if (m_isMultiHop)
            {
                LeavePhase(index); // its paths take all of its circuits
                return true;
            }
            circuit.isSet = false;
            for (std::deque<uint32_t>* list : {&out, &in})
            {
                EraseFrom(*list, i);
                list->push_back(i);
                m_candidates.insert(m_candidates.end(), list->begin(), list->end());
            }
            return true;
        }
    }
    return false;
}

void
TrainingController::Settle()
{
    for (;;)
    {
        while (!m_candidates.empty())
        {
            const uint32_t index = m_candidates.front();
            m_candidates.pop_front();
            TrySet(index);
        }
        if (!Yield())
        {
            break;
        }
    }
    std::vector<OcsCircuit> changes;
    for (const auto& [port, to] : m_changes)
    {
        changes.push_back({port.second, port.first, to, port.first});
    }
    m_changes.clear();
    if (changes.empty())
    {
        return;
    }
    std::vector<Pair> left;
    for (const OcsCircuit& change : changes)
    {
        RackId& last = m_last[change.outPort][change.from];
        if (const RackId old = std::exchange(last, change.to); old != NO_RACK)
        {
            left.emplace_back(change.from, old);
        }
    }
    const uint64_t number = m_nChanges++;
    const uint32_t place = changes.front().from * m_links.servers;
    const Ptr<TrainingCluster> cluster = m_cluster;
    if (cluster->Ask(TrainingCluster::CIRCUITS,
                     static_cast<uint32_t>(changes.size()),
                     {0, place, place, 0, WAKE | COMMANDED | number, m_now}))
    {
        m_fabric->Apply(changes);
        return;
    }
    for (const OcsCircuit& change : changes)
    {
        ++m_commanded[change.outPort][change.from];
    }
    for (const Pair& pair : left)
    {
        ++m_leaving[pair];
    }
    m_changesUnderWay[number] = {std::move(changes), std::move(left)};
}

void
TrainingController::CarryOut(uint64_t number)
{
    const Change change = std::move(m_changesUnderWay.at(number));
    m_changesUnderWay.erase(number);
    for (const OcsCircuit& circuit : change.circuits)
    {
        --m_commanded[circuit.outPort][circuit.from];
        m_set[circuit.outPort][circuit.from] = m_now;
        Wake(circuit.outPort, circuit.from);
    }
    for (const Pair& pair : change.left)
    {
        if (--m_leaving.at(pair) == 0)
        {
            m_leaving.erase(pair);
            WakePair(pair);
        }
    }
    m_fabric->Apply(change.circuits);
}

void
TrainingController::WakePair(const Pair& pair)
{
    for (const std::vector<std::deque<uint32_t>>& plane : m_out)
    {
        const std::deque<uint32_t> circuits = plane[pair.first];
        for (const uint32_t index : circuits)
        {
            if (m_circuits[index].to == pair.second && m_circuits[index].isSet)
            {
                Release(m_circuits[index].phase);
            }
        }
    }
}

void
TrainingController::Wake(uint32_t plane, RackId from)
{
    const uint32_t place = from * m_links.servers;
    m_send->push_back({0, place, place, 0, WAKE | uint64_t{plane} << 32 | from, m_now + m_dark});
}

Time
TrainingController::Explain(const Message& message, TrainingTimes& times) const
{
    const auto found = m_passed.find(message.tag);
    if (found == m_passed.end())
    {
        return message.sent;
    }
    const Passed& passed = found->second;
    times.Add(TrainingTimes::DARK, passed.dark);
    times.Add(TrainingTimes::CIRCUITS, passed.passed - passed.sent - passed.dark);
    return passed.passed;
}

std::string
TrainingController::DescribeWaiting() const
{
    uint32_t least = NONE;
    for (const auto& [index, phase] : m_phases)
    {
        least = phase.held.empty() ? least : std::min(least, index);
    }
    if (least == NONE)
    {
        return "";
    }
    const Phase& phase = m_phases.at(least);
    const Message& first = phase.held.front();
    return std::to_string(m_nHeld) + " messages wait for circuits, the first from " +
           std::to_string(first.from) + " to " + std::to_string(first.to) + " in phase " +
           std::to_string(phase.phase->index) + " (" + phase.phase->name + ") of job " +
           std::to_string(phase.phase->job);
}

} // namespace ns3::odcn
