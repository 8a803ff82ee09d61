// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAULT_TALLY_H
#define ODCN_FAULT_TALLY_H

#include "odcn-fault-plan.h"

#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Counts the faults in effect, of parts and of the devices that they affect, and the time for which
 * parts do not work. It has no clock: FaultInjector counts so in ns-3, the exact engine without it.
 */
class FaultTally
{
  public:
    /// What a count of faults belongs to: a kind of device, at least FAULT_PARTS, and its numbers.
    using Key = std::tuple<int, uint64_t, uint64_t>;

    /// @param part a kind
    /// @param sizes its parts, as for FaultPlan::Sample()
    void SetSizes(FaultPart part, FaultSizes sizes)
    {
        Find(part).sizes = std::move(sizes);
    }

    /// @param part a kind
    /// @return its parts, none without SetSizes()
    const FaultSizes& GetSizes(FaultPart part) const
    {
        return Find(part).sizes;
    }

    /// Time counts from now on.
    /// @param now the time
    void Start(Time now);

    /**
     * A fault starts or ends.
     * @param fault the fault
     * @param failed whether it starts
     * @param now the time
     * @return whether its part fails or works again: no other fault of it is in effect
     */
    bool Change(const Fault& fault, bool failed, Time now);

    /**
     * Count a fault of a device.
     * @param key the device
     * @param failed whether the fault starts
     * @return whether it is the first to start or the last to end
     */
    bool Count(const Key& key, bool failed);

    /// @param key a device
    /// @return whether a fault of it is in effect
    bool Has(const Key& key) const
    {
        return m_counts.contains(key);
    }

    /// @param part a kind
    /// @param now the time
    /// @return share of the time since Start() in which its parts worked, averaged over the parts;
    /// 1 without parts or time
    double GetAvailability(FaultPart part, Time now) const;

    /// @param part a kind
    /// @return whether any of its parts does not work now
    bool IsDown(FaultPart part) const
    {
        return Find(part).down > 0;
    }

    /// @param part a kind
    /// @return faults of its parts that have started
    uint64_t GetNFaults(FaultPart part) const
    {
        return Find(part).faults;
    }

  private:
    /// Parts of a kind.
    struct Kind
    {
        FaultSizes sizes;   //!< see SetSizes()
        uint64_t faults{0}; //!< faults so far
        uint64_t down{0};   //!< parts that do not work
        double downTime{0}; //!< integral of down over time, s
        Time since;         //!< end of the integral
    };

    /// @param part a kind
    /// @return its parts
    Kind& Find(FaultPart part)
    {
        return m_kinds[static_cast<std::size_t>(part)];
    }

    /// @copydoc Find
    const Kind& Find(FaultPart part) const
    {
        return m_kinds[static_cast<std::size_t>(part)];
    }

    /// @param kind parts
    /// @param now the time
    /// @return integral of those down until now, s
    static double GetDownTime(const Kind& kind, Time now);

    std::array<Kind, FAULT_PARTS> m_kinds; //!< by FaultPart
    std::map<Key, uint32_t> m_counts;      //!< faults in effect
    Time m_started;                        //!< time of Start()
};

} // namespace ns3::odcn

#endif /* ODCN_FAULT_TALLY_H */
