// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PACKET_RUN_H
#define ICCI_PACKET_RUN_H

#include "icci-packet-plane.h"

#include "ns3/event-id.h"
#include "ns3/icci-bulk-migration-application.h"
#include "ns3/icci-manager.h"
#include "ns3/icci-ring-all-reduce-application.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/otn-lightpath.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How migrations are carried.
struct IcciPacketOptions
{
    double scale{1e-4}; //!< share of the bytes that is really sent
    bool cut{false};    //!< whether a fibre is cut in the middle of each
    std::string pcap;   //!< file of packets of the first worker that moves, at its old place
    std::function<void(Ptr<Node>)> watch; //!< told of each host before it first has a worker
};

/**
 * @ingroup odcn
 *
 * The migrations of an IcciManager in packets: whoever decides does so as ever, and when a
 * migration begins, packets carry it. On the centres and the mesh of an IcciPacketPlane all
 * lightpaths that the manager has granted are set up, on their paths and wavelengths: there is one
 * ledger, the manager's. The task's workers do the last iteration of their ring, stop, move over
 * the lightpaths that were granted for that, one after the other as Eq. 16 has it, and do the next
 * iteration on the new ring.
 *
 * The manager's clock and that of packets are two: its clock stands still meanwhile. It goes on
 * with what Eq. 16 says, unless a fibre is cut. Then lightpaths are sent round the cut, those of
 * other tasks, too, and the manager is told; and so is it how long the migration took, or that it
 * was given up and the task is where it was.
 *
 * To be used with Time::SetResolution(Time::PS).
 */
class IcciPacketRun
{
  public:
    /// T_trans of an iteration, s.
    struct Transfer
    {
        double formula{0}; //!< Eq. 3 with as many wavelengths as there are
        double job{0};     //!< as the manager takes it
        double packets{0}; //!< measured, with all bytes
    };

    /// A migration that was carried.
    struct Row
    {
        uint32_t migration{0};   //!< its number
        uint32_t task{0};        //!< index of the task
        uint32_t workers{0};     //!< N
        uint32_t moved{0};       //!< workers that move
        double start{0};         //!< s, of the manager's clock
        Transfer before;         //!< on the ring as it was
        Transfer after;          //!< on the ring as it then is
        double eq16{0};          //!< downtime by Eq. 16, s
        double downtime{0};      //!< downtime in packets, s
        bool completed{false};   //!< whether the workers got there
        uint32_t rerouted{0};    //!< lightpaths that were sent round a cut
        double ringScale{0};     //!< share of the gradients that is really sent
        uint64_t sent{0};        //!< packets
        OcsDropCounts dropped{}; //!< of them
    };

    /**
     * @param manager any of those whose migrations are carried, with its mesh and Attributes
     * @param options how
     * @throws OdcnError when lightpaths of the manager take one direction only, or centres are too
     * large
     */
    IcciPacketRun(Ptr<const IcciManager> manager, const IcciPacketOptions& options);
    ~IcciPacketRun();

    IcciPacketRun(const IcciPacketRun&) = delete;
    IcciPacketRun& operator=(const IcciPacketRun&) = delete;

    /**
     * Carry the next migrations of this manager that move workers, and no longer those of another.
     * @param manager like the first
     * @param migrations how many
     */
    void Carry(Ptr<IcciManager> manager, uint32_t migrations);

    /// @return what was carried since Carry(), in order
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /// @return what carries it, for traces and faults
    IcciPacketPlane& GetPlane()
    {
        return m_plane;
    }

  private:
    /// What the manager has granted, and what carries it.
    struct Lit
    {
        OtnGrant grant;              //!< as the manager knows it
        Ptr<OtnLightpath> lightpath; //!< on its path and wavelengths
    };

    using Lightpaths = std::vector<Ptr<OtnLightpath>>;

    /// @param manager any  @return what its Attributes say of packets
    static IcciPlaneOptions GetPlaneOptions(Ptr<const IcciManager> manager);

    /// A migration begins. @param migration its number
    void Started(uint32_t migration);

    /// Carry a migration. @param migration its number
    void CarryOut(uint32_t migration);

    /// Set up what is granted, tear down what no longer is.
    void Mirror();

    /// Tear down everything, and forget the manager.
    void Leave();

    /// @param grants of the manager  @return what carries them
    Lightpaths Find(const std::vector<OtnGrant>& grants) const;

    /// @param lightpaths to be used from now on, or no longer  @param use which
    void Use(const Lightpaths& lightpaths, bool use) const;

    /// @param centre of a worker  @return its GPU
    IcciWorkerPlace GetPlace(uint32_t centre) const;

    /// @param place where a worker will be  @return its node
    Ptr<Node> Watch(const IcciWorkerPlace& place);

    /// @param ring centres  @param i which  @return address of the one after it
    Ipv4Address GetNext(const std::vector<uint32_t>& ring, std::size_t i) const;

    /// Add the worker of a centre. @param ring centres  @param i which  @param first iteration
    void AddWorker(const std::vector<uint32_t>& ring, std::size_t i, uint32_t first);

    /// Make moves ready. @param migration that is carried
    void AddMoves(const IcciMigrationRecord& migration);

    /// Let all workers do one iteration. @param wavelengths of each hop  @return T_trans
    Transfer Iterate(uint32_t wavelengths);

    /// @param move which  @return how long it takes with all bytes by its wavelengths, s
    double GetTransferTime(std::size_t move) const;

    /// Let workers move. @return whether all did
    bool MoveWorkers();

    /// Cut a fibre in the middle of the first move, and repair it later.
    void PlanCut();

    /// The workers are at their new places. @param ring the new one
    /// @param left lightpaths that it has not  @param came lightpaths that only it has
    void CloseRing(const std::vector<uint32_t>& ring,
                   const Lightpaths& left,
                   const Lightpaths& came);

    /// @return how long the task stood still, with all bytes, s
    double GetDowntime() const;

    /// Run until all that is awaited has happened. @param what it is  @throws OdcnError when it
    /// never does
    void Await(const std::string& what);

    /// Something that is awaited.
    void Happened();

    /// @param time how long to run
    static void RunFor(Time time);

    /// @param iteration that a worker has done
    void IterationDone(const RingIteration& iteration);

    /// @param iterations that are done
    void WorkerPaused(uint32_t iterations);

    /// A worker's bytes are there: the next one begins. @param number unused
    void WorkerArrived(uint32_t number);

    /// @param migration of a worker that is done
    void WorkerMoved(const BulkMigration& migration);

    /// @param migration of a worker that is given up
    void WorkerStayed(const BulkMigration& migration);

    /// @param lightpath that was sent round a cut
    void Restored(Ptr<OtnLightpath> lightpath);

    /// @param lightpath for which there is no way round
    void NotRestored(Ptr<OtnLightpath> lightpath);

    IcciPacketOptions m_options;                              //!< how
    IcciPacketPlane m_plane;                                  //!< what carries it
    Time m_gpuTime;                                           //!< t_GPU
    double m_bitsPerWavelength;                               //!< chi
    Ptr<IcciManager> m_manager;                               //!< whose migrations these are
    uint32_t m_left{0};                                       //!< how many are yet to be carried
    std::vector<Lit> m_lit;                                   //!< lightpaths
    std::vector<Row> m_rows;                                  //!< what was carried
    Row m_row;                                                //!< this one
    IcciTaskState m_task;                                     //!< whose it is, as it begins
    std::map<uint32_t, Ptr<RingAllReduceApplication>> m_ring; //!< workers by centre
    std::vector<Ptr<Application>> m_applications;             //!< of this migration
    std::vector<IcciPacketPlane::Move> m_moves;               //!< workers that move
    Lightpaths m_transfers;                                   //!< that carry them
    uint32_t m_arrived{0};                                    //!< moves whose bytes are there
    std::vector<BulkMigration> m_moved;                       //!< moves that are done
    bool m_stayed{false};                                     //!< whether it was given up
    Time m_begun;                                             //!< when the task stopped
    Time m_gaveUp;                                            //!< when it was given up
    EventId m_repair;                                         //!< of the fibre that was cut
    Time m_settle;                                            //!< for what is on the way to end
    double m_slowest{0};                                      //!< s, T_trans of this iteration
    uint32_t m_awaited{0};                                    //!< see Await()
    std::set<uint32_t> m_watched;                             //!< numbers of nodes
    uint32_t m_rings{0};                                      //!< so far
};

} // namespace odcn
} // namespace ns3

#endif /* ICCI_PACKET_RUN_H */
