// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_REQUEST_FILE_H
#define RDDC_REQUEST_FILE_H

#include "odcn-column-reader.h"
#include "rddc-request-source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Requests from a CSV file with a header, optionally read through a column map (ColumnReader).
 *
 * | quantity | content |
 * |---|---|
 * | arrival | in time units, not before that of the row above; defines the gaps |
 * | gap | instead of arrival: time since the previous request, 0 or more |
 * | cpu | whole units |
 * | memory | whole units, 0 without such a column; cpu and memory are not both 0 |
 * | holding | in time units, above 0 |
 *
 * The file is read as a stream, row by row.
 */
class RddcRequestFile : public RddcRequestSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RddcRequestFile();

    /**
     * @copydoc RddcRequestSource::Next
     * @throw OdcnError when the file cannot be read, has an invalid row, or has no request
     */
    bool Next(RddcRequest& request) override;

    /// Read the whole file, and begin anew. @return number of its requests after those skipped
    /// @throw OdcnError as Next()
    uint64_t Count();

    /**
     * Restarts at the first request; draws no random numbers.
     * @copydoc RddcRequestSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::string m_name;                     //!< input file
    std::string m_columns;                  //!< column map of the file
    std::unique_ptr<ColumnReader> m_reader; //!< open file; null before the first read
    std::vector<double> m_values;           //!< values of the row; reused
    uint64_t m_skip;                        //!< number of requests left out at the beginning
    uint64_t m_next{0};                     //!< number of the next request
    double m_arrival{0};                    //!< arrival of the previous request
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_FILE_H */
