// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PEER_H
#define ODCN_PEER_H

/**
 * @file
 * A data centre whose agent runs in another process: the data exchanged for each decision.
 */

#include "ns3/odcn-scheduling.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// State sent to the agent's process before a decision.
struct PeerState
{
    std::vector<float> observation; //!< as from Observe()
    std::vector<uint8_t> mask;      //!< as from Mask()
    std::vector<float> rewards;     //!< rewards that have become known since the previous decision
};

/// @param problem at a decision  @param [out] state observation and mask; rewards are unchanged
void Observe(const ns3::odcn::OdcnScheduling& problem, PeerState& state);

/// @param problem at a decision  @param action rack  @param [out] state receives its rewards
void Act(ns3::odcn::OdcnScheduling& problem, uint32_t action, PeerState& state);

/**
 * Let another process decide through shared memory, as ns3-ai does.
 * @param problem at a decision
 * @param name of the shared memory, created here and removed at the end
 * @param spin whether both sides wait in a loop (else on semaphores)
 * @param decisions number of decisions
 * @param connected called after the first decision, when the other process is connected
 */
void ServeSharedMemory(ns3::odcn::OdcnScheduling& problem,
                       const std::string& name,
                       bool spin,
                       uint64_t decisions,
                       const std::function<void()>& connected);

/**
 * Let another process decide by protocol buffers over ZeroMQ, as ns3-gym does.
 * @param problem at a decision
 * @param endpoint on which that process listens, e.g. "tcp://localhost:5555"
 * @param decisions number of decisions
 * @param connected called after the first decision, when the other process is connected
 */
void ServeZmq(ns3::odcn::OdcnScheduling& problem,
              const std::string& endpoint,
              uint64_t decisions,
              const std::function<void()>& connected);

#endif /* ODCN_PEER_H */
