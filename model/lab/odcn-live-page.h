// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LIVE_PAGE_H
#define ODCN_LIVE_PAGE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The report of a run so far, in files that a server shows to browsers while the run goes on: the
 * page of RunReport asks for progress.json every two seconds (what Progress prints, and how many
 * records there were), and for run.json when that is newer (the tables and charts that are known).
 *
 * The files are in a folder of their own, which only the user can read and which is removed with
 * this object. The server is the launcher's, `./ns3 run`, which names the folder by the environment
 * variable ODCN_LIVE; a program that was started otherwise says how to start one. It is
 * data/report/live.py, which listens on 127.0.0.1 only. When a file cannot be written, the run goes
 * on.
 *
 * A process has at most one live page. It belongs to the RunReport with the option "live";
 * Progress, Experiment and Training find it by Get() and Offer().
 */
class LivePage
{
  public:
    /**
     * @param folder existing folder of the files, removed with this object; empty for a new one
     * @throws OdcnError when it cannot be created, or there is a live page already
     */
    explicit LivePage(std::string folder = "");

    /// Removes the folder.
    ~LivePage();

    LivePage(const LivePage&) = delete;
    LivePage& operator=(const LivePage&) = delete;

    /**
     * Begin the page; without the launcher's server, print to standard error how to start one.
     * @param port value of the option "live"
     * @return the page
     * @throws OdcnError as the constructor, and when the text is not a port
     */
    static std::unique_ptr<LivePage> Open(const std::string& port);

    /// @return the page of this process, or null
    static LivePage* Get();

    /**
     * Offer newer data to the page of this process, if any. They are made unless that would take
     * more than about a hundredth of the time.
     * @param makeRecord calls RunReport::MakeRecord()
     */
    static void Offer(const std::function<std::string()>& makeRecord);

    /// @return folder of the files
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /// @param text line of a Progress
    /// @param share of the run that is done; NaN when it is unknown
    void SetProgress(const std::string& text, double share);

    /// @param record of RunReport::MakeRecord()
    void SetRecord(const std::string& record);

  private:
    /// Replace a file, so that a reader sees the old or the new one.
    /// @param name its name
    /// @param text its content
    void Write(const std::string& name, const std::string& text) const;

    /// Replace progress.json.
    void WriteProgress() const;

    std::string m_folder;  //!< of the files
    std::string m_text;    //!< progress as text
    double m_share;        //!< progress as a number; NaN when it is unknown
    uint64_t m_records{0}; //!< number of records so far
    double m_next{0};      //!< when the next offer is taken, s
    int m_process;         //!< that it belongs to; copies of the process have none
};

} // namespace ns3::odcn

#endif /* ODCN_LIVE_PAGE_H */
