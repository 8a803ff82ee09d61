// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-job-list.h"

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// What a column of a list says.
enum ListColumn : std::size_t
{
    LIST_ARRIVAL,
    LIST_TIME_STAMP,
    LIST_RANKS,
    LIST_SHAPE,
    LIST_ID,
    LIST_SOURCE,
    LIST_ITERATIONS,
    LIST_PRIORITY,
    LIST_DURATION
};

/// Names of each column.
const std::vector<std::vector<std::string>> LIST_NAMES{
    {"arrival", "arrival time (sec)"},
    {"submit_time", "submitted_time", "creation_time"},
    {"ranks", "size", "gpus", "num_gpu", "gpu_num"},
    {"shape"},
    {"id", "jobid", "job_id", "job id", "job_name", "name"},
    {"source", "kind", "model", "file"},
    {"iterations"},
    {"priority"},
    {"duration", "duration (sec)", "run_time", "runtime"}};

/// Longest time of a list in seconds: Time holds 9.2e6 s in picoseconds.
constexpr double MAX_LIST_SECONDS = 9e6;

/// @param rows at a row
/// @param [in,out] request gets its shape and, if it has none, its ranks
void
ReadListShape(const RowReader& rows, TrainingJobRequest& request)
{
    const auto refuse = [&]()
    {
        rows.RefuseField(LIST_SHAPE,
                         "three numbers of 1 or more, as in 4x4x8, whose product is the number of "
                         "ranks");
    };
    std::vector<std::string_view> parts;
    SplitText(rows[LIST_SHAPE], 'x', parts);
    if (parts.size() != request.shape.size())
    {
        refuse();
    }
    uint64_t product = 1;
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        const uint64_t side = ParseCount(parts[i]).value_or(0);
        if (side == 0 || side > MAX_TRAINING_RANKS || side * product > MAX_TRAINING_RANKS)
        {
            refuse();
        }
        request.shape[i] = static_cast<uint32_t>(side);
        product *= side;
    }
    if (request.ranks != 0 && request.ranks != product)
    {
        refuse();
    }
    request.ranks = static_cast<uint32_t>(product);
}

} // namespace

std::vector<TrainingJobRequest>
TrainingJobList::Read(const std::string& path)
{
    // Which of its names a column has.
    std::vector<RowReader::Column> columns;
    {
        TextReader reader(path);
        if (!reader.NextLine())
        {
            throw OdcnError(path + ": found no line, expected names of columns");
        }
        std::vector<std::string_view> fields;
        SplitText(reader.GetLine(), ',', fields);
        for (const auto& names : LIST_NAMES)
        {
            std::string name = names.front();
            for (const std::string_view field : fields)
            {
                std::string plain(field);
                plain.erase(0, plain.find_first_not_of("# "));
                if (std::find(names.begin(), names.end(), plain) != names.end())
                {
                    name = field;
                    break;
                }
            }
            columns.push_back({name, true});
        }
    }
    RowReader rows(path);
    rows.ReadHeader(columns);
    const bool hasStamp = !rows.Has(LIST_ARRIVAL);
    const std::size_t arrivalColumn = hasStamp ? LIST_TIME_STAMP : LIST_ARRIVAL;
    if (!rows.Has(arrivalColumn) || (!rows.Has(LIST_RANKS) && !rows.Has(LIST_SHAPE)))
    {
        rows.Refuse(rows.GetLine(), "columns arrival and ranks");
    }
    std::vector<std::pair<double, TrainingJobRequest>> read;
    while (rows.NextRow())
    {
        if (rows.GetLine().empty())
        {
            continue;
        }
        rows.CheckWidth();
        TrainingJobRequest request;
        // A time stamp may be seconds since 1970.
        const double arrival =
            rows.Number(arrivalColumn, {0, hasStamp ? 1e11 : MAX_LIST_SECONDS, nullptr});
        request.id =
            rows.Has(LIST_ID) ? std::string(rows[LIST_ID]) : std::to_string(rows.GetLineNumber());
        request.source = rows[LIST_SOURCE];
        if (rows.Has(LIST_RANKS))
        {
            request.ranks = static_cast<uint32_t>(rows.Count(LIST_RANKS, 1, MAX_TRAINING_RANKS));
        }
        if (rows.Has(LIST_SHAPE))
        {
            ReadListShape(rows, request);
        }
        if (!rows[LIST_ITERATIONS].empty())
        {
            request.iterations = static_cast<uint32_t>(rows.Count(LIST_ITERATIONS, 1, UINT32_MAX));
        }
        if (!rows[LIST_PRIORITY].empty())
        {
            const double priority = rows.Number(LIST_PRIORITY, {INT32_MIN, INT32_MAX, nullptr});
            request.priority = static_cast<int32_t>(priority);
            if (priority != request.priority)
            {
                rows.RefuseField(LIST_PRIORITY, "a whole number");
            }
        }
        if (!rows[LIST_DURATION].empty())
        {
            request.duration = Seconds(rows.Number(LIST_DURATION, {0, MAX_LIST_SECONDS, nullptr}));
        }
        read.emplace_back(arrival, std::move(request));
    }
    if (read.empty())
    {
        throw OdcnError(path + ": found no job, expected one or more");
    }
    std::stable_sort(read.begin(),
                     read.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const double first = hasStamp ? read.front().first : 0;
    if (read.back().first - first > MAX_LIST_SECONDS)
    {
        throw OdcnError(path + ": found arrivals over " + FormatNumber(read.back().first - first) +
                        " s, expected at most " + FormatNumber(MAX_LIST_SECONDS) + " s");
    }
    std::vector<TrainingJobRequest> requests;
    for (auto& [arrival, request] : read)
    {
        request.arrival = Seconds(arrival - first);
        requests.push_back(std::move(request));
    }
    return requests;
}

} // namespace ns3::odcn
