// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_MEASURE_H
#define ODCN_FIGURES_MEASURE_H

/**
 * @file
 * Measures the points of a figure, unless a file has them from an earlier run.
 */

#include "odcn-drl-scheduling-report.h"

#include "ns3/odcn-evaluation.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-statistics.h"

#include <cstdint>
#include <string>
#include <vector>

/// What the packets of one replication's windows showed between racks.
struct PacketSums
{
    double sent{0};        //!< packets measured: received or lost
    double received{0};    //!< of these, received
    double lost{0};        //!< of these, lost
    double latencyNs{0};   //!< mean, one way from socket to socket
    double p50Ns{0};       //!< median
    double p99Ns{0};       //!< 99 % quantile
    double formulaNs{0};   //!< closed form at the same windows, servers' links included
    double formulaLoss{0}; //!< its share of packets lost
    double unbalanced{0};  //!< windows whose identities did not hold
};

/// Packets of all replications.
class PacketResult
{
  public:
    /// @param sums of one more replication
    void Add(const PacketSums& sums);

    /// @return whether there are any
    bool IsEmpty() const;

    /// @return mean latency in ns
    ns3::odcn::OdcnEstimate GetLatencyNs() const;

    /// @return closed form's mean latency in ns at the same windows, weighted as the packets are
    ns3::odcn::OdcnEstimate GetFormulaNs() const;

    /// @return packets' mean latency over the closed form's, less 1
    ns3::odcn::OdcnEstimate GetGap() const;

    /// @return share of the packets that was lost
    ns3::odcn::OdcnEstimate GetLoss() const;

    /// @return closed form's share of packets lost at the same windows
    ns3::odcn::OdcnEstimate GetFormulaLoss() const;

    /// @return mean over the replications of the 99 % quantile, in ns
    ns3::odcn::OdcnEstimate GetP99Ns() const;

    /// @return packets received
    double GetReceived() const;

    /// @return windows whose identities did not hold
    double GetUnbalanced() const;

    /// @param other of the same replications  @return mean latency over the other's
    ns3::odcn::OdcnEstimate GetLatencyRatio(const PacketResult& other) const;

    /// @param other of the same replications  @return loss over the other's
    ns3::odcn::OdcnEstimate GetLossRatio(const PacketResult& other) const;

  private:
    std::vector<PacketSums> m_sums; //!< By replication
};

/// One policy at one load.
struct FigurePoint
{
    std::string policy;               //!< as it is called in files and tables
    ns3::odcn::OdcnScheme scheme;     //!< how it decides
    std::string checkpoint;           //!< of an agent; empty for a rule
    std::string agent;                //!< what tells the agent from others; empty for a rule
    double load{0};                   //!< mean duration of jobs
    std::string attribute{};          //!< full name of an Attribute of the policy, if one is swept
    double value{0};                  //!< its value
    ns3::odcn::OdcnEvaluation jobs{}; //!< result at job level
    PacketResult packets{};           //!< result in packets, if asked for
};

/// How points are measured.
struct FigureStudy
{
    Options base;                   //!< size, jobs, warm-up, windows
    uint64_t firstRun{101};         //!< run number of the first replication
    uint32_t replications{20};      //!< at job level
    std::string packets{"exact"};   //!< who runs them: ns3, exact, or formula for nobody
    uint32_t packetReplications{0}; //!< in packets, the first of those at job level
    std::string attributes;         //!< Attributes that the command line has set
    std::string output;             //!< folder

    /// @param load of a point  @return options of its replications
    Options At(double load) const;
};

/**
 * Measure points at job level: what is not yet in the folder is run and kept there.
 * @param study how
 * @param name of the figure, for the progress
 * @param [in,out] points get their jobs
 */
void MeasureJobs(const FigureStudy& study,
                 const std::string& name,
                 std::vector<FigurePoint>& points);

/**
 * @param study how
 * @param point one point
 * @return whether all its replications at job level are there from an earlier run
 */
bool HasJobs(const FigureStudy& study, const FigurePoint& point);

/**
 * Measure points in packets, likewise.
 * @param study how
 * @param name of the figure, for the progress
 * @param [in,out] points get their packets
 */
void MeasurePackets(const FigureStudy& study,
                    const std::string& name,
                    std::vector<FigurePoint>& points);

#endif /* ODCN_FIGURES_MEASURE_H */
