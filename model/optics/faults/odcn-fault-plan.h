// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAULT_PLAN_H
#define ODCN_FAULT_PLAN_H

#include "ns3/attribute.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ns3::odcn
{

/// Kind of a part that fails, and how. The comment shows its name and what its index counts.
enum class FaultPart : uint8_t
{
    OCS,           //!< ocs W: all ports of optical switch W
    OCS_PORT,      //!< ocs-port W:P: both sides of port P of optical switch W
    MIRROR,        //!< mirror W:P: input P keeps its circuit, see OcsMirror::STUCK
    CIRCUIT,       //!< circuit W:P: input P loses its circuit when changed, see OcsMirror::LOSES
    UPLINK,        //!< uplink R:P: transponder of uplink P of rack R
    FIBER,         //!< fiber R:P: fibre of uplink P of rack R, cut at the optical switch
    TOR,           //!< tor R: ToR switch of rack R restarts, its queues are lost
    SERVER,        //!< server R:S: server S of rack R
    LINK,          //!< link L: both fibres of link L of a transport mesh
    NODE,          //!< node S: all links and transponders of site S of a transport mesh
    TRANSPONDER,   //!< transponder L:E: transponder at end E of lightpath L
    CONTROLLER,    //!< controller 0: it decides and commands nothing
    PARTITION,     //!< partition 0: messages between controller and devices are lost
    LOST_COMMANDS, //!< lost-commands 0: commands are lost
    LATE_COMMANDS, //!< late-commands 0: commands arrive when this is over
};

/// Number of kinds of parts.
constexpr std::size_t FAULT_PARTS = 15;

/// @param part a kind of part  @return its name in files and options
const char* FaultPartName(FaultPart part);

/// @param part a kind of part  @return whether its index has two numbers
bool FaultPartHasTwo(FaultPart part);

/**
 * @ingroup odcn
 *
 * A part of a network that does not work for some time.
 */
struct Fault
{
    FaultPart part;     //!< kind of part
    uint32_t first{0};  //!< first number of its index
    uint32_t second{0}; //!< second number, 0 for kinds that have one number
    Time start;         //!< when it fails, 0 or later
    Time end;           //!< when it is repaired, after start; Time::Max() for never
    std::string cause;  //!< for traces and files

    /// @return its index as in files, e.g. "3" or "3:1"
    std::string GetIndex() const;

    /// @param o other  @return whether both are the same
    bool operator==(const Fault& o) const = default;
};

/// Number of parts of a kind, by the first number of their index; for kinds with one number, all
/// are 1.
using FaultSizes = std::vector<uint32_t>;

/// The parts that a network has.
using FaultParts = std::map<FaultPart, FaultSizes>;

/**
 * @ingroup odcn
 *
 * The faults of a run: read from a file, sampled, or both.
 *
 * The file is a table in CSV with a header, a line for each fault, in any order of time:
 * @code
 *   part,index,start_us,end_us,cause
 *   uplink,3:1,250,900,laser
 *   ocs,0,1000,,power
 * @endcode
 * An empty end_us stands for never. The faults of one part may overlap: it works when none is left.
 *
 * Sampled parts fail and are repaired independently of each other: exponential times of mean MTBF
 * up and MTTR down in turn, from the stationary distribution, so that at any time a part works with
 * probability MTBF / (MTBF + MTTR).
 */
class FaultPlan
{
  public:
    /// What becomes of a job, grant or task that a failure interrupts.
    enum AfterFailure
    {
        END,     //!< it ends: what it has done is lost
        REPLACE, //!< it is offered again, for the rest of its time
        RESTART, //!< it is offered again, and repeats what it has done (since a checkpoint)
    };

    /// @return checker of an Attribute of this type: End, Replace or Restart
    static Ptr<const AttributeChecker> MakeAfterFailureChecker();

    /// Most faults of a plan.
    static constexpr std::size_t MAX_FAULTS = 1000000;

    /**
     * @param path a file as above, may be gzip-compressed
     * @return its faults
     * @throws OdcnError when the file cannot be read or has a malformed line
     */
    static FaultPlan Read(const std::string& path);

    /**
     * Write a file that Read() reads, completely or not at all.
     * @param path the file
     * @throws OdcnError when it cannot be written
     */
    void Write(const std::string& path) const;

    /**
     * @param fault one more fault
     * @throws OdcnError when it does not end after its start, or there are too many
     */
    void Add(const Fault& fault);

    /**
     * Sample the faults of all parts of a kind.
     *
     * @param part the kind
     * @param sizes number of parts
     * @param mtbf mean time from a repair to the next failure, above 0
     * @param mttr mean time from a failure to its repair, above 0
     * @param until failures start before this time
     * @param stream first of two stream numbers; the same arguments give the same faults
     * @throws OdcnError when a time is not above 0, or there are too many faults
     */
    void Sample(FaultPart part,
                const FaultSizes& sizes,
                Time mtbf,
                Time mttr,
                Time until,
                int64_t stream);

    /// @param sizes gives the parts of a kind, none for kinds that there are not
    /// @throws OdcnError when a fault is of another part
    void Check(const std::function<FaultSizes(FaultPart)>& sizes) const;

    /// @return the faults, as they were added
    const std::vector<Fault>& Get() const
    {
        return m_faults;
    }

    /**
     * @param option name of the option  @param text name of a kind of part
     * @return the kind
     * @throws OdcnError when there is none of this name
     */
    static FaultPart ParsePart(const std::string& option, std::string_view text);

  private:
    std::vector<Fault> m_faults; //!< the faults
};

/**
 * @ingroup odcn
 *
 * The faults of a plan in order of time, for managers with a clock of their own, in s. Faults of
 * one part that overlap are one. Immutable, so that managers may share it.
 */
class FaultTimeline
{
  public:
    /// A part fails or is repaired, as far as control knows.
    struct Change
    {
        double time;     //!< when, in s
        FaultPart part;  //!< kind of part
        uint32_t first;  //!< first number of its index
        uint32_t second; //!< second number
        bool failed;     //!< whether it fails
    };

    /**
     * @param plan the faults
     * @param parts the parts that there are
     * @param detection from a failure or repair until control learns of it, except for failures at
     * time 0
     * @throws OdcnError when there is no such part
     */
    FaultTimeline(const FaultPlan& plan, const FaultParts& parts, Time detection);

    /// @return the changes, earliest first
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /// @param index of a change, or their number
    /// @return its time, infinite after the last one, s
    double GetTime(std::size_t index) const
    {
        return index < m_changes.size() ? m_changes[index].time
                                        : std::numeric_limits<double>::infinity();
    }

    /// @param until end of the time from 0 on, s
    /// @return share of it in which parts of a kind have worked, averaged over the parts, of the
    /// kind that worked least
    double GetAvailability(double until) const;

    /// @param time in s
    /// @return kind, first and second number of the parts that do not work then, whether control
    /// knows or not
    std::set<std::tuple<FaultPart, uint32_t, uint32_t>> GetFailed(double time) const;

  private:
    /// A part does not work.
    struct Outage
    {
        FaultPart part;  //!< kind of part
        uint32_t first;  //!< first number of its index
        uint32_t second; //!< second number
        double from;     //!< beginning, in s
        double to;       //!< end, in s; infinite for none
    };

    FaultParts m_parts;            //!< the parts that there are
    std::vector<Change> m_changes; //!< by time
    std::vector<Outage> m_outages; //!< by time
};

} // namespace ns3::odcn

#endif /* ODCN_FAULT_PLAN_H */
