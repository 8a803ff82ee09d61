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

/// Definitions of a hotspot and of the intervals that IcciPool measures.
struct IcciPoolRules
{
    double threshold{0.8};  //!< epsilon: share of a centre's CUs from which on it is hot
    double window{600};     //!< s; a centre is hot by its mean over the last whole window
    double block{3600};     //!< s of a CU-time block, a multiple of window
    double duration{86400}; //!< s that are measured, a multiple of block
};

/**
 * @ingroup odcn
 *
 * The computing units (GPUs) of the centres over a day: those that training tasks hold, and those
 * that background requests use of the rest. Requests beyond the rest are lost and counted, so the
 * CUs of a centre in use are min(N_v, held + asked for), and never more than there are.
 *
 * Held CUs are integers: giving back what was taken restores them bit for bit. A plain value; the
 * samples of the background load are not owned by the pool.
 */
class IcciPool
{
  public:
    IcciPool() = default;

    /**
     * @param capacities N_v, CUs of each centre
     * @param rules definitions of what is measured
     * @param samples [centre][sample] CUs that the tide asks for, in thousandths; must outlive the
     * pool
     * @param nSamples samples of a centre, at least one for each step of the duration
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

    /// @return the definitions in use
    const IcciPoolRules& GetRules() const
    {
        return m_rules;
    }

    /// @return current time, s
    double GetTime() const
    {
        return m_time;
    }

    /// Advance time. @param time s, not before GetTime(); beyond the duration nothing is measured
    void AdvanceTo(double time);

    /// @param centre where  @param cus to hold, as many as GetFree() at most
    void Take(uint32_t centre, uint32_t cus);

    /// @param centre where  @param cus to give back
    void Give(uint32_t centre, uint32_t cus);

    /// @param centre a centre  @return N_v
    uint32_t GetCapacity(uint32_t centre) const
    {
        return m_capacity[centre];
    }

    /// @param centre a centre  @return CUs that tasks hold there
    uint32_t GetHeld(uint32_t centre) const
    {
        return m_held[centre];
    }

    /// @param centre a centre  @return CUs that tasks do not hold there
    uint32_t GetFree(uint32_t centre) const
    {
        return m_capacity[centre] - m_held[centre];
    }

    /// @param centre a centre  @return CUs that the tide asks for now
    double GetAsked(uint32_t centre) const;

    /**
     * @param centre a centre
     * @return mean CUs that the tide asked for over the last whole window; GetAsked() in the first
     */
    double GetRecentAsked(uint32_t centre) const;

    /// @param centre a centre  @return mean CUs in use over the last whole window; 0 in the first
    double GetRecentUse(uint32_t centre) const
    {
        return m_recentUse[centre];
    }

    /// @param centre a centre  @return whether it is a hotspot (Eq. 5)
    bool IsHot(uint32_t centre) const
    {
        return m_recentUse[centre] >= m_rules.threshold * m_capacity[centre];
    }

    /// @return completed blocks
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

    /// @param centre a centre  @return CU s of background requests that were lost
    double GetLost(uint32_t centre) const
    {
        return m_lost[centre];
    }

    /**
     * The use that would result if tasks held that many CUs there all the time.
     * @param centre where
     * @param held CUs, N_v at most
     * @param from s  @param to s, after it, within the duration
     * @return mean CUs in use
     */
    double GetUseIf(uint32_t centre, uint32_t held, double from, double to) const;

  private:
    /**
     * Sum over a time in which the CUs held do not change.
     * @param centre where  @param held CUs
     * @param from s  @param to s
     * @param [in,out] use CU s in use  @param [in,out] lost CU s lost
     */
    void Integrate(uint32_t centre,
                   uint32_t held,
                   double from,
                   double to,
                   double& use,
                   double& lost) const;

    std::vector<uint32_t> m_capacity;  //!< N_v
    IcciPoolRules m_rules;             //!< definitions
    const int32_t* m_samples{nullptr}; //!< of the tide
    std::size_t m_nSamples{0};         //!< of a centre
    double m_step{1};                  //!< s between samples
    double m_time{0};                  //!< current time
    std::size_t m_window{0};           //!< index of the current window
    std::size_t m_nBlocks{0};          //!< completed blocks
    std::vector<uint32_t> m_held;      //!< by tasks
    std::vector<double> m_windowUse;   //!< CU s in use in the current window
    std::vector<double> m_blockUse;    //!< CU s in use in the current block
    std::vector<double> m_recentUse;   //!< mean of the last window
    std::vector<double> m_blocks;      //!< [block][centre]: mean of each completed block
    std::vector<double> m_lost;        //!< CU s
};

} // namespace ns3::odcn

#endif /* ICCI_POOL_H */
