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
 * Requests from a CSV file with a header, or from the columns of any such file by a map
 * (ColumnReader).
 *
 * | quantity | content |
 * |---|---|
 * | arrival | in time units, never before that of the row above; gaps follow from it |
 * | gap | in its place: time since the request before, 0 or more |
 * | cpu | whole units |
 * | memory | whole units, 0 without such a column; not both are 0 |
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
     * @throw OdcnError when the file cannot be read, a row is no request, or there is none
     */
    bool Next(RddcRequest& request) override;

    /// Read the whole file, and begin anew. @return number of its requests after those skipped
    /// @throw OdcnError as Next()
    uint64_t Count();

    /**
     * Begins anew at the first request; draws nothing.
     * @copydoc RddcRequestSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::string m_name;                     //!< file to read
    std::string m_columns;                  //!< map of its columns
    std::unique_ptr<ColumnReader> m_reader; //!< the file, once it is open
    std::vector<double> m_values;           //!< of the row; reused
    uint64_t m_skip;                        //!< see Attribute Skip
    uint64_t m_next{0};                     //!< number of the next request
    double m_arrival{0};                    //!< of the request before
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_FILE_H */
