// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MIGRATION_SCHEDULER_H
#define ICCI_MIGRATION_SCHEDULER_H

#include "icci-packet-plane.h"
#include "icci-ring-all-reduce-application.h"
#include "odcn-scheduler-application.h"

#include "ns3/event-id.h"
#include "ns3/icci-migration.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
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

/// T_trans of an iteration, s.
struct IcciPacketTransfer
{
    double formula{0}; //!< Eq. 3 with as many wavelengths as there are
    double job{0};     //!< as the manager takes it
    double packets{0}; //!< measured, for all bytes
};

/// A migration that packets carried.
struct IcciPacketMigration
{
    uint32_t migration{0};     //!< its number
    uint32_t task{0};          //!< index of the task
    uint32_t workers{0};       //!< N
    uint32_t moved{0};         //!< workers that move
    double start{0};           //!< job time, s
    IcciPacketTransfer before; //!< on the old ring
    IcciPacketTransfer after;  //!< on the ring that results
    double eq16{0};            //!< downtime by Eq. 16, s
    double downtime{0};        //!< downtime in packets, s
    bool completed{false};     //!< whether the workers moved
    uint32_t rerouted{0};      //!< lightpaths that were rerouted around a cut
    double ringScale{0};       //!< share of the gradients that is really sent
    uint64_t sent{0};          //!< packets
    OcsDropCounts dropped{};   //!< of them
};

/**
 * @ingroup odcn
 *
 * The controller of interconnected computing centres: hosts the IcciManager and the policy that
 * decides which worker leaves which centre. A question is a request, from the centres; a migration
 * that packets carry is a window.
 *
 * In such a window all lightpaths that the manager has granted are set up on the IcciPacketPlane,
 * on their paths and wavelengths: there is one ledger, the manager's. The task's workers do the
 * last iteration of their ring, stop, move over the lightpaths that were granted for that, one
 * after the other as Eq. 16 has it, and do the next iteration on the new ring. The manager's clock
 * stands still meanwhile, and goes on with the downtime of Eq. 16, unless a fibre is cut. Then
 * lightpaths, those of other tasks included, are rerouted around the cut, and the manager learns
 * how long the migration took, or that it was abandoned and the task is where it was.
 *
 * WindowAfter, WindowSpacing and MaxWindows count migrations that move workers; without a plane
 * packets carry none. To be used with Time::SetResolution(Time::PS).
 */
class MigrationScheduler : public SchedulerApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    MigrationScheduler();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<IcciMigration> problem);

    /// @param plane of the problem's mesh; several applications may use it one after the other
    void SetPlane(Ptr<IcciPacketPlane> plane);

    /// Signature of Decided. @param action what was decided
    typedef void (*DecidedTracedCallback)(uint32_t action);
    /// Signature of Carried. @param migration what packets made of it
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
    /// What the manager has granted, and what carries it.
    struct Lit
    {
        OtnGrant grant;              //!< as the manager knows it
        Ptr<OtnLightpath> lightpath; //!< on its path and wavelengths
    };

    using Lightpaths = std::vector<Ptr<OtnLightpath>>;

    /// The manager's Started. @param migration its number
    void Started(uint32_t migration);

    /// Let the window of a migration begin at its time. @return false when there is none
    bool BeginWindow();

    // The steps of a window, in order.

    /// The command has arrived: set up the lightpaths.
    void Prepare();
    /// Lightpaths are up: the workers do the last iteration before the migration.
    void RunBefore();
    /// They have paused: move workers.
    void Move();
    /// All workers have moved, or the migration was abandoned.
    void Moved();
    /// Packets have drained: close the ring.
    void CloseRing();
    /// Connections over old lightpaths are closed: add the workers at their new places.
    void RunAfter();
    /// The iteration after the migration is over: end all applications.
    void CleanUp();
    /// Their last packets have drained: count, and report to the controller.
    void Report();

    /// Set up what is granted, tear down what no longer is.
    void Mirror();

    /// @param grants of the manager  @return what carries them
    Lightpaths Find(const std::vector<OtnGrant>& grants) const;

    /// @param lightpaths to be used from now on, or no longer  @param use whether they are used
    void Use(const Lightpaths& lightpaths, bool use) const;

    /// @param centre of a worker of the task  @return its place
    IcciWorkerPlace GetPlace(uint32_t centre) const;

    /// @param place of a worker to be  @return its node
    Ptr<Node> UseHost(const IcciWorkerPlace& place);

    /// Add the worker of a centre. @param ring centres  @param i position in the ring
    /// @param first number of its first iteration
    void AddWorker(const std::vector<uint32_t>& ring, std::size_t i, uint32_t first);

    /// @param ring centres  @param i position in the ring  @return address of the next worker
    Ipv4Address GetNextWorker(const std::vector<uint32_t>& ring, std::size_t i) const;

    /// Make all moves ready.
    void AddMoves();

    /// Let all workers do one iteration. @param then step after it
    void Iterate(std::function<void()> then);

    /// @return rate of a hop of the ring, before or after the migration, bit/s
    double GetRingRate() const;

    /// @param transfer how long some packets took to come in  @param seconds that they should take
    /// @param what they are, for messages  @throws OdcnError when they waited for a round trip
    void CheckTransfer(Time transfer, double seconds, const std::string& what) const;

    /// @param wavelengths of a hop  @return T_trans of the iteration that is over
    IcciPacketTransfer GetTransfer(uint32_t wavelengths) const;

    /// @param move its index  @return how long it takes for all bytes by its wavelengths, s
    double GetTransferTime(std::size_t move) const;

    /// Cut a fibre in the middle of the first move, and repair it later.
    void PlanCut();

    /// @return how long the task stood still, for all bytes, s
    double GetDowntime() const;

    /// Wait for some events. @param count of Happened()  @param what for messages
    /// @param then step after them
    void Await(uint32_t count, const std::string& what, std::function<void()> then);

    /// An awaited event.
    void Happened();

    /// @param iteration that a worker has done
    void IterationDone(const RingIteration& iteration);

    /// @param iterations that are done
    void WorkerPaused(uint32_t iterations);

    /// The bytes of a worker have arrived: the next one moves. @param number of the migration
    void WorkerArrived(uint32_t number);

    /// @param migration of a worker that is over
    void WorkerMoved(const BulkMigration& migration);

    /// @param migration of a worker that was abandoned
    void WorkerStayed(const BulkMigration& migration);

    /// @param lightpath that was rerouted around a cut
    void Restored(Ptr<OtnLightpath> lightpath);

    /// @param lightpath that cannot be rerouted
    void NotRestored(Ptr<OtnLightpath> lightpath);

    double m_scale;                                            //!< share of the bytes that is sent
    bool m_cut;                                                //!< whether fibres are cut
    Ptr<IcciMigration> m_problem;                              //!< what is decided
    Ptr<IcciManager> m_manager;                                //!< of the problem
    Ptr<IcciPacketPlane> m_plane;                              //!< carries migrations
    Time m_gpuTime;                                            //!< t_GPU
    double m_bitsPerWavelength{0};                             //!< chi
    uint64_t m_nMigrations{0};                                 //!< that move workers, so far
    std::vector<Lit> m_lit;                                    //!< lightpaths
    IcciPacketMigration m_row;                                 //!< this migration
    IcciPlaneCounts m_countsBefore;                            //!< when it began
    IcciTaskState m_task;                                      //!< whose it is, as it begins
    Lightpaths m_oldRing;                                      //!< lightpaths of the ring
    Lightpaths m_newRing;                                      //!< of the ring to be
    Lightpaths m_transfers;                                    //!< of the workers that move
    std::map<uint32_t, Ptr<RingAllReduceApplication>> m_ring;  //!< workers by centre
    uint32_t m_doneIterations{0};                              //!< of the workers that moved
    std::vector<Ptr<Application>> m_applications;              //!< of this migration
    std::vector<IcciPacketPlane::Move> m_moves;                //!< workers that move
    uint32_t m_arrived{0};                                     //!< moves whose bytes have arrived
    std::vector<BulkMigration> m_moved;                        //!< moves that are over
    bool m_stayed{false};                                      //!< whether it was abandoned
    Time m_begun;                                              //!< when the task stopped
    Time m_gaveUp;                                             //!< when it was abandoned
    EventId m_repair;                                          //!< of the fibre that was cut
    Time m_roundTrip;                                          //!< of the longest lightpath
    Time m_settle;                                             //!< for packets to drain
    double m_slowest{0};                                       //!< s, T_trans of this iteration
    uint32_t m_awaited{0};                                     //!< see Await()
    std::function<void()> m_then;                              //!< see Await()
    EventId m_never;                                           //!< see Await()
    std::set<uint32_t> m_hosts;                                //!< ids of nodes with workers
    uint16_t m_port{0};                                        //!< of the ring
    TracedCallback<uint32_t> m_decidedTrace;                   //!< a question was decided
    TracedCallback<const IcciPacketMigration&> m_carriedTrace; //!< a migration is over
    TracedCallback<Ptr<Node>> m_hostTrace;                     //!< a host gets its first worker
    TracedCallback<const IcciWorkerPlace&, const IcciWorkerPlace&> m_moveTrace; //!< to move
};

} // namespace ns3::odcn

#endif /* ICCI_MIGRATION_SCHEDULER_H */
