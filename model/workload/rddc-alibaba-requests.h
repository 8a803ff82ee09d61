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
 * learning recommendation models"), read by path. One row that can be used is one request.
 *
 * - *Resources*: cpu_request cores over CoresPerUnit and memory_request GiB over GibPerUnit, both
 *   rounded up. GPUs, RDMA shares and disk are left aside.
 * - *Times*: a request arrives at creation_time and holds from scheduled_time to deletion_time.
 *   Gaps are stretched by one factor so that they are MeanGap in the mean, holding times by another
 *   so that OfferedUnits are in use in the long run of the resource that is asked for more: the
 *   shapes are the trace's, the load is chosen.
 * - *Order*: by arrival; the file need not be in order. A gap is counted from the decision on the
 *   request before, as RddcRequest says.
 *
 * The first line names the columns, in any order; those not named here are not looked at. The file
 * is read line by line at the first request, and 32 bytes of each usable row are kept.
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
     * Begins anew at First; draws nothing.
     * @copydoc RddcRequestSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @return how many rows were used or skipped, and why; the file is read if it was not yet
     * @throw OdcnError when the file cannot be read or has no usable row
     */
    const AlibabaReport& GetReport();

    /**
     * @param first number of the request to begin with, counted from 0 in order of arrival
     * @return a source of the same requests, which does not read the file again
     */
    Ptr<RddcAlibabaRequests> CloneFrom(uint64_t first);

    /// @param name file to read; the stream begins again
    void SetFileName(const std::string& name);

    /// @return file to read
    std::string GetFileName() const;

  private:
    /// The requests of a file.
    struct File
    {
        AlibabaReport report;             //!< rows used and skipped
        std::vector<AlibabaLoad> entries; //!< in order of arrival, not scaled
    };

    /// Read the file if it was not yet read. @return its requests
    const File& Load();

    std::string m_name;                 //!< file to read
    double m_coresPerUnit{0};           //!< CPU
    double m_gibPerUnit{0};             //!< memory
    uint32_t m_maxUnits{0};             //!< largest request
    double m_meanGap{0};                //!< in time units; 0 keeps seconds
    double m_offeredUnits{0};           //!< in the long run; 0 keeps the trace's ratio
    uint64_t m_first{0};                //!< request to begin with
    uint64_t m_repeat{0};               //!< passes through the file; 0 means endless
    bool m_skipMalformed{false};        //!< count malformed rows, do not refuse the file
    std::shared_ptr<const File> m_file; //!< null until the file is read
    uint64_t m_next{0};                 //!< number of the next request
};

} // namespace ns3::odcn

#endif /* RDDC_ALIBABA_REQUESTS_H */
