// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_SCHEDULE_H
#define ODCN_CIRCUIT_SCHEDULE_H

#include "odcn-demand-matrix.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Receiver of each rack on one plane, NO_RACK for none. No rack occurs twice, none sends to
/// itself.
using Matching = std::vector<RackId>;

/**
 * @ingroup odcn
 *
 * A periodic schedule of circuits that depends on time alone.
 *
 * A plane is the set of uplinks of one index, one per rack, with the optical switch that connects
 * them. Each plane holds its matchings one after the other and then starts again. A circuit that
 * differs from the one before is dark for ReconfigurationTime at the start of its slot; one that
 * stays is undisturbed.
 *
 * Time 0 is the start of the simulation, when the circuits of that time are up already. A plane
 * with an offset starts its first slot at the offset; before that it is at the end of its period.
 * All planes have the same period.
 */
class CircuitSchedule : public Object
{
  public:
    /// A matching and the time for which it is held, dark time included.
    struct Slot
    {
        Time duration; //!< longer than ReconfigurationTime
        Matching to;   //!< receiver of each rack
    };

    /// The slots of a plane.
    struct Plane
    {
        Time offset;             //!< start of the first slot, 0 to the period
        std::vector<Slot> slots; //!< in order of time, at least one
    };

    /// A slot at a certain time.
    struct Place
    {
        uint32_t slot; //!< index in the plane
        Time start;    //!< start of the slot; may be negative
        Time end;      //!< end of the slot
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    CircuitSchedule();

    /// @param text type and Attributes, such as "OperaSchedule[Slot=830us]"
    /// @return the schedule  @throws OdcnError when there is none such
    static Ptr<CircuitSchedule> Create(const std::string& text);

    /**
     * Compute the schedule. All other methods need it.
     *
     * Racks may have fewer uplinks than there are planes. The schedule is computed as if they had
     * all; then circuits from or to an uplink that does not exist are left out. So what kinds of
     * schedules say of circuits between all racks holds for equal racks only.
     *
     * @param racks number of racks, at least 2
     * @param planes number of planes, at least 1
     * @param uplinks number of uplinks by rack, at most @p planes; empty if racks are alike
     * @throws OdcnError when the kind of schedule does not exist for these numbers
     */
    void Build(uint32_t racks, uint32_t planes, const std::vector<uint32_t>& uplinks = {});

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @return number of planes, that is of uplinks of each rack
    uint32_t GetNPlanes() const
    {
        return static_cast<uint32_t>(m_planes.size());
    }

    /// @param plane index  @return its slots
    const Plane& GetPlane(uint32_t plane) const;

    /// @return time after which all planes repeat
    Time GetPeriod() const
    {
        return m_period;
    }

    /// @return dark time of a circuit that changes
    Time GetReconfigurationTime() const
    {
        return m_reconfigurationTime;
    }

    /// @param plane index  @param time not negative  @return the slot at that time
    Place Find(uint32_t plane, Time time) const;

    /// @param plane index  @param slot index  @param rack sender
    /// @return whether its circuit differs from that of the slot before
    bool Changes(uint32_t plane, uint32_t slot, RackId rack) const;

    /// @param plane index  @param slot index  @param rack sender
    /// @return for how long after the slot its circuit stays the same; Time::Max() for ever
    Time GetExtension(uint32_t plane, uint32_t slot, RackId rack) const;

    /**
     * @param time of the schedule, not negative
     * @return the last time before it at which a slot starts that changes a circuit, of any plane;
     * may be negative. Time::Min() if circuits never change
     */
    Time GetChangeBefore(Time time) const;

    /**
     * @param end of a slot
     * @param guard unused time at both ends of a circuit
     * @return how long before the end of its circuits those of the last change before it are up; 0
     * if circuits never change
     */
    Time GetLastSlice(Time end, Time guard) const;

    /// @param plane index  @param rack sender  @param time not negative
    /// @return the rack to which its circuit leads then; NO_RACK if it has none or is dark
    RackId GetPeer(uint32_t plane, RackId rack, Time time) const;

    /**
     * @param guard time unused at both ends of a circuit that changes, however many slots it lasts
     * @param rates of an uplink, by rack, in any unit; a circuit has the lower one of its two
     * racks. Empty if all are 1
     * @return share of time in which a rack has a circuit to another, summed over planes, times the
     * rate: 1 is the capacity of one uplink of rate 1
     * @throws OdcnError when there is not one rate per rack
     */
    DemandMatrix GetCapacity(Time guard = Time(0), const std::vector<double>& rates = {}) const;

    /// @param time not negative
    /// @return whether a circuit stays up that long, dark time excluded
    bool LastsFor(Time time) const;

    /**
     * Write the schedule as a file for FileSchedule, to the picosecond.
     * @param path file name
     * @throws OdcnError when the file cannot be written, or a time is not a whole number of
     * picoseconds
     */
    void Write(const std::string& path) const;

    /// @param stream first stream number to use  @return number of streams used
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /// @param racks number of racks  @param planes number of planes  @return the planes
    virtual std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) = 0;

    /**
     * Add the Attributes Slot and ReconfigurationTime to a kind of schedule.
     * @param tid its TypeId  @param slot default of Slot  @param dark of ReconfigurationTime
     * @param name another name for Slot  @param help its description
     * @return the TypeId
     */
    static TypeId AddTimes(TypeId tid,
                           Time slot,
                           Time dark,
                           const std::string& name = "Slot",
                           const std::string& help = "Time for which a plane holds a matching, "
                                                     "dark time included");

    /// @param time dark time, for kinds without that Attribute
    void SetReconfigurationTime(Time time)
    {
        m_reconfigurationTime = time;
    }

    /// @return the Attribute Slot, or what bears another name
    Time GetSlot() const
    {
        return m_slot;
    }

    /// @return the source of random numbers for DoBuild()
    UniformRandomVariable& GetRandom() const
    {
        return *m_random;
    }

  private:
    /// Throw OdcnError unless the planes are a schedule. @param planes of DoBuild()
    /// @param racks number of racks
    void Check(const std::vector<Plane>& planes, uint32_t racks) const;

    Time m_slot;                         //!< time for which a matching is held
    Time m_reconfigurationTime;          //!< dark time
    Ptr<UniformRandomVariable> m_random; //!< for random schedules
    uint32_t m_racks{0};                 //!< number of racks
    Time m_period;                       //!< after which all planes repeat
    std::vector<Plane> m_planes;         //!< by index
    /// [plane][slot]: end of the slot since the start of the plane's first one
    std::vector<std::vector<Time>> m_ends;
};

/**
 * @ingroup odcn
 *
 * Cyclic shifts: in slot k, plane p connects rack i to rack i + 1 + (k + offset of p) mod (n - 1).
 * Each plane meets all n - 1 shifts; planes start evenly spread over them. All planes change at the
 * same time.
 */
class RoundRobinSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;
};

/**
 * @ingroup odcn
 *
 * The cyclic shifts of RoundRobinSchedule with the times of Sirius (Ballani et al., SIGCOMM 2020):
 * slots of 100 ns, of which 10 ns are dark. The gratings of Sirius connect cyclically, by
 * wavelength.
 */
class SiriusSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;
};

/**
 * @ingroup odcn
 *
 * RotorNet (Mellette et al., SIGCOMM 2017): a random factorisation of the complete graph with loops
 * into n symmetric matchings, dealt out to the planes in random order. A rack without a partner
 * in a matching has no circuit there. All planes change at the same time. The number of racks must
 * be a multiple of the number of planes.
 *
 * The factorisation starts from the matchings i + j = k mod n and is made random by a relabelling
 * of racks and by n min(n, 128) swaps of alternating paths and cycles of two matchings, 131,072 at
 * most. If n is prime these swaps have no effect and only the relabelling is random.
 */
class RotorSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;
};

/**
 * @ingroup odcn
 *
 * Opera (Mellette et al., NSDI 2020): the matchings of RotorSchedule, but one plane changes at a
 * time, each Slot / planes after the one before; with the six planes of the paper's example and
 * the default Slot of 600 us that is every 100 us. Matchings are drawn until the circuits of the
 * planes that do not change connect all racks at all times. So that only one plane is dark at a
 * time, ReconfigurationTime is at most Slot / planes.
 */
class OperaSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;
};

/**
 * @ingroup odcn
 *
 * A static random expander: each plane holds one random matching for ever, no pair of racks is
 * connected twice, and all racks are connected.
 */
class ExpanderSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;
};

/**
 * @ingroup odcn
 *
 * A schedule from a text file:
 * @code
 *   racks 4 planes 1 dark 10000
 *   plane 0 offset 0
 *   100000 1 0 3 2
 *   100000 2 3 - 1
 * @endcode
 * Times are in nanoseconds, with up to three decimals. A line that starts with a number is a slot:
 * its duration, then the receiver of each rack, - for none. Slots may be of any length, so a plan
 * for a day is such a file as well.
 */
class FileSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::string m_file; //!< file name
};

/**
 * @ingroup odcn
 *
 * One matching a plane, for ever, given by the caller: circuits that a controller has decided.
 */
class ExplicitSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param planes matching of each plane, for Build()
    void SetPlanes(const std::vector<Matching>& planes);

    /// @param planes slots of each plane, for Build()
    void SetPlanes(std::vector<Plane> planes);

    /**
     * Initial circuits of controllers: plane p connects rack i to rack i + 1 + p mod (n - 1).
     * @param racks number of racks, 2 or more  @param planes number of planes
     * @return the matching of each plane
     */
    static std::vector<Matching> MakeShifts(uint32_t racks, uint32_t planes);

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::vector<Matching> m_matchings; //!< see SetPlanes()
    std::vector<Plane> m_planes;       //!< see SetPlanes()
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_SCHEDULE_H */
