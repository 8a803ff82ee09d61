// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_AREA_H
#define ICCI_AREA_H

#include <cstddef>
#include <cstdint>

namespace ns3::odcn
{

/// Land use around a data centre or site (node type in the DeepHM paper), by its busy hours.
enum class IcciArea : uint8_t
{
    BUSINESS,    //!< busy in working hours
    RESIDENTIAL, //!< busy in the evening
    OTHER,       //!< a mix of both
};

/// Number of area types.
constexpr std::size_t ICCI_AREAS = 3;

} // namespace ns3::odcn

#endif /* ICCI_AREA_H */
