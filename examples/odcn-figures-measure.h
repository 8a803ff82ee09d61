// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_MEASURE_H
#define ODCN_FIGURES_MEASURE_H

/**
 * @file
 * Measures the points of a figure, unless a file has them from an earlier run.
 */

#include "odcn-system.h"

#include "ns3/odcn-observations.h"
#include "ns3/odcn-policy-registry.h"

#include <cstdint>
#include <string>
#include <vector>

/// One policy at one load.
struct FigurePoint
{
    std::string policy;                //!< as it is called in files and tables
    std::string words;                 //!< how it decides; of an agent its file
    std::string agent;                 //!< tells the agent from others; empty for a rule
    double load{0};                    //!< mean duration of jobs
    ns3::odcn::PolicyChoice choice{};  //!< once it was measured
    ns3::odcn::Observations jobs{};    //!< result at job level
    ns3::odcn::Observations packets{}; //!< result in packets, if asked for

    /// @return whether the policy was trained
    bool IsAgent() const;

    /// @return whether circuits can be moved
    bool IsReconfigurable() const;

    /// @return whether there is a result in packets
    bool HasPackets() const;
};

/// How points are measured.
struct FigureStudy
{
    OdcnSystem base;                //!< size, windows, who runs packets
    uint64_t jobs{0};               //!< of a replication
    uint64_t warmUp{0};             //!< jobs before them
    uint64_t firstRun{101};         //!< run number of the first replication
    uint32_t replications{20};      //!< at job level
    uint32_t packetReplications{0}; //!< in packets, the first of those at job level
    std::string attributes;         //!< Attributes that the command line has set
    std::string output;             //!< folder
};

/**
 * Measure points at job level: what is not yet in the folder is run and kept there.
 * @param study how
 * @param name of the figure, for the progress
 * @param [in,out] points get their jobs; the same policies at every load
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
 * Measure points in packets, likewise. Figures of merit: "latency" (total in ns over packets
 * received), "formula" (the closed form's, weighted as the packets), "over_formula", "loss"
 * (packets lost over those measured), "formula_loss", "p99_ns" and "unbalanced" (windows whose
 * identities did not hold).
 * @param study how
 * @param name of the figure, for the progress
 * @param [in,out] points get their packets
 */
void MeasurePackets(const FigureStudy& study,
                    const std::string& name,
                    std::vector<FigurePoint>& points);

#endif /* ODCN_FIGURES_MEASURE_H */
