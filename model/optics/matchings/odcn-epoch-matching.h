// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EPOCH_MATCHING_H
#define ODCN_EPOCH_MATCHING_H

#include "odcn-matching.h"

#include "ns3/nstime.h"
#include "ns3/odcn-circuit-schedule.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Choose planes for matchings so that as many circuits as possible stay as they are. Racks and
 * planes without a new circuit keep their present one where its receiver is free; those count, too.
 *
 * With failures, as many circuits of the matchings as possible are usable on their planes, and then
 * as many circuits as possible stay as they are; circuits that are not usable are left out.
 *
 * @param wanted matchings, not more than planes
 * @param present matching of each plane
 * @param usable circuits that may be set up
 * @return matching of each plane
 * @throws OdcnError when there are more matchings than planes
 */
std::vector<Matching> AssignToPlanes(std::vector<Matching> wanted,
                                     const std::vector<Matching>& present,
                                     const CircuitFilter& usable = {});

/**
 * The circuits of the next epoch. Where each matching of the algorithm has whole planes of its own
 * (MaxWeightMatching), planes hold one matching for the epoch, chosen by AssignToPlanes().
 * Otherwise planes hold several matchings one after the other, as in MatchingSchedule.
 *
 * With failures, each plane has matchings of its own, for its part of the demand that it can serve:
 * MaxWeightMatching::FindPlanes(), or a MatchingSchedule of one plane.
 *
 * @param algorithm type and Attributes of a MatchingAlgorithm
 * @param bytes demand by pair of racks; any unit for algorithms that only compare pairs
 * @param present matching of each plane
 * @param fabric rates and reconfiguration time; as many planes as @p present has
 * @param epoch length of the epoch
 * @param usable circuits that may be set up
 * @return the schedule, of an epoch's length; null if there is no demand
 * @throws OdcnError when there is no such algorithm, it needs a rate that @p fabric does not tell,
 * or an epoch is too short for its matchings
 */
Ptr<CircuitSchedule> MakeEpochSchedule(const std::string& algorithm,
                                       const DemandMatrix& bytes,
                                       const std::vector<Matching>& present,
                                       const MatchingFabric& fabric,
                                       Time epoch,
                                       const CircuitFilter& usable = {});

/**
 * @param planes matching of each plane  @param epoch length of the epoch
 * @param dark reconfiguration time
 * @return a schedule that holds them
 */
Ptr<CircuitSchedule> MakeEpochSchedule(const std::vector<Matching>& planes, Time epoch, Time dark);

} // namespace ns3::odcn

#endif /* ODCN_EPOCH_MATCHING_H */
