// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-torus-pod.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TorusPod);

TypeId
TorusPod::GetTypeId()
{
    using T = TorusPod;
    static TypeId tid =
        TypeIdOf<TorusPod, Object>("ns3::odcn::TorusPod")
            .Add(Attribute("Cubes", &T::m_cubes, 64, 1, 1 << 16), "Number of cubes")
            .Add(Attribute("Side", &T::m_side, 4, 1, 64), "Chips along each edge of a cube")
            .Add(Attribute("Switches", &T::m_switches, 48, 1), "Number of optical switches")
            .Add(Attribute("Ports", &T::m_ports, 136, 2), "Ports of each optical switch")
            .Add(Attribute("Spares", &T::m_spares, 0),
                 "Free cubes that no slice gets, except in place of a failed one")
            .Add(Trace("Circuits", &T::m_circuitsTrace, "CircuitsTracedCallback"),
                 "Circuits of a switch have changed.")
            .Add(Trace("Interrupted", &T::m_interruptedTrace, "SliceTracedCallback"),
                 "A slice was ended by the failure of a cube.");
    return tid;
}

void
TorusPod::Refuse(const std::string& text)
{
    throw OdcnError("TorusPod: " + text);
}

void
TorusPod::Build()
{
    if (GetNSwitches() > m_switches)
    {
        Refuse("cubes of " + std::to_string(m_side) + "^3 chips take " +
               std::to_string(GetNSwitches()) + " optical switches, expected at most " +
               std::to_string(m_switches));
    }
    if (2 * m_cubes > m_ports)
    {
        Refuse(std::to_string(m_cubes) + " cubes take " + std::to_string(2 * m_cubes) +
               " ports of each optical switch, expected at most " + std::to_string(m_ports));
    }
    m_states.assign(m_cubes, State::FREE);
    m_circuits.assign(3, Matching(m_ports, NO_RACK));
    m_slices.clear();
    m_counts = {};
    m_setUp = 0;
}

std::optional<uint64_t>
TorusPod::Allocate(const Torus& torus)
{
    const std::string asked =
        "a slice of " + torus.GetText() + (torus.IsTwisted() ? " twisted" : "");
    std::string shape;
    for (const uint32_t side : torus.GetShape())
    {
        if (side % m_side != 0 || torus.GetShape().size() != 3)
        {
            Refuse(asked + ", expected three sides that are multiples of " +
                   std::to_string(m_side));
        }
        shape += (shape.empty() ? "" : "x") + std::to_string(side / m_side);
    }
    Slice slice{torus, Torus(shape, torus.IsTwisted()), {}};
    const uint32_t wanted = slice.torus.GetNNodes();
    if (uint64_t(wanted) + m_spares > GetNCubes())
    {
        Refuse(asked + " takes " + std::to_string(wanted) + " cubes, expected at most " +
               std::to_string(GetNCubes() - std::min(GetNCubes(), m_spares)) + " of " +
               std::to_string(GetNCubes()) + ", with " + std::to_string(m_ports) +
               " ports of each optical switch");
    }
    if (wanted + m_spares > CountCubes().free)
    {
        ++m_counts.refused;
        return {};
    }
    for (uint32_t cube = 0; slice.cubes.size() < wanted; ++cube)
    {
        if (m_states[cube] == State::FREE)
        {
            m_states[cube] = State::USED;
            slice.cubes.push_back(cube);
        }
    }
    for (uint32_t node = 0; node < wanted; ++node)
    {
        for (uint32_t dimension = 0; dimension < 3; ++dimension)
        {
            const uint32_t next = slice.torus.GetNeighbour(node, 2 * dimension);
            Connect(dimension, 2 * slice.cubes[node], 2 * slice.cubes[next] + 1);
        }
    }
    const uint64_t number = m_counts.allocated++;
    ++m_counts.active;
    m_slices.emplace(number, std::move(slice));
    Report();
    return number;
}

void
TorusPod::Free(uint64_t slice)
{
    Find(slice);
    ++m_counts.freed;
    End(slice);
    Report();
}

std::optional<uint32_t>
TorusPod::Fail(uint32_t cube)
{
    CheckCube(cube);
    const State before = std::exchange(m_states[cube], State::FAILED);
    if (before != State::USED)
    {
        return {};
    }
    const auto isHere = [cube](const auto& slice)
    { return std::ranges::find(slice.second.cubes, cube) != slice.second.cubes.end(); };
    const auto slice = std::ranges::find_if(m_slices, isHere);
    const auto spare = std::ranges::find(m_states, State::FREE);
    if (spare == m_states.end())
    {
        const uint64_t number = slice->first;
        ++m_counts.interrupted;
        End(number);
        Report();
        m_interruptedTrace(number);
        return {};
    }
    const auto other = static_cast<uint32_t>(spare - m_states.begin());
    *spare = State::USED;
    std::ranges::replace(slice->second.cubes, cube, other);
    ++m_counts.swapped;
    const std::vector<Matching> old = m_circuits;
    Disconnect(cube);
    for (uint32_t dimension = 0; dimension < 3; ++dimension)
    {
        const RackId plus = old[dimension][2 * cube];
        const RackId minus = old[dimension][2 * cube + 1];
        if (plus == 2 * cube + 1)
        {
            Connect(dimension, 2 * other, 2 * other + 1);
            continue;
        }
        Connect(dimension, 2 * other, plus);
        Connect(dimension, minus, 2 * other + 1);
    }
    Report();
    return other;
}

void
TorusPod::Repair(uint32_t cube)
{
    CheckCube(cube);
    if (m_states[cube] == State::FAILED)
    {
        m_states[cube] = State::FREE;
    }
}

std::vector<uint64_t>
TorusPod::GetSlices() const
{
    std::vector<uint64_t> numbers;
    for (const auto& [number, slice] : m_slices)
    {
        numbers.push_back(number);
    }
    return numbers;
}

const Torus&
TorusPod::GetTorus(uint64_t slice) const
{
    return Find(slice).chips;
}

uint32_t
TorusPod::GetChip(uint64_t slice, uint32_t node) const
{
    const Slice& found = Find(slice);
    if (node >= found.chips.GetNNodes())
    {
        Refuse("node " + std::to_string(node) + ", expected one below " +
               std::to_string(found.chips.GetNNodes()));
    }
    std::vector<uint32_t> at = found.chips.GetCoordinates(node);
    uint32_t chip = 0;
    for (std::size_t d = at.size(); d-- > 0;)
    {
        chip = chip * m_side + at[d] % m_side;
        at[d] /= m_side;
    }
    return found.cubes[found.torus.GetNode(at)] * GetNChips() + chip;
}

const Matching&
TorusPod::GetCircuits(uint32_t index) const
{
    if (index >= GetNSwitches())
    {
        Refuse("optical switch " + std::to_string(index) + ", expected one below " +
               std::to_string(GetNSwitches()));
    }
    return m_circuits.at(index / (m_side * m_side));
}

std::optional<uint32_t>
TorusPod::FollowLink(uint32_t chip, uint32_t direction) const
{
    CheckCube(chip / GetNChips());
    if (direction >= 6)
    {
        Refuse("direction " + std::to_string(direction) + ", expected 0 to 5");
    }
    const uint32_t dimension = direction / 2;
    const bool isForwards = direction % 2 == 0;
    uint32_t step = 1; // between chips along the dimension
    for (uint32_t d = 0; d < dimension; ++d)
    {
        step *= m_side;
    }
    const uint32_t at = chip / step % m_side;
    if (at != (isForwards ? m_side - 1 : 0))
    {
        return isForwards ? chip + step : chip - step;
    }
    // The place on the face: the other two coordinates.
    const uint32_t within = chip % GetNChips();
    const uint32_t place = within % step + within / (step * m_side) * step;
    const uint32_t index = dimension * m_side * m_side + place;
    const uint32_t port = 2 * (chip / GetNChips()) + direction % 2;
    const RackId peer = GetCircuits(index)[port];
    if (peer == NO_RACK)
    {
        return {};
    }
    const uint32_t entry = peer % 2 == 1 ? 0 : m_side - 1;
    return peer / 2 * GetNChips() + within - at * step + entry * step;
}

TorusPod::CubeCounts
TorusPod::CountCubes() const
{
    const auto count = [this](State state)
    { return static_cast<uint32_t>(std::ranges::count(m_states, state)); };
    return {count(State::FREE), count(State::USED), count(State::FAILED)};
}

void
TorusPod::CheckCube(uint32_t cube) const
{
    if (cube >= GetNCubes())
    {
        Refuse("cube " + std::to_string(cube) + ", expected one below " +
               std::to_string(GetNCubes()));
    }
}

const TorusPod::Slice&
TorusPod::Find(uint64_t slice) const
{
    const auto found = m_slices.find(slice);
    if (found == m_slices.end())
    {
        Refuse("slice " + std::to_string(slice) + ", expected one that is active");
    }
    return found->second;
}

void
TorusPod::Connect(uint32_t dimension, uint32_t a, uint32_t b)
{
    m_circuits[dimension][a] = b;
    m_circuits[dimension][b] = a;
    m_setUp += m_side * m_side;
}

void
TorusPod::Disconnect(uint32_t cube)
{
    for (uint32_t dimension = 0; dimension < 3; ++dimension)
    {
        for (const uint32_t port : {2 * cube, 2 * cube + 1})
        {
            const RackId peer = std::exchange(m_circuits[dimension][port], NO_RACK);
            if (peer != NO_RACK)
            {
                m_circuits[dimension][peer] = NO_RACK;
            }
        }
    }
}

void
TorusPod::End(uint64_t slice)
{
    for (const uint32_t cube : Find(slice).cubes)
    {
        Disconnect(cube);
        if (m_states[cube] == State::USED)
        {
            m_states[cube] = State::FREE;
        }
    }
    m_slices.erase(slice);
    --m_counts.active;
}

void
TorusPod::Report()
{
    // A slice has circuits in every dimension.
    for (uint32_t index = 0; index < GetNSwitches(); ++index)
    {
        m_circuitsTrace(index, m_circuits[index / (m_side * m_side)]);
    }
}

NS_OBJECT_ENSURE_REGISTERED(TorusPodSchedule);

TypeId
TorusPodSchedule::GetTypeId()
{
    using T = TorusPodSchedule;
    static TypeId tid =
        TypeIdOf<TorusPodSchedule, CircuitSchedule>("ns3::odcn::TorusPodSchedule")
            .Add(Attribute("Pod", &T::m_pod, "TorusPod"), "The pod, a TorusPod with Attributes")
            .Add(Attribute("Slices", &T::m_slices, "4x4x4"),
                 "Sides of slices of chips, separated by commas, in the order in which they get "
                 "cubes; t before the sides of a twisted one, such as t4x4x8");
    return tid;
}

std::vector<CircuitSchedule::Plane>
TorusPodSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    const Ptr<TorusPod> pod = CreateFromText<TorusPod>("pod", m_pod);
    pod->Build();
    const uint32_t chips = pod->GetNCubes() * pod->GetNChips();
    if (racks != chips || planes != DIRECTIONS)
    {
        throw OdcnError::InOption(
            "pod of " + std::to_string(pod->GetNCubes()) + " cubes",
            std::to_string(racks) + " racks, " + std::to_string(planes) + " planes",
            std::to_string(chips) + " racks, " + std::to_string(DIRECTIONS) + " planes");
    }
    std::vector<std::string_view> slices;
    SplitText(m_slices, ',', slices);
    for (const std::string_view slice : slices)
    {
        const bool twisted = slice.starts_with("t");
        const Torus torus(std::string(slice.substr(twisted ? 1 : 0)), twisted);
        if (!pod->Allocate(torus))
        {
            throw OdcnError::InOption("Slices of a pod", m_slices, "slices of free cubes");
        }
    }
    SetReconfigurationTime(Time(0));
    std::vector<Plane> built;
    for (uint32_t direction = 0; direction < DIRECTIONS; ++direction)
    {
        Matching to(racks, NO_RACK);
        for (RackId chip = 0; chip < racks; ++chip)
        {
            const auto next = pod->FollowLink(chip, direction);
            to[chip] = next && *next != chip ? *next : NO_RACK;
        }
        built.push_back({Time(0), {{MilliSeconds(1), to}}}); // any time, since nothing changes
    }
    return built;
}

} // namespace ns3::odcn
