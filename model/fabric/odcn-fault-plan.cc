// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-plan.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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
    enum Column
    {
        PART,
        INDEX,
        START,
        END,
        CAUSE,
    };

    RowReader reader(path);
    reader.ReadHeader({"part", "index", "start_us", "end_us", "cause"});
    FaultPlan plan;
    std::vector<std::string_view> numbers;
    while (reader.NextRow())
    {
        reader.CheckWidth();
        const auto part = FindPart(reader[PART]);
        if (!part)
        {
            reader.Refuse(reader[PART], "in column part one of " + GetNames());
        }
        Fault fault;
        fault.part = *part;
        SplitText(reader[INDEX], ':', numbers);
        const std::size_t wanted = FaultPartHasTwo(*part) ? 2 : 1;
        for (std::size_t i = 0; i < std::max(wanted, numbers.size()); ++i)
        {
            const auto number =
                i < numbers.size() && i < wanted ? ParseCount(numbers[i]) : std::nullopt;
            if (!number || *number > MAX_INDEX)
            {
                reader.Refuse(reader[INDEX],
                              std::string("in column index ") +
                                  (wanted == 2 ? "two numbers, as 3:1" : "a number") + ", for " +
                                  FaultPartName(*part));
            }
            (i == 0 ? fault.first : fault.second) = static_cast<uint32_t>(*number);
        }
        double start = 0;
        std::optional<double> end;
        reader.Read(START, {0, MAX_US, nullptr}, start);
        reader.ReadIfAny(END, {0, MAX_US, nullptr}, end);
        fault.start = Micro(start);
        fault.end = end ? Micro(*end) : Time::Max();
        if (fault.end <= fault.start)
        {
            reader.Refuse(reader[END], "in column end_us a time after start_us, or nothing");
        }
        const std::string_view cause = reader[CAUSE];
        if (cause.size() > MAX_CAUSE)
        {
            reader.Refuse(cause,
                          "in column cause at most " + std::to_string(MAX_CAUSE) + " characters");
        }
        fault.cause = cause;
        if (plan.m_faults.size() >= MAX_FAULTS)
        {
            reader.Refuse(reader.GetLine(), "at most " + std::to_string(MAX_FAULTS) + " faults");
        }
        plan.Add(fault);
    }
    return plan;
}

void
FaultPlan::Write(const std::string& path) const
{
    AtomicFile file(path);
    file.Stream() << "part,index,start_us,end_us,cause\n";
    std::string line;
    for (const Fault& fault : m_faults)
    {
        line = std::string(FaultPartName(fault.part)) + ',' + fault.GetIndex() + ',';
        AppendDecimal(line, fault.start.GetPicoSeconds(), 6);
        line += ',';
        if (fault.end != Time::Max())
        {
            AppendDecimal(line, fault.end.GetPicoSeconds(), 6);
        }
        file.Stream() << line << ',' << fault.cause << '\n';
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

} // namespace ns3::odcn
