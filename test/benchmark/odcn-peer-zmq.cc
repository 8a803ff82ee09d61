// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The boundary of ns3-gym: a request and a reply over ZeroMQ for each decision, both of them
 * protocol buffers. agent_zmq.py is the other side.
 */

#include "odcn-peer.h"
#include "odcn-peer.pb.h"

#include "ns3/odcn-error.h"

#include <memory>
#include <zmq.h>

using namespace ns3::odcn;

namespace
{

/// @param good whether a call succeeded  @param what description of the call, for the error
void
Check(bool good, const char* what)
{
    if (!good)
    {
        throw OdcnError(std::string("ZeroMQ: ") + what + ": " + zmq_strerror(zmq_errno()));
    }
}

} // namespace

void
ServeZmq(OdcnScheduling& problem,
         const std::string& endpoint,
         uint64_t decisions,
         const std::function<void()>& connected)
{
    const std::unique_ptr<void, int (*)(void*)> context(zmq_ctx_new(), zmq_ctx_term);
    const std::unique_ptr<void, int (*)(void*)> socket(zmq_socket(context.get(), ZMQ_REQ),
                                                       zmq_close);
    Check(zmq_connect(socket.get(), endpoint.c_str()) == 0, "connect");

    State message;
    Action action;
    std::string bytes;
    const auto exchange = [&]()
    {
        message.SerializeToString(&bytes);
        Check(zmq_send(socket.get(), bytes.data(), bytes.size(), 0) >= 0, "send");
        char reply[64];
        const int size = zmq_recv(socket.get(), reply, sizeof(reply), 0);
        Check(size >= 0 && size <= static_cast<int>(sizeof(reply)), "receive");
        action.ParseFromArray(reply, size);
    };
    PeerState state;
    for (uint64_t i = 0; i < decisions; ++i)
    {
        Observe(problem, state);
        message.mutable_observation()->Assign(state.observation.begin(), state.observation.end());
        message.mutable_rewards()->Assign(state.rewards.begin(), state.rewards.end());
        message.set_mask(state.mask.data(), state.mask.size());
        exchange();
        Act(problem, action.rack(), state);
        if (i == 0)
        {
            connected();
        }
    }
    message.Clear();
    message.set_end(true);
    exchange();
}
