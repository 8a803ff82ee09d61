// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MIGRATION_CONTROL_H
#define ICCI_MIGRATION_CONTROL_H

#include "icci-deployment.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The third layer of an IcciManager: asks whether a task with a worker in a hotspot shall migrate,
 * evaluates answers, and carries migrations out between two iterations. A migration is carried out
 * completely or not at all: if it fails, the task stays where it was.
 */
class IcciMigrationControl : public IcciDeployment
{
  public:
    using Search = IcciCandidate::Search; //!< how the receiving centre is searched

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
    static constexpr uint32_t NO_MIGRATION = IcciTaskState::NO_MIGRATION;

    /**
     * Expected gain of a choice (Eqs. 12 and 15), with the mean tide over the rest of the task's
     * life, but at most Outlook; with an Outlook of 0 at present.
     * @param choice not to stay; its candidate exists
     * @return the terms
     */
    IcciGain GetGain(const IcciChoice& choice) const
    {
        return Weigh(choice, false);
    }

    /**
     * The actual gain, with the load of this day over the rest of the task's life. It cannot be
     * known in advance; for rewards.
     * @param choice not to stay; its candidate exists
     * @return the terms
     */
    IcciGain GetTrueGain(const IcciChoice& choice) const
    {
        return Weigh(choice, true);
    }

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

    /// Signature of Started. @param migration its number
    typedef void (*StartedTracedCallback)(uint32_t migration);

    /// @return all migrations decided, in this order
    const std::vector<IcciMigrationRecord>& GetMigrations() const
    {
        return m_migrations;
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

  protected:
    /// Forget all questions and migrations, and search for hotspots from now on.
    void Watch();

    /// Search for hotspots and list the tasks to ask about.
    void Check();

    /// Prepare the next question. @return false if there is none at present
    bool Ask();

    /// Reserve all resources and begin, or refuse. @param migration its number
    void Start(uint32_t migration);

    /// Complete or abort a migration under way.
    /// @param migration its number
    /// @param version of its outcome
    void Finish(uint32_t migration, uint32_t version);

    /// Refuse a migration unless it has begun. @param migration its number, or NO_MIGRATION
    void Overtake(uint32_t migration);

    /// Abort the migration of a task if a lightpath of it has failed. @param task its index
    void AbortIfHit(uint32_t task);

    Search m_kind;               //!< which rings are candidates
    uint32_t m_nSlots;           //!< M, start times
    double m_slotGap;            //!< time between slots, s
    uint32_t m_maxMoves;         //!< largest number of migrations of a task
    double m_askAgain;           //!< least time between questions about a task, s
    double m_outlook;            //!< period over which loads are compared, hours
    double m_dataShare;          //!< fraction of a worker's data that a migration sends
    double m_oeoTime;            //!< t_OEO, s
    double m_gpuTime;            //!< t_GPU, s
    double m_kmPerSecond;        //!< v_fiber, km/s
    uint32_t m_extraWavelengths; //!< additional wavelengths of a hop

    TracedCallback<uint32_t> m_startedTrace; //!< trace source Started

  private:
    /// @param task its index  @return whether a question about it is allowed
    bool MayAsk(uint32_t task) const;

    /// Release the old resources and run on the new ring. @param migration its number
    void Complete(uint32_t migration);

    /**
     * @param migration its number
     * @return whether all that it needs was reserved; otherwise nothing has changed
     */
    bool Reserve(uint32_t migration);

    /// Record a failure. @param migration its number  @param cause why the task stays where it was
    void Refuse(uint32_t migration, IcciCause cause);

    /// @return the task that the question concerns
    const IcciTaskState& GetTask() const
    {
        return m_tasks[m_question.task];
    }

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

    double m_controlLatency{0};                    //!< s, see SetControlLatency()
    std::vector<uint32_t> m_asked;                 //!< tasks to ask about, in reverse order
    IcciQuestion m_question;                       //!< the present question
    std::vector<IcciMigrationRecord> m_migrations; //!< migrations decided
};

} // namespace ns3::odcn

#endif /* ICCI_MIGRATION_CONTROL_H */
