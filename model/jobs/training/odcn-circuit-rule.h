// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_RULE_H
#define ODCN_CIRCUIT_RULE_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A phase of a training job: what it sends between racks from one switch of circuits to the next.
///
/// @ingroup odcn
struct TrainingPhase
{
    uint32_t job{0};             //!< index in the cluster
    uint32_t index{0};           //!< among the phases of the job, in order of their begin
    std::string name{};          //!< what begins it: a communicator of the job, or "send"
    std::vector<RackId> racks{}; //!< that send or receive in it, ascending
    DemandMatrix bytes{};        //!< between them, by index in racks
    DemandMatrix reductions{};   //!< part of bytes: of all collectives but all-to-alls
    bool isMultiHop{false};      //!< whether messages may take several circuits
    Time begin{};                //!< first message is sent, in a network without contention
    Time end{};                  //!< last message is received, in a network without contention
    uint64_t busiest{0};         //!< bytes of the end point that sends the most
};

/**
 * Chooses circuits for the phases of training jobs, for a TrainingController.
 *
 * A rule of one's own derives from this class and registers itself as any Object; the Attribute
 * TrainingController::Rule then takes it by its name.
 *
 * @ingroup odcn
 */
class CircuitRule : public Object
{
  public:
    /// What a phase is, from the longest to the shortest.
    enum Unit : uint8_t
    {
        RUN,       //!< all of the run, of all jobs: circuits never change
        JOB,       //!< a job
        ITERATION, //!< an iteration of a job
        PHASE,     //!< messages of one communicator, or others that overlap, between some racks
        STEP       //!< a round of a collective, or a message from rank to rank
    };

    /// By plane and turn: circuits between racks of the phase, by index there. A plane may have
    /// more turns than others. The next circuit of a port follows when no message of the phase is
    /// left for the one before, or none is under way and some wait for the next one.
    using Circuits = std::vector<std::vector<Matching>>;

    /// What is known when a job begins.
    struct Beginning
    {
        uint32_t job;                          //!< index in the cluster
        Time dark;                             //!< dark time of the optical switches
        double rate;                           //!< of a circuit, bit/s
        uint32_t planes;                       //!< their number
        bool isMultiHop;                       //!< whether messages may take several circuits
        const std::vector<Matching>& circuits; //!< by plane, that are set, between all racks
        /// Phases of the job, valid during ChooseUnit()
        std::function<const std::vector<TrainingPhase>&(Unit)> getPhases;
        uint32_t waiting{0}; //!< jobs that wait for end points
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return what a phase is
    virtual Unit GetUnit() const = 0;

    /**
     * Choose what a phase of a job is.
     * @param beginning what is known
     * @return JOB or shorter; GetUnit() unless overridden
     */
    virtual Unit ChooseUnit(const Beginning& beginning);

    /**
     * Choose circuits that are set before the start, without dark time.
     * @param all phase of the whole run, with the same bytes between all racks
     * @param planes number of planes
     * @return see Choose(), with one turn a plane; none unless overridden, or a phase is a run
     */
    virtual Circuits ChooseFirst(const TrainingPhase& all, uint32_t planes);

    /**
     * Choose circuits for a phase that is about to begin.
     * @param phase whose racks have all of their ports for it
     * @param planes number of planes
     * @return circuits. If messages may take several of them, there is one turn that joins all
     * pairs of racks with bytes; otherwise each such pair has a circuit in some turn
     */
    virtual Circuits Choose(const TrainingPhase& phase, uint32_t planes) = 0;

    /// @param stream first stream number to use
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);
};

/**
 * Circuits that never change, for ExpanderRouting: a ring in both directions in turn, or an
 * ExpanderSchedule.
 *
 * @ingroup odcn
 */
class StaticRule : public CircuitRule
{
  public:
    /// Which circuits.
    enum Kind : uint8_t
    {
        RING,    //!< to the next rack on even planes, to the one before on odd ones
        EXPANDER //!< random matchings
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    Unit GetUnit() const override
    {
        return RUN;
    }

    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Kind m_kind;          //!< Circuits
    int64_t m_stream{-1}; //!< see AssignStreams()
};

/**
 * Circuits for a job as long as it runs, after TopoOpt (Wang et al., NSDI 2023): planes are
 * allocated to collectives that reduce or gather and to other traffic by their bytes, at least one
 * to the former. These planes have rings; the others matchings of largest weight, after each of
 * which the demand of its pairs is halved. Where messages may take several circuits, a ring of all
 * racks joins what would be apart.
 *
 * With Rings=totient, rings are those of TopoOpt's TotientPerms: their strides are coprime to the
 * number of racks and spread geometrically. It balances collectives over them, whereas a
 * TrainingRun sends along one ring, so the default has all rings follow the demand. Matchings are
 * of circuits in one direction (an assignment), where TopoOpt's, by Blossom, have both.
 *
 * @ingroup odcn
 */
class PerJobRule : public CircuitRule
{
  public:
    /// Which rings.
    enum Rings : uint8_t
    {
        PARALLEL, //!< those of the demand, on several planes
        TOTIENT   //!< of different strides
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    Unit GetUnit() const override
    {
        return JOB;
    }

    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;

  private:
    Rings m_rings; //!< Rings
};

/**
 * Circuits for an iteration of a job, after MixNet (Liao et al., SIGCOMM 2025): one after another
 * for the pair of racks with the most bytes a circuit, as long as both have ports on a plane. With
 * Demand=exchanges, bytes are those of all-to-alls and of messages from rank to rank, as MixNet's
 * circuits are for experts; if there are none, all bytes. Where messages may take several circuits,
 * a ring of all racks on the first plane joins them, in the place of MixNet's packet network.
 *
 * @ingroup odcn
 */
class PerIterationRule : public CircuitRule
{
  public:
    /// Which bytes count.
    enum Demand : uint8_t
    {
        EXCHANGES, //!< those of all-to-alls and of messages from rank to rank
        ALL        //!< all of them
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    Unit GetUnit() const override
    {
        return ITERATION;
    }

    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;

  private:
    Demand m_demand; //!< Demand
};

/**
 * Circuits for a phase of a job, such as its data-parallel collectives, after Opus (photonic rails
 * that are reconfigured between phases of parallelism): matchings of largest demand until all pairs
 * have a circuit. If there are fewer than planes, the other planes go to the pairs with the most
 * bytes a circuit; if there are more, they are laid out as those of PerStepRule.
 *
 * @ingroup odcn
 */
class PerPhaseRule : public CircuitRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Unit GetUnit() const override
    {
        return PHASE;
    }

    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;
};

/**
 * Circuits for each round of a collective, after Harvest: the terms of a Birkhoff-von Neumann
 * decomposition of its bytes (BirkhoffMatching), each pair in the first term that has it, so that
 * messages are not divided. After Spectra, terms go to the plane that ends first, the longest ones
 * before others, so that the last plane ends early; planes change independently. If there are fewer
 * terms than planes, the other planes go to the pairs with the most bytes a circuit.
 *
 * @ingroup odcn
 */
class PerStepRule : public CircuitRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Unit GetUnit() const override
    {
        return STEP;
    }

    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_RULE_H */
