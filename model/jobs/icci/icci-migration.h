// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MIGRATION_H
#define ICCI_MIGRATION_H

#include "icci-manager.h"
#include "icci-task-generator.h"
#include "icci-tide.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-hindsight-search.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Migration of training tasks as a decision problem (section IV of the DeepHM paper): each question
 * of the IcciManager is a decision, and an episode is a day.
 *
 * With K candidate rings, M slots and L links, DeepHM has K M + 1 actions: stay, then ring by ring
 * each slot. DeepHM-DWA (Wavelengths) has K M L + 2: stay; ring by ring and slot by slot each
 * routing, with additional wavelengths if available; and more wavelengths on the present ring.
 *
 * The observation has 2 + 4 M K numbers, with Wavelengths 3 + 4 M K + L K + L M (Eqs. 11 and 13);
 * all are scaled to about 1, and 0 where there is no such candidate:
 * - G, the source divided by the number of centres; Ns, number of the other workers / 10;
 * - with Wavelengths B, hops of each ring for each link / 10 (ring by ring);
 * - ring by ring, slot by slot: Sp, the start as a share of the day; Mt, the downtime / 10 s;
 *   Re, CUs that move / 100; To, see Offer;
 * - with Wavelengths O, wavelengths per hop / 10, and C, those free on the best ring / 40, for each
 *   link and slot.
 *
 * With State=Moves it consists of the IcciMoveFeatures of every action, feature by feature, for
 * networks that score every action with the same weights.
 *
 * Reward of a migration (Eqs. 12 and 14), for its actual effect with the load of this day over the
 * rest of the task's life: Alpha x hotspot blocks avoided + Beta x reduction of the largest load -
 * Eta x workers moved, with Wavelengths also + Gamma x hops saved + Phi x wavelengths gained.
 * Staying, and whatever could not be carried out, has reward 0.
 */
class IcciMigration : public DecisionProblem, public DecisionKey
{
  public:
    /// Meaning of To, the offer of a ring.
    enum Offer
    {
        FREE,    //!< CUs free in the centres that workers would move to, / 100 (the paper's)
        FORESEEN //!< hotspot blocks avoided with the mean tide over the task's life, / 10
    };

    /// Features that describe a question.
    enum State
    {
        PAPER, //!< the state of the paper, see Offer
        MOVES  //!< IcciMoveFeatures
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciMigration();

    /// @param manager runs the tasks; used by this problem only
    void SetManager(Ptr<IcciManager> manager);

    /// @param tasks generator of the tasks of a day; used by this problem only
    void SetTasks(Ptr<IcciTaskGenerator> tasks);

    /// @param tide generator of the background load of a day; used by this problem only
    void SetTide(Ptr<IcciTide> tide);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return State, Offer and Wavelengths
    std::vector<std::string> GetFormAttributes() const override;
    /// @return with State=Moves the names of IcciMoveFeatures, else none
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    /// Begins the next day. It is over at once if no worker is to be asked about: the days of a run
    /// are the same for all policies.
    void Reset() override;

    /**
     * Ten streams: those of the tasks, those of the tide, and one for the seeds of the manager.
     * @copydoc DecisionProblem::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;
    /// @return name of the cost of the completed days per block, with the weights of Eqs. 12 and
    /// 14: hotspot blocks plus workers moved, with Wavelengths minus hops saved and wavelengths
    /// gained
    std::string GetScoreName() const override;
    /// @return figures of the present day, see GetIcciDayFigures()
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;

    bool IsMeasuredWhole() const override
    {
        return true;
    }

    /// @return tasks of the present day, deployed or blocked
    /// @return "none": no migration was wanted; "failed": it was not carried out
    std::vector<std::string> GetCauses() const override;
    DecisionTally GetTally() const override;
    /// @return tasks that have arrived on the present day
    uint64_t GetNDecided() const override;
    /// @return the task, and how many questions about it were answered before
    uint64_t GetDecisionKey() const override;

    /// @param action below GetNActions()  @return its meaning
    IcciChoice GetChoice(uint32_t action) const;

    /// @param gain terms  @return Eq. 12, or with Wavelengths Eq. 14
    double GetReward(const IcciGain& gain) const;

    /// @return the manager
    Ptr<const IcciManager> GetManager() const
    {
        return m_manager;
    }

    /// @return the manager, mutable for fault injection
    Ptr<IcciManager> GetManager()
    {
        return m_manager;
    }

    /**
     * Continue after the manager was held (IcciManager::Hold()) and released, or was reset by the
     * caller; before this call the problem has no question, and Act() must not be called.
     */
    void Continue();

  protected:
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// Reward of a decision, which may not be known yet.
    struct Pending
    {
        uint32_t migration{IcciManager::NO_MIGRATION}; //!< its migration
        double reward{0};                              //!< if the migration is carried out
    };

    /// @param [out] out the state of the paper
    void ObserveAsPaper(float* out) const;

    /// Move the rewards that are known now to m_rewards.
    void Settle();

    /// @param ring index of a candidate  @param slot index of the start time  @return To
    double GetOffer(uint32_t ring, uint32_t slot) const;

    bool m_wide;                        //!< whether it is DeepHM-DWA
    State m_state;                      //!< features of a question
    Offer m_offer;                      //!< meaning of To
    double m_alpha;                     //!< weight of a hotspot block
    double m_beta;                      //!< weight of load
    double m_gamma;                     //!< weight of a hop
    double m_phi;                       //!< weight of a wavelength
    double m_eta;                       //!< weight of a worker
    Ptr<IcciManager> m_manager;         //!< runs the tasks
    Ptr<IcciTaskGenerator> m_tasks;     //!< tasks of a day
    Ptr<IcciTide> m_tide;               //!< background load of a day
    Ptr<UniformRandomVariable> m_seeds; //!< seeds of the manager
    std::vector<uint32_t> m_asked;      //!< [task]: questions answered on the present day
    std::vector<Pending> m_pending;     //!< rewards, oldest first
};

} // namespace ns3::odcn

#endif /* ICCI_MIGRATION_H */
