// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_QUIET_USER_H
#define OCS_QUIET_USER_H

#include "ns3/ocs-net-device.h"

namespace ns3::odcn
{

/// Receives from a port, and ignores what else happens there.
struct QuietUser : public OcsPortUser
{
    void PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause) override
    {
    }

    void PortChanged(uint32_t, bool) override
    {
    }
};

} // namespace ns3::odcn

#endif /* OCS_QUIET_USER_H */
