// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-plan.h"

#include "ns3/odcn-csv-table.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Names by FaultPart, and how many numbers an index has.
constexpr std::array<std::pair<const char*, uint32_t>, FAULT_PARTS> PARTS{{
    {"ocs", 1},
    {"ocs-port", 2},
    {"mirror", 2},
    {"circuit", 2},
    {"uplink", 2},
    {"fiber", 2},
    {"tor", 1},
    {"server", 2},
    {"link", 1},
    {"node", 1},
    {"transponder", 2},
    {"controller", 1},
    {"partition", 1},
    {"lost-commands", 1},
    {"late-commands", 1},
}};

/// Greatest number of an index.
constexpr uint64_t MAX_INDEX = 9999999;
/// Latest time, us; Time holds 9.2e12 at picoseconds.
constexpr double MAX_US = 9e12;
/// Longest cause, characters.
constexpr std::size_t MAX_CAUSE = 64;

/// @param text name of a part  @return the part, if any
std::optional<FaultPart>
FindPart(std::string_view text)
{
    const auto found =
        std::find_if(PARTS.begin(), PARTS.end(), [&](const auto& p) { return p.first == text; });
    return found == PARTS.end() ? std::nullopt
                                : std::optional(static_cast<FaultPart>(found - PARTS.begin()));
}

/// @return the names of all kinds
std::string
GetNames()
{
    std::string names;
    for (const auto& [name, numbers] : PARTS)
    {
        names += std::string(names.empty() ? "" : ", ") + name;
    }
    return names;
}

/// @param us microseconds  @return the time
Time
Micro(double us)
{
    return PicoSeconds(std::llround(us * 1e6));
}

/// @param mean of the distribution  @return a sample, whole picoseconds, above 0
Time
Draw(ExponentialRandomVariable& random, Time mean)
{
    const double ps = random.GetValue() * mean.GetSeconds() * 1e12;
    return PicoSeconds(std::llround(std::clamp(ps, 1.0, 9e18)));
}

/// Read the field part. @param rows row  @param column its column  @param [out] fault gets the part
void
ReadPart(const RowReader& rows, std::size_t column, Fault& fault, const Fault*)
{
    const auto part = FindPart(rows[column]);
    if (!part)
    {
        rows.RefuseField(column, "one of " + GetNames());
    }
    fault = {};
    fault.part = *part;
}

/// Read the field index. @param rows row  @param column its column  @param [in,out] fault fault
/// with its part
void
ReadIndex(const RowReader& rows, std::size_t column, Fault& fault, const Fault*)
{
    std::vector<std::string_view> numbers;
    SplitText(rows[column], ':', numbers);
    const bool two = FaultPartHasTwo(fault.part);
    for (std::size_t i = 0; i < std::max(two ? std::size_t{2} : 1, numbers.size()); ++i)
    {
        const auto number = numbers.size() == (two ? 2 : 1) ? ParseCount(numbers[i]) : std::nullopt;
        if (!number || *number > MAX_INDEX)
        {
            rows.RefuseField(column,
                             std::string(two ? "two numbers, as 3:1" : "a number") + ", for " +
                                 FaultPartName(fault.part));
        }
        (i == 0 ? fault.first : fault.second) = static_cast<uint32_t>(*number);
    }
}

/// Read the field end_us. @param rows row  @param column its column  @param [in,out] fault fault
/// with its start
void
ReadEnd(const RowReader& rows, std::size_t column, Fault& fault, const Fault*)
{
    const auto end = rows.NumberIfAny(column, {0, MAX_US});
    fault.end = end ? Micro(*end) : Time::Max();
    if (fault.end <= fault.start)
    {
        rows.RefuseField(column, "a time after start_us, or nothing");
    }
}

/// Read the field cause. @param rows row  @param column its column  @param [out] fault gets it
void
ReadCause(const RowReader& rows, std::size_t column, Fault& fault, const Fault*)
{
    fault.cause = rows[column];
    if (fault.cause.size() > MAX_CAUSE)
    {
        rows.RefuseField(column, "at most " + std::to_string(MAX_CAUSE) + " characters");
    }
}

/// Write the field cause.
/// @param [in,out] text text to append to
/// @param fault a fault
void
WriteCause(std::string& text, const Fault& fault)
{
    const bool isQuoted = fault.cause.find_first_of(",\"") != std::string::npos;
    text.append(isQuoted ? 1 : 0, '"');
    for (const char c : fault.cause)
    {
        text.append(c == '"' ? 2 : 1, c);
    }
    text.append(isQuoted ? 1 : 0, '"');
}

/// @param [in,out] text text to append to  @param time a time; nothing for the end of time
void
AppendMicro(std::string& text, Time time)
{
    if (time != Time::Max())
    {
        AppendDecimal(text, time.GetPicoSeconds(), 6);
    }
}

/// The form of a fault file.
const CsvTable<Fault> FAULT_TABLE{
    "",
    {{"part", ReadPart, [](auto& text, auto& fault) { text += FaultPartName(fault.part); }},
     {"index", ReadIndex, [](auto& text, auto& fault) { text += fault.GetIndex(); }},
     {"start_us",
      [](auto& rows, auto column, auto& fault, auto*) {
          fault.start = Micro(rows.Number(column, {0, MAX_US}));
      },
      [](auto& text, auto& fault) { AppendMicro(text, fault.start); }},
     {"end_us", ReadEnd, [](auto& text, auto& fault) { AppendMicro(text, fault.end); }},
     {"cause", ReadCause, WriteCause}}};

} // namespace

const char*
FaultPartName(FaultPart part)
{
    return PARTS[static_cast<std::size_t>(part)].first;
}

bool
FaultPartHasTwo(FaultPart part)
{
    return PARTS[static_cast<std::size_t>(part)].second == 2;
}

std::string
Fault::GetIndex() const
{
    return std::to_string(first) + (FaultPartHasTwo(part) ? ":" + std::to_string(second) : "");
}

FaultPart
FaultPlan::ParsePart(const std::string& option, std::string_view text)
{
    const auto part = FindPart(text);
    if (!part)
    {
        throw OdcnError::InOption(option, std::string(text), "one of " + GetNames());
    }
    return *part;
}

FaultPlan
FaultPlan::Read(const std::string& path)
{
    CsvTableReader<Fault> reader(path, FAULT_TABLE);
    FaultPlan plan;
    for (Fault fault{}; reader.Next(fault);)
    {
        if (plan.m_faults.size() >= MAX_FAULTS)
        {
            reader.GetRows().Refuse(reader.GetRows().GetLine(),
                                    "at most " + std::to_string(MAX_FAULTS) + " faults");
        }
        plan.Add(fault);
    }
    return plan;
}

void
FaultPlan::Write(const std::string& path) const
{
    CsvTableWriter<Fault> file(path, FAULT_TABLE);
    for (const Fault& fault : m_faults)
    {
        file.Write(fault);
    }
    file.Commit();
}

void
FaultPlan::Add(const Fault& fault)
{
    if (fault.start.IsStrictlyNegative() || fault.end <= fault.start ||
        m_faults.size() >= MAX_FAULTS)
    {
        throw OdcnError::InOption("fault of " + std::string(FaultPartName(fault.part)) + " " +
                                      fault.GetIndex(),
                                  "number " + std::to_string(m_faults.size()),
                                  "an end after a start of 0 or later, and at most " +
                                      std::to_string(MAX_FAULTS) + " faults");
    }
    m_faults.push_back(fault);
}

Ptr<const AttributeChecker>
FaultPlan::MakeAfterFailureChecker()
{
    return MakeEnumChecker(END, "End", REPLACE, "Replace", RESTART, "Restart");
}

void
FaultPlan::Check(const std::function<FaultSizes(FaultPart)>& sizes) const
{
    FaultParts known;
    for (const Fault& fault : m_faults)
    {
        const auto [found, isNew] = known.try_emplace(fault.part);
        if (isNew)
        {
            found->second = sizes(fault.part);
        }
        const FaultSizes& parts = found->second;
        if (fault.first >= parts.size() || fault.second >= parts[fault.first])
        {
            throw OdcnError::InOption(std::string("fault of ") + FaultPartName(fault.part),
                                      fault.GetIndex(),
                                      parts.empty() ? "a kind of part that the network has"
                                      : fault.first >= parts.size()
                                          ? "a first number below " + std::to_string(parts.size())
                                          : "a second number below " +
                                                std::to_string(parts[fault.first]));
        }
    }
}

void
FaultPlan::Sample(FaultPart part,
                  const FaultSizes& sizes,
                  Time mtbf,
                  Time mttr,
                  Time until,
                  int64_t stream)
{
    if (!mtbf.IsStrictlyPositive() || !mttr.IsStrictlyPositive())
    {
        throw OdcnError::InOption(std::string("MTBF and MTTR of ") + FaultPartName(part),
                                  mtbf.IsStrictlyPositive() ? "an MTTR of 0" : "an MTBF of 0",
                                  "two times above 0");
    }
    Ptr<ExponentialRandomVariable> times = CreateObject<ExponentialRandomVariable>();
    times->SetStream(stream);
    Ptr<UniformRandomVariable> first = CreateObject<UniformRandomVariable>();
    first->SetStream(stream + 1);
    const double working = mtbf.GetSeconds() / (mtbf.GetSeconds() + mttr.GetSeconds());
    for (uint32_t i = 0; i < sizes.size(); ++i)
    {
        for (uint32_t j = 0; j < sizes[i]; ++j)
        {
            // Exponential times have no memory: what is left of the first one is like any other.
            bool up = first->GetValue() < working;
            for (Time now; now < until; up = !up)
            {
                const Time rest = Time::Max() - now;
                const Time next = Draw(*times, up ? mtbf : mttr);
                if (!up)
                {
                    Add({part, i, j, now, next < rest ? now + next : Time::Max(), "random"});
                }
                now = next < rest ? now + next : Time::Max();
            }
        }
    }
}

FaultTimeline::FaultTimeline(const FaultPlan& plan, const FaultParts& parts, Time detection)
    : m_parts(parts)
{
    plan.Check([&](FaultPart part)
               { return parts.contains(part) ? parts.at(part) : FaultSizes(); });

    /// Start or end of a fault.
    struct Edge
    {
        double time;        //!< when, in s
        bool starts;        //!< at equal times starts come first, so that faults join
        const Fault* fault; //!< the fault
    };

    const auto seconds = [](Time time)
    { return time == Time::Max() ? std::numeric_limits<double>::infinity() : time.GetSeconds(); };
    std::vector<Edge> edges;
    for (const Fault& fault : plan.Get())
    {
        edges.push_back({seconds(fault.start), true, &fault});
        edges.push_back({seconds(fault.end), false, &fault});
    }
    std::stable_sort(edges.begin(),
                     edges.end(),
                     [](const Edge& a, const Edge& b)
                     { return a.time != b.time ? a.time < b.time : a.starts && !b.starts; });
    std::map<std::tuple<FaultPart, uint32_t, uint32_t>, std::pair<uint32_t, double>> down;
    for (const Edge& edge : edges)
    {
        const Fault& fault = *edge.fault;
        auto& [count, since] = down[{fault.part, fault.first, fault.second}];
        count += edge.starts ? 1 : -1;
        if (count == (edge.starts ? 1U : 0U))
        {
            if (edge.starts)
            {
                since = edge.time;
            }
            else
            {
                m_outages.push_back({fault.part, fault.first, fault.second, since, edge.time});
            }
            const double told = edge.time > 0 ? edge.time + detection.GetSeconds() : 0;
            if (told < std::numeric_limits<double>::infinity())
            {
                m_changes.push_back({told, fault.part, fault.first, fault.second, edge.starts});
            }
        }
    }
}

double
FaultTimeline::GetAvailability(double until) const
{
    std::array<double, FAULT_PARTS> down{};
    for (const Outage& outage : m_outages)
    {
        down[static_cast<std::size_t>(outage.part)] +=
            std::max(0.0, std::min(outage.to, until) - outage.from);
    }
    double least = 1;
    for (const auto& [part, sizes] : m_parts)
    {
        const double parts = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        const double all = parts * until;
        least = std::min(least, all > 0 ? 1 - down[static_cast<std::size_t>(part)] / all : 1);
    }
    return least;
}

std::set<std::tuple<FaultPart, uint32_t, uint32_t>>
FaultTimeline::GetFailed(double time) const
{
    std::set<std::tuple<FaultPart, uint32_t, uint32_t>> failed;
    for (const Outage& outage : m_outages)
    {
        if (outage.from <= time && time < outage.to)
        {
            failed.emplace(outage.part, outage.first, outage.second);
        }
    }
    return failed;
}

} // namespace ns3::odcn
