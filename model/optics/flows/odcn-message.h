// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_H
#define ODCN_MESSAGE_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::odcn
{

/// Bytes sent from one end point to another.
struct Message
{
    /// Most bytes of a message, exact as a floating-point number, too.
    static constexpr uint64_t MAX_BYTES = uint64_t{1} << 53;

    uint64_t number{0}; //!< in the order of sending, from 0
    uint32_t from{0};   //!< index of the sender
    uint32_t to{0};     //!< index of the receiver
    uint64_t bytes{0};  //!< application data
    uint64_t tag{0};    //!< for the sender's use
    Time sent;          //!< when it was sent
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_H */
