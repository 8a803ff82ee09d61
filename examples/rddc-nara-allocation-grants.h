// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_GRANTS_H
#define RDDC_NARA_ALLOCATION_GRANTS_H

/**
 * @file
 * Which requests of rddc-nara-allocation were granted, and how far apart their servers were.
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
 * Counts what one policy did on one topology.
 *
 * The spread of a grant is the mean over the pairs of its servers of how many tiers their path
 * climbs: 1 within a rack, 2 within a cluster, 3 otherwise; 0 for a single server.
 */
class GrantLog
{
  public:
    /// Units of one step of the sizes in WriteShapes().
    static constexpr uint32_t SHAPE_UNITS = 8;

    /// @param problem whose grants and refusals are counted from now on
    void Attach(ns3::odcn::RddcAllocation& problem);

    /// Column names of a file. @return of WriteSizes(), WriteSpreads() and WriteShapes(), less
    /// topology and policy
    static const std::array<std::vector<std::string>, 3>& GetColumns();

    /**
     * By the least number of servers that could serve a request.
     * @param csv to write to  @param topology label  @param policy name
     */
    void WriteSizes(ns3::odcn::CsvWriter& csv,
                    const std::string& topology,
                    const std::string& policy) const;

    /// Grants by servers and tenths of spread. @param csv as above  @param topology label  @param
    /// policy name
    void WriteSpreads(ns3::odcn::CsvWriter& csv,
                      const std::string& topology,
                      const std::string& policy) const;

    /// Mean spread by CPU and memory asked for. @param csv as above  @param topology label  @param
    /// policy name
    void WriteShapes(ns3::odcn::CsvWriter& csv,
                     const std::string& topology,
                     const std::string& policy) const;

  private:
    /// Requests of a size.
    struct Size
    {
        uint64_t received{0}; //!< granted or refused
        uint64_t granted{0};  //!< of them
    };

    /// Grants of a shape.
    struct Shape
    {
        uint64_t granted{0}; //!< how many
        double spread{0};    //!< sum
    };

    /// @param grant a request was granted
    void Granted(const ns3::odcn::RddcGrant& grant);
    /// @param request it was refused
    void Refused(const ns3::odcn::RddcRequest& request);
    /// @param request one  @return requests of its size
    Size& GetSize(const ns3::odcn::RddcRequest& request);

    uint32_t m_cpuUnits{1};                                      //!< of a server
    uint32_t m_memoryUnits{1};                                   //!< of a server
    std::shared_ptr<const ns3::odcn::RddcNetwork> m_network;     //!< servers and racks
    std::map<uint32_t, Size> m_sizes;                            //!< by least servers
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_spreads; //!< by servers and tenths
    std::map<std::pair<uint32_t, uint32_t>, Shape> m_shapes;     //!< by CPU and memory
};

#endif /* RDDC_NARA_ALLOCATION_GRANTS_H */
