// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_GRANTS_H
#define RDDC_NARA_ALLOCATION_GRANTS_H

/**
 * @file
 * Statistics of the grants of rddc-nara-allocation: sizes, and distances between servers.
 */

#include "ns3/odcn-csv-writer.h"
#include "ns3/rddc-allocation.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * Counts the grants and refusals of one policy on one topology.
 *
 * The spread of a grant is the mean, over the pairs of its servers, of the highest tier of their
 * path: 1 within a rack, 2 within a cluster, 3 otherwise; 0 for a single server.
 */
class GrantLog
{
  public:
    /// Bin width of the sizes in WriteShapes(), in units.
    static constexpr uint32_t SHAPE_UNITS = 8;

    /// Count from now on. @param problem problem whose grants and refusals are counted
    void Attach(ns3::odcn::RddcAllocation& problem);

    /// @return column names of WriteSizes(), WriteSpreads() and WriteShapes(), without topology and
    /// policy
    static const std::array<std::vector<std::string>, 3>& GetColumns();

    /**
     * Write requests by the least number of servers that can serve them.
     * @param csv output file  @param topology label  @param policy name
     */
    void WriteSizes(ns3::odcn::CsvWriter& csv,
                    const std::string& topology,
                    const std::string& policy) const;

    /// Write grants by number of servers and tenths of spread. @param csv output file
    /// @param topology label  @param policy name
    void WriteSpreads(ns3::odcn::CsvWriter& csv,
                      const std::string& topology,
                      const std::string& policy) const;

    /// Write the mean spread by requested CPU and memory. @param csv output file
    /// @param topology label  @param policy name
    void WriteShapes(ns3::odcn::CsvWriter& csv,
                     const std::string& topology,
                     const std::string& policy) const;

  private:
    /// Requests of a size.
    struct Size
    {
        uint64_t received{0}; //!< requests granted or refused
        uint64_t granted{0};  //!< granted requests
    };

    /// Grants of a shape.
    struct Shape
    {
        uint64_t granted{0}; //!< number of grants
        double spread{0};    //!< sum of their spreads
    };

    /// A request was granted. @param grant its grant
    void Granted(const ns3::odcn::RddcGrant& grant);
    /// A request was refused. @param request the request
    void Refused(const ns3::odcn::RddcRequest& request);
    /// @param request a request  @return counters of its size
    Size& GetSize(const ns3::odcn::RddcRequest& request);

    uint32_t m_cpuUnits{1};                                      //!< CPU units per server
    uint32_t m_memoryUnits{1};                                   //!< memory units per server
    std::shared_ptr<const ns3::odcn::RddcNetwork> m_network;     //!< servers and racks
    std::map<uint32_t, Size> m_sizes;                            //!< by least number of servers
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_spreads; //!< by servers, tenths of spread
    std::map<std::pair<uint32_t, uint32_t>, Shape> m_shapes;     //!< by CPU and memory bins
};

#endif /* RDDC_NARA_ALLOCATION_GRANTS_H */
