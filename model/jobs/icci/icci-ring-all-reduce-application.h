// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_RING_ALL_REDUCE_APPLICATION_H
#define ICCI_RING_ALL_REDUCE_APPLICATION_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/odcn-message-stream.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// One iteration of a worker.
struct RingIteration
{
    uint32_t number{0}; //!< index of the iteration, from 0
    Time begun;         //!< start of computing
    Time computed;      //!< end of computing
    Time done;          //!< when all gradients had been received
    Time latency;       //!< sum over messages received: from sending to the first packet
    Time transfer;      //!< sum over messages received: time to receive all packets
    double scale{1};    //!< bytes sent / actual bytes

    /// @return simulated T_trans
    Time GetCommunication() const
    {
        return done - computed;
    }

    /**
     * @return T_trans for all bytes: transfers take 1 / scale as long, the rest is unchanged. If
     * the links of a ring differ, take the maximum over its workers.
     */
    Time GetUnscaled() const;
};

/**
 * @ingroup odcn
 *
 * One worker of a ring all-reduce. In each iteration it computes, then exchanges gradients in
 * 2 (N - 1) steps of P / N bytes (scatter-reduce, then all-gather). Each step is sent to the next
 * worker as soon as the previous worker's message of the step before has arrived.
 *
 * Messages are sent over TCP. To bound the cost of an iteration only the share Scale of the bytes
 * is sent; RingIteration extrapolates the time for all of them.
 */
class RingAllReduceApplication : public Application, public MessageStreamUser
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Finish this iteration, then wait; Paused is fired at that time.
    void Pause();

    /// Continue after Pause(), with the next iteration.
    void Resume();

    /// The worker has moved: close all connections and stop. Only while paused.
    void Leave();

    /// @return whether the worker waits between two iterations
    bool IsPaused() const;

    /// Change the next worker; only when all workers have paused, so that nothing is in flight.
    /// @param next its address; 0.0.0.0 closes the connection until another address is set
    void SetNext(Ipv4Address next);

    /// @return address of the next worker
    Ipv4Address GetNext() const;

    /// @return bytes of a message: Scale * P / N, rounded up
    uint64_t GetChunk() const;

    /// @return iterations done by the task, so the index of the next one
    uint32_t GetIterations() const;

    /// Signature of Iteration. @param iteration its record
    typedef void (*IterationTracedCallback)(const RingIteration& iteration);
    /// Signature of Paused. @param iterations number of iterations done
    typedef void (*PausedTracedCallback)(uint32_t iterations);

    void MessageReceived(MessageStream& stream, const StreamMessage& message) override;
    void StreamClosed(MessageStream& stream) override;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// @param number index of the first iteration
    void SetFirst(uint32_t number);

    /// Start to compute, or pause.
    void BeginIteration();

    /// Computing is over.
    void Computed();

    /// Send all steps whose input has arrived.
    void SendSteps();

    /// The previous worker has connected. @param socket to it  @param from its address
    void Accept(Ptr<Socket> socket, const Address& from);

    /// Connect to the next worker.
    void Open();

    /// Close all connections.
    void CloseAll();

    uint16_t m_port;                      //!< TCP port of all workers
    Ipv4Address m_next;                   //!< address of the next worker
    uint32_t m_workers;                   //!< N, number of workers
    uint64_t m_bytes;                     //!< P, bytes
    double m_scale;                       //!< bytes sent / actual bytes
    Time m_computeTime;                   //!< T_com, compute time of an iteration
    uint32_t m_limit;                     //!< number of iterations, 0 for no limit
    uint32_t m_window;                    //!< largest number of bytes in flight
    Ptr<Socket> m_listener;               //!< accepts the previous worker
    Ptr<MessageStream> m_out;             //!< to the next worker
    std::vector<Ptr<MessageStream>> m_in; //!< from the previous worker; old ones until closed
    EventId m_compute;                    //!< end of computing
    bool m_running{false};                //!< whether an iteration is under way
    bool m_hasComputed{false};            //!< whether this iteration has computed
    bool m_pause{false};                  //!< whether to wait after this iteration
    uint32_t m_sent{0};                   //!< steps sent in this iteration
    uint32_t m_received{0};               //!< steps received in this iteration
    RingIteration m_iteration;            //!< record of this iteration
    TracedCallback<const RingIteration&> m_iterationTrace; //!< trace source Iteration
    TracedCallback<uint32_t> m_pausedTrace;                //!< trace source Paused
};

} // namespace ns3::odcn

#endif /* ICCI_RING_ALL_REDUCE_APPLICATION_H */
