// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_BULK_MIGRATION_APPLICATION_H
#define ICCI_BULK_MIGRATION_APPLICATION_H

#include "icci-stream.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::odcn
{

/// One migration of a worker.
struct BulkMigration
{
    uint32_t number{0}; //!< of this worker, 0 for the first
    uint64_t bytes{0};  //!< that were to be sent
    Time begun;         //!< when the worker stopped
    Time ready;         //!< when the new GPU was ready
    Time done;          //!< when the old place knew; or gave up
    Time transfer;      //!< how long its packets took to come in
    double scale{1};    //!< sent bytes by real bytes

    /// @return downtime as it was: transfer, propagation, O-E-O and the switch of the GPU (Eq. 16)
    Time GetDowntime() const
    {
        return ready - begun;
    }

    /// @return downtime with all bytes: the transfer takes 1 / scale as long, nothing else does
    Time GetUnscaled() const;
};

/**
 * @ingroup odcn
 *
 * Moves a worker: its data and parameters go to the GPU of another host, real packets over TCP; the
 * new GPU is switched on, tells that it is ready, and works as soon as the old place confirms.
 *
 * With a Peer it is the old place, where Migrate() begins; without, the new one. The old place
 * decides, once: a migration is done when "ready" arrives, and abandoned when it does not within
 * the Timeout; the worker then goes on where it was, and Migrate() may be called again. The new
 * place works only when told, so the worker is never in two places.
 *
 * One network card bounds one migration; a worker of several GPUs moves by as many of these.
 */
class BulkMigrationApplication : public Application, public IcciStreamUser
{
  public:
    /// Where the worker is, as its old place sees it.
    enum State
    {
        HERE,   //!< here; not moving
        MOVING, //!< on the way
        MOVED,  //!< at the new place
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    BulkMigrationApplication();
    ~BulkMigrationApplication() override;

    /// Stop the worker and move it. @return false when it is not here
    bool Migrate();

    /// Give up a migration. @return false when there is none
    bool Abandon();

    /// @return where the worker is
    State GetState() const;

    /// @return bytes to be sent: D + Omega of what Scale leaves, rounded up
    uint64_t GetBytes() const;

    /// @return workers that came and work here now
    uint32_t GetResumed() const;

    /// Signature of Done and Abandoned. @param migration what happened
    typedef void (*MigrationTracedCallback)(const BulkMigration& migration);
    /// Signature of Arrived and Resumed. @param number of the migration
    typedef void (*ResumedTracedCallback)(uint32_t number);

    void MessageReceived(IcciStream& stream, const IcciMessage& message) override;
    void StreamClosed(IcciStream& stream) override;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Old place: connect. New place: listen.
    void Accept(Ptr<Socket> socket, const Address& from);

    /// The old place: connect to the new one.
    void Open();

    /// The new place: the GPU is on. @param number of the migration  @param transfer time steps
    void Switched(uint32_t number, int64_t transfer);

    /// The new place: forget what has come.
    void Forget();

    /// Close all.
    void CloseAll();

    uint16_t m_port;                                  //!< of both ends
    Ipv4Address m_peer;                               //!< new place; none for the new place itself
    uint64_t m_data;                                  //!< D
    uint64_t m_parameters;                            //!< Omega
    double m_scale;                                   //!< sent bytes by real bytes
    Time m_gpuSwitchTime;                             //!< t_GPU
    Time m_timeout;                                   //!< 0 for none
    uint32_t m_window;                                //!< bytes under way
    Ptr<Socket> m_listener;                           //!< of the new place
    Ptr<IcciStream> m_stream;                         //!< between the two
    State m_state{HERE};                              //!< see State
    BulkMigration m_migration;                        //!< this one
    EventId m_giveUp;                                 //!< timeout
    EventId m_switch;                                 //!< the GPU is on
    bool m_ready{false};                              //!< the new place: waits for the word
    uint32_t m_resumed{0};                            //!< workers that work here
    TracedCallback<const BulkMigration&> m_doneTrace; //!< Done
    TracedCallback<const BulkMigration&> m_abandonedTrace; //!< Abandoned
    TracedCallback<uint32_t> m_arrivedTrace;               //!< Arrived
    TracedCallback<uint32_t> m_resumedTrace;               //!< Resumed
};

} // namespace ns3::odcn

#endif /* ICCI_BULK_MIGRATION_APPLICATION_H */
