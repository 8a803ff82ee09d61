// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MOVE_FEATURES_H
#define ICCI_MOVE_FEATURES_H

#include "ns3/icci-manager.h"

#include <array>
#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What the choice of a migration depends on, beyond the state of the DeepHM paper: what the mean
 * tide says of hotspots with it and without, how near to one the centres are, who else is there,
 * what of the day and of the task's life is left, and what it takes of the network. Every number is
 * about one choice and of the order of 1; to stay is told by zeros, so that the score of any other
 * choice is that over staying.
 *
 * Hotspot blocks are those over the rest of the task's life from the start of the migration, until
 * midnight at most. "Left" are the centres that workers leave, "reached" those that they go to.
 */
class IcciMoveFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        MOVE,        //!< 1 where workers move
        MORE,        //!< workers that move beyond the first
        HOT,         //!< hotspot blocks avoided, over 10
        SOON,        //!< of them those of the first three hours, over 3
        FULLER,      //!< as HOT if all centres held one more worker of this task's size
        EMPTIER,     //!< as HOT if all held one less
        NEAR,        //!< as HOT, a block counting as its load goes from 70 to 90 % of the CUs
        STAYS_HOT,   //!< hotspot blocks of the centres left, all the same, over 10
        TURNS_HOT,   //!< hotspot blocks of the centres reached, over 10
        USE,         //!< greatest load reduced, share of a centre's CUs (Eq. 12)
        ROOM,        //!< least CUs that centres reached are below a hotspot, share of a centre's
        CROWD,       //!< CUs that other tasks hold in the centres left, share of a centre's
        HOT_WORKERS, //!< workers of the task that are in hotspots now, share of all
        CUS,         //!< CUs that move, share of a centre's
        WORKERS,     //!< of the task, over 10
        TIME,        //!< start as a share of the day
        LATE,        //!< its square
        LIFE,        //!< what is left of the task's life until midnight, share of the day
        SLOT,        //!< number of the slot
        MOVES_LEFT,  //!< migrations that the task may make after this one, 1 at most
        HOPS,        //!< hops of the ring saved, over 10
        WAVELENGTHS, //!< wavelengths of a hop gained, over 4
        SCARCE,      //!< share of the wavelengths of its fullest hop that are in use
        PRESENT,     //!< 1 where only wavelengths are taken
        COUNT        //!< how many features there are
    };

    /// The features of one choice.
    using Row = std::array<float, COUNT>;

    /// @param feature which  @return its name, e.g. "stays-hot"
    static const char* GetName(uint32_t feature);

    /// Look at the question as a whole, before Describe(). @param manager that asks
    void Begin(const IcciManager& manager);

    /**
     * @param manager the same
     * @param choice not to stay; its candidate is there
     * @param [out] row its features
     */
    void Describe(const IcciManager& manager, const IcciChoice& choice, Row& row);

  private:
    /// Fill what is alike for all ways of routing. @param manager the same  @param choice which
    void Look(const IcciManager& manager, const IcciChoice& choice);

    float m_hotWorkers{0}; //!< of the task
    IcciChoice m_seen;     //!< that m_row is about
    Row m_row{};           //!< see Look()
};

} // namespace ns3::odcn

#endif /* ICCI_MOVE_FEATURES_H */
