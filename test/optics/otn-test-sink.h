// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_TEST_SINK_H
#define OTN_TEST_SINK_H

#include "ocs-quiet-user.h"

#include "ns3/simulator.h"

#include <map>

namespace ns3::odcn
{

/// Receiver behind a port: records arrivals.
struct TestSink : public QuietUser
{
    void PortReceived(uint32_t, const Ptr<Packet>& packet) override
    {
        times[packet->GetUid()] = Simulator::Now().GetPicoSeconds();
    }

    std::map<uint64_t, int64_t> times; //!< arrival times in ps, by uid
};

} // namespace ns3::odcn

#endif /* OTN_TEST_SINK_H */
