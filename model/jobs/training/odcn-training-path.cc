// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-path.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

const TrainingProgram::Operation&
TrainingStep::GetOperation(const TrainingJob& job) const
{
    return job.GetPrograms()[job.GetProgramOf(rank)].GetOperations()[operation];
}

std::string
TrainingStep::Describe(const TrainingJob& job) const
{
    const TrainingProgram::Operation& found = GetOperation(job);
    const std::string& name = job.GetPrograms()[job.GetProgramOf(rank)].GetName(found);
    using Kind = TrainingProgram::Kind;
    const TrainingTimes::Part part = found.kind == Kind::COMPUTE ? TrainingTimes::COMPUTATION
                                     : found.kind == Kind::COLLECTIVE
                                         ? TrainingTimes::GetPart(found.what)
                                         : TrainingTimes::SEND;
    return (name.empty() ? "" : name + " ") + TrainingTimes::GetName(part);
}

TrainingPath::TrainingPath(std::vector<TrainingStep> steps, Time begin)
    : m_steps(std::move(steps))
{
    const auto first = std::find_if(m_steps.begin(),
                                    m_steps.end(),
                                    [&](const TrainingStep& step) { return step.end > begin; });
    m_steps.erase(m_steps.begin(), first);
    if (m_steps.empty() || m_steps.front().begin >= begin)
    {
        return;
    }
    TrainingStep& cut = m_steps.front();
    Time rest = begin - cut.begin;
    using Times = TrainingTimes;
    for (const Times::Part wait : {Times::CIRCUITS, Times::DARK, Times::SHARING})
    {
        const Time taken = std::min(rest, cut.times.Get(wait));
        cut.times.Add(wait, Time(0) - taken);
        rest -= taken;
    }
    for (uint8_t part = 0; part < Times::N_PARTS; ++part)
    {
        const auto cause = static_cast<Times::Part>(part);
        const Time taken = std::min(rest, cut.times.Get(cause));
        cut.times.Add(cause, Time(0) - taken);
        rest -= taken;
    }
    cut.begin = begin;
}

TrainingTimes
TrainingPath::GetTimes() const
{
    TrainingTimes times;
    for (const TrainingStep& step : m_steps)
    {
        times.Add(step.times);
    }
    return times;
}

} // namespace ns3::odcn
