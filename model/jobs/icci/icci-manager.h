// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MANAGER_H
#define ICCI_MANAGER_H

#include "icci-forecast.h"
#include "icci-lightpath-ledger.h"
#include "icci-loads.h"
#include "icci-ring-search.h"
#include "icci-state.h"
#include "icci-task.h"
#include "icci-tide.h"

#include "ns3/object.h"
#include "ns3/odcn-departures.h"
#include "ns3/odcn-fault-timeline.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs training tasks on interconnected computing centres for a day (section III of the DeepHM
 * paper): deploys each on a ring when it arrives, detects hotspots, asks whether a task with a
 * worker in a hotspot shall migrate, and carries the migration out between two iterations. A
 * migration is carried out completely or not at all: if it fails, the task stays where it was.
 *
 * The manager has its own event loop, without the Simulator: Advance() runs to the next question,
 * Decide() answers it. A question concerns one task and offers candidate rings, start times (slots)
 * and routing alternatives (links). After midnight no question is asked; running tasks keep their
 * expected end.
 *
 * Links and nodes of the mesh may fail (SetFaults()); a node fails with all its links. Migrations
 * under way over a failed link are aborted. A task whose ring uses a failed link takes other paths
 * between the same centres, and repeats the iteration under way; if there is none, AfterFailure
 * says what follows. A link that has failed carries nothing until it is repaired.
 *
 * Invariants: arrived = running + migrating + ended + interrupted + blocked by cause; planned =
 * started + refused by cause + overtaken; started = completed + aborted + under way; on every fibre
 * the wavelengths in use are those of the tasks' grants; in every centre the CUs held are those of
 * their workers.
 */
class IcciManager : public Object
{
  public:
    using Search = IcciRingSearch::Search; //!< how the receiving centre is searched

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param mesh its sites are the centres; may be shared
    void SetMesh(std::shared_ptr<const OtnMesh> mesh);

    /// @param tide source of the mean load; may be shared if its Attributes do not change
    void SetTide(Ptr<const IcciTide> tide);

    /**
     * Start a day at midnight, with no task running and all counters at 0.
     * @param tasks tasks of the day, earliest first
     * @param background background load of the day
     * @param seed random seed of the first rings and of Search::ANY
     * @throws OdcnError when tasks or background do not fit the mesh
     */
    void Reset(std::vector<IcciTask> tasks,
               std::shared_ptr<const IcciBackground> background,
               uint64_t seed);

    /// @param mesh a mesh  @return its parts: links and nodes
    static FaultParts GetFaultParts(const OtnMesh& mesh);

    /// @param faults of the parts of GetFaultParts(), from midnight on; null for none. From the
    /// next Reset() on
    void SetFaults(std::shared_ptr<const FaultTimeline> faults)
    {
        m_outages.SetFaults(std::move(faults));
    }

    /// @return the faults; null for none
    const std::shared_ptr<const FaultTimeline>& GetFaults() const
    {
        return m_outages.GetFaults();
    }

    /**
     * Run to the next question.
     * @return false when the day is over, or after Hold()
     */
    bool Advance();

    /**
     * Stop Advance() after the present event, for a sink of Started that carries out the migration
     * elsewhere. It reports the outcome with SetOutcome() before it calls Release().
     */
    void Hold()
    {
        m_held = true;
    }

    /// Let Advance() continue.
    void Release()
    {
        m_held = false;
    }

    /// @return whether Hold() was called
    bool IsHeld() const
    {
        return m_held;
    }

    /**
     * Delay the start of migrations, which is at the end of an iteration, by the time that an
     * answer takes to reach the centres. Kept over Reset().
     * @param time s, 0 by default
     */
    void SetControlLatency(double time)
    {
        m_controlLatency = time;
    }

    /// @return the question; valid after Advance() returned true, until Decide()
    const IcciQuestion& GetQuestion() const
    {
        return m_question;
    }

    /**
     * Answer the question.
     *
     * @param choice the answer; a candidate, slot or link out of range is refused
     * @return number of the migration, from 0: index into GetMigrations(); NO_MIGRATION to stay
     */
    uint32_t Decide(const IcciChoice& choice);

    /// Returned by Decide() when the task stays.
    static constexpr uint32_t NO_MIGRATION = UINT32_MAX;

    /**
     * Expected gain of a choice (Eqs. 12 and 15), with the mean tide over the rest of the task's
     * life, but at most Outlook; with an Outlook of 0 at present.
     * @param choice not to stay; its candidate exists
     * @return the terms
     */
    IcciGain GetGain(const IcciChoice& choice) const;

    /**
     * The actual gain, with the load of this day over the rest of the task's life. It cannot be
     * known in advance; for rewards.
     * @param choice not to stay; its candidate exists
     * @return the terms
     */
    IcciGain GetTrueGain(const IcciChoice& choice) const;

    /**
     * @param choice not to stay
     * @return fewest wavelengths available on a hop of its ring, each hop considered alone; those
     * of a hop that is lit already are available
     */
    uint32_t CountWavelengths(const IcciChoice& choice) const;

    /// @param choice not to stay  @return fibre hops of its ring with the present routing
    uint32_t CountHops(const IcciChoice& choice) const;

    /// @param choice not to stay  @return when the migration would begin, s since midnight
    double GetStart(const IcciChoice& choice) const;

    /// @param task a task  @return bytes that the migration of one of its workers sends
    double GetMigratedBytes(const IcciTask& task) const;

    /// @param choice not to stay  @return downtime in s (Eq. 16), if the transfers get as many
    /// wavelengths as the ring has
    double GetDowntime(const IcciChoice& choice) const;

    /**
     * Abort the migration of a task, e.g. after a failure: it continues on its old ring from now.
     * @param task its index
     * @return false when it is not migrating
     */
    bool AbortMigration(uint32_t task);

    /**
     * Set the outcome of a migration under way, as determined elsewhere: a downtime other than that
     * of Eq. 16, or a return to the old ring.
     * @param migration its number
     * @param downtime time for which the task is interrupted, s; at least the time since its start
     * @param completes whether the workers reach their new centres
     */
    void SetOutcome(uint32_t migration, double downtime, bool completes);

    /**
     * Note that a lightpath was rerouted and that the ledger has been changed already.
     * @param before the grant so far
     * @param after the new grant, between the same centres
     * @return false when there is no such grant
     */
    bool Reroute(const OtnGrant& before, const OtnGrant& after);

    /// @return mutable ledger, for the simulated network: it records cuts and the changes that it
    /// reports with Reroute()
    OtnWavelengthLedger& ShareWavelengths()
    {
        return m_lightpaths.ShareWavelengths();
    }

    /// @param migration its number  @return the ring after it
    const std::vector<uint32_t>& GetNewRing(uint32_t migration) const
    {
        return m_chosen[migration].first.ring;
    }

    /// Signature of Started. @param migration its number
    typedef void (*StartedTracedCallback)(uint32_t migration);

    /// @return current time, s since midnight
    double GetTime() const
    {
        return m_time;
    }

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

    /// @return the mesh
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @return areas of the centres
    std::vector<IcciArea> GetAreas() const;

    /// @return the tasks of the day, including those to come
    const std::vector<IcciTaskState>& GetTasks() const
    {
        return m_tasks;
    }

    /// @return all migrations decided, in this order
    const std::vector<IcciMigrationRecord>& GetMigrations() const
    {
        return m_migrations;
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

    /// @return K, largest number of candidate rings
    uint32_t GetMaxRings() const
    {
        return m_maxRings;
    }

    /// @return M, number of slots
    uint32_t GetNSlots() const
    {
        return m_nSlots;
    }

    /// @return L, number of routing alternatives
    uint32_t GetNLinks() const
    {
        return m_nLinks;
    }

    /// @param task a task  @return largest number of wavelengths of a hop of its ring
    uint32_t GetMostWavelengths(const IcciTaskState& task) const
    {
        return task.demand.bus + m_extraWavelengths;
    }

    /// @return largest number of migrations of a task
    uint32_t GetMaxMoves() const
    {
        return m_maxMoves;
    }

    /// @return CUs of a centre
    uint32_t GetCusPerCentre() const
    {
        return m_cusPerCentre;
    }

  private:
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
        uint32_t task{0};    //!< index of the task; of the migration for START and DONE, of the
                             //!< change for FAULT
        uint32_t version{0}; //!< of the run or outcome; an event of an older one is ignored
    };

    /// @param time s  @param kind kind of event  @param task see Event  @param version see Event
    void Schedule(double time, Event::Kind kind, uint32_t task = 0, uint32_t version = 0);

    /// Process an event. @param event the event
    void Handle(const Event& event);

    /// End the day: complete migrations under way and refuse planned ones.
    void EndDay();

    /// Advance the clock. @param time s, not before now
    void AdvanceTo(double time);

    /// Deploy a task or block it. @param task its index
    void Arrive(uint32_t task);

    /// Find a ring for a task, and reserve it. @param task its index
    /// @return why there is none, or NONE; then nothing has changed but state.ring
    IcciCause Deploy(uint32_t task);

    /// Carry out a fault. @param change what fails or is repaired
    void ChangePart(const FaultTimeline::Change& change);

    /// Let a task go on around a fault, or end it. @param task its index
    void Restore(uint32_t task);

    /// Run a task with its present wavelengths. @param task its index  @param from s since midnight
    void Run(uint32_t task, double from);

    /// End a task that has completed its iterations. @param task its index
    void End(uint32_t task);

    /// Search for hotspots and list the tasks to ask about.
    void Check();

    /// @param task its index  @return whether a question about it is allowed
    bool MayAsk(uint32_t task) const;

    /// Prepare a question. @param task its index  @return whether there is a candidate
    bool Ask(uint32_t task);

    /// Reserve all resources and begin, or refuse. @param migration its number
    void Start(uint32_t migration);

    /// Release the old resources and run on the new ring. @param migration its number
    void Complete(uint32_t migration);

    /**
     * @param migration its number
     * @return whether all that it needs was reserved; otherwise nothing has changed
     */
    bool Reserve(uint32_t migration);

    /// Record a failure. @param migration its number  @param cause why the task stays where it was
    void Refuse(uint32_t migration, IcciCause cause);

    /// @param task its index  @return number of its migration under way, or NO_MIGRATION
    uint32_t FindMigration(uint32_t task) const;

    /// @param task a task  @param from s since midnight  @param known see IcciOutlook
    /// @return the period to evaluate
    IcciOutlook GetOutlook(const IcciTaskState& task, double from, bool known) const;

    /// @param choice not to stay  @param known see IcciOutlook  @return terms of its gain
    IcciGain Weigh(const IcciChoice& choice, bool known) const;

    /**
     * Downtime of a migration (Eq. 16).
     * @param bits sum over workers of bits per wavelength that carries them  @param km longest path
     * @return s
     */
    double GetDowntime(double bits, double km) const;

    /// @param choice an answer  @return its ring: the candidate's, or the present one
    const std::vector<uint32_t>& GetRing(const IcciChoice& choice) const;

    double m_flopPerGb;          //!< lambda, FLOP per GB
    double m_flopsPerCu;         //!< rho, FLOP/s of a CU
    double m_bitsPerWavelength;  //!< chi, bit/s
    double m_computeShare;       //!< T_com / (T_com + T_trans)
    double m_threshold;          //!< epsilon
    uint32_t m_cusPerCentre;     //!< N_v
    Search m_kind;               //!< which rings are candidates
    uint32_t m_maxRings;         //!< K, candidate rings
    uint32_t m_nSlots;           //!< M, start times
    uint32_t m_nLinks;           //!< L, routing alternatives
    double m_slotGap;            //!< time between slots, s
    uint32_t m_maxMoves;         //!< largest number of migrations of a task
    double m_askAgain;           //!< least time between questions about a task, s
    double m_outlook;            //!< period over which loads are compared, hours
    double m_hopWeight;          //!< weight of a hop relative to a percent of load
    double m_distanceWeight;     //!< weight of a hop in CUs, for first rings
    double m_noise;              //!< half width of the noise in CUs, for first rings
    double m_dataShare;          //!< fraction of a worker's data that a migration sends
    double m_oeoTime;            //!< t_OEO, s
    double m_gpuTime;            //!< t_GPU, s
    double m_kmPerSecond;        //!< v_fiber, km/s
    uint32_t m_extraWavelengths; //!< additional wavelengths of a hop
    bool m_bothWays;             //!< whether lightpaths use both fibres of a link

    IcciRates m_rates;                                  //!< constants of Eqs. 2 and 3
    std::shared_ptr<const OtnMesh> m_mesh;              //!< centres and fibres
    Ptr<const IcciTide> m_tide;                         //!< source of the mean load
    std::shared_ptr<const IcciBackground> m_background; //!< background load of the day
    IcciLoads m_loads;                                  //!< CUs in use
    IcciForecast m_forecast;                            //!< expected CUs in use
    IcciRingSearch m_search;                            //!< candidate rings
    IcciLightpathLedger m_lightpaths;                   //!< lightpaths of rings and migrations
    double m_time{0};                                   //!< current time, s since midnight
    bool m_held{false};                                 //!< see Hold()
    double m_controlLatency{0};                         //!< s, see SetControlLatency()
    TimeQueue<Event> m_events;                          //!< by time, s since midnight
    FaultPlan::AfterFailure m_afterFailure;             //!< see AfterFailure
    Outages m_outages;                                  //!< faults of its parts
    std::vector<IcciTaskState> m_tasks;                 //!< of the day
    std::vector<uint32_t> m_asked;                      //!< tasks to ask about, in reverse order
    IcciQuestion m_question;                            //!< the present question
    std::vector<std::pair<IcciCandidate, IcciChoice>> m_chosen; //!< [migration]: the decision
    std::vector<IcciMigrationRecord> m_migrations;              //!< migrations decided
    IcciCounters m_counters;                                    //!< the counters
    TracedCallback<uint32_t> m_startedTrace;                    //!< trace source Started
};

} // namespace ns3::odcn

#endif /* ICCI_MANAGER_H */
