// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-workload.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SliceWorkload);

namespace
{

constexpr const char* MIXED = "mixed"; //!< the word for RFold's shapes

/// @return greatest time of a job, by the resolution of Time
double
GetMostSeconds()
{
    return std::min(1e9, Time::Max().GetSeconds() / 2);
}

/// @param rows at a row
/// @param first column of topology, sides and number of chips
/// @return the shape
SliceShape
ReadShape(const RowReader& rows, std::size_t first)
{
    if (rows[first] != "T3D_NT" && rows[first] != "T3D_T")
    {
        rows.RefuseField(first, "T3D_NT or T3D_T, a torus of three dimensions");
    }
    SliceShape shape;
    try
    {
        shape = SliceShape::Parse("sides", std::string(rows[first + 1]));
    }
    catch (const OdcnError&)
    {
        rows.RefuseField(first + 1, "three sides in chips such as 4x4x8");
    }
    const uint64_t chips = rows.Count(first + 2, 1, UINT32_MAX);
    if (chips != shape.GetNChips())
    {
        rows.RefuseField(first + 2, std::to_string(shape.GetNChips()) + ", as the sides say");
    }
    return shape;
}

/// @param text a word for a file of the project, or a file name
/// @param words words and files
/// @return the path
std::string
FindSliceFile(const std::string& text, const std::map<std::string, std::string>& words)
{
    const auto found = words.find(text);
    return found == words.end() ? text : GetDataFile("pod/" + found->second);
}

/// @param shares of values, in order
/// @param values numbers
/// @return the distribution
Ptr<EmpiricalRandomVariable>
MakeDistribution(const std::vector<double>& shares, const std::vector<double>& values)
{
    double sum = 0;
    for (const double share : shares)
    {
        sum += share;
    }
    auto variable = CreateObject<EmpiricalRandomVariable>();
    double below = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        below += shares[i];
        // Exactly 1 at last, and for shares of 0 behind it.
        variable->CDF(values[i], i + 1 == shares.size() ? 1 : std::min(below / sum, 1.0));
    }
    return variable;
}

} // namespace

std::vector<SliceJob>
ReadSliceJobs(const std::string& path)
{
    RowReader rows(path);
    rows.SetComments(true);
    rows.SetColumns({"id", "arrival", "topology", "sides", "chips", "duration"});
    std::vector<SliceJob> jobs;
    while (rows.NextRow())
    {
        rows.CheckWidth();
        const Time arrival = Seconds(rows.Number(1, {0, GetMostSeconds()}));
        if (!jobs.empty() && arrival < jobs.back().arrival)
        {
            rows.RefuseField(1, "no less than in the row above");
        }
        const Time duration = Seconds(rows.Number(5, {0, GetMostSeconds()}));
        if (!duration.IsStrictlyPositive())
        {
            rows.RefuseField(5, "seconds, above 0");
        }
        jobs.push_back({rows.Count(0, 0, UINT64_MAX), arrival, ReadShape(rows, 2), duration});
    }
    if (jobs.empty())
    {
        rows.Refuse("", "a job");
    }
    return jobs;
}

TypeId
SliceWorkload::GetTypeId()
{
    using T = SliceWorkload;
    static TypeId tid =
        TypeIdOf<SliceWorkload, Object>("ns3::odcn::SliceWorkload")
            .Add(Attribute("Intervals", &T::m_intervalFile, "tpu"),
                 "Times between arrivals: tpu, rfold (15 an hour), or a file")
            .Add(Attribute("Shapes", &T::m_shapeFile, "tpu"),
                 "Shapes of slices: tpu (Jouppi et al., ISCA 2023), mixed as in RFold's paper, or "
                 "a file")
            .Add(Attribute("Durations", &T::m_durationFile, "philly"),
                 "Durations of jobs: philly, or a file")
            .Add(Attribute("Stretch", &T::m_stretch, 1.0, 1e-6, 1e6),
                 "Factor of the times between arrivals")
            .Add(Attribute("Longest", &T::m_longest, Time(0), Time(0)),
                 "Longest duration of a job, to which longer ones are cut; 0 for none");
    return tid;
}

SliceWorkload::SliceWorkload()
    : m_shape(CreateObject<UniformRandomVariable>()),
      m_duration(CreateObject<UniformRandomVariable>())
{
}

void
SliceWorkload::DoDispose()
{
    m_interval = nullptr;
    m_kind = nullptr;
    m_shape = nullptr;
    m_duration = nullptr;
    Object::DoDispose();
}

int64_t
SliceWorkload::AssignStreams(int64_t stream)
{
    m_stream = stream;
    m_shape->SetStream(stream + 2);
    m_duration->SetStream(stream + 3);
    m_interval = nullptr; // made with its stream when the files are read
    return 4;
}

void
SliceWorkload::Read()
{
    if (m_interval)
    {
        return;
    }
    std::vector<double> shares;
    std::vector<double> intervals;
    RowReader intervalRows(
        FindSliceFile(m_intervalFile, {{"tpu", "tpu_arrival_time.csv"}, {"rfold", "iat15.csv"}}));
    intervalRows.SetComments(true);
    intervalRows.SetColumns({"seconds", "share"});
    while (intervalRows.NextRow())
    {
        intervalRows.CheckWidth();
        intervals.push_back(std::round(intervalRows.Number(0, {0, GetMostSeconds()})));
        shares.push_back(intervalRows.Number(1, {1e-9, 1e9}));
    }
    if (intervals.empty())
    {
        intervalRows.Refuse("", "a time between arrivals");
    }
    // Of a distribution in order of its values.
    std::vector<std::size_t> order(intervals.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        order[i] = i;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return intervals[i]; });
    std::vector<double> sortedShares;
    std::vector<double> sortedIntervals;
    for (const std::size_t i : order)
    {
        if (!sortedIntervals.empty() && sortedIntervals.back() == intervals[i])
        {
            sortedShares.back() += shares[i];
            continue;
        }
        sortedShares.push_back(shares[i]);
        sortedIntervals.push_back(intervals[i]);
    }
    std::vector<Kind> kinds;
    Ptr<EmpiricalRandomVariable> kind;
    if (m_shapeFile != MIXED)
    {
        std::vector<double> kindShares;
        std::vector<double> numbers;
        RowReader rows(FindSliceFile(m_shapeFile, {{"tpu", "tpu_job_size.csv"}}));
        rows.SetComments(true);
        rows.SetColumns({"id", "topology", "sides", "chips", "duration", "share"});
        while (rows.NextRow())
        {
            rows.CheckWidth();
            kinds.push_back({ReadShape(rows, 1), rows.Number(4, {0, GetMostSeconds()})});
            numbers.push_back(double(numbers.size()));
            kindShares.push_back(rows.Number(5, {1e-9, 1e9}));
        }
        if (kinds.empty())
        {
            rows.Refuse("", "a shape");
        }
        kind = MakeDistribution(kindShares, numbers);
    }
    std::vector<double> durations;
    RowReader rows(FindSliceFile(m_durationFile, {{"philly", "philly-durations.csv"}}));
    rows.SetComments(true);
    rows.SetColumns({"seconds"});
    while (rows.NextRow())
    {
        rows.CheckWidth();
        const double seconds = rows.Number(0, {1e-6, GetMostSeconds()});
        durations.push_back(m_longest.IsZero() ? seconds
                                               : std::min(seconds, m_longest.GetSeconds()));
    }
    if (durations.empty())
    {
        rows.Refuse("", "a duration");
    }
    m_durations = durations;
    m_kinds = kinds;
    m_kind = kind;
    m_interval = MakeDistribution(sortedShares, sortedIntervals);
    if (m_stream >= 0)
    {
        m_interval->SetStream(m_stream);
        if (m_kind)
        {
            m_kind->SetStream(m_stream + 1);
        }
    }
}

SliceWorkload::Mixed
SliceWorkload::MakeMixed(const SliceLedger& ledger)
{
    constexpr uint32_t LONGEST_ROW = 256;
    const uint32_t longest = ledger.GetNCubes() * ledger.GetSide();
    const auto fits = [&](const SliceShape& shape)
    {
        uint64_t cubes = 1;
        for (const uint32_t length : shape.sides)
        {
            cubes *= (length + ledger.GetSide() - 1) / ledger.GetSide();
        }
        return cubes <= ledger.GetNCubes() && shape.sides[2] <= longest;
    };
    Mixed mixed;
    mixed[1][0] = {SliceShape{{1, 1, 1}}};
    mixed[2][0] = {SliceShape{{2, 1, 1}}};
    for (uint32_t chips = 4; chips <= ledger.GetNChips(); chips += 2)
    {
        auto& shapes = mixed[chips];
        if (chips <= LONGEST_ROW)
        {
            shapes[0] = {SliceShape{{chips, 1, 1}}};
        }
        // Even sides only; a sheet has its third side, of 1, at last.
        for (uint32_t x = 2; x * x <= chips; x += 2)
        {
            if (chips % x != 0)
            {
                continue;
            }
            const uint32_t rest = chips / x;
            if (rest % 2 == 0 && fits({{1, x, rest}}))
            {
                shapes[1].push_back({{x, rest, 1}});
            }
            for (uint32_t y = x; y * y <= rest; y += 2)
            {
                if (rest % y == 0 && rest / y % 2 == 0 && fits({{x, y, rest / y}}))
                {
                    shapes[2].push_back({{x, y, rest / y}});
                }
            }
        }
        if (shapes[0].empty() && shapes[1].empty() && shapes[2].empty())
        {
            mixed.erase(chips);
        }
    }
    return mixed;
}

SliceShape
SliceWorkload::DrawMixed(const Mixed& mixed, const std::vector<uint32_t>& sizes)
{
    constexpr double SCALES = 4; // length of the distribution of sizes
    const double scale = double(sizes.size()) / SCALES;
    const double drawn = -scale * std::log1p(-m_shape->GetValue(0, 1) * -std::expm1(-SCALES));
    const uint32_t chips = sizes[std::min(static_cast<std::size_t>(drawn), sizes.size() - 1)];
    const auto& shapes = mixed.at(chips);
    // Shares of fewer and of more sides above 1.
    const std::size_t fewer = chips <= 256 ? 0 : 1;
    const double share = chips <= 1024 ? 0.8 : 0.2;
    const bool isMore = m_shape->GetValue(0, 1) >= share;
    std::size_t sides = fewer + isMore;
    if (shapes[sides].empty())
    {
        sides = fewer + !isMore;
    }
    const auto& all = shapes[sides];
    return all[m_shape->GetInteger(0, static_cast<uint32_t>(all.size() - 1))];
}

std::vector<SliceJob>
SliceWorkload::Generate(uint32_t jobs, const SliceLedger& ledger)
{
    Read();
    Mixed mixed;
    std::vector<uint32_t> sizes;
    if (!m_kind)
    {
        mixed = MakeMixed(ledger);
        for (const auto& [chips, shapes] : mixed)
        {
            sizes.push_back(chips);
        }
    }
    std::vector<SliceJob> all;
    double arrival = 0;
    for (uint32_t id = 0; id < jobs; ++id)
    {
        Kind kind{};
        if (m_kind)
        {
            kind = m_kinds[static_cast<std::size_t>(m_kind->GetValue())];
        }
        else
        {
            kind.shape = DrawMixed(mixed, sizes);
        }
        const auto last = static_cast<uint32_t>(m_durations.size() - 1);
        const double duration =
            kind.duration > 0 ? kind.duration : m_durations[m_duration->GetInteger(0, last)];
        if (arrival > GetMostSeconds())
        {
            throw OdcnError("job " + std::to_string(id) + ": found an arrival after " +
                            FormatNumber(arrival) + " s, expected at most " +
                            FormatNumber(GetMostSeconds()) +
                            " s; a coarser Time::SetResolution() allows more");
        }
        all.push_back({id, Seconds(arrival), kind.shape, Seconds(duration)});
        arrival += m_interval->GetValue() * m_stretch;
    }
    return all;
}

} // namespace ns3::odcn
