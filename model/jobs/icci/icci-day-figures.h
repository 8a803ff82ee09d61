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

} // namespace ns3::odcn

#endif /* ICCI_DAY_FIGURES_H */
