// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_WORKLOAD_H
#define ODCN_FLOW_WORKLOAD_H

#include "odcn-traffic.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Read a flow file: a line for each flow, "source destination bytes start_ns" separated by blanks,
 * hosts numbered from 0, in any order of time. Starts may have decimals, to the picosecond.
 *
 * @param path the file, may be gzip-compressed
 * @param hosts number of hosts
 * @return the flows, as in the file
 * @throws OdcnError when the file cannot be read or has a malformed line
 */
Traffic ReadFlowFile(const std::string& path, uint32_t hosts);

/**
 * Write a flow file, completely or not at all. ReadFlowFile() reads the same flows.
 *
 * @param path the file
 * @param flows the flows
 * @throws OdcnError when the file cannot be written
 */
void WriteFlowFile(const std::string& path, const Traffic& flows);

/**
 * @ingroup odcn
 *
 * Distribution of flow sizes: a constant, or a cumulative distribution function (CDF) from a file.
 *
 * The file has a line "bytes,cdf" for each point, both increasing, the last cdf 1. There are two
 * readings of it:
 * - Interpolated: the CDF is linear between points, so that a size within an interval is uniform
 *   there; mean = c_0 x_0 + sum over i of (c_i - c_(i-1)) (x_i + x_(i-1)) / 2. The first point is
 *   an atom with the probability of its cdf (none if that is 0). Sizes are rounded to whole bytes,
 *   which does not change the mean since the points are whole numbers.
 * - Not interpolated: the CDF is a step function, and only the points are drawn;
 *   mean = c_0 x_0 + sum over i of (c_i - c_(i-1)) x_i. Opera's authors read their files so.
 *
 * The means differ (1.490 and 1.876 MB for websearch), so equal loads are different numbers of
 * flows.
 */
class FlowSizes
{
  public:
    /**
     * @param text path of a CDF file, or a whole number of bytes
     * @param interpolate whether the CDF is interpolated
     * @throws OdcnError when the text is neither
     */
    explicit FlowSizes(const std::string& text, bool interpolate = true);

    /// @return exact mean of the sizes, bytes
    double GetMean() const
    {
        return m_mean;
    }

    /// @return a random size, bytes
    uint64_t Draw();

    /// @param stream stream number
    void SetStream(int64_t stream);

  private:
    /// @param path a CDF file  @param interpolate whether the CDF is interpolated
    void Read(const std::string& path, bool interpolate);

    Ptr<EmpiricalRandomVariable> m_variable; //!< the distribution; null for a constant
    double m_mean{0};                        //!< exact mean, bytes
};

/// The FlowSizes of a workload, whose random numbers go on from call to call.
class FlowSizeSource
{
  public:
    /// @param stream first stream number; a distribution that follows another one has one of its
    /// own
    void SetStream(int64_t stream);

    /**
     * @param text as for FlowSizes
     * @param interpolate as for FlowSizes
     * @return the distribution: that of the last call unless it was another one
     * @throws OdcnError as FlowSizes
     */
    FlowSizes& Get(const std::string& text, bool interpolate);

  private:
    std::optional<FlowSizes> m_sizes;    //!< of the last Get()
    std::pair<std::string, bool> m_made; //!< of which it was made
    int64_t m_stream{-1};                //!< of the next distribution; negative: automatic
};

/**
 * @ingroup odcn
 *
 * Generates flows: Poisson arrivals at a load over a demand matrix, or a shuffle.
 *
 * @code
 *   auto workload = CreateObject<FlowWorkload>();
 *   workload->SetAttribute("Load", DoubleValue(0.25));
 *   workload->SetAttribute("Sizes", StringValue("data/flow-cdf/websearch.csv"));
 *   workload->AssignStreams(1);
 *   auto flows = workload->Generate(DemandMatrix::Make("uniform", 108), 6);
 * @endcode
 *
 * A later call goes on with the random numbers, so it gives other flows.
 */
class FlowWorkload : public Object
{
  public:
    /// Most flows that Generate() may make on average.
    static constexpr double MAX_FLOWS = 1e8;

    /// @return the TypeId
    static TypeId GetTypeId();
    FlowWorkload();

    /**
     * Poisson arrivals from time 0 to Duration. The hosts of the busiest rack of the matrix
     * together send or receive Load x HostRate x hosts of application data, without headers; the
     * others in proportion. Both hosts of a flow are uniformly distributed in their racks.
     *
     * @param demand traffic from rack to rack, in any unit
     * @param hostsPerRack hosts of a rack
     * @return the flows by start, which are whole nanoseconds
     * @throws OdcnError when the matrix has no traffic, Sizes is not valid, or more than MAX_FLOWS
     * flows are expected
     */
    Traffic Generate(const DemandMatrix& demand, uint32_t hostsPerRack);

    /**
     * As above for racks that differ. The busiest rack is the one whose demand is the largest share
     * of its hosts' rate.
     *
     * @param demand traffic from rack to rack, in any unit
     * @param hosts number of hosts by rack; hosts are numbered rack by rack
     * @param rates of a host's link, by rack; empty for HostRate
     * @return the flows by start, which are whole nanoseconds
     * @throws OdcnError as above, or when there is not one number and rate per rack
     */
    Traffic Generate(const DemandMatrix& demand,
                     const std::vector<uint32_t>& hosts,
                     const std::vector<DataRate>& rates = {});

    /**
     * A shuffle: every host sends to every host of the other racks, which are of equal size.
     *
     * @param racks number of racks, 2 or more
     * @param hostsPerRack hosts of a rack
     * @param bytes size of each flow
     * @param spread starts are uniformly distributed from 0 to this; 0 starts all at once
     * @return the flows by start, which are whole nanoseconds
     * @throws OdcnError when an argument is out of range
     */
    Traffic Shuffle(uint32_t racks, uint32_t hostsPerRack, uint64_t bytes, Time spread = Time(0));

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    double m_load;       //!< Load
    DataRate m_hostRate; //!< HostRate
    std::string m_sizes; //!< Sizes
    bool m_interpolate;  //!< Interpolate
    Time m_duration;     //!< Duration

    Ptr<ExponentialRandomVariable> m_gaps; //!< gaps between flows
    Ptr<UniformRandomVariable> m_pairs;    //!< pairs of racks
    Ptr<UniformRandomVariable> m_hosts;    //!< hosts within racks
    Ptr<UniformRandomVariable> m_starts;   //!< starts of a shuffle
    FlowSizeSource m_sizeSource;           //!< sizes
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_WORKLOAD_H */
