// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-task-generator.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciTaskGenerator);

namespace
{

/**
 * @param option name of the Attribute  @param variable its random variable
 * @param least smallest valid value  @param most largest valid value
 * @return a random value
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

/// Columns of a file, in the order of its table.
enum TaskColumn
{
    DAY,
    ARRIVAL,
    DATA,
    PARAMETERS,
    ACCURACY,
    DEADLINE,
    WORKERS,
    SOURCE,
    QUANTITIES
};

/// Their ranges; workers and source are also bounded by the centres.
constexpr std::array<NumberRange, QUANTITIES> TASK_RANGES{{{-1e15, 1e15},
                                                           {0, 24},
                                                           {1e-6, 1e9},
                                                           {1e-6, 1e9},
                                                           {1e-9, 1 - 1e-9},
                                                           {1e-3, 1e6},
                                                           {3, 10},
                                                           {0, 1e6}}};

} // namespace

TypeId
IcciTaskGenerator::GetTypeId()
{
    using T = IcciTaskGenerator;
    static TypeId tid =
        TypeIdOf<IcciTaskGenerator, Object>("ns3::odcn::IcciTaskGenerator")
            .Add(Attribute("Tasks", &T::m_tasks, "ns3::UniformRandomVariable[Min=18|Max=21]"),
                 "Number of tasks per day, truncated to an integer.")
            .Add(Attribute("Arrival", &T::m_arrival, "ns3::UniformRandomVariable[Min=0|Max=10]"),
                 "Hour of the day at which a task arrives, 0 to 24.")
            .Add(Attribute("Data", &T::m_data, "ns3::UniformRandomVariable[Min=700|Max=2000]"),
                 "Training data D, in GB.")
            .Add(Attribute("Parameters",
                           &T::m_parameters,
                           "ns3::UniformRandomVariable[Min=70|Max=200]"),
                 "Number of parameters P, in 10^9.")
            .Add(Attribute("Accuracy",
                           &T::m_accuracy,
                           "ns3::UniformRandomVariable[Min=0.1|Max=0.4]"),
                 "Accuracy theta, between 0 and 1.")
            .Add(Attribute("Deadline", &T::m_deadline, "ns3::UniformRandomVariable[Min=10|Max=24]"),
                 "Time T from arrival to deadline, in hours.")
            .Add(Attribute("ExtraWorkers",
                           &T::m_workers,
                           "ns3::ExponentialRandomVariable[Mean=2.45|Bound=8]"),
                 "Number of workers minus three, truncated to an integer; workers are at most "
                 "ten and the number of centres. The default has a mean of 1.6.")
            .Add(Attribute("IterationScale", &T::m_iterationScale, 2.6e4, 1),
                 "v: a task has v log(1 / theta) iterations.")
            .Add(Attribute("FileName", &T::m_file, ""),
                 "CSV file of tasks, used instead of random tasks; its days are read in "
                 "order, repeatedly. Columns: day, arrival (hours), data, parameters, "
                 "accuracy, deadline (hours), workers and source; what it lacks is drawn.");
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
    std::vector<IcciTaskRow> rows;
    if (m_file.empty())
    {
        rows.resize(static_cast<std::size_t>(DrawNumber("Tasks", *m_tasks, 0, 1e6)));
    }
    else
    {
        rows = NextDay(centres);
    }
    const std::size_t n = rows.size();
    std::vector<IcciTask> tasks(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        const IcciTaskRow& row = rows[i];
        const auto get =
            [](double value, TaskColumn column, const char* option, RandomVariableStream& draw)
        {
            // A quantity that the file lacks is drawn.
            const auto& [least, most, expected] = TASK_RANGES[column];
            return std::isnan(value) ? DrawNumber(option, draw, least, most) : value;
        };
        IcciTask& task = tasks[i];
        task.arrival = 3600 * get(row.arrival, ARRIVAL, "Arrival", *m_arrival);
        task.dataGb = get(row.data, DATA, "Data", *m_data);
        task.parameters = get(row.parameters, PARAMETERS, "Parameters", *m_parameters);
        task.accuracy = get(row.accuracy, ACCURACY, "Accuracy", *m_accuracy);
        task.deadline = 3600 * get(row.deadline, DEADLINE, "Deadline", *m_deadline);
        double workers = row.workers;
        if (std::isnan(workers))
        {
            workers = 3 + std::floor(DrawNumber("ExtraWorkers", *m_workers, 0, 1e6));
        }
        task.workers = static_cast<uint32_t>(std::min({workers, 10.0, double{1} * centres}));
        task.source = std::isnan(row.source) ? m_source->GetInteger(0, centres - 1)
                                             : static_cast<uint32_t>(row.source);
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

const CsvTable<IcciTaskRow>&
IcciTaskGenerator::GetTable()
{
    using Row = IcciTaskRow;
    static const CsvTable<Row> TABLE = []
    {
        CsvTable<Row> table{"task", {}, CONVERTER_HINT};
        for (const auto& [name, member] : {std::pair{"day", &Row::day},
                                           {"arrival", &Row::arrival},
                                           {"data", &Row::data},
                                           {"parameters", &Row::parameters},
                                           {"accuracy", &Row::accuracy},
                                           {"deadline", &Row::deadline},
                                           {"workers", &Row::workers},
                                           {"source", &Row::source}})
        {
            table.columns.push_back(CsvColumn<Row>::Number(name,
                                                           member,
                                                           TASK_RANGES[table.columns.size()],
                                                           CsvOrder::ANY,
                                                           CsvNeed::NOTHING));
        }
        return table;
    }();
    return TABLE;
}

std::vector<IcciTaskRow>
IcciTaskGenerator::NextDay(uint32_t centres)
{
    if (!m_reader || !m_ahead)
    {
        m_reader = std::make_unique<CsvTableReader<IcciTaskRow>>(m_file, GetTable());
        ReadRow(centres);
    }
    std::vector<IcciTaskRow> rows;
    const double day = m_ahead->day;
    while (m_ahead && (m_ahead->day == day || (std::isnan(day) && std::isnan(m_ahead->day))))
    {
        rows.push_back(*m_ahead);
        ReadRow(centres);
    }
    return rows;
}

void
IcciTaskGenerator::ReadRow(uint32_t centres)
{
    m_ahead.emplace();
    if (!m_reader->Next(*m_ahead))
    {
        m_ahead.reset();
        return;
    }
    const RowReader& rows = m_reader->GetRows();
    const auto check = [&rows](double value, TaskColumn column, uint32_t most)
    {
        if (value > most || value > std::floor(value))
        {
            rows.RefuseField(column,
                             "a whole number from " + std::to_string(column == WORKERS ? 3 : 0) +
                                 " to " + std::to_string(most));
        }
    };
    check(m_ahead->workers, WORKERS, std::min(10U, centres));
    check(m_ahead->source, SOURCE, centres - 1);
}

int64_t
IcciTaskGenerator::AssignStreams(int64_t stream)
{
    m_reader.reset();
    m_ahead.reset();
    int64_t next = stream;
    for (const auto& variable :
         {m_tasks, m_arrival, m_data, m_parameters, m_accuracy, m_deadline, m_workers})
    {
        variable->SetStream(next++);
    }
    m_source->SetStream(next++);
    return next - stream;
}

} // namespace ns3::odcn
