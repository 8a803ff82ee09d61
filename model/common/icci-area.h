// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_AREA_H
#define ICCI_AREA_H

#include <cstddef>
#include <cstdint>

namespace ns3::odcn
{

/// Land use around a centre or site (type of a node in the DeepHM paper), by its hours of use.
enum class IcciArea : uint8_t
{
    BUSINESS,    //!< busy in working hours
    RESIDENTIAL, //!< busy in the evening
    OTHER,       //!< a mix of both
};

/// Number of kinds of area.
constexpr std::size_t ICCI_AREAS = 3;

} // namespace ns3::odcn

#endif /* ICCI_AREA_H */
