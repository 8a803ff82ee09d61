// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FILE_H
#define ODCN_JOB_FILE_H

#include "odcn-job-source.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-row-reader.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Jobs replayed from a job file: CSV with a header line and one line per job.
 *
 * | column | content |
 * |---|---|
 * | job | number of the job, increasing from line to line |
 * | arrival | in job time units, 0 or more, not before the line above |
 * | duration | in job time units, above 0 |
 * | vms | one or more cores:memory:disk (cores, GB, GB; to the thousandth), separated by bars |
 * | demands | from>to:rate (VM numbers from 0; Gb/s, to the bit/s), separated by bars; may be empty
 * |
 *
 * @code
 *   job,arrival,duration,vms,demands
 *   0,0.25,66,16:32:320|4:15:80,0>1:6.5|1>0:7.25
 * @endcode
 *
 * A file written by OdcnJobFileWriter reads back as identical jobs. The file is read as a stream,
 * one line at a time; lines may end in CR LF, and the last line may lack a line end.
 */
class OdcnJobFile : public OdcnJobSource
{
  public:
    /// Header line of a job file.
    static constexpr const char* HEADER = "job,arrival,duration,vms,demands";

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @copydoc OdcnJobSource::Next
     * @throw OdcnError when the file cannot be read or is not a job file
     */
    bool Next(OdcnJob& job) override;

    /// A job file draws no random numbers. @param stream not used  @return 0
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Read the whole file once, to find errors before a long run.
     * @return number of jobs in the file
     * @throw OdcnError when the file cannot be read or is not a job file
     */
    uint64_t Check() const;

    /// @param name input file; the stream restarts at its first job
    void SetFileName(const std::string& name);

    /// @return input file
    std::string GetFileName() const;

  private:
    void DoDispose() override;

    /// One pass through a job file.
    class Pass
    {
      public:
        /// @param name input file
        explicit Pass(const std::string& name);

        /// @param [out] job next job  @return false at the end of the file
        bool Next(OdcnJob& job);

      private:
        /// Parse the field vms. @param text the field  @param [out] job job whose VMs are set
        void ParseVms(std::string_view text, OdcnJob& job);

        /// Parse the field demands. @param text the field  @param [in,out] job job with its VMs
        void ParseDemands(std::string_view text, OdcnJob& job);

        RowReader m_reader;                    //!< open file
        bool m_any{false};                     //!< whether a job was read
        JobId m_lastId{0};                     //!< number of the last job
        double m_lastArrival{0};               //!< arrival of the last job
        std::vector<std::string_view> m_items; //!< items of a field; reused
        std::vector<uint64_t> m_pairs;         //!< VM pairs of the job; reused
    };

    std::string m_name;           //!< input file
    std::unique_ptr<Pass> m_pass; //!< current pass through the file
};

/**
 * @ingroup odcn
 *
 * Writes a job file. Commit() creates it, completely or not at all.
 */
class OdcnJobFileWriter
{
  public:
    /**
     * @param path output file
     * @throw OdcnError when the file cannot be written
     */
    explicit OdcnJobFileWriter(const std::string& path);

    /// @param job job to append; jobs must be in order of arrival
    void Write(const OdcnJob& job);

    /**
     * Finish the file.
     * @throw OdcnError when any write failed
     */
    void Commit();

  private:
    AtomicFile m_file;  //!< output file
    std::string m_line; //!< line being built; reused
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_FILE_H */
