// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-schedule.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinSchedule);
NS_OBJECT_ENSURE_REGISTERED(SiriusSchedule);
NS_OBJECT_ENSURE_REGISTERED(RotorSchedule);
NS_OBJECT_ENSURE_REGISTERED(OperaSchedule);
NS_OBJECT_ENSURE_REGISTERED(ExpanderSchedule);
NS_OBJECT_ENSURE_REGISTERED(FileSchedule);
NS_OBJECT_ENSURE_REGISTERED(ExplicitSchedule);

namespace
{

/// Attempts at a random schedule whose racks are connected.
constexpr uint32_t MAX_DRAWS = 200;
/// Most rounds a matching in FactorComplete().
constexpr uint32_t MAX_ROUNDS = 128;
/// Most rounds of FactorComplete(), so that each of 4,096 matchings has 32.
constexpr uint32_t MAX_ALL_ROUNDS = 128 * 1024;

/// Shuffle a vector. @param v the vector  @param random source of random numbers
template <typename T>
void
Shuffle(std::vector<T>& v, UniformRandomVariable& random)
{
    for (std::size_t i = v.size(); i > 1; --i)
    {
        std::swap(v[i - 1], v[random.GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

/// @param n number of racks  @param random source  @return 0 to n - 1 in random order
std::vector<RackId>
RandomOrder(uint32_t n, UniformRandomVariable& random)
{
    std::vector<RackId> order(n);
    std::iota(order.begin(), order.end(), 0);
    Shuffle(order, random);
    return order;
}

/**
 * Swap two symmetric matchings on the component of a rack in their union, a cycle or a path, which
 * both map onto itself.
 * @param [in,out] a a matching in which a rack without a partner is its own
 * @param [in,out] b another one
 * @param first the rack
 */
void
SwapComponent(Matching& a, Matching& b, RackId first)
{
    // Two walks from rack to rack by circuits of both in turn, at the same time, since each step
    // waits for memory. A rack is swapped when a walk leaves it.
    const auto leave = [](Matching& by, Matching& other, RackId& rack)
    {
        const RackId next = std::exchange(by[rack], other[rack]);
        other[rack] = next;
        return std::exchange(rack, next) != next;
    };
    RackId left = b[first];
    RackId right = first;
    bool isLeft = left != first;
    bool isRight = leave(a, b, right);
    for (Matching *by = &b, *other = &a; isLeft || isRight; std::swap(by, other))
    {
        if (isLeft && isRight && left == right)
        {
            leave(*by, *other, left); // the racks of a cycle are even in number
            return;
        }
        isRight = isRight && leave(*by, *other, right);
        isLeft = isLeft && leave(*other, *by, left);
    }
}

/// Have a matching read into the cache, while other work goes on. @param matching any
void
Prefetch(const Matching& matching)
{
    constexpr std::size_t LINE = 64 / sizeof(RackId);
    for (std::size_t i = 0; i < matching.size(); i += LINE)
    {
        __builtin_prefetch(&matching[i], 1);
    }
}

/**
 * Factor the complete graph with loops into n symmetric matchings at random. See RotorSchedule.
 * @param n number of racks  @param random source of random numbers
 * @return matchings in which a rack without a partner is its own
 */
std::vector<Matching>
FactorComplete(uint32_t n, UniformRandomVariable& random)
{
    const std::vector<RackId> label = RandomOrder(n, random);
    std::vector<Matching> matchings(n, Matching(n));
    for (uint32_t k = 0; k < n; ++k)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            matchings[k][label[i]] = label[(k + n - i) % n];
        }
    }

    // Two matchings, and a rack whose component is to be swapped.
    struct Round
    {
        Matching* a;
        Matching* b;
        RackId first;
    };

    const auto draw = [&]
    {
        Round round{&matchings[random.GetInteger(0, n - 1)], nullptr, 0};
        round.b = &matchings[random.GetInteger(0, n - 1)];
        if (round.a != round.b)
        {
            round.first = random.GetInteger(0, n - 1);
            Prefetch(*round.a);
            Prefetch(*round.b);
        }
        return round;
    };
    // After 8 rounds a matching, the union of two has as many components as after n.
    const uint32_t rounds = std::min(n * std::min(n, MAX_ROUNDS), MAX_ALL_ROUNDS);
    Round next = draw();
    for (uint32_t i = 0; i < rounds; ++i)
    {
        const Round round = std::exchange(next, i + 1 < rounds ? draw() : Round{});
        if (round.a != round.b)
        {
            SwapComponent(*round.a, *round.b, round.first);
        }
    }
    Shuffle(matchings, random);
    return matchings;
}

/// Deal the matchings of FactorComplete() out to planes. @param racks number of racks
/// @param planes number of planes  @param random source of random numbers
/// @return matchings by plane  @throws OdcnError when racks is no multiple of planes
std::vector<std::vector<Matching>>
Deal(uint32_t racks, uint32_t planes, UniformRandomVariable& random)
{
    if (racks % planes != 0)
    {
        throw OdcnError::InOption("racks of a rotor schedule",
                                  std::to_string(racks),
                                  "a multiple of the planes, " + std::to_string(planes));
    }
    std::vector<std::vector<Matching>> dealt(planes);
    const std::vector<Matching> matchings = FactorComplete(racks, random);
    for (uint32_t k = 0; k < racks; ++k)
    {
        Matching to = matchings[k];
        for (RackId i = 0; i < racks; ++i)
        {
            if (to[i] == i)
            {
                to[i] = NO_RACK;
            }
        }
        dealt[k % planes].push_back(std::move(to));
    }
    return dealt;
}

/// @param matchings circuits of several planes, each of which is a permutation or symmetric, so
/// that what a rack reaches also reaches it
/// @return whether each rack reaches all others
bool
Connected(const std::vector<const Matching*>& matchings)
{
    const std::size_t n = matchings.at(0)->size();
    std::vector<RackId> reached{0};
    reached.reserve(n);
    std::vector<uint8_t> seen(n, 0);
    seen[0] = 1;
    for (std::size_t i = 0; i < reached.size() && reached.size() < n; ++i)
    {
        for (const Matching* matching : matchings)
        {
            const RackId to = (*matching)[reached[i]];
            if (to != NO_RACK && !seen[to])
            {
                seen[to] = 1;
                reached.push_back(to);
            }
        }
    }
    return reached.size() == n;
}

/// Find a receiver for a sender by an augmenting path, as Kuhn's algorithm does.
/// @param from sender  @param allowed [from]: possible receivers in order of preference
/// @param [in,out] sender [to]: its sender or NO_RACK  @param [in,out] seen receivers tried
/// @return whether one was found
bool
Augment(RackId from,
        const std::vector<std::vector<RackId>>& allowed,
        std::vector<RackId>& sender,
        std::vector<bool>& seen)
{
    for (const RackId to : allowed[from])
    {
        if (!seen[to])
        {
            seen[to] = true;
            if (sender[to] == NO_RACK || Augment(sender[to], allowed, sender, seen))
            {
                sender[to] = from;
                return true;
            }
        }
    }
    return false;
}

/// @param racks number of racks  @param planes number of planes  @param slot time of each slot
/// @return the planes of RoundRobinSchedule
std::vector<CircuitSchedule::Plane>
CyclicShifts(uint32_t racks, uint32_t planes, Time slot)
{
    const uint32_t shifts = racks - 1;
    std::vector<CircuitSchedule::Plane> built(planes);
    for (uint32_t p = 0; p < planes; ++p)
    {
        const auto first = static_cast<uint32_t>(uint64_t(p) * shifts / planes);
        for (uint32_t k = 0; k < shifts; ++k)
        {
            const uint32_t shift = 1 + (first + k) % shifts;
            Matching to(racks);
            for (RackId i = 0; i < racks; ++i)
            {
                to[i] = (i + shift) % racks;
            }
            built[p].slots.push_back({slot, to});
        }
    }
    return built;
}

} // namespace

TypeId
RoundRobinSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<RoundRobinSchedule, CircuitSchedule>("ns3::odcn::RoundRobinSchedule"),
                 MicroSeconds(100),
                 MicroSeconds(10));
    return tid;
}

std::vector<CircuitSchedule::Plane>
RoundRobinSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    return CyclicShifts(racks, planes, GetSlot());
}

TypeId
SiriusSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<SiriusSchedule, CircuitSchedule>("ns3::odcn::SiriusSchedule"),
                 NanoSeconds(100),
                 NanoSeconds(10));
    return tid;
}

std::vector<CircuitSchedule::Plane>
SiriusSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    return CyclicShifts(racks, planes, GetSlot());
}

TypeId
RotorSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<RotorSchedule, CircuitSchedule>("ns3::odcn::RotorSchedule"),
                 MicroSeconds(100),
                 MicroSeconds(10));
    return tid;
}

std::vector<CircuitSchedule::Plane>
RotorSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    std::vector<Plane> built;
    for (const std::vector<Matching>& matchings : Deal(racks, planes, GetRandom()))
    {
        Plane plane;
        for (const Matching& to : matchings)
        {
            plane.slots.push_back({GetSlot(), to});
        }
        built.push_back(plane);
    }
    return built;
}

TypeId
OperaSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<OperaSchedule, CircuitSchedule>("ns3::odcn::OperaSchedule"),
                 MicroSeconds(600),
                 MicroSeconds(10));
    return tid;
}

std::vector<CircuitSchedule::Plane>
OperaSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    if (planes < 2)
    {
        throw OdcnError::InOption("planes of an Opera schedule",
                                  std::to_string(planes),
                                  "2 or more: one of them is dark at times");
    }
    if (GetReconfigurationTime().GetTimeStep() > GetSlot().GetTimeStep() / planes)
    {
        throw OdcnError::InOption("ReconfigurationTime of an Opera schedule",
                                  std::to_string(GetReconfigurationTime().GetPicoSeconds()) + " ps",
                                  "at most Slot / planes, " +
                                      std::to_string(GetSlot().GetPicoSeconds() / planes) +
                                      " ps: one plane is dark at a time");
    }
    for (uint32_t draw = 0; draw < MAX_DRAWS; ++draw)
    {
        const auto dealt = Deal(racks, planes, GetRandom());
        const uint32_t steps = racks; // of a period, in each of which one plane changes
        bool connected = true;
        for (uint32_t step = 0; connected && step < steps; ++step)
        {
            std::vector<const Matching*> up;
            for (uint32_t p = 0; p < planes; ++p)
            {
                if (step % planes != p)
                {
                    const uint32_t slots = racks / planes;
                    const uint32_t held = step < p ? slots - 1 : (step - p) / planes % slots;
                    up.push_back(&dealt[p][held]);
                }
            }
            connected = Connected(up);
        }
        if (!connected)
        {
            continue;
        }
        std::vector<Plane> built;
        for (uint32_t p = 0; p < planes; ++p)
        {
            Plane plane;
            plane.offset = TimeStep(GetSlot().GetTimeStep() * p / planes);
            for (const Matching& to : dealt[p])
            {
                plane.slots.push_back({GetSlot(), to});
            }
            built.push_back(plane);
        }
        return built;
    }
    throw OdcnError::InOption("Opera schedule",
                              std::to_string(racks) + " racks, " + std::to_string(planes) +
                                  " planes",
                              "more planes: without the one that changes, racks are not connected");
}

TypeId
ExpanderSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<ExpanderSchedule, CircuitSchedule>("ns3::odcn::ExpanderSchedule"),
                 MicroSeconds(100),
                 MicroSeconds(10));
    return tid;
}

std::vector<CircuitSchedule::Plane>
ExpanderSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    if (planes >= racks)
    {
        throw OdcnError::InOption("planes of an expander",
                                  std::to_string(planes),
                                  "less than racks, " + std::to_string(racks));
    }
    for (uint32_t draw = 0; draw < MAX_DRAWS; ++draw)
    {
        std::vector<std::vector<bool>> used(racks, std::vector<bool>(racks, false));
        std::vector<Matching> matchings;
        while (matchings.size() < planes)
        {
            std::vector<std::vector<RackId>> allowed(racks);
            for (RackId i = 0; i < racks; ++i)
            {
                for (const RackId j : RandomOrder(racks, GetRandom()))
                {
                    if (i != j && !used[i][j])
                    {
                        allowed[i].push_back(j);
                    }
                }
            }
            // What is left is a regular bipartite graph, so a perfect matching exists.
            std::vector<RackId> sender(racks, NO_RACK);
            for (const RackId i : RandomOrder(racks, GetRandom()))
            {
                std::vector<bool> seen(racks, false);
                Augment(i, allowed, sender, seen);
            }
            Matching to(racks);
            for (RackId j = 0; j < racks; ++j)
            {
                to.at(sender[j]) = j;
                used[sender[j]][j] = true;
            }
            matchings.push_back(to);
        }
        std::vector<const Matching*> up;
        std::vector<Plane> built;
        for (const Matching& to : matchings)
        {
            up.push_back(&to);
            built.push_back({Time(0), {{GetSlot(), to}}});
        }
        if (Connected(up))
        {
            return built;
        }
    }
    throw OdcnError::InOption("expander",
                              std::to_string(racks) + " racks, " + std::to_string(planes) +
                                  " planes",
                              "more planes: racks are not connected");
}

TypeId
FileSchedule::GetTypeId()
{
    using T = FileSchedule;
    static TypeId tid = TypeIdOf<FileSchedule, CircuitSchedule>("ns3::odcn::FileSchedule")
                            .Add(Attribute("File", &T::m_file, ""), "File name of the schedule");
    return tid;
}

namespace
{

/// @param ns nanoseconds with up to three decimals, as AppendDecimal() writes them
/// @return picoseconds
std::optional<uint64_t>
ParsePicoseconds(std::string_view ns)
{
    const std::size_t point = std::min(ns.find('.'), ns.size());
    const std::string_view decimals = ns.substr(std::min(point + 1, ns.size()));
    std::string digits = std::string(ns.substr(0, point)).append(decimals);
    if (digits.empty() || decimals.size() > 3)
    {
        return std::nullopt;
    }
    return ParseCount(digits.append(3 - decimals.size(), '0'));
}

/// @param rows a file  @param column of its row  @param least smallest value, ps
/// @param what the time, for error messages  @return the time
Time
ReadTime(const RowReader& rows, std::size_t column, uint64_t least, const std::string& what)
{
    constexpr uint64_t MOST = 1000000000000000000; // ps; eleven days
    const std::string expected = what + " in ns, with three decimals at most";
    const auto exact = ParsePicoseconds(rows[column]);
    const uint64_t picoseconds =
        exact ? *exact : 1000 * rows.Count(column, 0, MOST / 1000, expected.c_str());
    if (picoseconds < least || picoseconds > MOST)
    {
        rows.RefuseField(column, expected);
    }
    const Time time = PicoSeconds(picoseconds);
    if (static_cast<uint64_t>(time.GetPicoSeconds()) != picoseconds)
    {
        rows.RefuseField(column, what + " that the resolution of ns3::Time can hold");
    }
    return time;
}

} // namespace

std::vector<CircuitSchedule::Plane>
FileSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    RowReader rows(m_file, RowReader::BLANKS);
    const std::string expected = "racks " + std::to_string(racks) + " planes " +
                                 std::to_string(planes) + " dark NANOSECONDS";
    if (!rows.NextRow() || rows.GetWidth() != 6 || rows[0] != "racks" || rows[2] != "planes" ||
        rows[4] != "dark" || rows[1] != std::to_string(racks) || rows[3] != std::to_string(planes))
    {
        rows.Refuse(rows.GetLine(), expected);
    }
    const Time dark = ReadTime(rows, 5, 0, "a dark time");
    std::vector<Plane> built;
    while (rows.NextRow())
    {
        if (rows[0] == "plane")
        {
            if (rows.GetWidth() != 4 || rows[1] != std::to_string(built.size()) ||
                rows[2] != "offset")
            {
                rows.Refuse(rows.GetLine(),
                            "plane " + std::to_string(built.size()) + " offset NANOSECONDS");
            }
            built.push_back({ReadTime(rows, 3, 0, "an offset"), {}});
            continue;
        }
        if (built.empty())
        {
            rows.Refuse(rows.GetLine(), "plane 0 offset NANOSECONDS");
        }
        rows.CheckWidth(racks + 1, "a duration in ns and " + std::to_string(racks) + " receivers");
        const Time duration = ReadTime(rows, 0, 1, "a duration");
        Matching to(racks, NO_RACK);
        for (RackId i = 0; i < racks; ++i)
        {
            if (rows[i + 1] != "-")
            {
                to[i] = static_cast<RackId>(rows.Count(i + 1, 0, racks - 1, "a rack or -"));
            }
        }
        built.back().slots.push_back({duration, to});
    }
    if (built.size() != planes)
    {
        rows.Refuse("end of file", "plane " + std::to_string(built.size()));
    }
    SetReconfigurationTime(dark);
    return built;
}

TypeId
ExplicitSchedule::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeIdOf<ExplicitSchedule, CircuitSchedule>("ns3::odcn::ExplicitSchedule"),
                 MilliSeconds(1),
                 MicroSeconds(10));
    return tid;
}

void
ExplicitSchedule::SetPlanes(const std::vector<Matching>& planes)
{
    m_matchings = planes;
    m_planes.clear();
}

void
ExplicitSchedule::SetPlanes(std::vector<Plane> planes)
{
    m_planes = std::move(planes);
}

std::vector<Matching>
ExplicitSchedule::MakeShifts(uint32_t racks, uint32_t planes)
{
    std::vector<Matching> matchings(planes, Matching(racks));
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        for (RackId rack = 0; rack < racks; ++rack)
        {
            matchings[plane][rack] = (rack + 1 + plane % (racks - 1)) % racks;
        }
    }
    return matchings;
}

std::vector<CircuitSchedule::Plane>
ExplicitSchedule::DoBuild(uint32_t, uint32_t planes)
{
    std::vector<Plane> built = m_planes;
    const std::size_t given = built.empty() ? m_matchings.size() : built.size();
    if (given != planes)
    {
        throw OdcnError::InOption("matchings of a schedule",
                                  std::to_string(given),
                                  std::to_string(planes) + ", one for each plane");
    }
    if (!built.empty())
    {
        return built;
    }
    for (const Matching& to : m_matchings)
    {
        built.push_back({Time(0), {{GetSlot(), to}}});
    }
    return built;
}

} // namespace ns3::odcn
