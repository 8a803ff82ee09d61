// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-task-generator.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciTaskGenerator);

namespace
{

/**
 * @param option Attribute that the variable is  @param variable gives the number
 * @param least the least that a task can have  @param most the most
 * @return the number
 */
double
DrawNumber(const char* option, RandomVariableStream& variable, double least, double most)
{
    const double value = variable.GetValue();
    if (!(value >= least && value <= most))
    {
        throw OdcnError::InOption(option,
                                  std::to_string(value),
                                  "a variable that gives numbers from " + std::to_string(least) +
                                      " to " + std::to_string(most));
    }
    return value;
}

} // namespace

TypeId
IcciTaskGenerator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciTaskGenerator")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciTaskGenerator>()
            .AddAttribute("Tasks",
                          "Tasks of a day, truncated to a whole number.",
                          StringValue("ns3::UniformRandomVariable[Min=18|Max=21]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_tasks),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Arrival",
                          "Hour of the day at which a task arrives, 0 to 24.",
                          StringValue("ns3::UniformRandomVariable[Min=0|Max=10]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_arrival),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Data",
                          "D, training data in GB.",
                          StringValue("ns3::UniformRandomVariable[Min=700|Max=2000]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_data),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Parameters",
                          "P in 10^9 parameters.",
                          StringValue("ns3::UniformRandomVariable[Min=70|Max=200]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_parameters),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Accuracy",
                          "theta, between 0 and 1.",
                          StringValue("ns3::UniformRandomVariable[Min=0.1|Max=0.4]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_accuracy),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Deadline",
                          "T, hours from the arrival to the deadline.",
                          StringValue("ns3::UniformRandomVariable[Min=10|Max=24]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_deadline),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute(
                "ExtraWorkers",
                "Workers beyond three, truncated to a whole number, and to ten or as many "
                "as there are centres. The default has a mean of 1.6.",
                StringValue("ns3::ExponentialRandomVariable[Mean=2.45|Bound=8]"),
                MakePointerAccessor(&IcciTaskGenerator::m_workers),
                MakePointerChecker<RandomVariableStream>())
            .AddAttribute("IterationScale",
                          "v: a task has v log(1 / theta) iterations.",
                          DoubleValue(2.6e4),
                          MakeDoubleAccessor(&IcciTaskGenerator::m_iterationScale),
                          MakeDoubleChecker<double>(1));
    return tid;
}

IcciTaskGenerator::IcciTaskGenerator()
    : m_source(CreateObject<UniformRandomVariable>())
{
}

std::vector<IcciTask>
IcciTaskGenerator::Draw(uint32_t centres)
{
    if (centres < 3)
    {
        throw OdcnError::InOption("centres", std::to_string(centres), "3 or more, for a ring");
    }
    const auto n = static_cast<std::size_t>(DrawNumber("Tasks", *m_tasks, 0, 1e6));
    std::vector<IcciTask> tasks(n);
    for (auto& task : tasks)
    {
        task.arrival = 3600 * DrawNumber("Arrival", *m_arrival, 0, 24);
        task.dataGb = DrawNumber("Data", *m_data, 1e-6, 1e9);
        task.parameters = DrawNumber("Parameters", *m_parameters, 1e-6, 1e9);
        task.accuracy = DrawNumber("Accuracy", *m_accuracy, 1e-9, 1 - 1e-9);
        task.deadline = 3600 * DrawNumber("Deadline", *m_deadline, 1e-3, 1e6);
        const auto extra = static_cast<uint32_t>(DrawNumber("ExtraWorkers", *m_workers, 0, 1e6));
        task.workers = std::min({3 + extra, uint32_t{10}, centres});
        task.source = m_source->GetInteger(0, centres - 1);
        task.iterations = std::max(1.0, std::round(m_iterationScale * -std::log(task.accuracy)));
    }
    std::stable_sort(tasks.begin(),
                     tasks.end(),
                     [](const IcciTask& a, const IcciTask& b) { return a.arrival < b.arrival; });
    for (std::size_t i = 0; i < n; ++i)
    {
        tasks[i].id = i;
    }
    return tasks;
}

int64_t
IcciTaskGenerator::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (const auto& variable :
         {m_tasks, m_arrival, m_data, m_parameters, m_accuracy, m_deadline, m_workers})
    {
        variable->SetStream(next++);
    }
    m_source->SetStream(next++);
    return next - stream;
}

} // namespace odcn
} // namespace ns3
