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
 * The report of a run so far, served over HTTP to browsers of the same machine while the run goes
 * on: "/" is the page of RunReport, which asks for "/state.json" every two seconds: what Progress
 * prints, and the tables and charts that are known.
 *
 * The socket is on 127.0.0.1 only. Requests for a host other than 127.0.0.1 and localhost are
 * refused (403), so that no web page reads the data through a name of its own (DNS rebinding), as
 * are methods other than GET and HEAD (405), other paths (404) and headers above 8 KiB (431). No
 * file is read. The server is one thread, which draws no random numbers and ends with the object;
 * when it fails, the run goes on.
 *
 * A process has at most one live page. It belongs to the RunReport with the option "live";
 * Progress, Experiment and Training find it by Get() and Offer(). These and the other functions are
 * for the thread of the run.
 */
class LivePage
{
  public:
    /**
     * @param port TCP port; 0 for a free one
     * @throws OdcnError when the port is in use, or there is a live page already
     */
    explicit LivePage(uint16_t port = 0);

    /// Ends the server.
    ~LivePage();

    LivePage(const LivePage&) = delete;
    LivePage& operator=(const LivePage&) = delete;

    /**
     * Open the page and print its address to standard error.
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

    /// @return TCP port
    uint16_t GetPort() const;

    /// @param text line of a Progress  @param share of the run that is done; NaN when it is unknown
    void SetProgress(const std::string& text, double share);

    /// @param record of RunReport::MakeRecord()
    void SetRecord(std::string record);

  private:
    struct Server;

    std::unique_ptr<Server> m_server; //!< the thread and its sockets
    double m_next{0};                 //!< when the next offer is taken, s
};

} // namespace ns3::odcn

#endif /* ODCN_LIVE_PAGE_H */
