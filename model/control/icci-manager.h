// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MANAGER_H
#define ICCI_MANAGER_H

#include "icci-forecast.h"
#include "icci-loads.h"
#include "icci-ring-search.h"
#include "icci-state.h"

#include "ns3/icci-task.h"
#include "ns3/icci-tide.h"
#include "ns3/object.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs training tasks on interconnected computing centres for a day (section III of the DeepHM
 * paper): deploys each on a ring when it arrives, sees hotspots, asks whether a task that has a
 * worker in one shall migrate, and carries it out between two iterations. Whole or not at all: a
 * migration that cannot be carried out leaves the task where it was.
 *
 * An event loop of its own, no Simulator: Advance() goes on to the next question, Decide() answers
 * it. A question concerns one task and offers some candidate rings, times to begin (slots) and ways
 * of routing (links). After midnight nothing is asked any more; tasks end as they then run.
 *
 * Identities: arrived = running + migrating + ended + blocked by cause; planned = started +
 * refused by cause + overtaken; started = completed + aborted + under way; on every fibre the
 * wavelengths in use are those of the tasks' grants, in every centre the CUs held those of their
 * workers.
 */
class IcciManager : public Object
{
  public:
    using Search = IcciRingSearch::Search;

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciManager();

    /// @param mesh centres are its sites; may be shared
    void SetMesh(std::shared_ptr<const OtnMesh> mesh);

    /// @param tide whose mean is known; may be shared as long as its Attributes stay
    void SetTide(Ptr<const IcciTide> tide);

    /**
     * Midnight: nothing runs, nothing is counted.
     * @param tasks of the day, earliest first
     * @param background load of the day
     * @param seed of what the manager draws: where rings grow, where ANY leads
     * @throws OdcnError when a task names a centre that is not there
     */
    void Reset(std::vector<IcciTask> tasks,
               std::shared_ptr<const IcciBackground> background,
               uint64_t seed);

    /**
     * Go on to the next question.
     * @return false when the day is over, or held
     */
    bool Advance();

    /**
     * Stop Advance() as soon as the present event has been handled: somebody carries out the
     * migration that has started, and tells the outcome before Release(). For sinks of Started.
     */
    void Hold()
    {
        m_held = true;
    }

    /// The day may go on, by Advance().
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
     * Let migrations begin so much later, at the end of an iteration from then on: the answer to a
     * question takes that long to reach the centres. It lasts over Reset().
     * @param time s, 0 by default
     */
    void SetControlLatency(double time)
    {
        m_controlLatency = time;
    }

    /// @return the question; only after Advance() returned true, until Decide()
    const IcciQuestion& GetQuestion() const
    {
        return m_question;
    }

    /**
     * Answer the question.
     *
     * @param choice what to do; a candidate, slot or link that is not there is refused
     * @return number of the migration, from 0: index into GetMigrations(); NO_MIGRATION to stay
     */
    uint32_t Decide(const IcciChoice& choice);

    /// What Decide() returns when the task stays.
    static constexpr uint32_t NO_MIGRATION = UINT32_MAX;

    /**
     * What a choice would bring by Eqs. 12 and 15, as far as it can be known: with the mean tide
     * over the rest of the task's life, Outlook at most, or, with an Outlook of 0, at present.
     * @param choice not to stay; its candidate is there
     * @return the terms
     */
    IcciGain GetGain(const IcciChoice& choice) const;

    /**
     * What it does bring on this very day, over the whole rest of the task's life: not to be known
     * in advance, for rewards.
     * @param choice not to stay; its candidate is there
     * @return the terms
     */
    IcciGain GetTrueGain(const IcciChoice& choice) const;

    /**
     * @param choice not to stay
     * @return the most wavelengths that each hop of its ring can have, taken for itself; a hop that
     * is lit already has what it has
     */
    uint32_t CountWavelengths(const IcciChoice& choice) const;

    /// @param choice not to stay  @return hops of its ring as it would be routed
    uint32_t CountHops(const IcciChoice& choice) const;

    /// @param choice not to stay  @return when it would begin, s
    double GetStart(const IcciChoice& choice) const;

    /// @param choice not to stay  @return how long it would take with as many
    /// wavelengths as the ring has (Eq. 16), s
    double GetDowntime(const IcciChoice& choice) const;

    /**
     * Something broke: a task that migrates stays where it was, and goes on there from now.
     * @param task its index
     * @return false when it does not migrate
     */
    bool AbortMigration(uint32_t task);

    /**
     * What others found out about a migration that is under way: it takes another time than Eq. 16
     * says, or the task will be back where it was.
     * @param migration its number
     * @param downtime how long the task stands still, s; up to now at least
     * @param completes whether the workers get to their new places
     */
    void SetOutcome(uint32_t migration, double downtime, bool completes);

    /**
     * A lightpath was sent another way, and its wavelengths were changed in the ledger already.
     * @param before as it was granted here
     * @param after as it is now, between the same centres
     * @return false when nothing was granted like that
     */
    bool Reroute(const OtnGrant& before, const OtnGrant& after);

    /// @return the ledger, for who runs the network: it may note cuts there, and what it tells
    /// Reroute() of
    OtnWavelengthLedger& ShareWavelengths()
    {
        return m_wavelengths;
    }

    /// @param migration its number  @return the ring that it leads to
    const std::vector<uint32_t>& GetNewRing(uint32_t migration) const
    {
        return m_chosen[migration].first.ring;
    }

    /// Signature of Started. @param migration its number
    typedef void (*StartedTracedCallback)(uint32_t migration);

    /// @return s since midnight
    double GetTime() const
    {
        return m_time;
    }

    /// @return the CUs
    const IcciPool& GetPool() const
    {
        return m_loads.pool;
    }

    /// @return the wavelengths
    const OtnWavelengthLedger& GetWavelengths() const
    {
        return m_wavelengths;
    }

    /// @return the mesh
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @return the tasks that have arrived, and those to come
    const std::vector<IcciTaskState>& GetTasks() const
    {
        return m_tasks;
    }

    /// @return all migrations that were decided, in this order
    const std::vector<IcciMigrationRecord>& GetMigrations() const
    {
        return m_migrations;
    }

    /// @return what was counted
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
     * @param held CUs held by workers there, as many as there are at most
     * @param time s since midnight
     * @return CUs in use in the mean over that hour, with the mean tide
     */
    double GetForeseenLoad(uint32_t centre, uint32_t held, double time) const
    {
        return m_forecast.GetMeanLoad(centre, held, time);
    }

    /// @return CUs in use from which on a centre is a hotspot
    double GetHotLoad() const
    {
        return m_loads.GetHotLoad();
    }

    /// @param centre a centre  @return whether it is a hotspot by GetLoad()
    bool IsHot(uint32_t centre) const
    {
        return m_loads.IsHot(centre);
    }

    /**
     * @param area which
     * @return share of wavelengths in use until now, time average; half a link belongs to the area
     * of each of its ends
     */
    double GetWavelengthUse(OtnArea area) const;

    /// @return share of all wavelengths in use until now, time average
    double GetWavelengthUse() const;

    /// @return K, rings of a question at most
    uint32_t GetMaxRings() const
    {
        return m_maxRings;
    }

    /// @return M, slots
    uint32_t GetNSlots() const
    {
        return m_nSlots;
    }

    /// @return L, links
    uint32_t GetNLinks() const
    {
        return m_nLinks;
    }

    /// @param task one  @return the most wavelengths that a hop of its ring gets
    uint32_t GetMostWavelengths(const IcciTaskState& task) const
    {
        return task.demand.bus + m_extraWavelengths;
    }

    /// @return migrations of a task at most
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
    /// What happens at a time.
    struct Event
    {
        /// What happens.
        enum Kind : uint8_t
        {
            END,     //!< a task has done its iterations
            ARRIVAL, //!< a task arrives
            DONE,    //!< a migration is complete
            START,   //!< a migration begins
            CHECK,   //!< hotspots are looked for
        };

        double time{0};      //!< s
        uint64_t seq{0};     //!< order of making, so that ties are broken alike everywhere
        Kind kind{CHECK};    //!< what
        uint32_t task{0};    //!< whose, or which migration
        uint32_t version{0}; //!< of the task's run, or of the outcome: that of another is void

        /// @param o other  @return whether this one comes later
        bool operator>(const Event& o) const
        {
            return time != o.time ? time > o.time : seq > o.seq;
        }
    };

    /// @param time s  @param kind what  @param task whose  @param version of its run
    void Schedule(double time, Event::Kind kind, uint32_t task = 0, uint32_t version = 0);

    /// Let something happen. @param event what
    void Handle(const Event& event);

    /// The day is over.
    void EndDay();

    /// @param time s, not before now
    void AdvanceTo(double time);

    /// @param task its index: deploy it or block it
    void Arrive(uint32_t task);

    /// @param task its index: it runs, with its present wavelengths  @param from s
    void Run(uint32_t task, double from);

    /// @param task its index: it has done its iterations
    void End(uint32_t task);

    /// Look for hotspots, and note whom to ask.
    void Check();

    /// @param task its index  @return whether it may be asked
    bool MayAsk(uint32_t task) const;

    /// @param task its index  @return whether there is something to ask
    bool Ask(uint32_t task);

    /// @param migration its number: reserve everything and begin, or refuse
    void Start(uint32_t migration);

    /// @param migration its number: everything of before is given back
    void Complete(uint32_t migration);

    /**
     * @param migration its number
     * @return whether all that it needs was reserved; else nothing has changed
     */
    bool Reserve(uint32_t migration);

    /// @param migration its number  @param cause why the task stays where it was
    void Refuse(uint32_t migration, IcciCause cause);

    /**
     * @param lightpaths of a ring  @param from a centre  @param to another
     * @return index of the one between them; how many there are, if there is none
     */
    std::size_t FindLit(const std::vector<OtnGrant>& lightpaths, uint32_t from, uint32_t to) const;

    /**
     * Light a ring; hops that are lit already with as many wavelengths stay as they are.
     * @param ring centres  @param links see Route()  @param count wavelengths of each hop
     * @param present lightpaths of the task
     * @param [out] lit its lightpaths
     * @return false when there are too few wavelengths: nothing has changed
     */
    bool Light(const std::vector<uint32_t>& ring,
               uint32_t links,
               uint32_t count,
               const std::vector<OtnGrant>& present,
               IcciLightpaths& lit);

    /// @param [in,out] granted lightpaths to be given back
    void Extinguish(std::vector<OtnGrant>& granted);

    /// @param grants that were taken or are given back  @param sign +1 or -1
    void CountLit(std::span<const OtnGrant> grants, double sign);

    /// @param task its index  @return the number of its migration that is under way
    uint32_t FindMigration(uint32_t task) const;

    /// @return how wavelengths are chosen
    OtnRouting GetRouting() const;

    /**
     * @param from a centre
     * @param to another
     * @param links how many paths but the shortest are looked at
     * @return the path with most free wavelengths, the shortest among equals
     */
    const OtnPath* Route(uint32_t from, uint32_t to, uint32_t links) const;

    /// @param task whose life  @param from s  @param known whether the day itself is looked at
    /// @return what is looked at
    IcciOutlook GetOutlook(const IcciTaskState& task, double from, bool known) const;

    /// @param choice what  @param known see IcciOutlook  @return the terms
    IcciGain Weigh(const IcciChoice& choice, bool known) const;

    /**
     * Eq. 16.
     * @param bits of each worker over the wavelengths that carry it, summed  @param km the farthest
     * @return s
     */
    double GetDowntime(double bits, double km) const;

    /// @param choice of the question  @return its ring: the candidate's, or the present one
    const std::vector<uint32_t>& GetRing(const IcciChoice& choice) const;

    double m_flopPerGb;          //!< lambda
    double m_flopsPerCu;         //!< rho
    double m_bitsPerWavelength;  //!< chi
    double m_computeShare;       //!< T_com / (T_com + T_trans)
    double m_threshold;          //!< epsilon
    uint32_t m_cusPerCentre;     //!< N_v
    Search m_kind;               //!< which rings
    uint32_t m_maxRings;         //!< K
    uint32_t m_nSlots;           //!< M
    uint32_t m_nLinks;           //!< L
    double m_slotGap;            //!< s
    uint32_t m_maxMoves;         //!< of a task
    double m_askAgain;           //!< s
    double m_outlook;            //!< hours
    double m_hopWeight;          //!< of hops beside load
    double m_distanceWeight;     //!< when rings grow
    double m_noise;              //!< likewise
    double m_oeoTime;            //!< t_OEO, s
    double m_gpuTime;            //!< t_GPU, s
    double m_kmPerSecond;        //!< v_fiber
    uint32_t m_extraWavelengths; //!< that a task may get
    bool m_bothWays;             //!< whether lightpaths take both fibres of a link

    IcciRates m_rates;                                          //!< of Eqs. 2 and 3
    std::shared_ptr<const OtnMesh> m_mesh;                      //!< centres and fibres
    Ptr<const IcciTide> m_tide;                                 //!< its mean is known
    std::shared_ptr<const IcciBackground> m_background;         //!< of the day
    IcciLoads m_loads;                                          //!< CUs
    IcciForecast m_forecast;                                    //!< of them
    IcciRingSearch m_search;                                    //!< rings
    OtnWavelengthLedger m_wavelengths;                          //!< wavelengths
    double m_time{0};                                           //!< now
    bool m_held{false};                                         //!< see Hold()
    double m_controlLatency{0};                                 //!< s, see SetControlLatency()
    std::vector<Event> m_events;                                //!< min-heap
    uint64_t m_seq{0};                                          //!< events so far
    std::vector<IcciTaskState> m_tasks;                         //!< of the day
    std::vector<uint32_t> m_asked;                              //!< tasks to ask, last first
    IcciQuestion m_question;                                    //!< the present one
    std::vector<std::pair<IcciCandidate, IcciChoice>> m_chosen; //!< [migration]: what was decided
    std::vector<IcciMigrationRecord> m_migrations;              //!< all of them
    IcciCounters m_counters;                                    //!< see IcciCounters
    std::array<double, OTN_AREAS> m_lit{};                      //!< wavelengths in use, by area
    std::array<double, OTN_AREAS> m_litTime{};                  //!< their integral over time
    TracedCallback<uint32_t> m_startedTrace;                    //!< Started
};

} // namespace ns3::odcn

#endif /* ICCI_MANAGER_H */
