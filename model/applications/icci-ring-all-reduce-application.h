// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_RING_ALL_REDUCE_APPLICATION_H
#define ICCI_RING_ALL_REDUCE_APPLICATION_H

#include "icci-stream.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
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
    uint32_t number{0}; //!< 0 for the first
    Time begun;         //!< when it began to compute
    Time computed;      //!< when it had computed
    Time done;          //!< when it had all gradients
    Time latency;       //!< of all messages it got, from sending to the first packet
    Time transfer;      //!< of all messages it got, how long their packets took
    double scale{1};    //!< sent bytes by real bytes

    /// @return T_trans as it was
    Time GetCommunication() const
    {
        return done - computed;
    }

    /**
     * @return T_trans with all bytes: transfers take 1 / scale as long, nothing else does. Where
     * links of a ring are not alike, the largest of its workers' holds.
     */
    Time GetUnscaled() const;
};

/**
 * @ingroup odcn
 *
 * One worker of a ring all-reduce: computes, then sends its gradients round in 2 (N - 1) steps of
 * P / N bytes (scatter-reduce, then all-gather), each to the next worker as soon as it has got what
 * the one before sent in the step before; and so on, iteration by iteration.
 *
 * Messages are real packets, over TCP. So that an iteration stays affordable only Scale of the
 * bytes are sent; RingIteration tells the time that all would have taken.
 */
class RingAllReduceApplication : public Application, public IcciStreamUser
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RingAllReduceApplication();
    ~RingAllReduceApplication() override;

    /// Finish this iteration, then wait. Paused tells when.
    void Pause();

    /// Go on after Pause(), with the next iteration.
    void Resume();

    /// The worker has moved: close all connections, work no more. Only while paused.
    void Leave();

    /// @return whether it waits between two iterations
    bool IsPaused() const;

    /// Send to another worker from now on; only when all workers have paused, so that nothing is
    /// under way. @param next its address; 0.0.0.0 to close the connection until another is named
    void SetNext(Ipv4Address next);

    /// @return the worker it sends to
    Ipv4Address GetNext() const;

    /// @return bytes of a message: P / N of what Scale leaves, rounded up
    uint64_t GetChunk() const;

    /// @return iterations done by the task: the number of the next
    uint32_t GetIterations() const;

    /// Signature of Iteration. @param iteration what happened
    typedef void (*IterationTracedCallback)(const RingIteration& iteration);
    /// Signature of Paused. @param iterations that are done
    typedef void (*PausedTracedCallback)(uint32_t iterations);

    void MessageReceived(IcciStream& stream, const IcciMessage& message) override;
    void StreamClosed(IcciStream& stream) override;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// @param number of the first iteration
    void SetFirst(uint32_t number);

    /// Begin to compute, or wait.
    void BeginIteration();

    /// It has computed.
    void Computed();

    /// Send all steps whose turn it is.
    void SendSteps();

    /// The one before has connected. @param socket to it  @param from its address
    void Accept(Ptr<Socket> socket, const Address& from);

    /// Close all.
    void CloseAll();

    uint16_t m_port;                                       //!< of all workers of the ring
    Ipv4Address m_next;                                    //!< the worker it sends to
    uint32_t m_workers;                                    //!< N
    uint64_t m_bytes;                                      //!< P
    double m_scale;                                        //!< sent bytes by real bytes
    Time m_computeTime;                                    //!< T_com
    uint32_t m_limit;                                      //!< iterations, 0 for any number
    uint32_t m_window;                                     //!< bytes under way
    Ptr<Socket> m_listener;                                //!< for the one before
    Ptr<IcciStream> m_out;                                 //!< to the next
    std::vector<Ptr<IcciStream>> m_in;                     //!< from the one before
    EventId m_compute;                                     //!< end of computing
    bool m_running{false};                                 //!< in an iteration
    bool m_hasComputed{false};                             //!< in this iteration
    bool m_pause{false};                                   //!< whether to wait after this iteration
    uint32_t m_sent{0};                                    //!< steps sent in this iteration
    uint32_t m_received{0};                                //!< steps received in this iteration
    RingIteration m_iteration;                             //!< this one
    TracedCallback<const RingIteration&> m_iterationTrace; //!< Iteration
    TracedCallback<uint32_t> m_pausedTrace;                //!< Paused
};

} // namespace ns3::odcn

#endif /* ICCI_RING_ALL_REDUCE_APPLICATION_H */
