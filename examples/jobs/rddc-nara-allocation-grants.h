// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_GRANTS_H
#define RDDC_NARA_ALLOCATION_GRANTS_H

/**
 * @file
 * Statistics of the grants of rddc-nara-allocation: sizes, and distances between servers.
 */

#include "ns3/odcn-experiment.h"
#include "ns3/odcn-output-files.h"
#include "ns3/rddc-allocation.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * Counts the grants and refusals of one policy in one case.
 *
 * The spread of a grant is the mean, over the pairs of its servers, of the highest tier of their
 * path: 1 within a rack, 2 within a cluster, 3 otherwise; 0 for a single server.
 */
class GrantLog
{
  public:
    /// Bin width of the sizes in shapes.csv, in units.
    static constexpr uint32_t SHAPE_UNITS = 8;

    /// @param labels of the case
    /// @param policy name
    GrantLog(ns3::odcn::Experiment::Labels labels, std::string policy);

    /// Count from now on.
    /// @param problem problem whose grants and refusals are counted
    void Attach(ns3::odcn::RddcAllocation& problem);

    /**
     * Write sizes.csv, requests by the least number of servers that can serve them; spreads.csv,
     * grants by number of servers and tenths of spread; and shapes.csv, the mean spread by
     * requested CPU and memory.
     * @param files output folder
     * @param logs of all policies and cases; at least one
     */
    static void Write(ns3::odcn::OutputFiles& files,
                      const std::vector<std::unique_ptr<GrantLog>>& logs);

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

    /// A request was granted.
    /// @param grant its grant
    void Granted(const ns3::odcn::RddcGrant& grant);
    /// A request was refused.
    /// @param request the request
    void Refused(const ns3::odcn::RddcRequest& request);
    /// @param request a request
    /// @return counters of its size
    Size& GetSize(const ns3::odcn::RddcRequest& request);

    ns3::odcn::Experiment::Labels m_labels;                      //!< of the case
    std::string m_policy;                                        //!< name
    uint32_t m_cpuUnits{1};                                      //!< CPU units per server
    uint32_t m_memoryUnits{1};                                   //!< memory units per server
    std::shared_ptr<const ns3::odcn::RddcNetwork> m_network;     //!< servers and racks
    std::map<uint32_t, Size> m_sizes;                            //!< by least number of servers
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_spreads; //!< by servers, tenths of spread
    std::map<std::pair<uint32_t, uint32_t>, Shape> m_shapes;     //!< by CPU and memory bins
};

#endif /* RDDC_NARA_ALLOCATION_GRANTS_H */
