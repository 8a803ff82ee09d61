// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-trace.h"

#include "cluster-job-file.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <vector>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterTrace);

namespace
{

/// Latest slot of a job after the first: 190 years of minutes, passed in seconds.
constexpr uint64_t MAX_SLOTS = 100000000;

} // namespace

/// One pass through the file.
class ClusterTrace::Pass
{
  public:
    /// @param trace source with the Attributes
    explicit Pass(const ClusterTrace& trace)
        : m_trace(trace)
    {
        if (trace.m_format == "csv")
        {
            m_jobs.emplace(trace.m_file);
        }
        else
        {
            m_rows = ClusterTraceReader::Open(trace.m_format,
                                              trace.m_file,
                                              trace.m_skipMalformed,
                                              trace.m_columns);
        }
    }

    /// @param [out] job the next job  @return false at the end
    bool Next(ClusterJob& job)
    {
        if (m_jobs ? !m_jobs->Next(job) : !NextOfRows(job))
        {
            return false;
        }
        m_first = m_report.jobs == 0 ? job.arrival : m_first;
        job.arrival -= m_first;
        if (job.arrival > MAX_SLOTS)
        {
            throw OdcnError::InFile(m_trace.m_file,
                                    0,
                                    "a job " + std::to_string(job.arrival) +
                                        " slots after the first",
                                    "at most " + std::to_string(MAX_SLOTS) +
                                        ": check the times, or choose a greater TimeUnit");
        }
        job.id = m_report.jobs++;
        m_report.rowsRead += m_jobs.has_value();
        m_report.slots = job.arrival + 1;
        m_report.slotsRun += job.duration;
        for (std::size_t i = 0; i < m_report.work.size(); ++i)
        {
            m_report.work[i] += static_cast<double>(job.demand[i]) * job.duration;
        }
        return true;
    }

    /// @return numbers of rows used and skipped so far, and the reasons
    const ClusterTraceReport& GetReport() const
    {
        return m_report;
    }

  private:
    /// A buffered row.
    struct Waiting
    {
        ClusterTraceRow row; //!< job of the row
        uint64_t number;     //!< row number in the file

        /// @param o other  @return whether this row comes later
        bool operator>(const Waiting& o) const
        {
            return row.submit != o.row.submit ? row.submit > o.row.submit : number > o.number;
        }
    };

    /// @param [out] job job of the next row in order  @return false at the end
    bool NextOfRows(ClusterJob& job)
    {
        Waiting next{};
        ClusterTraceReport::Reason reason;
        while (m_waiting.size() <= m_trace.m_window && m_rows->Next(next.row, reason))
        {
            next.number = m_report.rowsRead++;
            if (reason == ClusterTraceReport::REASONS && next.row.submit < m_last)
            {
                reason = ClusterTraceReport::OUT_OF_ORDER;
            }
            if (reason != ClusterTraceReport::REASONS)
            {
                ++m_report.rowsSkipped[reason];
                continue;
            }
            m_waiting.push(next);
        }
        m_report.directives = m_rows->GetDirectives();
        if (m_waiting.empty())
        {
            return false;
        }
        const ClusterTraceRow row = m_waiting.top().row;
        m_waiting.pop();
        m_origin = m_report.jobs == 0 ? row.submit : m_origin;
        m_last = row.submit;
        job = {};
        job.arrival = static_cast<uint64_t>(
            std::min((row.submit - m_origin) * m_trace.m_arrivalFactor / m_trace.m_timeUnit,
                     0x1p52));
        // The tolerance corrects quotients slightly above an integer due to rounding.
        const double slots = std::ceil(row.runtime / m_trace.m_timeUnit - 1e-9);
        m_report.shortened += slots > m_trace.m_maxDuration;
        job.duration =
            static_cast<uint32_t>(std::clamp(slots, 1.0, double{1} * m_trace.m_maxDuration));
        const std::array<double, 2> units{std::ceil(row.cpu / m_trace.m_cpuUnit - 1e-9),
                                          std::ceil(row.memory / m_trace.m_memoryUnit - 1e-9)};
        m_report.narrowed += std::max(units[0], units[1]) > m_trace.m_maxUnits;
        for (std::size_t i = 0; i < units.size(); ++i)
        {
            job.demand[i] = static_cast<uint16_t>(std::clamp(units[i],
                                                             row.memory > 0 || i == 0 ? 1.0 : 0.0,
                                                             double{1} * m_trace.m_maxUnits));
        }
        return true;
    }

    const ClusterTrace& m_trace;                //!< source with the Attributes
    std::optional<ClusterJobReader> m_jobs;     //!< reader of the format csv
    std::unique_ptr<ClusterTraceReader> m_rows; //!< reader of the other formats
    /// Rows read but not yet returned.
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> m_waiting;
    ClusterTraceReport m_report; //!< report on the rows so far
    double m_origin{0};          //!< submission of the first job
    double m_last{-HUGE_VAL};    //!< submission of the last job returned
    uint64_t m_first{0};         //!< arrival of the first job
};

TypeId
ClusterTrace::GetTypeId()
{
    using T = ClusterTrace;
    static TypeId tid =
        TypeId("ns3::odcn::ClusterTrace")
            .SetParent<ClusterJobSource>()
            .SetGroupName("Odcn")
            .AddConstructor<ClusterTrace>()
            .AddAttribute("FileName",
                          "Input file, may be gzip-compressed.",
                          StringValue(""),
                          MakeStringAccessor(&T::m_file),
                          MakeStringChecker())
            .AddAttribute("Format",
                          "swf, alibaba-2018, cerit, csv, or columns: any CSV with a map.",
                          StringValue("swf"),
                          MakeStringAccessor(&T::m_format),
                          MakeStringChecker())
            .AddAttribute("Columns",
                          "Map of the format columns, such as arrival=submit,duration=end-start,"
                          "cpu=plan_cpu/100,memory=mem_gib.",
                          StringValue(""),
                          MakeStringAccessor(&T::m_columns),
                          MakeStringChecker())
            .AddAttribute("TimeUnit",
                          "Seconds per time slot.",
                          DoubleValue(60),
                          MakeDoubleAccessor(&T::m_timeUnit),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("CpuUnit",
                          "Processors per unit of resource 0.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&T::m_cpuUnit),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("MemoryUnit",
                          "GiB per unit of resource 1; for Alibaba, percent of a machine.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&T::m_memoryUnit),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("ArrivalFactor",
                          "Factor of the arrival times; below 1 for a higher load.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&T::m_arrivalFactor),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("MaxDuration",
                          "Time slots to which longer jobs are truncated.",
                          UintegerValue(15),
                          MakeUintegerAccessor(&T::m_maxDuration),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxUnits",
                          "Units per resource to which larger jobs are truncated.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&T::m_maxUnits),
                          MakeUintegerChecker<uint32_t>(1, CLUSTER_UNITS))
            .AddAttribute("JobsPerSet",
                          "Jobs per set; 0 for the whole file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&T::m_jobsPerSet),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Window",
                          "Number of rows buffered to sort them by submit time.",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&T::m_window),
                          MakeUintegerChecker<uint32_t>(0, 100000000))
            .AddAttribute("SkipMalformed",
                          "Whether to count malformed rows instead of refusing the file.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&T::m_skipMalformed),
                          MakeBooleanChecker());
    return tid;
}

ClusterTrace::ClusterTrace() = default;

ClusterTrace::~ClusterTrace() = default;

ClusterTraceReport
ClusterTrace::Examine() const
{
    Pass pass(*this);
    for (ClusterJob job; pass.Next(job);)
    {
    }
    if (pass.GetReport().jobs == 0)
    {
        throw OdcnError(m_file + ": no job in " + std::to_string(pass.GetReport().rowsRead) +
                        " rows");
    }
    return pass.GetReport();
}

bool
ClusterTrace::Fetch()
{
    return m_hasAhead = m_pass->Next(m_ahead);
}

void
ClusterTrace::NextSet()
{
    if (m_pass)
    {
        for (ClusterJob job; Next(job);)
        {
        }
    }
    if (!m_hasAhead)
    {
        m_pass = std::make_unique<Pass>(*this);
        if (!Fetch())
        {
            throw OdcnError(m_file + ": no job in " + std::to_string(m_pass->GetReport().rowsRead) +
                            " rows");
        }
    }
    m_taken = 0;
    m_slots = 0;
    m_origin = m_ahead.arrival;
}

bool
ClusterTrace::Next(ClusterJob& job)
{
    if (!m_hasAhead || (m_jobsPerSet && m_taken == m_jobsPerSet))
    {
        return false;
    }
    job = m_ahead;
    job.arrival -= m_origin;
    m_slots = job.arrival + 1;
    ++m_taken;
    Fetch();
    return true;
}

uint64_t
ClusterTrace::GetSlots() const
{
    return m_slots;
}

int64_t
ClusterTrace::AssignStreams(int64_t)
{
    m_pass.reset();
    m_hasAhead = false;
    return 0;
}

} // namespace ns3::odcn
