// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_SERVER_LEDGER_H
#define RDDC_SERVER_LEDGER_H

#include "ns3/assert.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The free CPU and memory units of equal servers, any part of which can be allocated. Exact
 * integers, so releasing what was taken restores the ledger exactly. A value type.
 */
class RddcServerLedger
{
  public:
    RddcServerLedger() = default;

    /// @param servers number of servers  @param cpu CPU units of each
    /// @param memory memory units of each
    RddcServerLedger(uint32_t servers, uint32_t cpu, uint32_t memory)
        : m_cpuCapacity(cpu),
          m_memoryCapacity(memory),
          m_freeCpu(uint64_t{servers} * cpu),
          m_freeMemory(uint64_t{servers} * memory),
          m_cpu(servers, cpu),
          m_memory(servers, memory)
    {
    }

    /// @param server a server  @param cpu CPU units to take, at most those free
    /// @param memory memory units to take, at most those free
    void Take(ServerId server, uint32_t cpu, uint32_t memory)
    {
        NS_ASSERT_MSG(cpu <= m_cpu[server] && memory <= m_memory[server], "not free");
        m_cpu[server] -= cpu;
        m_memory[server] -= memory;
        m_freeCpu -= cpu;
        m_freeMemory -= memory;
    }

    /// @param server a server  @param cpu CPU units to release  @param memory memory units
    void Give(ServerId server, uint32_t cpu, uint32_t memory)
    {
        m_cpu[server] += cpu;
        m_memory[server] += memory;
        m_freeCpu += cpu;
        m_freeMemory += memory;
        NS_ASSERT_MSG(m_cpu[server] <= m_cpuCapacity && m_memory[server] <= m_memoryCapacity,
                      "more than was taken");
    }

    /// Fail or repair a server; when it fails it is free. @param server the server
    /// @param failed whether it has nothing to take until it is repaired
    void SetFailed(ServerId server, bool failed)
    {
        failed ? Take(server, m_cpuCapacity, m_memoryCapacity)
               : Give(server, m_cpuCapacity, m_memoryCapacity);
        failed ? ++m_failed : --m_failed;
    }

    /// @param server a server  @return its free CPU units
    uint32_t GetCpu(ServerId server) const
    {
        return m_cpu[server];
    }

    /// @param server a server  @return its free memory units
    uint32_t GetMemory(ServerId server) const
    {
        return m_memory[server];
    }

    /// @return free CPU units of all servers
    uint64_t GetFreeCpu() const
    {
        return m_freeCpu;
    }

    /// @return free memory units of all servers
    uint64_t GetFreeMemory() const
    {
        return m_freeMemory;
    }

    /// @return CPU units of a server
    uint32_t GetCpuCapacity() const
    {
        return m_cpuCapacity;
    }

    /// @return memory units of a server
    uint32_t GetMemoryCapacity() const
    {
        return m_memoryCapacity;
    }

    /// @return share of all CPU units that is in use; those of failed servers are not
    double GetCpuUse() const
    {
        return 1 - static_cast<double>(m_freeCpu + m_failed * m_cpuCapacity) /
                       static_cast<double>(m_cpu.size() * m_cpuCapacity);
    }

    /// @return share of all memory units that is in use; those of failed servers are not
    double GetMemoryUse() const
    {
        return 1 - static_cast<double>(m_freeMemory + m_failed * m_memoryCapacity) /
                       static_cast<double>(m_memory.size() * m_memoryCapacity);
    }

    /// @return number of servers
    uint32_t GetNServers() const
    {
        return static_cast<uint32_t>(m_cpu.size());
    }

    /// @param o other  @return whether capacities and every server's free units are equal
    bool operator==(const RddcServerLedger& o) const = default;

  private:
    uint32_t m_cpuCapacity{0};      //!< CPU units of a server
    uint32_t m_memoryCapacity{0};   //!< memory units of a server
    uint64_t m_freeCpu{0};          //!< free CPU units of all servers
    uint64_t m_freeMemory{0};       //!< free memory units of all servers
    uint64_t m_failed{0};           //!< servers that have failed
    std::vector<uint32_t> m_cpu;    //!< [server]: free CPU units
    std::vector<uint32_t> m_memory; //!< [server]: free memory units
};

} // namespace ns3::odcn

#endif /* RDDC_SERVER_LEDGER_H */
