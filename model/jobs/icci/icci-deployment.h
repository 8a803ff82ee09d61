// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_DEPLOYMENT_H
#define ICCI_DEPLOYMENT_H

#include "icci-forecast.h"
#include "icci-lightpath-ledger.h"
#include "icci-loads.h"
#include "icci-pool.h"
#include "icci-task.h"

#include "ns3/object.h"
#include "ns3/odcn-departures.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class IcciRingSearch;

/**
 * @ingroup odcn
 *
 * The first layer of an IcciManager: the time of a day and its events to come.
 */
class IcciClock : public Object
{
  public:
    /// @return current time, s since midnight
    double GetTime() const
    {
        return m_time;
    }

  protected:
    /// An event of the day.
    struct Event
    {
        /// Kind of event.
        enum Kind : uint8_t
        {
            END,     //!< a task completes its iterations
            ARRIVAL, //!< a task arrives
            DONE,    //!< a migration is complete
            START,   //!< a migration begins
            CHECK,   //!< hotspots are searched for
            FAULT,   //!< parts fail or are repaired
        };

        Kind kind{CHECK};    //!< kind of event
        uint32_t index{0};   //!< of the task; of the migration for START and DONE
        uint32_t version{0}; //!< of the run or outcome; an event of an older one is ignored
    };

    /**
     * @param time when, s since midnight
     * @param kind kind of event
     * @param index see Event
     * @param version see Event
     */
    void Schedule(double time, Event::Kind kind, uint32_t index = 0, uint32_t version = 0)
    {
        m_events.Push(time, {kind, index, version});
    }

    double m_time{0};          //!< current time, s since midnight
    TimeQueue<Event> m_events; //!< by time, s since midnight
};

/**
 * @ingroup odcn
 *
 * The second layer of an IcciManager: the centres, and the tasks on their rings. Deploys each task
 * when it arrives, runs it to its end, and lights its ring around failed links.
 */
class IcciDeployment : public IcciClock
{
  public:
    IcciDeployment();
    ~IcciDeployment() override;

    /// @param mesh its sites are the centres; may be shared
    void SetMesh(std::shared_ptr<const OtnMesh> mesh);

    /// @param tide source of the mean load; may be shared if its Attributes do not change
    void SetTide(Ptr<const IcciTide> tide);

    /// @return the mesh
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @return areas of the centres
    std::vector<OtnArea> GetAreas() const;

    /// @return the CUs of the centres
    const IcciPool& GetPool() const
    {
        return m_loads.pool;
    }

    /// @return the lightpaths of rings and migrations
    const IcciLightpathLedger& GetLightpaths() const
    {
        return m_lightpaths;
    }

    /// @return the wavelengths of the fibres
    const OtnWavelengthLedger& GetWavelengths() const
    {
        return m_lightpaths.GetWavelengths();
    }

    /// @return mutable ledger, for the simulated network: it records cuts and the changes that it
    /// reports with Reroute()
    OtnWavelengthLedger& ShareWavelengths()
    {
        return m_lightpaths.ShareWavelengths();
    }

    /// @return the tasks of the day, including those to come
    const std::vector<IcciTaskState>& GetTasks() const
    {
        return m_tasks;
    }

    /// @return the counters
    const IcciCounters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * @param centre a centre
     * @return CUs in use: those held by workers that stay, and the tide of the last window
     */
    double GetLoad(uint32_t centre) const
    {
        return m_loads.Get(centre);
    }

    /// @param centre a centre  @return CUs held there by workers that stay
    uint32_t GetSettled(uint32_t centre) const
    {
        return m_loads.GetSettled(centre);
    }

    /**
     * @param centre a centre
     * @param held CUs held by workers there, at most N_v
     * @param time s since midnight
     * @return mean CUs in use over that hour, with the mean tide
     */
    double GetForeseenLoad(uint32_t centre, uint32_t held, double time) const
    {
        return m_forecast.GetMeanLoad(centre, held, time);
    }

    /// @return CUs in use from which a centre is a hotspot
    double GetHotLoad() const
    {
        return m_loads.GetHotLoad();
    }

    /// @param centre a centre  @return whether it is a hotspot by GetLoad()
    bool IsHot(uint32_t centre) const
    {
        return m_loads.IsHot(centre);
    }

    /// @return CUs of a centre
    uint32_t GetCusPerCentre() const
    {
        return m_cusPerCentre;
    }

    /// @return L, number of routing alternatives
    uint32_t GetNLinks() const
    {
        return m_nLinks;
    }

  protected:
    /**
     * Start a day at midnight, with no task running.
     * @param tasks tasks of the day, earliest first
     * @param background background load of the day
     * @param seed random seed of the first rings and of Search::ANY
     * @throws OdcnError when tasks or background do not fit the mesh
     */
    void Deploy(const std::vector<IcciTask>& tasks,
                std::shared_ptr<const IcciBackground> background,
                uint64_t seed);

    /// Advance the time. @param time s, not before now
    void AdvanceTo(double time);

    /// Deploy a task or block it. @param task its index
    void Arrive(uint32_t task);

    /// Run a task with its present wavelengths. @param task its index  @param from s since midnight
    void Run(uint32_t task, double from);

    /// End a task that has completed its iterations. @param task its index
    void End(uint32_t task);

    /// Light the ring of a task around a failed link; the iteration under way is repeated.
    /// @param task its index
    /// @return false if that is impossible; then it has no lightpaths
    bool LightAround(uint32_t task);

    /// Deploy a task without lightpaths elsewhere, or end it, see AfterFailure.
    /// @param task its index
    void Replace(uint32_t task);

    double m_flopPerGb;                     //!< lambda, FLOP per GB
    double m_flopsPerCu;                    //!< rho, FLOP/s of a CU
    double m_bitsPerWavelength;             //!< chi, bit/s
    double m_computeShare;                  //!< T_com / (T_com + T_trans)
    double m_threshold;                     //!< epsilon
    uint32_t m_cusPerCentre;                //!< N_v
    uint32_t m_maxRings;                    //!< K, candidate rings
    uint32_t m_nLinks;                      //!< L, routing alternatives
    double m_hopWeight;                     //!< weight of a hop relative to a percent of load
    double m_distanceWeight;                //!< weight of a hop in CUs, for first rings
    double m_noise;                         //!< half width of the noise in CUs, for first rings
    bool m_bothWays;                        //!< whether lightpaths use both fibres of a link
    FaultPlan::AfterFailure m_afterFailure; //!< see AfterFailure

    std::shared_ptr<const OtnMesh> m_mesh;    //!< centres and fibres
    IcciLoads m_loads;                        //!< CUs in use
    IcciForecast m_forecast;                  //!< expected CUs in use
    std::unique_ptr<IcciRingSearch> m_search; //!< first and candidate rings
    IcciLightpathLedger m_lightpaths;         //!< lightpaths of rings and migrations
    std::vector<IcciTaskState> m_tasks;       //!< of the day
    IcciCounters m_counters;                  //!< the counters

  private:
    /// Find a ring for a task, and reserve it. @param task its index
    /// @return why there is none, or NONE; then nothing has changed but state.ring
    IcciCause Place(uint32_t task);

    /// Give back what a task holds. @param [in,out] state the task
    void Vacate(IcciTaskState& state);

    Ptr<const IcciTide> m_tide;                         //!< source of the mean load
    std::shared_ptr<const IcciBackground> m_background; //!< background load of the day
};

} // namespace ns3::odcn

#endif /* ICCI_DEPLOYMENT_H */
