// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DATA_FLOW_H
#define ODCN_DATA_FLOW_H

#include "ns3/nstime.h"
#include "ns3/odcn-units.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A transfer of a number of bytes from one host to another. Hosts are numbered rack by rack, as the
 * servers of a fabric.
 */
struct DataFlow
{
    ServerId source{0};      //!< sending host
    ServerId destination{0}; //!< receiving host, another one
    uint64_t bytes{0};       //!< application data, without headers; 1 or more
    Time start;              //!< when the sender has the data

    /// @param o other flow  @return whether all members are equal
    bool operator==(const DataFlow& o) const = default;
};

} // namespace ns3::odcn

#endif /* ODCN_DATA_FLOW_H */
