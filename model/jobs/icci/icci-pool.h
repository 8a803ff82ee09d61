// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_POOL_H
#define ICCI_POOL_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Hotspot threshold and measuring intervals of an IcciPool.
struct IcciPoolRules
{
    double threshold{0.8};  //!< epsilon: share of a centre's CUs in use from which it is a hotspot
    double window{600};     //!< s; hotspots are judged by the mean over the last complete window
    double block{3600};     //!< length of a CU-time block, s; a multiple of window
    double duration{86400}; //!< measured time, s; a multiple of block
};

/**
 * @ingroup odcn
 *
 * The computing units (GPUs) of the centres over a day: those held by training tasks, and those of
 * the rest used by background requests. Requests beyond the rest are lost and counted: the CUs of a
 * centre in use are min(N_v, held + requested).
 *
 * Held CUs are integers: releasing what was taken restores them exactly. A value type; the samples
 * of the background load are not owned by the pool.
 */
class IcciPool
{
  public:
    IcciPool() = default;

    /**
     * @param capacities N_v, CUs of each centre
     * @param rules hotspot threshold and measuring intervals
     * @param samples [centre][sample]: CUs requested by the tide, in thousandths; must outlive the
     * pool
     * @param nSamples samples per centre, at least one for each step of the duration
     * @param step s between samples; a divisor of the window
     */
    IcciPool(std::vector<uint32_t> capacities,
             const IcciPoolRules& rules,
             const int32_t* samples,
             std::size_t nSamples,
             double step);

    /// @return number of centres
    uint32_t GetNCentres() const
    {
        return static_cast<uint32_t>(m_capacity.size());
    }

    /// @return hotspot threshold and measuring intervals
    const IcciPoolRules& GetRules() const
    {
        return m_rules;
    }

    /// @return current time, s
    double GetTime() const
    {
        return m_time;
    }

    /// Advance time. @param time s, not before GetTime(); nothing is measured beyond the duration
    void AdvanceTo(double time);

    /// @param centre a centre  @param cus number to hold, at most GetFree()
    void Take(uint32_t centre, uint32_t cus);

    /// @param centre a centre  @param cus number to release
    void Give(uint32_t centre, uint32_t cus);

    /// @param centre a centre  @return N_v
    uint32_t GetCapacity(uint32_t centre) const
    {
        return m_capacity[centre];
    }

    /// @param centre a centre  @return CUs held there by tasks
    uint32_t GetHeld(uint32_t centre) const
    {
        return m_held[centre];
    }

    /// @param centre a centre  @return CUs not held there by tasks
    uint32_t GetFree(uint32_t centre) const
    {
        return m_capacity[centre] - m_held[centre];
    }

    /// @param centre a centre  @return CUs requested by the tide now
    double GetAsked(uint32_t centre) const;

    /**
     * @param centre a centre
     * @return mean CUs requested by the tide over the last window; GetAsked() in the first window
     */
    double GetRecentAsked(uint32_t centre) const;

    /// @param centre a centre  @return mean CUs in use over the last window; 0 in the first window
    double GetRecentUse(uint32_t centre) const
    {
        return m_recentUse[centre];
    }

    /// @param centre a centre  @return whether it is a hotspot (Eq. 5)
    bool IsHot(uint32_t centre) const
    {
        return m_recentUse[centre] >= m_rules.threshold * m_capacity[centre];
    }

    /// @return number of completed blocks
    std::size_t GetNBlocks() const
    {
        return m_nBlocks;
    }

    /// @param centre a centre  @param block a completed block  @return mean CUs in use in it
    double GetBlockUse(uint32_t centre, std::size_t block) const
    {
        return m_blocks[block * m_capacity.size() + centre];
    }

    /// @param centre a centre  @param block a completed block  @return whether it was a hotspot
    bool IsHotBlock(uint32_t centre, std::size_t block) const
    {
        return GetBlockUse(centre, block) >= m_rules.threshold * m_capacity[centre];
    }

    /// @param centre a centre  @return lost background requests, CU s
    double GetLost(uint32_t centre) const
    {
        return m_lost[centre];
    }

    /**
     * The mean use that would result if tasks held this many CUs throughout.
     * @param centre a centre
     * @param held CUs, at most N_v
     * @param from s  @param to s, after it, within the duration
     * @return mean CUs in use
     */
    double GetUseIf(uint32_t centre, uint32_t held, double from, double to) const;

  private:
    /**
     * Integrate over an interval in which the number of CUs held is constant.
     * @param centre a centre  @param held CUs
     * @param from s  @param to s
     * @param [in,out] use adds CU s in use  @param [in,out] lost adds CU s lost
     */
    void Integrate(uint32_t centre,
                   uint32_t held,
                   double from,
                   double to,
                   double& use,
                   double& lost) const;

    std::vector<uint32_t> m_capacity;  //!< N_v
    IcciPoolRules m_rules;             //!< hotspot threshold and intervals
    const int32_t* m_samples{nullptr}; //!< [centre][sample]: CUs requested, in thousandths
    std::size_t m_nSamples{0};         //!< samples per centre
    double m_step{1};                  //!< time between samples, s
    double m_time{0};                  //!< current time, s
    std::size_t m_window{0};           //!< index of the current window
    std::size_t m_nBlocks{0};          //!< number of completed blocks
    std::vector<uint32_t> m_held;      //!< [centre]: CUs held by tasks
    std::vector<double> m_windowUse;   //!< [centre]: CU s in use in the current window
    std::vector<double> m_blockUse;    //!< [centre]: CU s in use in the current block
    std::vector<double> m_recentUse;   //!< [centre]: mean CUs in use over the last window
    std::vector<double> m_blocks;      //!< [block][centre]: mean CUs in use in each completed block
    std::vector<double> m_lost;        //!< [centre]: CU s lost
};

} // namespace ns3::odcn

#endif /* ICCI_POOL_H */
