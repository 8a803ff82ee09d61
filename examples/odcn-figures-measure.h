// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_MEASURE_H
#define ODCN_FIGURES_MEASURE_H

/**
 * @file
 * Measures the points of a figure, or takes them from the file of an earlier run.
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
    std::string policy;                //!< title in files and tables
    std::string words;                 //!< specification of the policy; file of an agent
    std::string agent;                 //!< identifies the agent; empty for a rule
    double load{0};                    //!< mean duration of jobs
    ns3::odcn::PolicyChoice choice{};  //!< the policy; set when it was measured
    ns3::odcn::Observations jobs{};    //!< results at job level
    ns3::odcn::Observations packets{}; //!< results at packet level, if requested

    /// @return whether the policy was trained
    bool IsAgent() const;

    /// @return whether circuits can be moved
    bool IsReconfigurable() const;

    /// @return whether there are results at packet level
    bool HasPackets() const;
};

/// Measurement settings of points.
struct FigureStudy
{
    OdcnSystem base;                //!< size, windows, packet engine
    uint64_t jobs{0};               //!< measured jobs per replication
    uint64_t warmUp{0};             //!< jobs before the measured ones
    uint64_t firstRun{101};         //!< run number of the first replication
    uint32_t replications{20};      //!< replications at job level
    uint32_t packetReplications{0}; //!< replications at packet level, the first ones
    std::string attributes;         //!< Attributes set on the command line
    std::string output;             //!< output folder
};

/**
 * Measure points at job level. Results are stored in the output folder, and run only if missing.
 * @param study measurement settings
 * @param name name of the figure, for the progress output
 * @param [in,out] points points whose jobs are set; the same policies at every load
 */
void MeasureJobs(const FigureStudy& study,
                 const std::string& name,
                 std::vector<FigurePoint>& points);

/**
 * @param study measurement settings
 * @param point a point
 * @return whether all its replications at job level are stored
 */
bool HasJobs(const FigureStudy& study, const FigurePoint& point);

/**
 * Measure points at packet level, as MeasureJobs(). Figures of merit: "latency" (total in ns per
 * packet received), "formula" (latency of the closed form, weighted by packets), "over_formula",
 * "loss" (packets lost / measured), "formula_loss", "p99_ns" and "unbalanced" (windows whose
 * identities did not hold).
 * @param study measurement settings
 * @param name name of the figure, for the progress output
 * @param [in,out] points points whose packets are set
 */
void MeasurePackets(const FigureStudy& study,
                    const std::string& name,
                    std::vector<FigurePoint>& points);

#endif /* ODCN_FIGURES_MEASURE_H */
