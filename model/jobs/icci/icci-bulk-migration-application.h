// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_BULK_MIGRATION_APPLICATION_H
#define ICCI_BULK_MIGRATION_APPLICATION_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/odcn-message-stream.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::odcn
{

/// One migration of a worker.
struct BulkMigration
{
    uint32_t number{0}; //!< index of the migration, 0 for the worker's first
    uint64_t bytes{0};  //!< bytes to send
    Time begun;         //!< when the worker stopped
    Time ready;         //!< when the new GPU was ready
    Time done;          //!< when the old place received "ready", or gave up
    Time transfer;      //!< time to receive all packets of the worker
    double scale{1};    //!< bytes sent / actual bytes

    /// @return simulated downtime: transfer, propagation, O-E-O and GPU switching (Eq. 16)
    Time GetDowntime() const
    {
        return ready - begun;
    }

    /// @return downtime for all bytes: the transfer takes 1 / scale as long, the rest is unchanged
    Time GetUnscaled() const;
};

/**
 * @ingroup odcn
 *
 * Migrates a worker: its data and parameters are sent over TCP to the GPU of another host. The new
 * GPU is switched on, reports that it is ready, and starts to work when the old place confirms.
 *
 * With a Peer, the application is the old place, where Migrate() begins; without, the new one. Only
 * the old place decides: a migration is done when "ready" arrives, and abandoned when that takes
 * longer than Timeout; the worker then continues at the old place, and Migrate() may be called
 * again. The new place works only after this confirmation, so a worker is never in two places.
 *
 * One network card limits the rate of a migration; a worker of several GPUs needs one per GPU.
 */
class BulkMigrationApplication : public Application, public MessageStreamUser
{
  public:
    /// Where the worker is, as its old place sees it.
    enum State
    {
        HERE,   //!< at the old place, not moving
        MOVING, //!< being migrated
        MOVED,  //!< at the new place
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Stop the worker and move it.
     * @return false when it is not at the old place
     * @throws OdcnError when Scale leaves too few packets to extrapolate from
     */
    bool Migrate();

    /// Give up a migration. @return false when there is none
    bool Abandon();

    /// @return where the worker is
    State GetState() const;

    /// @return bytes to be sent: Scale * (D + Omega), rounded up
    uint64_t GetBytes() const;

    /// @return number of workers that have arrived and work here
    uint32_t GetResumed() const;

    /// Signature of Done and Abandoned. @param migration its record
    typedef void (*MigrationTracedCallback)(const BulkMigration& migration);
    /// Signature of Arrived and Resumed. @param number of the migration
    typedef void (*ResumedTracedCallback)(uint32_t number);

    void MessageReceived(MessageStream& stream, const StreamMessage& message) override;
    void StreamClosed(MessageStream& stream) override;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// New place: the old place has connected. @param socket to it  @param from its address
    void Accept(Ptr<Socket> socket, const Address& from);

    /// Old place: connect to the new one.
    void Open();

    /// New place: the GPU is on. @param number of the migration  @param transfer in time steps
    void Switched(uint32_t number, int64_t transfer);

    /// New place: discard a worker that was not confirmed.
    void Forget();

    /// Close all sockets.
    void CloseAll();

    uint16_t m_port;             //!< TCP port of both places
    Ipv4Address m_peer;          //!< address of the new place; 0.0.0.0 at the new place
    uint64_t m_data;             //!< D, bytes
    uint64_t m_parameters;       //!< Omega, bytes
    double m_scale;              //!< bytes sent / actual bytes
    Time m_gpuSwitchTime;        //!< t_GPU, from the last byte until the GPU works
    Time m_timeout;              //!< until a migration is abandoned; 0 for none
    uint32_t m_window;           //!< largest number of bytes in flight
    Ptr<Socket> m_listener;      //!< new place: accepts the old one
    Ptr<MessageStream> m_stream; //!< connection between the two places
    State m_state{HERE};         //!< state of the worker
    BulkMigration m_migration;   //!< the present migration
    EventId m_giveUp;            //!< expiry of Timeout
    EventId m_switch;            //!< end of GPU switching
    bool m_ready{false};         //!< new place: waits for the confirmation
    uint32_t m_resumed{0};       //!< workers that work here
    TracedCallback<const BulkMigration&> m_doneTrace;      //!< trace source Done
    TracedCallback<const BulkMigration&> m_abandonedTrace; //!< trace source Abandoned
    TracedCallback<uint32_t> m_arrivedTrace;               //!< trace source Arrived
    TracedCallback<uint32_t> m_resumedTrace;               //!< trace source Resumed
};

} // namespace ns3::odcn

#endif /* ICCI_BULK_MIGRATION_APPLICATION_H */
