// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_REQUEST_FILE_H
#define RDDC_REQUEST_FILE_H

#include "rddc-request.h"

#include "ns3/odcn-csv-table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::odcn
{

/// A row of a file of requests.
struct RddcRequestRow : RddcRequest
{
    double arrival{0}; //!< time of arrival, for files without gaps
};

/**
 * @ingroup odcn
 *
 * Requests from a CSV file with a header.
 *
 * | column | content |
 * |---|---|
 * | arrival | in any unit of time, not before that of the row above; defines the gaps |
 * | gap | instead of arrival: time since the previous request, 0 or more |
 * | cpu | whole units |
 * | memory | whole units, 0 without such a column; cpu and memory are not both 0 |
 * | holding | in the same unit of time, above 0 |
 *
 * With MeanGap above 0, gaps are scaled to that mean; with OfferedUnits above 0, holding times are
 * scaled to that long-run offered load of the resource in greater demand. Both keep the shapes of
 * the distributions. The first request of a file of arrivals has a gap of 0, or the mean if times
 * are scaled. The file is read as a stream, row by row. Traces of other systems are converted by
 * the program odcn-convert-trace.
 */
class RddcRequestFile : public RddcRequestSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the form of a file
    static const CsvTable<RddcRequestRow>& GetTable();

    /**
     * Read the next request.
     * @param [out] request the request; unchanged at the end
     * @return false at the end
     * @throw OdcnError when the file cannot be read, has an invalid row, or has no request
     */
    bool Next(RddcRequest& request) override;

    /// Read the whole file. @return number of its requests after those skipped
    /// @throw OdcnError as Next()
    uint64_t Count() const;

    /**
     * Restarts at the first request; draws no random numbers.
     * @copydoc Source::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// One pass through the file.
    struct Pass
    {
        CsvTableReader<RddcRequestRow> reader; //!< the file
        double firstGap{0};              //!< gap of a first request whose arrival alone is known
        std::optional<double> arrival{}; //!< arrival of the last request
    };

    /// Factors of times.
    struct Scale
    {
        double gap{1};     //!< factor of gaps
        double holding{1}; //!< factor of holding times
        double meanGap{0}; //!< mean gap of the file
    };

    /// @param [in,out] pass a pass  @param [out] row its next row  @return false at the end
    static bool Read(Pass& pass, RddcRequestRow& row);

    /// @return the factors of the file  @throw OdcnError when all requests arrive at once
    Scale FindScale() const;

    std::string m_name;           //!< input file
    uint64_t m_skip;              //!< number of requests left out at the beginning
    double m_meanGap;             //!< mean gap; 0 for that of the file
    double m_offeredUnits;        //!< offered load, units; 0 for holding times scaled as gaps
    std::unique_ptr<Pass> m_pass; //!< current pass; null before the first request
    Scale m_scale;                //!< factors of the current pass
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_FILE_H */
