// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-demand-check.h"

#include "odcn-error.h"

#include <cmath>

namespace ns3::odcn
{

void
CheckDemand(const std::string& what, const DemandMatrix& matrix)
{
    const uint32_t racks = matrix.GetNRacks();
    if (racks < 2)
    {
        throw OdcnError::InOption(what, std::to_string(racks) + " racks", "at least 2 racks");
    }
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            const double value = matrix.Get(from, to);
            if (!std::isfinite(value) || value < 0 || (from == to && value != 0))
            {
                throw OdcnError::InOption(what + " from rack " + std::to_string(from) +
                                              " to rack " + std::to_string(to),
                                          std::to_string(value),
                                          from == to ? "0" : "a finite number, not negative");
            }
        }
    }
}

} // namespace ns3::odcn
