// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TASK_H
#define ICCI_TASK_H

#include "ns3/otn-wavelength-ledger.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A distributed training task M_i(D, P, theta, T, S, It) of the DeepHM paper (section III.A): its
 * workers, each in a different data centre, form a ring and exchange gradients after each
 * iteration.
 */
struct IcciTask
{
    uint64_t id{0};       //!< task number within its day, from 0
    double arrival{0};    //!< arrival time, s since midnight
    double dataGb{0};     //!< D, training data in GB
    double parameters{0}; //!< P in 10^9 parameters; Gbit in Eq. 3
    double accuracy{0};   //!< theta, between 0 and 1
    double deadline{0};   //!< T, relative to the arrival, s
    uint32_t source{0};   //!< S, the centre of origin; one worker stays there
    uint32_t workers{0};  //!< N^worker, 3 or more
    double iterations{0}; //!< It, number of iterations

    /// @param o other  @return whether all members are equal
    bool operator==(const IcciTask& o) const = default;
};

/// Parameters of Eqs. 1 to 3.
struct IcciRates
{
    double flopPerGb{1e12};         //!< lambda
    double flopsPerCu{20e12};       //!< rho
    double bitsPerWavelength{1e11}; //!< chi, bit/s
    double computeShare{0.7};       //!< T_com / (T_com + T_trans), between 0 and 1
};

/// Resources that a task needs to meet its deadline (Eqs. 1 to 3).
struct IcciDemand
{
    double compute{0};  //!< T_com, computing time per iteration, s
    double transfer{0}; //!< T_trans, transmission time per iteration, s
    uint32_t cus{0};    //!< N^cu, CUs of each worker, rounded up
    uint32_t bus{0};    //!< N^bu, wavelengths on each hop of the ring, rounded up
};

/**
 * @param task a task, deployed on its arrival
 * @param rates parameters of the equations
 * @return T_com and T_trans by Eq. 1, split by computeShare; N^cu by Eq. 2; N^bu by Eq. 3
 */
IcciDemand IcciGetDemand(const IcciTask& task, const IcciRates& rates);

/// @param lightpaths lightpaths of a ring
/// @return their fibre hops
inline uint32_t
IcciCountHops(std::span<const OtnGrant> lightpaths)
{
    std::size_t hops = 0;
    for (const auto& lightpath : lightpaths)
    {
        hops += lightpath.path.size();
    }
    return static_cast<uint32_t>(hops);
}

/// State of a task.
struct IcciTaskState
{
    /// Phase of a task.
    enum Phase
    {
        TO_COME,   //!< has not arrived yet
        RUNNING,   //!< is training
        MIGRATING, //!< is interrupted while workers move
        ENDED,     //!< has completed its iterations
        BLOCKED,   //!< could not be deployed
        LOST,      //!< was interrupted by a fault
    };

    /// Number of no migration.
    static constexpr uint32_t NO_MIGRATION = UINT32_MAX;

    IcciTask task;                    //!< the request
    IcciDemand demand;                //!< its demand for resources
    Phase phase{TO_COME};             //!< present phase
    std::vector<uint32_t> ring;       //!< centres of its workers, the source first
    std::vector<OtnGrant> lightpaths; //!< of each hop of the ring
    uint32_t wavelengths{0};          //!< per lightpath
    double done{0};                   //!< iterations completed until `since`
    double since{0};                  //!< begin of the present run, s since midnight
    uint32_t version{0};              //!< number of the present run
    uint32_t migration{NO_MIGRATION}; //!< number of the one planned or under way
    double askAgain{0};               //!< time before which no question is asked, s since midnight
    uint32_t moves{0};                //!< completed migrations
    uint32_t movedWorkers{0};         //!< workers moved by them
    double downtime{0};               //!< total downtime, s
    uint32_t firstHops{0};            //!< hops of its first ring
    uint32_t lastHops{0};             //!< hops of its present or last ring
    double end{0};                    //!< actual or expected end, s since midnight

    /// @return hops of its ring
    uint32_t CountHops() const
    {
        return IcciCountHops(lightpaths);
    }

    /// Light its ring.
    /// @param hops lightpath of each hop
    /// @param count wavelengths per lightpath
    void SetLightpaths(std::vector<OtnGrant> hops, uint32_t count)
    {
        lightpaths = std::move(hops);
        wavelengths = count;
        lastHops = CountHops();
    }

    /// @return duration of an iteration, s; wavelengths beyond N^bu shorten the transfer
    double GetIteration() const
    {
        return demand.compute + demand.transfer * demand.bus / wavelengths;
    }

    /// @return share of its allowed time by which it ends early (Eq. 17); 0 below 10^-12
    double GetAheadOfTime() const
    {
        const double share = 1 - (end - task.arrival) / task.deadline;
        return std::abs(share) < 1e-12 ? 0 : share;
    }
};

/// A ring that a task may migrate to.
struct IcciCandidate
{
    /// Which rings are candidates.
    enum Search
    {
        SWAP,    //!< one or two workers leave hotspots; ranked by load + HopWeight x hops
        NEAREST, //!< the worker in the hottest centre moves to the nearest with room
        ALL,     //!< all workers move to where most CUs are idle
        ANY,     //!< each worker in a hotspot moves anywhere with room
    };

    std::vector<uint32_t> ring;                       //!< centres, the source first
    std::vector<std::pair<uint32_t, uint32_t>> moves; //!< old and new centre of each moving worker
    uint32_t hops{0};                                 //!< around it on shortest paths
    double score{0};                                  //!< lower is better
};

/// An answer to a question.
struct IcciChoice
{
    /// Candidate that keeps the present ring and only adds wavelengths.
    static constexpr uint32_t PRESENT = UINT32_MAX - 1;
    /// Candidate that changes nothing.
    static constexpr uint32_t STAY = UINT32_MAX;

    uint32_t candidate{STAY}; //!< index of the ring, PRESENT or STAY
    uint32_t slot{0};         //!< m, index of the start time
    uint32_t links{0};        //!< l: each hop takes the least full of its l + 1 shortest paths
    bool wider{false};        //!< whether to take additional wavelengths, as far as available
};

/// The question whether a task shall migrate.
struct IcciQuestion
{
    uint32_t task{0};                      //!< index of the task
    std::vector<IcciCandidate> candidates; //!< at most K, best first
    IcciCandidate present;                 //!< its ring as it is, without moves

    /// @param choice an answer
    /// @return whether its ring exists
    bool Has(const IcciChoice& choice) const
    {
        return choice.candidate < candidates.size() || choice.candidate == IcciChoice::PRESENT;
    }

    /// @param choice an answer
    /// @return its ring: the candidate's, or the present one
    const IcciCandidate& Get(const IcciChoice& choice) const
    {
        return choice.candidate < candidates.size() ? candidates[choice.candidate] : present;
    }
};

/// Terms of Eqs. 12 and 15, each before minus after.
struct IcciGain
{
    double hot{0};         //!< hotspots at present, or hotspot blocks over the outlook
    double use{0};         //!< largest share of CUs in use at centres left or reached
    double hops{0};        //!< hops of the ring
    double wavelengths{0}; //!< wavelengths of a hop of the ring
    double moved{0};       //!< M_c, workers that move
};

/// Why a migration was not carried out.
enum class IcciCause : uint8_t
{
    NONE,       //!< no failure
    CUS,        //!< too few CUs
    WAVELENGTH, //!< too few wavelengths
    OVERTAKEN,  //!< the task or the day ended before it began
    ABORTED,    //!< aborted while under way
};

/// Lightpaths of a ring compared with those of another.
struct IcciLightpaths
{
    std::vector<OtnGrant> hops;  //!< of each hop of the ring
    std::vector<OtnGrant> added; //!< those that the other ring does not have
    std::vector<OtnGrant> left;  //!< those of the other ring that this one does not have
};

/// A migration that was decided.
struct IcciMigrationRecord
{
    /// Phase of a migration.
    enum Phase : uint8_t
    {
        PLANNED,  //!< not begun yet
        STARTED,  //!< under way
        COMPLETE, //!< the task runs on its new ring
        FAILED,   //!< the task stayed where it was
    };

    uint32_t task{0};           //!< index of the task
    double decided{0};          //!< time of the decision, s since midnight
    double start{0};            //!< begin, s since midnight
    IcciChoice choice;          //!< the decision
    double downtime{0};         //!< s (Eq. 16, or IcciManager::SetOutcome())
    bool completes{true};       //!< whether the workers will reach their new centres
    uint32_t version{0};        //!< number of the present outcome
    std::vector<uint32_t> ring; //!< centres after it, the source first
    std::vector<std::pair<uint32_t, uint32_t>> moves; //!< old and new centre of each moving worker
    uint32_t hopsBefore{0};                           //!< of the old ring
    uint32_t hopsAfter{0};                            //!< of the new one
    uint32_t wavelengthsBefore{0};                    //!< of a hop, before
    uint32_t wavelengthsAfter{0};                     //!< of a hop, after
    Phase phase{PLANNED};                             //!< present phase
    IcciCause cause{IcciCause::NONE};                 //!< why it failed
    IcciLightpaths lit;                               //!< of the new ring, until completion
    std::vector<OtnGrant> transfers; //!< lightpaths that carry the workers, until completion
};

/// Counters of the IcciManager.
struct IcciCounters
{
    uint64_t arrived{0};            //!< tasks that arrived
    uint64_t ended{0};              //!< tasks that ended before midnight
    uint64_t blockedCus{0};         //!< tasks not deployed for lack of CUs
    uint64_t blockedWavelengths{0}; //!< tasks not deployed for lack of wavelengths
    uint64_t questions{0};          //!< questions asked
    uint64_t hopeless{0};           //!< questions not asked for lack of a candidate
    uint64_t stayed{0};             //!< answers to stay
    uint64_t planned{0};            //!< migrations decided
    uint64_t started{0};            //!< migrations begun
    uint64_t refusedCus{0};         //!< not begun, for lack of CUs
    uint64_t refusedWavelengths{0}; //!< not begun, for lack of wavelengths
    uint64_t overtaken{0};          //!< not begun, since the task or the day had ended
    uint64_t completed{0};          //!< migrations completed
    uint64_t aborted{0};            //!< migrations begun and aborted
    uint64_t movedWorkers{0};       //!< workers moved by completed migrations
    uint64_t rerouted{0};           //!< rings that were lit around a fault
    uint64_t replaced{0};           //!< tasks that a fault moved to another ring
    uint64_t interrupted{0};        //!< tasks that a fault ended

    /// @param o other
    /// @return whether all members are equal
    bool operator==(const IcciCounters& o) const = default;
};

} // namespace ns3::odcn

#endif /* ICCI_TASK_H */
