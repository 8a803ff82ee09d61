// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The boundary of ns3-ai: one block of shared memory, made with Boost.Interprocess and mapped by
 * Python, which the two sides write in turn. agent_shared_memory.py is the other side.
 */

#include "odcn-peer.h"

#include <algorithm>
#include <atomic>
#include <boost/interprocess/mapped_region.hpp>
#include <boost/interprocess/shared_memory_object.hpp>
#include <new>
#include <sched.h>
#include <semaphore.h>

using namespace ns3::odcn;
namespace ipc = boost::interprocess;

namespace
{

/// The side that may read and write the block.
enum Turn : uint32_t
{
    ENVIRONMENT,
    AGENT,
    END
};

/// Rewards that one message can carry: those of the largest job.
constexpr uint32_t MAX_REWARDS = 64;

/// Head of the block; observation (float), mask (byte) and rewards (float) follow, each from the
/// next multiple of 64. The Python side uses the same offsets.
struct Block
{
    std::atomic<uint32_t> turn; //!< offset 0
    uint32_t nActions;          //!< offset 4
    uint32_t action;            //!< offset 8
    uint32_t nRewards;          //!< offset 12
    uint32_t spin;              //!< offset 16
    uint32_t reserved[11];      //!< up to 64
    sem_t agent;                //!< offset 64: the agent may read
    char padding[64 - sizeof(sem_t)];
    sem_t environment; //!< offset 128: the environment may read
};

static_assert(offsetof(Block, agent) == 64 && offsetof(Block, environment) == 128);

/// @param bytes a size  @return the next multiple of 64
std::size_t
Aligned(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// Wait for a turn. @param turn shared state  @param mine the turn to wait for
void
Spin(const std::atomic<uint32_t>& turn, uint32_t mine)
{
    for (uint32_t i = 1; turn.load(std::memory_order_acquire) != mine; ++i)
    {
        // With fewer cores than processes the other side needs this core.
        if (i % 1000 == 0)
        {
            sched_yield();
        }
    }
}

} // namespace

void
ServeSharedMemory(OdcnScheduling& problem,
                  const std::string& name,
                  bool spin,
                  uint64_t decisions,
                  const std::function<void()>& connected)
{
    const uint32_t nActions = problem.GetNActions();
    const std::size_t observationAt = Aligned(sizeof(Block));
    const std::size_t maskAt =
        observationAt + Aligned(problem.GetObservationSize() * sizeof(float));
    const std::size_t rewardsAt = maskAt + Aligned(nActions);

    ipc::shared_memory_object::remove(name.c_str());
    ipc::shared_memory_object memory(ipc::create_only, name.c_str(), ipc::read_write);
    memory.truncate(static_cast<ipc::offset_t>(rewardsAt + MAX_REWARDS * sizeof(float)));
    const ipc::mapped_region region(memory, ipc::read_write);
    auto* base = static_cast<char*>(region.get_address());
    auto* block = new (base) Block{};
    sem_init(&block->agent, 1, 0);
    sem_init(&block->environment, 1, 0);
    block->nActions = nActions;
    block->spin = spin;

    const auto pass = [&](Turn turn)
    {
        block->turn.store(turn, std::memory_order_release);
        if (!spin)
        {
            sem_post(&block->agent);
        }
    };
    PeerState state;
    for (uint64_t i = 0; i < decisions; ++i)
    {
        Observe(problem, state);
        std::copy(state.observation.begin(),
                  state.observation.end(),
                  reinterpret_cast<float*>(base + observationAt));
        std::copy(state.mask.begin(), state.mask.end(), base + maskAt);
        block->nRewards =
            static_cast<uint32_t>(std::min<std::size_t>(state.rewards.size(), MAX_REWARDS));
        std::copy_n(state.rewards.begin(),
                    block->nRewards,
                    reinterpret_cast<float*>(base + rewardsAt));
        pass(AGENT);
        if (spin)
        {
            Spin(block->turn, ENVIRONMENT);
        }
        else
        {
            sem_wait(&block->environment);
        }
        Act(problem, block->action, state);
        if (i == 0)
        {
            connected();
        }
    }
    pass(END);
    ipc::shared_memory_object::remove(name.c_str());
}
