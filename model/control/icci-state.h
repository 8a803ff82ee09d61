// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_STATE_H
#define ICCI_STATE_H

#include "ns3/icci-task.h"
#include "ns3/otn-wavelength-ledger.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// @param lightpaths of a ring  @return their hops
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

/// Where a task and its lightpaths are.
struct IcciTaskState
{
    /// What it does.
    enum Phase
    {
        TO_COME,   //!< has not arrived
        RUNNING,   //!< trains
        MIGRATING, //!< stands still while workers move
        ENDED,     //!< has done its iterations
        BLOCKED,   //!< was not deployed
    };

    IcciTask task;                    //!< what is asked
    IcciDemand demand;                //!< what it needs
    Phase phase{TO_COME};             //!< what it does
    std::vector<uint32_t> ring;       //!< centres of its workers, the source first
    std::vector<OtnGrant> lightpaths; //!< of each hop of the ring
    uint32_t wavelengths{0};          //!< of each lightpath
    double done{0};                   //!< iterations until `since`
    double since{0};                  //!< s; when the present run began
    uint32_t version{0};              //!< of the present run
    bool planned{false};              //!< whether it is about to migrate
    double askAgain{0};               //!< s; not asked before
    uint32_t moves{0};                //!< migrations that were completed
    uint32_t movedWorkers{0};         //!< by them
    double downtime{0};               //!< s of standing still
    uint32_t firstHops{0};            //!< hops of its first ring
    uint32_t lastHops{0};             //!< hops of its present or last ring
    double end{0};                    //!< s; when it ended or, as it runs, will end

    /// @return hops of its ring
    uint32_t CountHops() const
    {
        return IcciCountHops(lightpaths);
    }

    /// @return s of an iteration: more wavelengths than N^bu make the transfer shorter
    double GetIteration() const
    {
        return demand.compute + demand.transfer * demand.bus / wavelengths;
    }

    /// @return share of its time by which it ends before its deadline (Eq. 17), to 10^-12
    double GetAheadOfTime() const
    {
        const double share = 1 - (end - task.arrival) / task.deadline;
        return std::abs(share) < 1e-12 ? 0 : share;
    }
};

/// A ring that a task may migrate to.
struct IcciCandidate
{
    std::vector<uint32_t> ring;                       //!< centres, the source first
    std::vector<std::pair<uint32_t, uint32_t>> moves; //!< where workers leave, where they go
    uint32_t hops{0};                                 //!< round it on shortest paths
    double score{0};                                  //!< by which it was chosen, less is better
};

/// Shall a task migrate?
struct IcciQuestion
{
    uint32_t task{0};                      //!< index of the task
    std::vector<IcciCandidate> candidates; //!< K at most, best first
};

/// An answer.
struct IcciChoice
{
    /// "The present ring": only more wavelengths.
    static constexpr uint32_t PRESENT = UINT32_MAX - 1;
    /// "Stay."
    static constexpr uint32_t STAY = UINT32_MAX;

    uint32_t candidate{STAY}; //!< which ring
    uint32_t slot{0};         //!< m, when
    uint32_t links{0};        //!< l: each hop has the least full of its l + 1 shortest paths
    bool wider{false};        //!< whether it takes more wavelengths, as many as there are
};

/// The terms of Eqs. 12 and 15: before less after.
struct IcciGain
{
    double hot{0};         //!< hotspots, or hotspot blocks of an hour
    double use{0};         //!< greatest share of CUs in use, over the centres of both rings
    double hops{0};        //!< of the ring
    double wavelengths{0}; //!< of a hop of the ring
    double moved{0};       //!< M_c, workers that move
};

/// Why something was not carried out.
enum class IcciCause : uint8_t
{
    NONE,       //!< it was
    CUS,        //!< too few CUs
    WAVELENGTH, //!< too few wavelengths
    OVERTAKEN,  //!< the task ended, or the day, before it began
    ABORTED,    //!< given up half-way
};

/// Lightpaths of a ring beside those of another.
struct IcciLightpaths
{
    std::vector<OtnGrant> hops;  //!< of each hop of the ring
    std::vector<OtnGrant> added; //!< of them those that the other ring has not
    std::vector<OtnGrant> left;  //!< of the other ring those that this one has not
};

/// A migration that was decided.
struct IcciMigrationRecord
{
    /// How far it got.
    enum Phase : uint8_t
    {
        PLANNED,  //!< it has not begun
        STARTED,  //!< under way
        COMPLETE, //!< the task runs on its new ring
        FAILED,   //!< the task stayed where it was
    };

    uint32_t task{0};                                 //!< index of the task
    double decided{0};                                //!< s
    double start{0};                                  //!< s
    double downtime{0};                               //!< s (Eq. 16, or IcciManager::SetOutcome())
    bool completes{true};                             //!< whether it will, as far as is known
    uint32_t version{0};                              //!< of what is known
    std::vector<std::pair<uint32_t, uint32_t>> moves; //!< where workers leave, where they go
    uint32_t hopsBefore{0};                           //!< of the ring
    uint32_t hopsAfter{0};                            //!< of the new one
    uint32_t wavelengthsBefore{0};                    //!< of a hop
    uint32_t wavelengthsAfter{0};                     //!< of a hop
    Phase phase{PLANNED};                             //!< how far it got
    IcciCause cause{IcciCause::NONE};                 //!< why it failed
    IcciLightpaths lit;                               //!< of the new ring, until it is complete
    std::vector<OtnGrant> transfers;                  //!< that carry the workers, likewise
};

/// What the IcciManager counts.
struct IcciCounters
{
    uint64_t arrived{0};            //!< tasks
    uint64_t ended{0};              //!< tasks, until midnight
    uint64_t blockedCus{0};         //!< tasks, for want of CUs
    uint64_t blockedWavelengths{0}; //!< tasks, for want of wavelengths
    uint64_t questions{0};          //!< asked
    uint64_t hopeless{0};           //!< not asked, since there was no candidate
    uint64_t stayed{0};             //!< answers
    uint64_t planned{0};            //!< migrations decided
    uint64_t started{0};            //!< of them begun
    uint64_t refusedCus{0};         //!< not begun, for want of CUs
    uint64_t refusedWavelengths{0}; //!< not begun, for want of wavelengths
    uint64_t overtaken{0};          //!< not begun, since the task or the day had ended
    uint64_t completed{0};          //!< of those begun
    uint64_t aborted{0};            //!< of those begun
    uint64_t movedWorkers{0};       //!< by those completed

    /// @param o other  @return whether all members are equal
    bool operator==(const IcciCounters& o) const = default;
};

} // namespace ns3::odcn

#endif /* ICCI_STATE_H */
