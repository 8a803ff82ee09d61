// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_ALIBABA_REQUESTS_H
#define RDDC_ALIBABA_REQUESTS_H

#include "rddc-request-source.h"

#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What became of each row of an Alibaba 2025 file.
 *
 * rowsRead = rowsUsed + the sum of rowsSkipped. A row has one reason, the first that applies in
 * the order of the list.
 */
struct RddcAlibabaReport
{
    /// Why a row became no request.
    enum Reason
    {
        MALFORMED,    //!< wrong number of columns, or text where a number belongs
        BEGAN_BEFORE, //!< creation_time or scheduled_time empty: there before the trace began
        OUTLASTS,     //!< deletion_time empty: still there when the trace ended
        NO_DURATION,  //!< deletion_time not after scheduled_time, or scheduled before created
        NO_RESOURCES, //!< neither CPU nor memory
        TOO_LARGE,    //!< more than MaxUnits of CPU or memory
        REASONS       //!< how many reasons there are
    };

    /// @param reason a reason  @return a few words that say it
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                        //!< rows of the file, without the header
    uint64_t rowsUsed{0};                        //!< rows that became a request
    std::array<uint64_t, REASONS> rowsSkipped{}; //!< rows that did not, by reason
    double secondsPerGap{0};                     //!< mean time between arrivals in the file
    double arrivalFactor{0};                     //!< request time units per second between arrivals
    double holdingFactor{0};                     //!< request time units per second of holding
    double meanCpu{0};                           //!< units of a request
    double meanMemory{0};                        //!< units of a request
    double meanHolding{0};                       //!< time units
    double offeredCpu{0};    //!< units in use in the long run, were no request refused
    double offeredMemory{0}; //!< likewise

    /// @param os where to print the report, a line for each number that is not 0
    void Print(std::ostream& os) const;
};

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
 * is read line by line at the first request, and 24 bytes of each usable row are kept.
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
     * @return what became of the rows; the file is read if it was not yet
     * @throw OdcnError when the file cannot be read or has no usable row
     */
    const RddcAlibabaReport& GetReport();

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
    /// A request as the file tells it.
    struct Entry
    {
        double arrival{0};  //!< in seconds
        double holding{0};  //!< in seconds
        uint32_t cpu{0};    //!< units
        uint32_t memory{0}; //!< units
    };

    /// What was read.
    struct File
    {
        RddcAlibabaReport report;   //!< of its rows
        std::vector<Entry> entries; //!< in order of arrival
    };

    /// @return what was read; the file is read if it was not yet
    const File& Load();

    /// Find the factors of time. @param [in,out] file with all entries in order
    void Scale(File& file) const;

    std::string m_name;                 //!< file to read
    double m_coresPerUnit{0};           //!< CPU
    double m_gibPerUnit{0};             //!< memory
    uint32_t m_maxUnits{0};             //!< largest request
    double m_meanGap{0};                //!< in time units; 0 keeps seconds
    double m_offeredUnits{0};           //!< in the long run; 0 keeps the trace's ratio
    uint64_t m_first{0};                //!< request to begin with
    uint64_t m_repeat{0};               //!< passes through the file; 0 means endless
    bool m_skipMalformed{false};        //!< count malformed rows, do not refuse the file
    std::shared_ptr<const File> m_file; //!< what was read; null before
    uint64_t m_next{0};                 //!< number of the next request
};

} // namespace odcn
} // namespace ns3

#endif /* RDDC_ALIBABA_REQUESTS_H */
