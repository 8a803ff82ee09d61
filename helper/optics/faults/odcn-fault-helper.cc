// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-helper.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-management-network.h"

#include <set>

namespace ns3::odcn
{

namespace
{

/// @param option name  @param text PART=TIME, ...  @return times by part
std::map<FaultPart, Time>
ParseTimes(const std::string& option, const std::string& text)
{
    std::map<FaultPart, Time> times;
    if (text.empty())
    {
        return times;
    }
    for (const std::string& item : OdcnCommandLine::SplitList(text, option))
    {
        const std::size_t at = item.find('=');
        if (at == std::string::npos)
        {
            throw OdcnError::InOption("--" + option, item, "PART=TIME, as uplink=20ms");
        }
        const FaultPart part = FaultPlan::ParsePart("--" + option, item.substr(0, at));
        const Time time = OdcnCommandLine::ParseTime(item.substr(at + 1), option);
        if (!time.IsStrictlyPositive() || !times.emplace(part, time).second)
        {
            throw OdcnError::InOption("--" + option, item, "each part once, with a time above 0");
        }
    }
    return times;
}

} // namespace

void
FaultHelper::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Faults");
    cmd.AddValue("faults", "File of faults: part,index,start_us,end_us,cause", m_file);
    cmd.AddValue("mtbf",
                 "Mean times between failures of sampled faults: PART=TIME,..., as uplink=95ms",
                 m_mtbf);
    cmd.AddValue("mttr", "Mean times to repair, of the same parts: uplink=5ms", m_mttr);
    cmd.AddValue("detection", "Time from a failure until control learns of it", m_detection);
    cmd.Restrict({"detection"}, {"faults", "mtbf"});
    cmd.Restrict({"faults", "mtbf"}, {"!train"});
}

void
FaultHelper::Check()
{
    const auto up = ParseTimes("mtbf", m_mtbf);
    const auto down = ParseTimes("mttr", m_mttr);
    m_times.clear();
    for (const auto& [part, time] : up)
    {
        const auto found = down.find(part);
        if (found == down.end())
        {
            throw OdcnError::InOption("--mttr",
                                      m_mttr,
                                      std::string("a time for ") + FaultPartName(part));
        }
        m_times[part] = {time, found->second};
    }
    if (down.size() != up.size())
    {
        throw OdcnError::InOption("--mtbf", m_mtbf, "a time for each part of --mttr=" + m_mttr);
    }
    m_plan = m_file.empty() ? FaultPlan() : FaultPlan::Read(m_file);
}

Ptr<FaultInjector>
FaultHelper::Create() const
{
    return CreateObjectWithAttributes<FaultInjector>("DetectionTime", TimeValue(m_detection));
}

void
FaultHelper::AddController(Ptr<FaultInjector> injector,
                           Ptr<ManagementNetwork> network,
                           const std::function<void(bool)>& setDown)
{
    injector->AddParts(FaultPart::CONTROLLER,
                       {1},
                       [setDown](uint32_t, uint32_t, bool failed) { setDown(failed); });
    // A partition and lost commands may overlap.
    const auto setLost = [injector = PeekPointer(injector), network](FaultPart part, bool failed)
    {
        const FaultPart other =
            part == FaultPart::PARTITION ? FaultPart::LOST_COMMANDS : FaultPart::PARTITION;
        const bool lost = failed || injector->IsDown(other);
        network->SetLost(ManagementNetwork::COMMAND, lost);
        const bool all = part == FaultPart::PARTITION ? failed : injector->IsDown(other);
        for (const auto kind :
             {ManagementNetwork::REQUEST, ManagementNetwork::INQUIRY, ManagementNetwork::REPORT})
        {
            network->SetLost(kind, all);
        }
    };
    for (const FaultPart part : {FaultPart::PARTITION, FaultPart::LOST_COMMANDS})
    {
        injector->AddParts(part,
                           {1},
                           [setLost, part](uint32_t, uint32_t, bool failed)
                           { setLost(part, failed); });
    }
    injector->AddParts(FaultPart::LATE_COMMANDS,
                       {1},
                       [network](uint32_t, uint32_t, bool failed)
                       { network->SetLate(ManagementNetwork::COMMAND, failed); });
}

FaultPlan
FaultHelper::Sample(const std::function<FaultSizes(FaultPart)>& sizesOf,
                    Time until,
                    int64_t stream,
                    bool skipOthers) const
{
    FaultPlan plan;
    for (const Fault& fault : m_plan.Get())
    {
        if (!skipOthers || !sizesOf(fault.part).empty())
        {
            plan.Add(fault);
        }
    }
    for (const auto& [part, times] : m_times)
    {
        const FaultSizes sizes = sizesOf(part);
        if (sizes.empty() && !skipOthers)
        {
            std::string kinds;
            for (std::size_t kind = 0; kind < FAULT_PARTS; ++kind)
            {
                const auto other = static_cast<FaultPart>(kind);
                if (!sizesOf(other).empty())
                {
                    kinds += std::string(kinds.empty() ? "" : ", ") + FaultPartName(other);
                }
            }
            throw OdcnError::InOption("--mtbf",
                                      FaultPartName(part),
                                      "a kind of part that the network has: " + kinds);
        }
        plan.Sample(part, sizes, times.up, times.down, until, stream + 2 * int64_t(part));
    }
    return plan;
}

std::vector<std::string>
FaultHelper::FindLacking(const std::function<FaultSizes(FaultPart)>& sizes) const
{
    std::set<FaultPart> used;
    for (const Fault& fault : m_plan.Get())
    {
        used.insert(fault.part);
    }
    for (const auto& [part, times] : m_times)
    {
        used.insert(part);
    }
    std::vector<std::string> lacking;
    for (const FaultPart part : used)
    {
        if (sizes(part).empty())
        {
            lacking.emplace_back(FaultPartName(part));
        }
    }
    return lacking;
}

FaultPlan
FaultHelper::Start(Ptr<FaultInjector> injector, Time until, int64_t stream, bool skipOthers) const
{
    const auto sizes = [&](FaultPart part) { return injector->GetSizes(part); };
    FaultPlan plan = Sample(sizes, until, stream, skipOthers);
    injector->Start(plan);
    return plan;
}

std::shared_ptr<const FaultTimeline>
FaultHelper::MakeTimeline(const FaultParts& parts, Time until, int64_t stream) const
{
    const auto sizes = [&](FaultPart part)
    { return parts.contains(part) ? parts.at(part) : FaultSizes(); };
    return std::make_shared<const FaultTimeline>(Sample(sizes, until, stream), parts, m_detection);
}

} // namespace ns3::odcn
