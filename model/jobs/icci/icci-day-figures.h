// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_DAY_FIGURES_H
#define ICCI_DAY_FIGURES_H

#include "icci-manager.h"

#include "ns3/odcn-figure.h"

#include <vector>

namespace ns3::odcn
{

struct IcciPacketMigration;

/**
 * @ingroup odcn
 * @return the figures of merit of a day of tasks: those of section V of the DeepHM paper, first the
 * share of blocks that are hotspots
 */
std::vector<FigureOfMerit> GetIcciDayFigures();

/**
 * @param manager at the end of a day
 * @return the values of GetIcciDayFigures(); undefined where there is nothing to average, such as
 * the downtime of migrations on a day without one
 */
std::vector<FigureValue> MeasureIcciDay(const IcciManager& manager);

/**
 * @ingroup odcn
 * @return the figures of merit of migrations in packets, means over those of a day; more: than Eqs.
 * 3 and 16 of the DeepHM paper say
 */
std::vector<FigureOfMerit> GetIcciPacketFigures();

/**
 * @param migrations the migrations of a day in packets
 * @return the values of GetIcciPacketFigures(); undefined where there is nothing to average
 */
std::vector<FigureValue> MeasureIcciPackets(const std::vector<IcciPacketMigration>& migrations);

} // namespace ns3::odcn

#endif /* ICCI_DAY_FIGURES_H */
