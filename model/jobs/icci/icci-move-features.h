// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MOVE_FEATURES_H
#define ICCI_MOVE_FEATURES_H

#include "icci-manager.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Features that describe a migration, beyond the state of the DeepHM paper: hotspots expected from
 * the mean tide with and without it, how near the centres are to one, other tasks there, the rest
 * of the day and of the task's life, and the use of the network. Every number is about one choice
 * and of the order of 1; staying is described by zeros, so that the score of any other choice is
 * relative to staying.
 *
 * Hotspot blocks are counted from the start of the migration to the end of the task, at most until
 * midnight. "Left" are the centres that workers leave, "reached" those that they move to.
 */
class IcciMoveFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        MOVE,        //!< 1 if workers move
        MORE,        //!< workers that move beyond the first
        HOT,         //!< hotspot blocks avoided, over 10
        SOON,        //!< hotspot blocks avoided that begin in the first three hours, over 3
        FULLER,      //!< as HOT if all centres held one more worker of this task's size
        EMPTIER,     //!< as HOT if all centres held one less
        NEAR,        //!< as HOT, with blocks weighted by load: 0 at 70 % to 1 at 90 %
        STAYS_HOT,   //!< hotspot blocks that remain in the centres left, over 10
        TURNS_HOT,   //!< hotspot blocks of the centres reached, over 10
        USE,         //!< reduction of the largest load, share of a centre's CUs (Eq. 12)
        ROOM,        //!< least CUs by which centres reached are below a hotspot, as a share
        CROWD,       //!< CUs that other tasks hold in the centres left, share of a centre's
        HOT_WORKERS, //!< workers of the task that are in hotspots now, share of all
        CUS,         //!< CUs that move, share of a centre's
        WORKERS,     //!< workers of the task, over 10
        TIME,        //!< start as a share of the day
        LATE,        //!< square of TIME
        LIFE,        //!< rest of the task's life until midnight, share of the day
        SLOT,        //!< index of the slot
        MOVES_LEFT,  //!< 1 if the task may migrate again after this migration
        HOPS,        //!< hops of the ring saved, over 10
        WAVELENGTHS, //!< wavelengths per hop gained, over 4
        SCARCE,      //!< wavelengths in use on the fullest hop, share of the most of a link
        PRESENT,     //!< 1 if only wavelengths are added
        COUNT        //!< number of features
    };

    /// The features of one choice.
    using Row = std::array<float, COUNT>;

    /// @return their names, e.g. "stays-hot"
    static std::vector<std::string> GetNames();

    /// Prepare the features of a question, before Describe(). @param manager that asks
    void Begin(const IcciManager& manager);

    /**
     * @param manager as in Begin()
     * @param choice not to stay; its candidate exists
     * @param [out] row its features
     */
    void Describe(const IcciManager& manager, const IcciChoice& choice, Row& row);

  private:
    /// Compute what is independent of the routing. @param manager that asks  @param choice a choice
    void Look(const IcciManager& manager, const IcciChoice& choice);

    /// The features of one choice while they are added up.
    using Sums = std::array<double, COUNT>;

    /**
     * Compute what depends on the workers that move.
     * @param manager that asks
     * @param choice that moves workers
     * @param start of the migration, s
     * @param end of the task or the day, s
     * @param row gets the features
     */
    static void LookAtMoves(const IcciManager& manager,
                            const IcciChoice& choice,
                            double start,
                            double end,
                            Sums& row);

    float m_hotWorkers{0}; //!< share of the task's workers that are in hotspots
    IcciChoice m_seen;     //!< choice described by m_row
    Row m_row{};           //!< see Look()
};

} // namespace ns3::odcn

#endif /* ICCI_MOVE_FEATURES_H */
