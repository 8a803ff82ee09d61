// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The live page: what it serves and refuses, to several viewers, until it ends.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace ns3::odcn;

namespace
{

/// A connection to the page.
class Client
{
  public:
    /// @param port TCP port  @param address of the server
    explicit Client(uint16_t port, const char* address = "127.0.0.1")
        : m_socket(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        ::inet_pton(AF_INET, address, &to.sin_addr);
        const timeval patience{20, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        m_connected = ::connect(m_socket, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0;
    }

    ~Client()
    {
        ::close(m_socket);
    }

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// @return whether the server accepted the connection
    bool IsConnected() const
    {
        return m_connected;
    }

    /// @param text of a request, or a part
    void Send(const std::string& text) const
    {
        ::send(m_socket, text.data(), text.size(), MSG_NOSIGNAL);
    }

    /// @return what the server sends until it closes the connection
    std::string Receive() const
    {
        std::string text;
        char part[4096];
        for (ssize_t n; (n = ::recv(m_socket, part, sizeof(part), 0)) > 0;)
        {
            text.append(part, static_cast<std::size_t>(n));
        }
        return text;
    }

  private:
    int m_socket;     //!< descriptor
    bool m_connected; //!< whether it is connected
};

/// @param port TCP port  @param start first line and headers, each with its end
/// @return the response
std::string
Ask(uint16_t port, const std::string& start)
{
    const Client client(port);
    client.Send(start + "\r\n");
    return client.Receive();
}

/// @param port TCP port  @param target path  @return the response to GET
std::string
Get(uint16_t port, const std::string& target)
{
    return Ask(port, "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
}

/// @param response a response  @return its status
int
StatusOf(const std::string& response)
{
    return response.rfind("HTTP/1.1 ", 0) == 0 ? std::stoi(response.substr(9)) : 0;
}

/// @param response a response  @return its content
std::string
ContentOf(const std::string& response)
{
    const auto end = response.find("\r\n\r\n");
    return end == std::string::npos ? "" : response.substr(end + 4);
}

/// @param port TCP port  @param known number of the known record, or ""  @return the state
nlohmann::json
GetState(uint16_t port, const std::string& known = "")
{
    return nlohmann::json::parse(ContentOf(Get(port, "/state.json?" + known)));
}

TEST(LivePage, ServesTheReportSoFar)
{
    LivePage page;
    const uint16_t port = page.GetPort();
    RunReport report;
    report.AddFact("policy", "</script>");
    page.SetRecord(report.MakeRecord("mine"));
    const std::string response = Get(port, "/");
    EXPECT_EQ(StatusOf(response), 200);
    EXPECT_NE(response.find("Cache-Control: no-store"), std::string::npos);
    const std::string html = ContentOf(response);
    EXPECT_EQ(html, RunReport::FillPage(report.MakeRecord("mine"), true));
    EXPECT_NE(html.find("<body data-live>"), std::string::npos);
    EXPECT_NE(html.find("connect-src 'self'"), std::string::npos);
    EXPECT_EQ(report.MakePage("mine", {}).find("connect-src"), std::string::npos);

    auto state = GetState(port);
    EXPECT_EQ(state["run"]["name"], "mine");
    EXPECT_FALSE(state["progress"].contains("text"));
    const auto known = std::to_string(state["number"].get<int>());
    page.SetProgress("half", 0.5);
    state = GetState(port, known);
    EXPECT_FALSE(state.contains("run"));
    EXPECT_EQ(state["progress"]["text"], "half");
    EXPECT_EQ(state["progress"]["share"], 0.5);
    page.SetRecord(report.MakeRecord("newer"));
    EXPECT_EQ(GetState(port, known)["run"]["name"], "newer");

    const std::string head = Ask(port, "HEAD / HTTP/1.1\r\nHost: localhost:8080\r\n");
    EXPECT_EQ(StatusOf(head), 200);
    EXPECT_EQ(ContentOf(head), "");
}

TEST(LivePage, RefusesWhatIsNotForIt)
{
    const LivePage page;
    const uint16_t port = page.GetPort();
    for (const char* host : {"Host: evil.example\r\n",
                             "Host: 127.0.0.1.evil.example\r\n",
                             "Host: localhost:80x\r\n",
                             "Host: localhost:\r\n",
                             "Host: localhost\r\nHost: evil.example\r\n",
                             "Host:\r\n",
                             ""})
    {
        EXPECT_EQ(StatusOf(Ask(port, std::string("GET / HTTP/1.1\r\n") + host)), 403) << host;
    }
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT"})
    {
        const auto answer =
            Ask(port,
                std::string(method) + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n");
        EXPECT_EQ(StatusOf(answer), 405) << method;
        EXPECT_NE(answer.find("Allow: GET, HEAD\r\n"), std::string::npos) << method;
    }
    for (const char* target : {"/../../etc/passwd", "/state.json/", "//", "/report.html", "*"})
    {
        EXPECT_EQ(StatusOf(Get(port, target)), 404) << target;
    }
    EXPECT_EQ(
        StatusOf(Ask(port,
                     "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(9000, 'x') + "\r\n")),
        431);
    EXPECT_EQ(StatusOf(Get(port, "/" + std::string(9000, 'x'))), 431);
    // What is no HTTP at all is not answered, and the next request is.
    EXPECT_EQ(Ask(port, "\x16\x03\x01\r\n"), "");
    EXPECT_EQ(StatusOf(Get(port, "/")), 200);
    // The whole network 127.0.0.0/8 is this machine; a socket on all addresses would answer.
    EXPECT_FALSE(Client(port, "127.0.0.2").IsConnected());
}

TEST(LivePage, ServesSeveralViewers)
{
    const LivePage page;
    std::vector<std::unique_ptr<Client>> viewers;
    for (int i = 0; i < 5; ++i)
    {
        viewers.push_back(std::make_unique<Client>(page.GetPort()));
        viewers.back()->Send("GET / HTTP/1.1\r\n");
    }
    // The others have not finished their requests.
    EXPECT_EQ(StatusOf(Get(page.GetPort(), "/")), 200);
    for (const auto& viewer : viewers)
    {
        viewer->Send("Host: localhost\r\n\r\n");
        EXPECT_EQ(StatusOf(viewer->Receive()), 200);
    }
    // Too many that never finish one.
    viewers.clear();
    for (int i = 0; i < 40; ++i)
    {
        viewers.push_back(std::make_unique<Client>(page.GetPort()));
    }
    EXPECT_EQ(viewers.back()->Receive(), "");
    viewers.clear();
    EXPECT_EQ(StatusOf(Get(page.GetPort(), "/")), 200);
}

TEST(LivePage, EndsWithItsObject)
{
    auto page = std::make_unique<LivePage>();
    const uint16_t port = page->GetPort();
    EXPECT_EQ(LivePage::Get(), page.get());
    EXPECT_THROW(LivePage(), OdcnError); // one a process
    const Client viewer(port);
    viewer.Send("GET / HTTP/1.1\r\n");
    const auto begin = std::chrono::steady_clock::now();
    page.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(LivePage::Get(), nullptr);
    EXPECT_EQ(viewer.Receive(), "");
    EXPECT_FALSE(Client(port).IsConnected());
    LivePage::Offer([]() -> std::string { throw OdcnError("made for nobody"); });
    // The port is free again at once.
    EXPECT_EQ(LivePage(port).GetPort(), port);
}

TEST(LivePage, IsAnOptionOfReports)
{
    /// Parse an option. @param option the option  @return what the error says, or ""
    const auto parse = [](std::string option)
    {
        std::string name = "program";
        char* words[] = {name.data(), option.data()};
        OdcnCommandLine cmd(2, words, "A test.");
        RunReport report;
        report.AddOptions(cmd);
        try
        {
            cmd.Parse();
        }
        catch (const OdcnError& error)
        {
            return std::string(error.what());
        }
        if (const LivePage* page = LivePage::Get())
        {
            EXPECT_EQ(GetState(page->GetPort())["run"]["name"], "program");
            EXPECT_TRUE(report.IsWanted());
        }
        EXPECT_EQ(LivePage::Get() != nullptr, option.rfind("--live", 0) == 0) << option;
        return std::string();
    };
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(parse("--plot"), "");
    EXPECT_EQ(parse("--live"), "");
    const std::string told = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(told.rfind("live page: http://127.0.0.1:", 0), 0U);
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1);
    EXPECT_EQ(LivePage::Get(), nullptr);
    for (const char* port : {"", "70000", "-1", "80x"})
    {
        EXPECT_EQ(parse(std::string("--live=") + port),
                  std::string("--live: found '") + port + "', expected a port, 0 to 65535");
    }
    const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(taken, 1), 0);
    ::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size);
    const std::string port = std::to_string(ntohs(address.sin_port));
    EXPECT_EQ(parse("--live=" + port),
              "--live: found '" + port +
                  "', expected a port that can be opened: Address already "
                  "in use");
    ::close(taken);
}

TEST(LivePage, TellsTheProgress)
{
    const LivePage page;
    double now = 0;
    std::ostringstream os;
    Progress progress("run",
                      200,
                      "jobs",
                      os,
                      false,
                      [&now]() { return std::chrono::duration<double>(now); });
    now = 0.4;
    progress.Update(10, []() { return std::string("early"); });
    EXPECT_FALSE(GetState(page.GetPort())["progress"].contains("text"));
    now = 1;
    progress.Update(20, []() { return std::string("loss 3 %"); });
    const auto told = GetState(page.GetPort())["progress"];
    EXPECT_EQ(told["text"], "run: 10 %, 20/200 jobs, 20/s, ETA 0:09, loss 3 %");
    EXPECT_EQ(told["share"], 0.1);
    EXPECT_EQ(os.str(), ""); // lines are due after 5 s
    now = 4;
    progress.Finish(200);
    EXPECT_EQ(GetState(page.GetPort())["progress"]["share"], 1);
}

TEST(LivePage, ShowsFinishedPoliciesAndChangesNothing)
{
    const auto folder = std::filesystem::temp_directory_path() /
                        ("odcn-live-page-test-" + std::to_string(::getpid()));
    /// @param live whether there is a page  @return the files
    const auto run = [&](bool live)
    {
        const auto page = live ? std::make_unique<LivePage>() : nullptr;
        OdcnHelper helper;
        Experiment experiment;
        experiment.SetPolicies("odcn-jcb,odcn-ccf");
        experiment.SetJobs(100, 20);
        experiment.SetReplications(2);
        experiment.SetProblem([&](double) { return helper.CreateProblem(78); });
        std::vector<std::string> shown;
        experiment.SetBegun(
            [&](const Experiment::Trial& trial)
            {
                const auto state =
                    live ? GetState(page->GetPort())["run"] : nlohmann::json::object();
                for (const auto& table : state.value("tables", nlohmann::json::array()))
                {
                    for (const auto& row : table["rows"])
                    {
                        shown.push_back(trial.choice.name + ": " + row[0].get<std::string>());
                    }
                }
            });
        experiment.Measure();
        EXPECT_EQ(shown,
                  live ? std::vector<std::string>(2, "odcn-ccf: odcn-jcb")
                       : std::vector<std::string>());
        OutputFiles files(folder.string());
        experiment.Write(files);
        experiment.GetReport().Write(files);
        std::string all;
        for (const auto& [name, what] : files.GetFiles())
        {
            std::ifstream file(files.Path(name), std::ios::binary);
            all.append(std::istreambuf_iterator<char>(file), {});
        }
        std::filesystem::remove_all(folder);
        return all;
    };
    const std::string alone = run(false);
    EXPECT_GT(alone.size(), 10000U);
    EXPECT_EQ(run(true), alone);
}

} // namespace
