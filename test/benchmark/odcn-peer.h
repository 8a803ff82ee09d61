// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PEER_H
#define ODCN_PEER_H

/**
 * @file
 * The data centre whose agent sits in another process: what crosses the boundary for each decision.
 */

#include "ns3/odcn-scheduling.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What the agent's process is told before a decision.
struct PeerState
{
    std::vector<float> observation; //!< as Observe() gives it
    std::vector<uint8_t> mask;      //!< as Mask() gives it
    std::vector<float> rewards;     //!< that have become known since the decision before
};

/// @param problem stands at a decision  @param [out] state what an agent is told; rewards are kept
void Observe(const ns3::odcn::OdcnScheduling& problem, PeerState& state);

/// @param problem stands at a decision  @param action rack  @param [out] state rewards of it
void Act(ns3::odcn::OdcnScheduling& problem, uint32_t action, PeerState& state);

/**
 * Let a process decide that shares memory with this one, as ns3-ai does.
 * @param problem stands at a decision
 * @param name of the shared memory, made here and removed at the end
 * @param spin whether both wait in a loop (else on semaphores)
 * @param decisions how many
 * @param connected called after the first of them, when the other process is there
 */
void ServeSharedMemory(ns3::odcn::OdcnScheduling& problem,
                       const std::string& name,
                       bool spin,
                       uint64_t decisions,
                       const std::function<void()>& connected);

/**
 * Let a process decide that answers protocol buffers over ZeroMQ, as ns3-gym does.
 * @param problem stands at a decision
 * @param endpoint where that process listens, e.g. "tcp://localhost:5555"
 * @param decisions how many
 * @param connected called after the first of them, when the other process is there
 */
void ServeZmq(ns3::odcn::OdcnScheduling& problem,
              const std::string& endpoint,
              uint64_t decisions,
              const std::function<void()>& connected);

#endif /* ODCN_PEER_H */
