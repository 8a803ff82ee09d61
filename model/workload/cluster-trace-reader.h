// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_TRACE_READER_H
#define CLUSTER_TRACE_READER_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * How many rows of a trace were used or skipped, and totals over its jobs:
 * rowsRead = jobs + the sum of rowsSkipped. A row has one reason, the first that applies.
 */
struct ClusterTraceReport
{
    /// Why a row became no job.
    enum Reason
    {
        MALFORMED,     //!< wrong number of columns, or text where a number belongs
        NOT_FINISHED,  //!< status of a job that did not run to its end (Alibaba)
        NEGATIVE_TIME, //!< submitted before 0, or an end before the start
        NO_TIME,       //!< no run time, or no start or end
        NO_CPU,        //!< no number of processors
        NO_MEMORY,     //!< no memory, where the format has it in every row (Alibaba, CERIT)
        OUT_OF_ORDER,  //!< earlier than a job that was already passed on
        REASONS        //!< number of reasons
    };

    /// @param reason a reason  @return a few words that describe it
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                          //!< without comments and header
    std::array<uint64_t, REASONS> rowsSkipped{};   //!< skipped rows, by reason
    uint64_t jobs{0};                              //!< rows that became a job
    uint64_t shortened{0};                         //!< of them, cut to MaxDuration
    uint64_t narrowed{0};                          //!< of them, cut to MaxUnits
    uint64_t slots{0};                             //!< from the first to the last arrival
    std::array<double, 2> work{};                  //!< units x slots of CPU and memory in all
    double slotsRun{0};                            //!< sum of the durations
    std::map<std::string, std::string> directives; //!< of an SWF header, e.g. MaxProcs

    /// @return mean demand in units, the greater of CPU and memory, if all jobs ran at once
    double GetMeanUnits() const;

    /// @param os where to print the report
    void Print(std::ostream& os) const;
};

/// A job as it stands in a row of a trace.
struct ClusterTraceRow
{
    double submit{0};  //!< in seconds, from any origin
    double runtime{0}; //!< in seconds, 0 or more
    double cpu{0};     //!< processors, above 0
    double memory{0};  //!< GiB, or percent of a machine (Alibaba); 0 where the trace has none
};

/**
 * @ingroup odcn
 *
 * Reads a trace row by row in bounded memory.
 *
 * | format | rows | submit | run time | CPU | memory |
 * |---|---|---|---|---|---|
 * | swf | 18 fields, blanks between | 2 | 4 | 5, else 8 | 10, else 7 (KiB), x CPU |
 * | alibaba-2018 | 9 columns of batch_task | start_time | end - start | plan_cpu / 100 | plan_mem |
 * | cerit | CSV with a header | submit_unix_s | runtime_s | procs | req_mem_bytes |
 * | columns | CSV with a header | arrival | duration | cpu | memory, 0 without a column |
 *
 * SWF is the Standard Workload Format 2.2: lines that begin with ; are comments, those of the form
 * "; Name: value" directives. Of Alibaba's tasks each is a job, with the demand of one instance.
 */
class ClusterTraceReader
{
  public:
    virtual ~ClusterTraceReader() = default;

    /**
     * @param format swf, alibaba-2018, cerit or columns  @param path file, may be compressed by
     * gzip
     * @param skipMalformed count malformed rows instead of refusing the file
     * @param columns map of the columns (ColumnReader), for the format columns
     * @return a reader at the first row
     * @throw OdcnError when there is no such format, or the file cannot be read
     */
    static std::unique_ptr<ClusterTraceReader> Open(const std::string& format,
                                                    const std::string& path,
                                                    bool skipMalformed,
                                                    const std::string& columns = "");

    /**
     * Read one row.
     * @param [out] row the job, when the row can be used
     * @param [out] reason why the row is skipped, REASONS when it can be used
     * @return false at the end of the file
     * @throw OdcnError when the row is malformed and malformed rows are not skipped
     */
    virtual bool Next(ClusterTraceRow& row, ClusterTraceReport::Reason& reason) = 0;

    /// @return directives met so far
    const std::map<std::string, std::string>& GetDirectives() const
    {
        return m_directives;
    }

  protected:
    std::map<std::string, std::string> m_directives; //!< of the header
};

} // namespace ns3::odcn

#endif /* CLUSTER_TRACE_READER_H */
