// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SQUASH_H
#define ODCN_SQUASH_H

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A number without an upper bound as a feature of an observation.
 *
 * @param x 0 or more
 * @return x / (1 + x), 0 to 1
 */
inline float
Squash(double x)
{
    return static_cast<float>(x / (1 + x));
}

} // namespace ns3::odcn

#endif /* ODCN_SQUASH_H */
