// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_TEST_SINK_H
#define OTN_TEST_SINK_H

#include "ns3/ocs-net-device.h"
#include "ns3/simulator.h"

#include <map>

namespace ns3::odcn
{

/// Receiver behind a port: records arrivals.
struct TestSink : public OcsPortUser
{
    void PortReceived(uint32_t, const Ptr<Packet>& packet) override
    {
        times[packet->GetUid()] = Simulator::Now().GetPicoSeconds();
    }

    void PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause) override
    {
    }

    void PortChanged(uint32_t, bool) override
    {
    }

    std::map<uint64_t, int64_t> times; //!< arrival times in ps, by uid
};

} // namespace ns3::odcn

#endif /* OTN_TEST_SINK_H */
