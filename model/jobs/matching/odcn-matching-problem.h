// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_PROBLEM_H
#define ODCN_MATCHING_PROBLEM_H

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-demand-meter.h"
#include "ns3/odcn-matching.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Which matching next: the circuits of optical switches, decided epoch by epoch.
 *
 * Racks are joined by planes, each of which holds a matching for an epoch. The unit of traffic is
 * what a circuit carries in an epoch; a circuit that changes is dark for the share DarkShare of the
 * epoch and carries 1 - DarkShare. Without packets, as a fluid: in each epoch traffic arrives by a
 * DemandMatrix pattern, and a pair of racks is served
 *
 *     served = min(backlog + arrived, capacity of the pair's circuits).
 *
 * Invariant, since Reset() and by pair: arrived = served + backlog.
 *
 * A pattern with its load holds for a geometric number of epochs (mean Hold). Then the next one is
 * drawn: any of Patterns, with racks renamed at random, and a load. Its busiest rack sends or
 * receives Load x Planes an epoch on average. The arrivals of a pair in an epoch are its mean times
 * 1 - Burstiness + Burstiness x e, e exponential of mean 1.
 *
 * An action is a candidate for the next circuits (see Candidate); the same circuits are laid on
 * planes so that few change. A candidate is infeasible if there is no traffic that it could be
 * computed from; taken all the same, it keeps the circuits.
 *
 * The observation has FEATURES numbers per action, feature by feature, all from 0 to 1; an
 * infeasible action has -1 in place of each. With B the backlog, E the moving average of arrivals,
 * C the capacity of a candidate's circuits by pair and N = Racks x Planes:
 *
 * | feature | value |
 * |---|---|
 * | backlog-served | sum of min(B, C) / N |
 * | expected-served | sum of min(B + E, C) / N |
 * | served-if-held | sum of min(B + 4 E, C + 3 circuits) / 4 N, the candidate held for four epochs
 * | | changed | circuits that change / N | | rate-covered | sum of min(E, C) / sum of E | | waiting
 * | w / (w + 8), w the mean waiting time of pairs with circuits, see GetWaiting() | | largest-left
 * | b / (b + 4), b the largest backlog of a pair without a circuit | | backlog | b / (b + 1), b =
 * sum of B / N, the same for all actions |
 *
 * The reward of an action is minus the backlog at the end of its epoch / N, so that the sum of the
 * rewards is minus the number of epochs times GetScore(). By Little's law backlog is waiting time.
 *
 * A controller of packets uses the same problem: Follow() replaces the fluid by what was measured.
 */
class MatchingProblem : public DecisionProblem
{
  public:
    /// Actions. Matchings are found plane by plane; what a circuit serves is then subtracted.
    enum Candidate : uint32_t
    {
        KEEP,        //!< the present circuits
        BACKLOG,     //!< maximum weight min(backlog, 1), regardless of dark time
        STEADY,      //!< maximum weight min(backlog, capacity): circuits that stay carry more
        EXPECTED,    //!< as STEADY, of backlog + moving average of arrivals
        HELD,        //!< as EXPECTED, for circuits that are held for four epochs
        RATE,        //!< maximum weight min(moving average of arrivals, 1)
        OLDEST,      //!< maximum weight of the waiting time, see GetWaiting()
        ROUND_ROBIN, //!< the next cyclic shifts, as in RoundRobinSchedule
        BIRKHOFF,    //!< heaviest terms of BirkhoffMatching of backlog + moving average of arrivals
        CANDIDATES,  //!< number of candidates
    };

    /// Numbers in the observation of an action.
    static constexpr uint32_t FEATURES = 8;

    /// @return the TypeId
    static TypeId GetTypeId();
    MatchingProblem();

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    bool IsDone() const override;

    /// @return whether IsDone(): Epochs is a limit
    bool IsCutShort() const override
    {
        return IsDone();
    }

    /// Begin an episode: no backlog, cyclic shifts as circuits. @throws OdcnError when an Attribute
    /// is invalid
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    /// @return name of the mean backlog at the ends of epochs / N, that is in epochs of the fabric
    std::string GetScoreName() const override;
    void ClearScore() override;
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;

    /**
     * The traffic of the epoch that has ended, measured elsewhere: the next decision is about it.
     * From the first call on until Reset() there is no fluid and no end of the episode, and the
     * reward of an action is known at the next call.
     *
     * @param arrived by pair of racks, since the last call; 1 is what a circuit carries in an epoch
     * @param backlog by pair of racks, now
     * @throws OdcnError before Reset(), and when a matrix is invalid or of another size
     */
    void Follow(const DemandMatrix& arrived, const DemandMatrix& backlog);

    /**
     * Leave circuits out of all candidates from the next Follow() or Reset() on, because they have
     * failed. KEEP gives them up, too.
     * @param usable circuits that may be set up
     */
    void SetUsable(CircuitFilter usable)
    {
        m_usable = std::move(usable);
    }

    /// @return the present matching of each plane, as decided by the last action
    const std::vector<Matching>& GetCircuits() const
    {
        return m_circuits;
    }

    /// @param action below GetNActions()  @return matching of each plane if it is taken
    const std::vector<Matching>& GetCandidate(uint32_t action) const
    {
        return m_candidates.at(action).circuits;
    }

    /// @param action below GetNActions()
    /// @return sum of min(B + E, C) over pairs: expected traffic served in the next epoch
    double GetExpectedService(uint32_t action) const;

    /// @return traffic that waits, by pair of racks
    const DemandMatrix& GetBacklog() const
    {
        return m_backlog;
    }

    /// @return traffic that has arrived since Reset(), by pair of racks
    const DemandMatrix& GetArrived() const
    {
        return m_arrived;
    }

    /// @return traffic served since Reset(), by pair of racks
    const DemandMatrix& GetServed() const
    {
        return m_served;
    }

    /// @return number of epochs, by pair of racks, since the pair last had a circuit or no backlog
    const DemandMatrix& GetWaiting() const
    {
        return m_waiting;
    }

  private:
    /// A candidate for the next circuits.
    struct Option
    {
        std::vector<Matching> circuits; //!< by plane
        bool feasible{true};            //!< whether there is traffic that it is computed from
    };

    /// @param smoothing Attribute Smoothing
    void SetSmoothing(double smoothing);

    /// @return Attribute Smoothing
    double GetSmoothing() const;

    /// Draw the next pattern of traffic and its load.
    void DrawDemand();

    /// Compute all candidates from the present state.
    void Propose();

    /// @param backlog weights are computed from  @param epochs for which circuits are held
    /// @param steady whether circuits that change carry less
    /// @return matchings by plane; NO_RACK where there is no traffic
    std::vector<Matching> FindMaxWeight(DemandMatrix backlog, double epochs, bool steady) const;

    /// @param circuits matching of each plane  @return capacity by pair of racks in the next epoch
    DemandMatrix GetCapacity(const std::vector<Matching>& circuits) const;

    /// @param circuits matching of each plane  @return number of circuits that differ from present
    uint32_t CountChanged(const std::vector<Matching>& circuits) const;

    /// Count an epoch that has ended. @param arrived traffic of the epoch  @param served likewise
    void EndEpoch(const DemandMatrix& arrived, const DemandMatrix& served);

    /// Restart MeasureFigures().
    void ClearFigures();

    /// @return Racks x Planes
    double GetNCircuits() const
    {
        return static_cast<double>(m_racks) * m_planes;
    }

    uint32_t m_racks;                       //!< number of racks
    uint32_t m_planes;                      //!< number of planes
    double m_darkShare;                     //!< of an epoch, for a circuit that changes
    std::string m_patterns;                 //!< see Attribute Patterns
    Ptr<RandomVariableStream> m_load;       //!< of a demand
    double m_hold;                          //!< mean number of epochs of a demand
    double m_burstiness;                    //!< see the class
    uint32_t m_epochs;                      //!< of an episode
    Ptr<DemandMeter> m_meter;               //!< moving average of arrivals
    Ptr<MatchingAlgorithm> m_birkhoff;      //!< for BIRKHOFF
    Ptr<UniformRandomVariable> m_checks;    //!< for patterns that are only checked
    Ptr<UniformRandomVariable> m_draws;     //!< patterns, racks' names, holding times
    Ptr<ExponentialRandomVariable> m_burst; //!< of the arrivals of a pair
    std::vector<std::string> m_names;       //!< the patterns
    DemandMatrix m_mean;                    //!< arrivals of an epoch, mean
    DemandMatrix m_backlog;                 //!< see GetBacklog()
    DemandMatrix m_arrived;                 //!< see GetArrived()
    DemandMatrix m_served;                  //!< see GetServed()
    DemandMatrix m_waiting;                 //!< see GetWaiting()
    std::vector<Matching> m_circuits;       //!< present matching of each plane
    std::vector<Option> m_candidates;       //!< by action
    CircuitFilter m_usable;                 //!< see SetUsable()
    uint32_t m_shift{0};                    //!< first shift of the next ROUND_ROBIN
    uint32_t m_epoch{0};                    //!< number of epochs of the episode
    bool m_following{false};                //!< whether Follow() was called
    bool m_owed{false};                     //!< whether an action's reward is not known yet
    std::vector<FigureValue> m_figures;     //!< see MeasureFigures()
};

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_PROBLEM_H */
