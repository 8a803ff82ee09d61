// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-live-page.h"

#include "odcn-run-report.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <cmath>
#include <fcntl.h>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace ns3::odcn
{

namespace
{

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

/// Longest header of a request, in bytes.
constexpr std::size_t HEADER = 8192;
/// Most connections at once; more are closed.
constexpr std::size_t CONNECTIONS = 32;
/// Time for a request and its response.
constexpr std::chrono::seconds PATIENCE{10};
/// Least seconds between two records.
constexpr double RECORDS = 2;

/// The page of this process.
LivePage* g_page = nullptr;

/// @return time of the steady clock, in s
double
Now()
{
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

/// @param request a request  @return whether it is for this machine by one of its own names
bool
IsForThisHost(const http::request_header<>& request)
{
    if (request.count(http::field::host) != 1)
    {
        return false;
    }
    const std::string host(request[http::field::host]);
    const auto colon = std::min(host.find(':'), host.size());
    const std::string name = host.substr(0, colon);
    // The port is another one behind a tunnel of ssh.
    const auto port = host.substr(std::min(colon + 1, host.size()));
    return (name == "127.0.0.1" || name == "localhost") &&
           (colon == host.size() ||
            (!port.empty() && port.find_first_not_of("0123456789") == std::string::npos));
}

} // namespace

/// The thread of a live page. Its members are read by it and written by the run.
struct LivePage::Server
{
    /// A connection, which serves one request.
    class Session;

    /// @param port TCP port; 0 for a free one
    explicit Server(uint16_t port)
        : acceptor(context, {asio::ip::address_v4::loopback(), port}),
          pause(context)
    {
        ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
        Accept();
        thread = std::thread(
            [this]()
            {
                try
                {
                    context.run();
                }
                catch (const std::exception&)
                {
                    // Without memory for a page, the run goes on.
                }
            });
    }

    ~Server()
    {
        context.stop();
        thread.join();
    }

    /// Wait for the next connection.
    void Accept();

    /// @param target path of a request  @param [out] type its media type
    /// @return the content; empty if there is none
    std::string Find(const std::string& target, std::string& type)
    {
        std::unique_lock<std::mutex> lock(mutex);
        if (target == "/")
        {
            type = "text/html; charset=utf-8";
            const std::string present = record;
            lock.unlock();
            return RunReport::FillPage(present, true);
        }
        // A viewer names the record that it has.
        const std::string state = "/state.json";
        const auto mark = target.find('?');
        if (target.substr(0, mark) != state)
        {
            return "";
        }
        type = "application/json";
        const std::string number = std::to_string(records);
        return "{\"progress\":" + progress + ",\"number\":" + number +
               (target == state + "?" + number ? "" : ",\"run\":" + record) + "}";
    }

    std::mutex mutex;                                   //!< of the next members
    std::string progress{"{}"};                         //!< JSON: text and share
    std::string record{RunReport().MakeRecord("odcn")}; //!< JSON of the page
    uint64_t records{0};                                //!< number of records so far
    std::size_t sessions{0};                            //!< connections; of the thread only
    asio::io_context context{1};                        //!< events of the thread
    tcp::acceptor acceptor;                             //!< listening socket
    asio::steady_timer pause;                           //!< after a failed accept
    std::thread thread;                                 //!< the thread
};

class LivePage::Server::Session : public std::enable_shared_from_this<Session>
{
  public:
    /// @param server its server  @param socket connected
    Session(Server& server, tcp::socket socket)
        : m_server(server),
          m_stream(std::move(socket))
    {
        ++m_server.sessions;
        m_parser.header_limit(HEADER);
    }

    ~Session()
    {
        --m_server.sessions;
    }

    /// Read the request, answer it and close the connection.
    void Start()
    {
        m_stream.expires_after(PATIENCE);
        http::async_read_header(m_stream,
                                m_buffer,
                                m_parser,
                                [self = shared_from_this()](beast::error_code error, std::size_t)
                                { self->Answer(error); });
    }

  private:
    /// @param error of the header
    void Answer(const beast::error_code& error)
    {
        if (error == http::error::header_limit || error == http::error::buffer_overflow)
        {
            m_response.result(http::status::request_header_fields_too_large);
        }
        else if (error)
        {
            return;
        }
        else
        {
            Fill(m_parser.get());
        }
        m_response.set(http::field::cache_control, "no-store");
        m_response.set("X-Content-Type-Options", "nosniff");
        m_response.set("Cross-Origin-Resource-Policy", "same-origin");
        m_response.keep_alive(false);
        m_response.prepare_payload();
        if (!error && m_parser.get().method() == http::verb::head)
        {
            m_response.body().clear();
        }
        http::async_write(m_stream,
                          m_response,
                          [self = shared_from_this()](beast::error_code, std::size_t)
                          {
                              beast::error_code ignored;
                              self->m_stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
                          });
    }

    /// Make the response. @param request header of the request
    void Fill(const http::request_header<>& request)
    {
        if (!IsForThisHost(request))
        {
            m_response.result(http::status::forbidden);
            return;
        }
        if (request.method() != http::verb::get && request.method() != http::verb::head)
        {
            m_response.result(http::status::method_not_allowed);
            m_response.set(http::field::allow, "GET, HEAD");
            return;
        }
        std::string type;
        m_response.body() = m_server.Find(std::string(request.target()), type);
        m_response.result(type.empty() ? http::status::not_found : http::status::ok);
        m_response.set(http::field::content_type, type.empty() ? "text/plain" : type);
    }

    Server& m_server;                                //!< its server
    beast::tcp_stream m_stream;                      //!< connection
    beast::flat_buffer m_buffer{HEADER};             //!< what was read
    http::request_parser<http::empty_body> m_parser; //!< the request
    http::response<http::string_body> m_response;    //!< the response
};

void
LivePage::Server::Accept()
{
    acceptor.async_accept(
        [this](beast::error_code error, tcp::socket socket)
        {
            if (error)
            {
                // For example, too many open files.
                pause.expires_after(std::chrono::seconds(1));
                pause.async_wait([this](beast::error_code) { Accept(); });
                return;
            }
            ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
            if (sessions < CONNECTIONS)
            {
                std::make_shared<Session>(*this, std::move(socket))->Start();
            }
            Accept();
        });
}

LivePage::LivePage(uint16_t port)
{
    if (g_page)
    {
        throw OdcnError("a process has one live page at most");
    }
    try
    {
        m_server = std::make_unique<Server>(port);
    }
    catch (const boost::system::system_error& error)
    {
        throw OdcnError::InOption("--live",
                                  std::to_string(port),
                                  "a port that can be opened: " + error.code().message());
    }
    g_page = this;
}

LivePage::~LivePage()
{
    g_page = nullptr;
}

std::unique_ptr<LivePage>
LivePage::Open(const std::string& port)
{
    const auto number = ParseCount(port);
    if (!number || *number > UINT16_MAX)
    {
        throw OdcnError::InOption("--live", port, "a port, 0 to 65535");
    }
    auto page = std::make_unique<LivePage>(static_cast<uint16_t>(*number));
    std::cerr << "live page: http://127.0.0.1:" << page->GetPort() << "/" << std::endl;
    return page;
}

LivePage*
LivePage::Get()
{
    return g_page;
}

void
LivePage::Offer(const std::function<std::string()>& makeRecord)
{
    const double begin = Now();
    if (!g_page || begin < g_page->m_next)
    {
        return;
    }
    g_page->SetRecord(makeRecord());
    const double end = Now();
    g_page->m_next = end + std::max(RECORDS, 100 * (end - begin));
}

uint16_t
LivePage::GetPort() const
{
    return m_server->acceptor.local_endpoint().port();
}

void
LivePage::SetProgress(const std::string& text, double share)
{
    nlohmann::json progress{{"text", text}};
    if (std::isfinite(share))
    {
        progress["share"] = share;
    }
    std::string json = progress.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    const std::lock_guard<std::mutex> lock(m_server->mutex);
    m_server->progress = std::move(json);
}

void
LivePage::SetRecord(std::string record)
{
    const std::lock_guard<std::mutex> lock(m_server->mutex);
    if (record != m_server->record)
    {
        m_server->record = std::move(record);
        ++m_server->records;
    }
}

} // namespace ns3::odcn
