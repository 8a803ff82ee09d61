// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_POOL_H
#define ICCI_POOL_H

#include "icci-tide.h"

#include <algorithm>
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

/**
 * @ingroup odcn
 *
 * CUs in use in every centre: those held by workers, and the mean tide of the last window.
 */
struct IcciLoads
{
    IcciPool pool;                 //!< CUs held, and the tide
    IcciPoolRules rules;           //!< hotspot threshold and intervals
    uint32_t cus{0};               //!< N_v, CUs of a centre
    std::vector<double> recent;    //!< [centre]: tide of the last window
    std::vector<uint32_t> leaving; //!< [centre]: CUs of workers that are moving away

    /// @param centre a centre
    /// @return CUs held there by workers that are not moving away
    uint32_t GetSettled(uint32_t centre) const
    {
        return pool.GetHeld(centre) - leaving[centre];
    }

    /// @param centre a centre
    /// @return CUs in use, at most N_v
    double Get(uint32_t centre) const
    {
        return std::min<double>(cus, recent[centre] + GetSettled(centre));
    }

    /// @param centre a centre
    /// @param worker CUs of another worker
    /// @return whether there is room for it (Eq. 6)
    bool HasRoom(uint32_t centre, uint32_t worker) const
    {
        return pool.GetFree(centre) >= worker && cus - Get(centre) >= worker;
    }

    /// @return CUs in use from which a centre is a hotspot
    double GetHotLoad() const
    {
        return rules.threshold * cus;
    }

    /// @param centre a centre
    /// @return whether it is a hotspot
    bool IsHot(uint32_t centre) const
    {
        return Get(centre) >= GetHotLoad();
    }

    /// Update the tide of the last window.
    void Update()
    {
        for (uint32_t centre = 0; centre < recent.size(); ++centre)
        {
            recent[centre] = pool.GetRecentAsked(centre);
        }
    }
};

/// A period over which loads are evaluated.
struct IcciOutlook
{
    double from{0};    //!< begin of the period, s since midnight
    double to{0};      //!< end of the period; equal to from for the present
    bool known{false}; //!< whether the actual load of the day is used, not the mean tide
};

/**
 * @ingroup odcn
 *
 * Expected loads of centres: E[min(N_v, held + tide)] by area, hour and number of CUs held, with a
 * Poisson number of requests.
 */
class IcciForecast
{
  public:
    /// @param areas area of each centre
    void SetAreas(std::vector<IcciArea> areas);

    /// Fill the table unless it was made of this. @param tide mean load  @param cus N_v
    void Tabulate(const IcciTide& tide, uint32_t cus);

    /**
     * @param centre a centre
     * @param held CUs held by workers there, at most N_v
     * @param time s since midnight
     * @return mean CUs in use over that hour
     */
    double GetMeanLoad(uint32_t centre, uint32_t held, double time) const
    {
        return GetMeanLoad(m_areas[centre], held, time);
    }

    /**
     * @param loads loads of all centres
     * @param centre a centre
     * @param held CUs held by workers there
     * @param outlook the period
     * @param [out] use mean share of CUs in use
     * @return number of hotspot blocks; for the present 1 if the centre is a hotspot, else 0
     */
    double Foresee(const IcciLoads& loads,
                   uint32_t centre,
                   uint32_t held,
                   const IcciOutlook& outlook,
                   double& use) const;

  private:
    /// @param area area of a centre  @param held CUs  @param time s  @return mean CUs in use
    double GetMeanLoad(IcciArea area, uint32_t held, double time) const;

    std::vector<IcciArea> m_areas;  //!< [centre]
    uint32_t m_cus{0};              //!< N_v
    IcciTide::Rates m_rates{};      //!< of the tide
    double m_cusPerRequest{0};      //!< of the tide
    std::vector<double> m_expected; //!< [area][hour][held]: mean CUs in use
};

} // namespace ns3::odcn

#endif /* ICCI_POOL_H */
