// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-schedule.h"

#include "ns3/log.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnCircuitSchedule");

NS_OBJECT_ENSURE_REGISTERED(CircuitSchedule);

TypeId
CircuitSchedule::GetTypeId()
{
    static TypeId tid = TypeIdOf<CircuitSchedule, Object>("ns3::odcn::CircuitSchedule");
    return tid;
}

TypeId
CircuitSchedule::AddTimes(TypeId tid,
                          Time slot,
                          Time dark,
                          const std::string& name,
                          const std::string& help)
{
    return TypeIdBuilder(tid)
        .Add(Attribute(name, &CircuitSchedule::m_slot, slot, Time(0)), help)
        .Add(Attribute("ReconfigurationTime",
                       &CircuitSchedule::m_reconfigurationTime,
                       dark,
                       Time(0)),
             "Dark time of a circuit that changes, at the start of its slot");
}

CircuitSchedule::CircuitSchedule()
    : m_random(CreateObject<UniformRandomVariable>())
{
    NS_LOG_FUNCTION(this);
}

Ptr<CircuitSchedule>
CircuitSchedule::Create(const std::string& text)
{
    return CreateFromText<CircuitSchedule>("schedule", text);
}

void
CircuitSchedule::DoDispose()
{
    m_random = nullptr;
    Object::DoDispose();
}

void
CircuitSchedule::Build(uint32_t racks, uint32_t planes, const std::vector<uint32_t>& uplinks)
{
    NS_LOG_FUNCTION(this << racks << planes);
    if (racks < 2)
    {
        throw OdcnError::InOption("racks of a schedule", std::to_string(racks), "2 or more");
    }
    if (planes < 1)
    {
        throw OdcnError::InOption("planes of a schedule", std::to_string(planes), "1 or more");
    }
    const bool tooMany =
        std::any_of(uplinks.begin(), uplinks.end(), [planes](uint32_t n) { return n > planes; });
    if (tooMany || (!uplinks.empty() && uplinks.size() != racks))
    {
        throw OdcnError::InOption("uplinks of a schedule's racks",
                                  std::to_string(uplinks.size()) + " numbers",
                                  "one for each of " + std::to_string(racks) +
                                      " racks, at most the planes, " + std::to_string(planes));
    }
    std::vector<Plane> built = DoBuild(racks, planes);
    Check(built, racks);
    for (uint32_t p = 0; !uplinks.empty() && p < built.size(); ++p)
    {
        for (Slot& slot : built[p].slots)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                RackId& to = slot.to[from];
                to = p < uplinks[from] && to != NO_RACK && p < uplinks[to] ? to : NO_RACK;
            }
        }
    }
    m_racks = racks;
    m_planes = std::move(built);
    m_ends.clear();
    for (const Plane& plane : m_planes)
    {
        Time end;
        std::vector<Time> ends;
        for (const Slot& slot : plane.slots)
        {
            end += slot.duration;
            ends.push_back(end);
        }
        m_ends.push_back(ends);
        m_period = end;
    }
}

void
CircuitSchedule::Check(const std::vector<Plane>& planes, uint32_t racks) const
{
    Time period;
    for (std::size_t p = 0; p < planes.size(); ++p)
    {
        const std::string where = "schedule, plane " + std::to_string(p);
        Time sum;
        for (std::size_t k = 0; k < planes[p].slots.size(); ++k)
        {
            const Slot& slot = planes[p].slots[k];
            const std::string here = where + ", slot " + std::to_string(k);
            sum += slot.duration;
            if (!slot.duration.IsStrictlyPositive() || slot.duration <= m_reconfigurationTime)
            {
                throw OdcnError::InOption(
                    here,
                    std::to_string(slot.duration.GetNanoSeconds()) + " ns",
                    "a time above the reconfiguration time, " +
                        std::to_string(m_reconfigurationTime.GetNanoSeconds()) + " ns");
            }
            if (slot.to.size() != racks)
            {
                throw OdcnError::InOption(here,
                                          std::to_string(slot.to.size()) + " receivers",
                                          "one for each of " + std::to_string(racks) + " racks");
            }
            std::vector<bool> taken(racks, false);
            for (RackId from = 0; from < racks; ++from)
            {
                const RackId to = slot.to[from];
                if (to == NO_RACK)
                {
                    continue;
                }
                if (to >= racks || to == from || taken[to])
                {
                    throw OdcnError::InOption(here,
                                              "rack " + std::to_string(from) + " to " +
                                                  std::to_string(to),
                                              "another rack below " + std::to_string(racks) +
                                                  " that receives from no other");
                }
                taken[to] = true;
            }
        }
        if (planes[p].slots.empty() || (p > 0 && sum != period))
        {
            throw OdcnError::InOption(where,
                                      "a period of " + std::to_string(sum.GetNanoSeconds()) + " ns",
                                      "the period of plane 0, " +
                                          std::to_string(period.GetNanoSeconds()) + " ns");
        }
        period = sum;
        if (planes[p].offset.IsStrictlyNegative() || planes[p].offset > period)
        {
            throw OdcnError::InOption(
                where,
                "an offset of " + std::to_string(planes[p].offset.GetNanoSeconds()) + " ns",
                "0 to the period, " + std::to_string(period.GetNanoSeconds()) + " ns");
        }
    }
}

const CircuitSchedule::Plane&
CircuitSchedule::GetPlane(uint32_t plane) const
{
    if (plane >= m_planes.size())
    {
        throw OdcnError::InOption("plane of a schedule",
                                  std::to_string(plane),
                                  "one of " + std::to_string(m_planes.size()) + ", after Build()");
    }
    return m_planes[plane];
}

CircuitSchedule::Place
CircuitSchedule::Find(uint32_t plane, Time time) const
{
    const Plane& p = GetPlane(plane);
    const std::vector<Time>& ends = m_ends[plane];
    const int64_t period = m_period.GetTimeStep();
    // The offset is at most a period, so this is not negative.
    const int64_t since = (time - p.offset).GetTimeStep() + period;
    const Time within = TimeStep(since % period);
    const auto end = std::upper_bound(ends.begin(), ends.end(), within);
    const Time zero = time - within;
    const auto slot = static_cast<uint32_t>(end - ends.begin());
    return {slot, zero + (slot == 0 ? Time(0) : ends[slot - 1]), zero + *end};
}

bool
CircuitSchedule::Changes(uint32_t plane, uint32_t slot, RackId rack) const
{
    const std::vector<Slot>& slots = GetPlane(plane).slots;
    const Slot& before = slots[slot == 0 ? slots.size() - 1 : slot - 1];
    return slots.at(slot).to.at(rack) != before.to.at(rack);
}

Time
CircuitSchedule::GetExtension(uint32_t plane, uint32_t slot, RackId rack) const
{
    const std::vector<Slot>& slots = GetPlane(plane).slots;
    Time extension;
    for (std::size_t i = 1; i <= slots.size(); ++i)
    {
        const auto next = static_cast<uint32_t>((slot + i) % slots.size());
        if (Changes(plane, next, rack))
        {
            return extension;
        }
        extension += slots[next].duration;
    }
    return Time::Max();
}

Time
CircuitSchedule::GetChangeBefore(Time time) const
{
    Time last = Time::Min();
    for (const Plane& plane : m_planes)
    {
        const auto n = static_cast<uint32_t>(plane.slots.size());
        // The period before begins at or before time 0, so that what is found may be negative.
        Place place =
            Find(static_cast<uint32_t>(&plane - m_planes.data()), time + m_period - TimeStep(1));
        for (uint32_t back = 0; back < n; ++back)
        {
            const uint32_t before = place.slot == 0 ? n - 1 : place.slot - 1;
            if (plane.slots[place.slot].to != plane.slots[before].to)
            {
                last = std::max(last, place.start - m_period);
                break;
            }
            place = {before, place.start - plane.slots[before].duration, place.start};
        }
    }
    return last;
}

Time
CircuitSchedule::GetLastSlice(Time end, Time guard) const
{
    const Time change = GetChangeBefore(end);
    return change == Time::Min() ? Time(0)
                                 : end - change - GetReconfigurationTime() - guard - guard;
}

RackId
CircuitSchedule::GetPeer(uint32_t plane, RackId rack, Time time) const
{
    const Place place = Find(plane, time);
    // The circuits of time 0 are up when the simulation starts.
    const bool dark = place.start.IsStrictlyPositive() &&
                      time - place.start < m_reconfigurationTime &&
                      Changes(plane, place.slot, rack);
    return dark ? NO_RACK : m_planes[plane].slots[place.slot].to.at(rack);
}

DemandMatrix
CircuitSchedule::GetCapacity(Time guard, const std::vector<double>& rates) const
{
    if (!rates.empty() && rates.size() != m_racks)
    {
        throw OdcnError::InOption("rates of uplinks",
                                  std::to_string(rates.size()) + " numbers",
                                  "one for each of " + std::to_string(m_racks) + " racks");
    }
    DemandMatrix capacity(m_racks);
    for (uint32_t p = 0; p < m_planes.size(); ++p)
    {
        const std::vector<Slot>& slots = m_planes[p].slots;
        for (uint32_t k = 0; k < slots.size(); ++k)
        {
            for (RackId from = 0; from < m_racks; ++from)
            {
                const RackId to = slots[k].to[from];
                const bool changes = Changes(p, k, from);
                if (to == NO_RACK || (k > 0 && !changes))
                {
                    continue;
                }
                // Once for each circuit, in the slot where it is set up.
                Time up = m_period;
                if (const Time extension = GetExtension(p, k, from); extension != Time::Max())
                {
                    if (!changes)
                    {
                        continue;
                    }
                    up = slots[k].duration + extension - m_reconfigurationTime - guard - guard;
                }
                const double share = double(up.GetTimeStep()) / double(m_period.GetTimeStep());
                const double rate = rates.empty() ? 1 : std::min(rates[from], rates[to]);
                capacity.Add(from, to, rate * std::max(share, 0.0));
            }
        }
    }
    return capacity;
}

bool
CircuitSchedule::LastsFor(Time time) const
{
    for (uint32_t p = 0; p < m_planes.size(); ++p)
    {
        const std::vector<Slot>& slots = m_planes[p].slots;
        for (uint32_t k = 0; k < slots.size(); ++k)
        {
            for (RackId from = 0; from < m_racks; ++from)
            {
                if (slots[k].to[from] == NO_RACK)
                {
                    continue;
                }
                const Time extension = GetExtension(p, k, from);
                if (extension == Time::Max() ||
                    (Changes(p, k, from) &&
                     slots[k].duration + extension - m_reconfigurationTime >= time))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

void
CircuitSchedule::Write(const std::string& path) const
{
    const auto format = [](Time time)
    {
        if (PicoSeconds(time.GetPicoSeconds()) != time)
        {
            throw OdcnError::InOption("schedule to write",
                                      std::to_string(time.GetFemtoSeconds()) + " fs",
                                      "times of whole picoseconds");
        }
        std::string text;
        AppendDecimal(text, time.GetPicoSeconds(), 3);
        return text;
    };
    AtomicFile file(path);
    std::ostream& os = file.Stream();
    os << "racks " << m_racks << " planes " << m_planes.size() << " dark "
       << format(m_reconfigurationTime) << "\n";
    for (std::size_t p = 0; p < m_planes.size(); ++p)
    {
        os << "plane " << p << " offset " << format(m_planes[p].offset) << "\n";
        for (const Slot& slot : m_planes[p].slots)
        {
            os << format(slot.duration);
            for (RackId to : slot.to)
            {
                os << " " << (to == NO_RACK ? "-" : std::to_string(to));
            }
            os << "\n";
        }
    }
    file.Commit();
}

int64_t
CircuitSchedule::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::odcn
