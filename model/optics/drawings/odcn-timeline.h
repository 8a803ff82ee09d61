// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TIMELINE_H
#define ODCN_TIMELINE_H

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Records what happens when, for Perfetto and chrome://tracing (JSON in the trace-event format):
 * messages, steps of collectives, circuits, and whatever else has a start and an end.
 *
 * @code
 *   Timeline timeline;            // outlives the run
 *   timeline.AddOptions(cmd);     // --trace=FILE.json
 *   timeline.Start();
 *   timeline.AddMessages(*plane);
 *   timeline.AddCollective(*run, "all-reduce:ring");
 *   timeline.AddFabric(*fabric);
 *   Simulator::Run();
 *   timeline.Finish(std::cout);   // before Simulator::Destroy()
 * @endcode
 *
 * Groups of rows are "processes" of the format, rows are its "threads". Events of a row may
 * overlap; the viewers leave out events of a thread that overlap, so such a row takes several
 * threads. Times are written in whole nanoseconds, which is what the viewers know.
 *
 * A file has at most SetMaxEvents() lines of events and threads. Beyond that, events of a row that
 * begin within the same interval of length R and last less than R are joined to one, which has
 * their number and the sum of their bytes. R is the least power of two, in ns, that suffices; what
 * is joined depends on nothing else. A row with any events keeps one at least.
 *
 * Identities: events added = events written, each counted by how many it stands for; so are bytes.
 *
 * Memory: about 64 bytes for each of twice the most lines, and for each message in flight.
 */
class Timeline
{
  public:
    Timeline();
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /// @param cmd command line, which gets the options trace and traceEvents
    void AddOptions(OdcnCommandLine& cmd);

    /// @param path file to write, or "" for none; the default is that of the option
    void SetFile(const std::string& path)
    {
        m_path = path;
    }

    /// @return the file, or ""
    const std::string& GetFile() const
    {
        return m_path;
    }

    /**
     * Record one of several runs.
     * @param options of all runs
     * @param name for % in the file's name
     */
    void SetOptions(const Timeline& options, const std::string& name);

    /// @param events most lines of the file for events and threads, 1 or more
    void SetMaxEvents(uint64_t events)
    {
        m_maxEvents = events;
    }

    /**
     * Record from now on, if there is a file; otherwise all that follows has no effect. Until
     * Finish(), SIGINT and SIGTERM then end the run by an Interruption at the next event, and no
     * file stays.
     * @throws OdcnError when the file cannot be written, or it was called before
     */
    void Start();

    /**
     * Record all messages that are sent from now on: a row for each sender. Those in flight at the
     * end are called "unfinished".
     * @param plane carries them; it must exist until the end of the run
     * @param group title of the rows
     */
    void AddMessages(MessagePlane& plane, const std::string& group = "Messages");

    /**
     * Record the steps of a collective: a row for each rank, which sends, and one for the whole.
     * @param run runs it, started already or not; it must exist until the end of the run
     * @param collective of which the messages are
     * @param name of the collective
     */
    void AddCollective(PlaneRun& run, const Collective& collective, const std::string& name);

    /**
     * Record the circuits of all optical switches: a row for each uplink that sends. A circuit
     * lasts while it is up, so that dark times are gaps.
     * @param fabric the fabric, with the circuits that it has at first; it must exist until the end
     * of the run
     */
    void AddFabric(OcsFabric& fabric);

    /**
     * @param group title of rows that belong together
     * @param name of the row
     * @return its index, for AddEvent()
     */
    uint32_t AddRow(const std::string& group, const std::string& name);

    /**
     * Record anything, such as a job. Events may come in any order.
     * @param row index of a row
     * @param name of the event; what is beyond 40 bytes is left out
     * @param start of it, 0 or more
     * @param end of it; the start for an instant
     * @param bytes that belong to it, or 0
     * @throws OdcnError when there is no such row, or the times are not in order
     */
    void AddEvent(uint32_t row, const std::string& name, Time start, Time end, uint64_t bytes = 0);

    /**
     * The run is over: complete the file, if any.
     * @param os gets one line: what the file holds, and what was joined
     * @throws OdcnError when the file could not be written
     */
    void Finish(std::ostream& os);

  private:
    /// A row.
    struct Row
    {
        uint32_t group;   //!< index of its group
        std::string name; //!< its name
    };

    /// An event, or several that were joined.
    struct Event
    {
        int64_t start;    //!< time in nanoseconds
        int64_t end;      //!< time in nanoseconds
        uint64_t bytes;   //!< of all that were joined
        uint32_t row;     //!< index of the row
        uint32_t count;   //!< events that it stands for
        std::string name; //!< of the first one
    };

    /// Messages of a plane.
    struct Plane
    {
        Timeline* all;                          //!< the timeline
        MessagePlane* plane;                    //!< carries them
        std::string group;                      //!< title of the rows
        uint32_t first;                         //!< row of the first sender
        bool hasRows;                           //!< whether they exist
        std::map<uint64_t, Message> unfinished; //!< messages in flight, by number
    };

    /// A collective.
    struct Run
    {
        Timeline* all;         //!< the timeline
        PlaneRun* run;         //!< runs it
        Collective collective; //!< of which the messages are
        std::string name;      //!< of the collective
        uint32_t first;        //!< row of the whole, followed by those of ranks
        bool hasRows;          //!< whether these exist
    };

    /// An uplink.
    struct Uplink
    {
        uint32_t row;       //!< its row
        RackId to{NO_RACK}; //!< rack that its circuit reaches; NO_RACK without one
        Time since{};       //!< when that was up
    };

    /// Uplinks of a fabric.
    struct Circuits
    {
        Timeline* all;               //!< the timeline
        OcsFabric* fabric;           //!< the fabric
        std::vector<Uplink> uplinks; //!< [rack][uplink]
    };

    /// Uplinks at an optical switch.
    struct Switch
    {
        Circuits* circuits;           //!< of the fabric
        std::vector<uint32_t> inputs; //!< index of the uplink by input port
    };

    /// A message was sent.
    /// @param plane of the message
    /// @param message the message
    static void NoteSent(Plane* plane, const Message& message);

    /// A message was received.
    /// @param plane of the message
    /// @param message the message
    static void NoteDelivered(Plane* plane, const Message& message);

    /// A step was received.
    /// @param run of the collective
    /// @param index of the step
    /// @param sent when it was sent
    static void NoteStep(Run* run, uint32_t index, Time sent);

    /// Circuits are up or removed.
    /// @param all circuits of the fabric
    /// @param circuits these
    static void NoteUp(Circuits* all, const std::vector<OcsCircuit>& circuits);

    /// Circuits go dark.
    /// @param at the optical switch
    /// @param changes of its circuits
    static void NoteDark(Switch* at, const std::vector<OcsPortChange>& changes);

    /// The circuit of an uplink has ended, if it has one.
    /// @param uplink the uplink
    void EndCircuit(Uplink& uplink);

    /// Add an event of a message.
    /// @param plane of the message
    /// @param message the message
    /// @param what comes before its receiver in the name
    void AddMessage(Plane& plane, const Message& message, const std::string& what);

    /// Join events of less than m_resolution.
    void Join();

    /// @return thread of each event in its row, from 0
    std::vector<uint32_t> FindThreads() const;

    /// @param threads of all events
    /// @return lines of the file for events and threads
    uint64_t CountLines(const std::vector<uint32_t>& threads) const;

    /// Write the file.
    /// @param threads of all events
    /// @param note about joined events, or ""
    void Write(const std::vector<uint32_t>& threads, const std::string& note);

    std::string m_path;                         //!< file, or ""
    uint64_t m_maxEvents{400000};               //!< most lines of the file
    std::unique_ptr<AtomicFile> m_file;         //!< while the run is recorded
    std::optional<Interruption::Guard> m_guard; //!< while the run is recorded
    bool m_isStarted{false};                    //!< whether Start() was called
    std::deque<Plane> m_planes;                 //!< planes whose messages are recorded
    std::deque<Run> m_runs;                     //!< collectives that are recorded
    std::deque<Circuits> m_circuits;            //!< fabrics whose circuits are recorded
    std::deque<Switch> m_switches;              //!< their optical switches
    std::vector<std::string> m_groups;          //!< their titles
    std::map<std::string, uint32_t> m_indices;  //!< of groups by their titles
    std::vector<Row> m_rows;                    //!< all rows
    std::vector<Event> m_events;                //!< all events, joined in part
    uint64_t m_capacity{0};                     //!< of m_events, until more are joined
    int64_t m_resolution{0};                    //!< R in nanoseconds; 0 for none
    int64_t m_first{INT64_MAX};                 //!< first start of an event in nanoseconds
    int64_t m_last{0};                          //!< last end of an event in nanoseconds
    uint64_t m_nEvents{0};                      //!< number of events added
};

} // namespace ns3::odcn

#endif /* ODCN_TIMELINE_H */
