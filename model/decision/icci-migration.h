// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MIGRATION_H
#define ICCI_MIGRATION_H

#include "icci-move-features.h"
#include "odcn-decision-policy.h"
#include "odcn-decision-problem.h"

#include "ns3/icci-manager.h"
#include "ns3/icci-task-generator.h"
#include "ns3/icci-tide.h"
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
 * each slot. DeepHM-DWA (Wavelengths) has K M L + 2: stay; ring by ring, slot by slot each way of
 * routing, with more wavelengths as far as there are; and more wavelengths on the present ring.
 *
 * The observation has 2 + 4 M K numbers, with Wavelengths 3 + 4 M K + L K + L M (Eqs. 11 and 13);
 * all are scaled to about 1, and 0 where there is no such candidate:
 * - G, the source over the number of centres; Ns, workers besides over 10;
 * - with Wavelengths B, hops of each ring for each link over 10 (ring by ring);
 * - ring by ring, slot by slot: Sp, the start as a share of the day; Mt, the downtime over 10 s;
 *   Re, CUs that move over 100; To, what the ring offers, see Offer;
 * - with Wavelengths O, wavelengths of a hop over 10, and C, those free on the best ring for each
 *   link and slot over 40.
 *
 * With State=Moves it is IcciMoveFeatures of every action, feature by feature, for networks that
 * score each action alike.
 *
 * Reward of a migration (Eqs. 12 and 14), for what it brings on this very day over the rest of the
 * task's life: Alpha x hotspot blocks avoided + Beta x greatest load reduced - Eta x workers moved,
 * with Wavelengths also + Gamma x hops saved + Phi x wavelengths gained. To stay, and whatever
 * could not be carried out, brings 0.
 */
class IcciMigration : public DecisionProblem
{
  public:
    /// What To tells of a ring.
    enum Offer
    {
        FREE,    //!< CUs free in the centres that workers would go to, over 100 (the paper's)
        FORESEEN //!< hotspot blocks that it avoids with the mean tide over the task's life, over 10
    };

    /// By what a question is told.
    enum State
    {
        PAPER, //!< the state of the paper, see Offer
        MOVES  //!< IcciMoveFeatures
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciMigration();

    /// @param manager runs the tasks, for this problem alone
    void SetManager(Ptr<IcciManager> manager);

    /// @param tasks where days of tasks come from, for this problem alone
    void SetTasks(Ptr<IcciTaskGenerator> tasks);

    /// @param tide where days of background come from, for this problem alone
    void SetTide(Ptr<IcciTide> tide);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return State, Offer and Wavelengths
    std::vector<std::string> GetFormAttributes() const override;
    /// @return with State=Moves those of IcciMoveFeatures, else none
    std::vector<std::string> GetFeatureNames() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void TakeRewards(std::vector<float>& out) override;
    bool IsDone() const override;
    void Reset() override;

    /**
     * Ten streams: those of the tasks, of the tide, and one of what the manager draws.
     * @copydoc DecisionProblem::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;
    /// @return hotspot blocks of the days that are over, plus workers moved, with Wavelengths less
    /// hops saved and wavelengths gained, over all blocks: with the weights of Eqs. 12 and 14
    double GetScore() const override;
    void ClearScore() override;
    /// @return those of the present day, see GetIcciDayFigures()
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    /// @return tasks of the present day, by their deployment
    DecisionTally GetTally() const override;
    /// @return tasks that have arrived on the present day
    uint64_t GetNDecided() const override;

    /// @param action below GetNActions()  @return what it stands for
    IcciChoice GetChoice(uint32_t action) const;

    /// @param gain terms  @return Eq. 12, or with Wavelengths Eq. 14
    double GetReward(const IcciGain& gain) const;

    /// @return who runs the tasks
    Ptr<const IcciManager> GetManager() const
    {
        return m_manager;
    }

    /// @return who runs the tasks, to break something
    Ptr<IcciManager> GetManager()
    {
        return m_manager;
    }

    /**
     * Go on after the manager was held (IcciManager::Hold()) and released, or was reset by the
     * caller: until then the problem stands between two questions, and Act() must not be called.
     */
    void Continue();

    /// @return the areas of the centres
    std::vector<IcciArea> GetAreas() const;

  protected:
    void DoDispose() override;
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// A reward that may not be known yet.
    struct Pending
    {
        uint32_t migration{IcciManager::NO_MIGRATION}; //!< that it is for
        double reward{0};                              //!< if it is carried out
    };

    /// @param [out] out the state of the paper
    void ObserveAsPaper(float* out) const;

    /// Move the rewards that are known by now to m_rewards.
    void Settle();

    /// @param ring index of a candidate  @param slot when  @return To
    double GetOffer(uint32_t ring, uint32_t slot) const;

    bool m_wide;                        //!< DeepHM-DWA
    State m_state;                      //!< by what a question is told
    Offer m_offer;                      //!< what To tells
    double m_alpha;                     //!< of a hotspot block
    double m_beta;                      //!< of load
    double m_gamma;                     //!< of a hop
    double m_phi;                       //!< of a wavelength
    double m_eta;                       //!< of a worker
    Ptr<IcciManager> m_manager;         //!< who runs the tasks
    Ptr<IcciTaskGenerator> m_tasks;     //!< days of tasks
    Ptr<IcciTide> m_tide;               //!< days of background
    Ptr<UniformRandomVariable> m_seeds; //!< of the manager
    bool m_done{true};                  //!< whether the day is over
    std::vector<Pending> m_pending;     //!< rewards, oldest first
    std::vector<float> m_rewards;       //!< known and not yet taken
    double m_scoreBlocks{0};            //!< blocks since ClearScore()
    double m_scoreCost{0};              //!< see GetScore()
};

} // namespace ns3::odcn

#endif /* ICCI_MIGRATION_H */
