// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_ALIBABA_REQUESTS_H
#define RDDC_ALIBABA_REQUESTS_H

#include "odcn-alibaba-report.h"
#include "rddc-request-source.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Real requests: inference instances of the Alibaba cluster trace of 2025 ("GPU-disaggregated deep
 * learning recommendation models"), read from a file. Each usable row is one request.
 *
 * - *Resources*: cpu_request / CoresPerUnit and memory_request (GiB) / GibPerUnit, both rounded up.
 *   GPUs, RDMA shares and disk are ignored.
 * - *Times*: a request arrives at creation_time and holds from scheduled_time to deletion_time.
 *   Gaps are scaled to a mean of MeanGap, and holding times to a long-run offered load of
 *   OfferedUnits for the resource in greater demand. The scaling keeps the shapes of the trace's
 *   distributions.
 * - *Order*: by arrival; the file may be unsorted. A gap is counted from the decision on the
 *   previous request, see RddcRequest.
 *
 * The first line names the columns, in any order; other columns are ignored. The file is read line
 * by line at the first request, and 32 bytes of each usable row are kept.
 */
class RddcAlibabaRequests : public RddcRequestSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RddcAlibabaRequests();

    /**
     * @copydoc RddcRequestSource::Next
     * @throw OdcnError when the file cannot be read or has no usable row
     */
    bool Next(RddcRequest& request) override;

    /**
     * Restarts at First; draws no random numbers.
     * @copydoc RddcRequestSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Read the file if it was not read yet.
     * @return numbers of rows used and skipped, and the reasons
     * @throw OdcnError when the file cannot be read or has no usable row
     */
    const AlibabaReport& GetReport();

    /**
     * @param first number of its first request, counted from 0 in order of arrival
     * @return a source of the same requests that shares the data of the file
     */
    Ptr<RddcAlibabaRequests> CloneFrom(uint64_t first);

    /// @param name input file; the stream restarts
    void SetFileName(const std::string& name);

    /// @return input file
    std::string GetFileName() const;

  private:
    /// The requests of a file.
    struct File
    {
        AlibabaReport report;             //!< rows used and skipped
        std::vector<AlibabaLoad> entries; //!< in order of arrival, not scaled
    };

    /// Read the file if it was not read yet. @return its requests
    const File& Load();

    std::string m_name;                 //!< input file
    double m_coresPerUnit{0};           //!< cores per CPU unit
    double m_gibPerUnit{0};             //!< GiB per memory unit
    uint32_t m_maxUnits{0};             //!< largest request, in units
    double m_meanGap{0};                //!< mean gap, in time units; 0 keeps seconds
    double m_offeredUnits{0};           //!< long-run offered load, units; 0 keeps the trace's ratio
    uint64_t m_first{0};                //!< number of the first request
    uint64_t m_repeat{0};               //!< number of passes through the file; 0 for endless
    bool m_skipMalformed{false};        //!< whether to skip and count malformed rows
    std::shared_ptr<const File> m_file; //!< null until the file is read
    uint64_t m_next{0};                 //!< number of the next request
};

} // namespace ns3::odcn

#endif /* RDDC_ALIBABA_REQUESTS_H */
