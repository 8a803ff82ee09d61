// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MIGRATION_SCHEDULER_H
#define ICCI_MIGRATION_SCHEDULER_H

#include "icci-migration.h"
#include "icci-packet-plane.h"
#include "icci-ring-all-reduce-application.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-scheduler-application.h"
#include "ns3/otn-lightpath.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// T_trans of an iteration in seconds, from three sources.
struct IcciPacketTransfer
{
    double formula{0}; //!< Eq. 3 with the ring's number of wavelengths
    double job{0};     //!< as computed by the manager
    double packets{0}; //!< measured in packets, extrapolated to all bytes
};

/// A migration simulated in packets.
struct IcciPacketMigration
{
    uint32_t migration{0};     //!< number of the migration
    uint32_t task{0};          //!< index of the task
    uint32_t workers{0};       //!< N, workers of the task
    uint32_t moved{0};         //!< number of workers that move
    double start{0};           //!< job time of its start, s
    IcciPacketTransfer before; //!< on the old ring
    IcciPacketTransfer after;  //!< on the new ring
    double eq16{0};            //!< downtime by Eq. 16, s
    double downtime{0};        //!< downtime measured in packets, s
    bool completed{false};     //!< whether the workers moved
    uint32_t rerouted{0};      //!< lightpaths rerouted around a cut
    double ringScale{0};       //!< share of the gradients that is sent
    uint64_t sent{0};          //!< packets sent
    OcsDropCounts dropped{};   //!< packets dropped, by cause
};

/**
 * @ingroup odcn
 *
 * The controller of interconnected computing centres: hosts the IcciManager and the policy that
 * decides which worker leaves which centre. Each decision is requested by the centres; a migration
 * simulated in packets is a window.
 *
 * In such a window all lightpaths that the manager has granted are set up on the IcciPacketPlane,
 * on their paths and wavelengths; the manager's ledger is the only one. The task's workers do the
 * last iteration on the old ring, stop, move one after the other (as Eq. 16 assumes) over the
 * lightpaths granted for the migration, and do the next iteration on the new ring. The manager's
 * clock stands still meanwhile and then continues with the downtime of Eq. 16, unless a fibre is
 * cut. In that case lightpaths, also those of other tasks, are rerouted around the cut, and the
 * manager is given the measured downtime, or the news that the migration was abandoned.
 *
 * Links that the manager knows to have failed (IcciManager::SetFaults()) are cut in packets, too.
 * No link fails or is repaired within a window.
 *
 * WindowAfter, WindowSpacing and MaxWindows count migrations that move workers; without a plane
 * none is simulated in packets. Requires Time::SetResolution(Time::PS).
 */
class MigrationScheduler : public SchedulerApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<IcciMigration> problem);

    /// @param plane for the problem's mesh; several applications may use it one after the other
    void SetPlane(Ptr<IcciPacketPlane> plane);

    /// Signature of Decided. @param action the action taken
    typedef void (*DecidedTracedCallback)(uint32_t action);
    /// Signature of Carried. @param migration results of the packet simulation
    typedef void (*CarriedTracedCallback)(const IcciPacketMigration& migration);
    /// Signature of HostUsed. @param host a node
    typedef void (*HostTracedCallback)(Ptr<Node> host);
    /// Signature of MoveReady. @param from old place  @param to new place
    typedef void (*MoveTracedCallback)(const IcciWorkerPlace& from, const IcciWorkerPlace& to);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    bool GetNext(double& time) const override;
    bool DecideNext() override;
    void SetControlLatency(double time) override;

  private:
    /// A grant of the manager and the lightpath set up for it.
    struct Lit
    {
        OtnGrant grant;              //!< as recorded by the manager
        Ptr<OtnLightpath> lightpath; //!< on its path and wavelengths
    };

    using Lightpaths = std::vector<Ptr<OtnLightpath>>; //!< lightpaths in packets

    /// Sink of the manager's Started. @param migration its number
    void Started(uint32_t migration);

    /// Schedule the window of a migration at its start. @return false when none is due
    bool BeginWindow();

    // The steps of a window, in order.

    /// The command has arrived: set up the lightpaths.
    void Prepare();
    /// Lightpaths are up: the workers do the last iteration before the migration.
    void RunBefore();
    /// The workers have paused: move those that migrate.
    void Move();
    /// All workers have moved, or the migration was abandoned.
    void Moved();
    /// Packets have drained: close the ring.
    void CloseRing();
    /// Connections over old lightpaths are closed: add the workers at their new places.
    void RunAfter();
    /// The iteration after the migration is over: end all applications.
    void CleanUp();
    /// The last packets have drained: count, and report to the controller.
    void Report();

    /// Set up the lightpaths that are granted, tear down those that no longer are.
    void Mirror();

    /// @param cut true to cut the links that have failed, false to repair the others
    void MirrorLinks(bool cut) const;

    /// @param grants of the manager  @return their lightpaths
    Lightpaths Find(const std::vector<OtnGrant>& grants) const;

    /// @param lightpaths to add to routing, or to remove from it  @param use true to add
    void Use(const Lightpaths& lightpaths, bool use) const;

    /// @param centre of a worker of the task  @return the worker's place
    IcciWorkerPlace GetPlace(uint32_t centre) const;

    /// @param place of a new worker  @return its node
    Ptr<Node> UseHost(const IcciWorkerPlace& place);

    /// Add the worker of a centre. @param ring centres  @param i position in the ring
    /// @param first number of its first iteration
    void AddWorker(const std::vector<uint32_t>& ring, std::size_t i, uint32_t first);

    /// @param ring centres  @param i position in the ring  @return address of the next worker
    Ipv4Address GetNextWorker(const std::vector<uint32_t>& ring, std::size_t i) const;

    /// Install the applications of all moves.
    void AddMoves();

    /// Run one iteration of all workers. @param then the next step
    void Iterate(std::function<void()> then);

    /// @return rate of a hop of the ring, the larger of before and after the migration, bit/s
    double GetRingRate() const;

    /// @param transfer time to receive some packets  @param seconds expected time
    /// @param what description for messages  @throws OdcnError when packets waited for a round trip
    void CheckTransfer(Time transfer, double seconds, const std::string& what) const;

    /// @param wavelengths of a hop  @return T_trans of the last iteration
    IcciPacketTransfer GetTransfer(uint32_t wavelengths) const;

    /// @param move its index  @return transmission time of all bytes on its wavelengths, s
    double GetTransferTime(std::size_t move) const;

    /// Cut a fibre in the middle of the first move, and repair it later.
    void PlanCut();

    /// @return downtime of the task, extrapolated to all bytes, s
    double GetDowntime() const;

    /// Wait for events. @param count number of calls of Happened()  @param what for messages
    /// @param then the next step
    void Await(uint32_t count, const std::string& what, std::function<void()> then);

    /// One of the awaited events has happened.
    void Happened();

    /// A worker has done an iteration. @param iteration its record
    void IterationDone(const RingIteration& iteration);

    /// A worker has paused. @param iterations number of iterations done
    void WorkerPaused(uint32_t iterations);

    /// The bytes of a worker have arrived: the next one moves. @param number of the migration
    void WorkerArrived(uint32_t number);

    /// A worker has moved. @param migration its record
    void WorkerMoved(const BulkMigration& migration);

    /// The migration of a worker was abandoned. @param migration its record
    void WorkerStayed(const BulkMigration& migration);

    /// @param lightpath one that was rerouted around a cut
    void Restored(Ptr<OtnLightpath> lightpath);

    /// @param lightpath one that cannot be rerouted
    void NotRestored(Ptr<OtnLightpath> lightpath);

    double m_scale;                //!< share of a worker's bytes that is sent
    bool m_cut;                    //!< whether fibres are cut
    Ptr<IcciMigration> m_problem;  //!< the decision problem
    Ptr<IcciManager> m_manager;    //!< manager of the problem
    Ptr<IcciPacketPlane> m_plane;  //!< packet model; null for none
    Time m_gpuTime;                //!< t_GPU, see BulkMigrationApplication
    double m_bitsPerWavelength{0}; //!< chi, bit/s
    uint64_t m_nMigrations{0};     //!< migrations that moved workers so far
    std::vector<Lit> m_lit;        //!< lightpaths that are set up
    IcciPacketMigration m_row;     //!< record of the present migration
    PacketCounts m_countsBefore;   //!< packet counts at its start
    IcciTaskState m_task;          //!< the task that migrates, at its start
    Lightpaths m_oldRing;          //!< lightpaths of the old ring
    Lightpaths m_newRing;          //!< lightpaths of the new ring
    Lightpaths m_transfers;        //!< lightpaths of the moves, in their order
    std::map<uint32_t, Ptr<RingAllReduceApplication>> m_ring; //!< workers by centre
    uint32_t m_doneIterations{0};                 //!< iterations done before the migration
    std::vector<Ptr<Application>> m_applications; //!< all applications of this migration
    std::vector<IcciPacketPlane::Move> m_moves;   //!< moves in the order in which they are made
    uint32_t m_arrived{0};                        //!< moves whose bytes have arrived
    std::vector<BulkMigration> m_moved;           //!< records of completed moves
    bool m_stayed{false};                         //!< whether the migration was abandoned
    Time m_begun;                                 //!< when the task stopped
    Time m_gaveUp;                                //!< when it was abandoned
    EventId m_repair;                             //!< repair of the fibre that was cut
    Time m_roundTrip;                             //!< round trip of the longest lightpath
    Time m_settle;                                //!< time for packets to drain
    double m_slowest{0};                          //!< largest T_trans of this iteration, s
    uint32_t m_awaited{0};                        //!< events still awaited, see Await()
    std::function<void()> m_then;                 //!< next step, see Await()
    EventId m_never;                              //!< expiry of the wait, see Await()
    std::set<uint32_t> m_hosts;                   //!< ids of nodes with workers
    uint16_t m_port{0};                           //!< TCP port of the ring
    TracedCallback<uint32_t> m_decidedTrace;      //!< trace source Decided
    TracedCallback<const IcciPacketMigration&> m_carriedTrace; //!< trace source Carried
    TracedCallback<Ptr<Node>> m_hostTrace;                     //!< trace source HostUsed
    TracedCallback<const IcciWorkerPlace&, const IcciWorkerPlace&> m_moveTrace; //!< MoveReady
};

} // namespace ns3::odcn

#endif /* ICCI_MIGRATION_SCHEDULER_H */
