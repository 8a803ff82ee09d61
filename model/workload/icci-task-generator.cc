// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-task-generator.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

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

/// Marks a quantity that is not in the file.
constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();

/// A quantity of a task in a file, and its range.
struct Bounds
{
    const char* name; //!< name of the quantity
    double least;     //!< smallest value
    double most;      //!< largest value
};

/// Indexed by IcciTaskGenerator::Quantity; workers and source are also bounded by the centres.
constexpr std::array<Bounds, 8> BOUNDS{{{"day", -1e15, 1e15},
                                        {"arrival", 0, 24},
                                        {"data", 1e-6, 1e9},
                                        {"parameters", 1e-6, 1e9},
                                        {"accuracy", 1e-9, 1 - 1e-9},
                                        {"deadline", 1e-3, 1e6},
                                        {"workers", 3, 10},
                                        {"source", 0, 1e6}}};

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
                          "Number of tasks per day, truncated to an integer.",
                          StringValue("ns3::UniformRandomVariable[Min=18|Max=21]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_tasks),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Arrival",
                          "Hour of the day at which a task arrives, 0 to 24.",
                          StringValue("ns3::UniformRandomVariable[Min=0|Max=10]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_arrival),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Data",
                          "Training data D, in GB.",
                          StringValue("ns3::UniformRandomVariable[Min=700|Max=2000]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_data),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Parameters",
                          "Number of parameters P, in 10^9.",
                          StringValue("ns3::UniformRandomVariable[Min=70|Max=200]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_parameters),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Accuracy",
                          "Accuracy theta, between 0 and 1.",
                          StringValue("ns3::UniformRandomVariable[Min=0.1|Max=0.4]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_accuracy),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Deadline",
                          "Time T from arrival to deadline, in hours.",
                          StringValue("ns3::UniformRandomVariable[Min=10|Max=24]"),
                          MakePointerAccessor(&IcciTaskGenerator::m_deadline),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute(
                "ExtraWorkers",
                "Number of workers minus three, truncated to an integer; workers are at most "
                "ten and the number of centres. The default has a mean of 1.6.",
                StringValue("ns3::ExponentialRandomVariable[Mean=2.45|Bound=8]"),
                MakePointerAccessor(&IcciTaskGenerator::m_workers),
                MakePointerChecker<RandomVariableStream>())
            .AddAttribute("IterationScale",
                          "v: a task has v log(1 / theta) iterations.",
                          DoubleValue(2.6e4),
                          MakeDoubleAccessor(&IcciTaskGenerator::m_iterationScale),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("FileName",
                          "CSV file of tasks, used instead of random tasks; its days are read in "
                          "order, repeatedly.",
                          StringValue(""),
                          MakeStringAccessor(&IcciTaskGenerator::m_file),
                          MakeStringChecker())
            .AddAttribute("Columns",
                          "Column map (ColumnReader) to day, arrival (hours), data, "
                          "parameters, accuracy, deadline (hours), workers and source; quantities "
                          "that the file lacks are drawn.",
                          StringValue(""),
                          MakeStringAccessor(&IcciTaskGenerator::m_columns),
                          MakeStringChecker());
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
    std::vector<Row> rows;
    if (m_file.empty())
    {
        Row drawn;
        drawn.fill(UNDEFINED);
        rows.assign(static_cast<std::size_t>(DrawNumber("Tasks", *m_tasks, 0, 1e6)), drawn);
    }
    else
    {
        rows = NextDay(centres);
    }
    const std::size_t n = rows.size();
    std::vector<IcciTask> tasks(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto get = [&](Quantity quantity, const char* option, RandomVariableStream& draw)
        {
            // A quantity that the file lacks is drawn.
            const double value = rows[i][quantity];
            const auto& [name, least, most] = BOUNDS[quantity];
            return std::isnan(value) ? DrawNumber(option, draw, least, most) : value;
        };
        IcciTask& task = tasks[i];
        task.arrival = 3600 * get(ARRIVAL, "Arrival", *m_arrival);
        task.dataGb = get(DATA, "Data", *m_data);
        task.parameters = get(PARAMETERS, "Parameters", *m_parameters);
        task.accuracy = get(ACCURACY, "Accuracy", *m_accuracy);
        task.deadline = 3600 * get(DEADLINE, "Deadline", *m_deadline);
        double workers = rows[i][WORKERS];
        if (std::isnan(workers))
        {
            workers = 3 + std::floor(DrawNumber("ExtraWorkers", *m_workers, 0, 1e6));
        }
        task.workers = static_cast<uint32_t>(std::min({workers, 10.0, double{1} * centres}));
        const double source = rows[i][SOURCE];
        task.source = std::isnan(source) ? m_source->GetInteger(0, centres - 1)
                                         : static_cast<uint32_t>(source);
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

std::vector<IcciTaskGenerator::Row>
IcciTaskGenerator::NextDay(uint32_t centres)
{
    const bool begun = m_reader && m_ahead;
    if (!begun)
    {
        std::vector<ColumnField> fields;
        fields.reserve(std::size(BOUNDS));
        for (const Bounds& bounds : BOUNDS)
        {
            fields.push_back({bounds.name, UNDEFINED});
        }
        m_reader = std::make_unique<ColumnReader>(m_file, m_columns, fields);
        ReadRow(centres);
        if (!m_ahead)
        {
            throw OdcnError::InFile(m_file, 0, "the end of the file", "at least one task");
        }
    }
    std::vector<Row> rows;
    const double day = (*m_ahead)[DAY];
    while (m_ahead && ((*m_ahead)[DAY] == day || (std::isnan(day) && std::isnan((*m_ahead)[DAY]))))
    {
        rows.push_back(*m_ahead);
        ReadRow(centres);
    }
    return rows;
}

void
IcciTaskGenerator::ReadRow(uint32_t centres)
{
    m_ahead.reset();
    if (!m_reader->NextRow())
    {
        return;
    }
    std::vector<double> values;
    m_reader->Read(values);
    Row row;
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        const Bounds& bounds = BOUNDS[i];
        const double most = i == SOURCE    ? centres - 1
                            : i == WORKERS ? std::min(10U, centres)
                                           : bounds.most;
        const bool whole = i == SOURCE || i == WORKERS;
        row[i] = values[i];
        if (row[i] < bounds.least || row[i] > most || (whole && row[i] > std::floor(row[i])))
        {
            std::string expected = whole ? "a whole number from " : "a number from ";
            AppendDouble(expected, bounds.least);
            expected += " to ";
            AppendDouble(expected, most);
            m_reader->Malformed(i, row[i], expected);
        }
    }
    m_ahead = row;
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
