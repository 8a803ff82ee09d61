// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DRL_SCHEDULING_RUN_H
#define ODCN_DRL_SCHEDULING_RUN_H

/**
 * @file
 * One replication of one scheme, at job level or in packets: what odcn-drl-scheduling runs for its
 * tables and odcn-figures for the paper's figures.
 */

#include "odcn-drl-scheduling-report.h"

#include "ns3/odcn-evaluation.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-source.h"
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-window-recorder.h"

#include <cstdint>
#include <functional>

/// @param options of the command line  @return what builds the data centre
ns3::odcn::OdcnHelper MakeHelper(const Options& options);

/**
 * Where jobs come from: the generator, a job file, or a trace.
 * @param options of the command line
 * @return the source
 */
ns3::Ptr<ns3::odcn::OdcnJobSource> MakeJobs(const Options& options);

/**
 * A policy of a scheme; trained ones get their files.
 * @param scheme which
 * @param options of the command line
 * @return the policy
 */
ns3::Ptr<ns3::odcn::OdcnDecisionPolicy> MakePolicy(const ns3::odcn::OdcnScheme& scheme,
                                                   const Options& options);

/**
 * What a scheme decides, empty and ready.
 * @param scheme which
 * @param options of the command line
 * @param helper builds it
 * @param policy that decides, for the form of its observations
 * @return the problem
 */
ns3::Ptr<ns3::odcn::OdcnScheduling> MakeProblem(const ns3::odcn::OdcnScheme& scheme,
                                                const Options& options,
                                                const ns3::odcn::OdcnHelper& helper,
                                                ns3::odcn::OdcnDecisionPolicy& policy);

/// @return one line for each agent so far: decisions by LibTorch, and by the fast path
std::string DescribePasses();

/**
 * The exact bound for the generator's jobs: all servers as one pool of cores.
 * @param options of the command line
 * @return the loss system
 */
ns3::odcn::OdcnKaufmanRoberts MakeBound(const Options& options);

/**
 * Job level: one replication, that of the current run number.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem
 * @param evaluation takes the batches
 * @param begun called with the problem before the first job
 * @param progress called after every job with the number of jobs decided so far
 */
void RunReplication(const ns3::odcn::OdcnScheme& scheme,
                    const Options& options,
                    const ns3::odcn::OdcnHelper& helper,
                    ns3::odcn::OdcnEvaluation& evaluation,
                    const std::function<void(ns3::odcn::OdcnScheduling&)>& begun,
                    const std::function<void(uint64_t)>& progress);

/**
 * Packets: the replication of the current run number in the simulator, with its measurement
 * windows.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem and the network
 * @param recorder records the windows as those of @p name
 * @param name for the recorder
 * @param begun called with what was built before anything runs
 * @param ended called when all has run and the simulator still stands
 */
void RunWindows(const ns3::odcn::OdcnScheme& scheme,
                const Options& options,
                ns3::odcn::OdcnHelper& helper,
                ns3::odcn::OdcnWindowRecorder& recorder,
                const std::string& name,
                const std::function<void(ns3::odcn::OdcnScenario&)>& begun,
                const std::function<void()>& ended);

/**
 * As RunWindows() without the simulator, by the exact packet engine: the same windows.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem and the engine
 * @param recorder records the windows as those of @p name
 * @param name for the recorder
 * @param progress called after every job with the number of jobs decided so far
 */
void RunExactWindows(const ns3::odcn::OdcnScheme& scheme,
                     const Options& options,
                     ns3::odcn::OdcnHelper& helper,
                     ns3::odcn::OdcnWindowRecorder& recorder,
                     const std::string& name,
                     const std::function<void(uint64_t)>& progress);

#endif /* ODCN_DRL_SCHEDULING_RUN_H */
