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
 * Numbers of rows of a trace that were used or skipped, and totals over its jobs:
 * rowsRead = jobs + sum of rowsSkipped. A row has one reason, the first that applies.
 */
struct ClusterTraceReport
{
    /// Reason why a row was skipped.
    enum Reason
    {
        MALFORMED,     //!< wrong number of columns, or text where a number belongs
        NOT_FINISHED,  //!< status of an unfinished job (Alibaba)
        NEGATIVE_TIME, //!< negative submit time, or end before start
        NO_TIME,       //!< no run time, or no start or end
        NO_CPU,        //!< no processor count
        NO_MEMORY,     //!< no memory in a format that requires it (Alibaba, CERIT)
        OUT_OF_ORDER,  //!< earlier than a job that was already returned
        REASONS        //!< number of reasons
    };

    /// @param reason a reason  @return a short description
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                          //!< rows without comments and header
    std::array<uint64_t, REASONS> rowsSkipped{};   //!< skipped rows, by reason
    uint64_t jobs{0};                              //!< rows converted to jobs
    uint64_t shortened{0};                         //!< jobs truncated to MaxDuration
    uint64_t narrowed{0};                          //!< jobs truncated to MaxUnits
    uint64_t slots{0};                             //!< slots from the first to the last arrival
    std::array<double, 2> work{};                  //!< total units x slots of CPU and memory
    double slotsRun{0};                            //!< sum of the durations
    std::map<std::string, std::string> directives; //!< SWF header directives, e.g. MaxProcs

    /// @return mean demand in units if no job waited, the greater of CPU and memory
    double GetMeanUnits() const;

    /// @param os output stream of the report
    void Print(std::ostream& os) const;
};

/// A job in a row of a trace.
struct ClusterTraceRow
{
    double submit{0};  //!< in seconds, with any origin
    double runtime{0}; //!< in seconds, 0 or more
    double cpu{0};     //!< number of processors, above 0
    double memory{0};  //!< GiB, or percent of a machine (Alibaba); 0 where the trace has none
};

/**
 * @ingroup odcn
 *
 * Reads a trace row by row in bounded memory.
 *
 * | format | rows | submit | run time | CPU | memory |
 * |---|---|---|---|---|---|
 * | swf | 18 fields, separated by blanks | 2 | 4 | 5, else 8 | 10, else 7 (KiB), x CPU |
 * | alibaba-2018 | 9 columns of batch_task | start_time | end - start | plan_cpu / 100 | plan_mem |
 * | cerit | CSV with a header | submit_unix_s | runtime_s | procs | req_mem_bytes |
 * | columns | CSV with a header | arrival | duration | cpu | memory, 0 without a column |
 *
 * SWF is the Standard Workload Format 2.2: lines that begin with ; are comments, and comments of
 * the form "; Name: value" are directives. Each Alibaba task is a job with the demand of one
 * instance.
 */
class ClusterTraceReader
{
  public:
    virtual ~ClusterTraceReader() = default;

    /**
     * @param format swf, alibaba-2018, cerit or columns
     * @param path input file, may be gzip-compressed
     * @param skipMalformed count malformed rows instead of refusing the file
     * @param columns column map (ColumnReader), for the format columns
     * @return a reader positioned before the first row
     * @throw OdcnError when the format is unknown, or the file cannot be read
     */
    static std::unique_ptr<ClusterTraceReader> Open(const std::string& format,
                                                    const std::string& path,
                                                    bool skipMalformed,
                                                    const std::string& columns = "");

    /**
     * Read one row.
     * @param [out] row the job, if the row is usable
     * @param [out] reason why the row is skipped, REASONS if it is usable
     * @return false at the end of the file
     * @throw OdcnError when the row is malformed and malformed rows are not skipped
     */
    virtual bool Next(ClusterTraceRow& row, ClusterTraceReport::Reason& reason) = 0;

    /// @return header directives read so far
    const std::map<std::string, std::string>& GetDirectives() const
    {
        return m_directives;
    }

  protected:
    std::map<std::string, std::string> m_directives; //!< header directives
};

} // namespace ns3::odcn

#endif /* CLUSTER_TRACE_READER_H */
