// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Tasks in copies of this process: each runs once, results and errors arrive, and copies end.
 */

#include "odcn-gtest-kit.h"

#include "ns3/odcn-interruption.h"
#include "ns3/odcn-process-team.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace ns3::odcn;

namespace
{

/// A number that all processes see.
struct SharedCount
{
    SharedCount()
        : number(new (::mmap(nullptr,
                             sizeof(std::atomic<uint32_t>),
                             PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS,
                             -1,
                             0)) std::atomic<uint32_t>(0))
    {
    }

    ~SharedCount()
    {
        ::munmap(number, sizeof(*number));
    }

    SharedCount(const SharedCount&) = delete;
    SharedCount& operator=(const SharedCount&) = delete;

    std::atomic<uint32_t>* number; //!< the number, at first 0
};

/// Lets tasks begin when as many processes as expected have one.
class Meeting
{
  public:
    /// @param processes number of processes expected
    explicit Meeting(uint32_t processes)
        : m_expected(processes)
    {
    }

    /// Wait for the others, half a minute at most.
    void Join()
    {
        if (m_joined != ::getpid())
        {
            m_joined = ::getpid();
            ++*m_arrived.number;
        }
        for (int i = 0; i < 30000 && *m_arrived.number < m_expected; ++i)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

  private:
    uint32_t m_expected;   //!< processes expected
    SharedCount m_arrived; //!< processes that have joined
    pid_t m_joined{0};     //!< this process, once it has joined
};

/// Runs tasks, and keeps what came of them.
struct Runner
{
    std::map<std::size_t, std::string> results; //!< by task
    std::vector<uint64_t> told;                 //!< units reported

    /// @param processes of the team
    /// @param here see ProcessTeam::Work
    /// @param body result of a task
    /// @param turns see ProcessTeam::Work
    void Run(uint32_t processes,
             const std::vector<bool>& here,
             const std::function<std::string(std::size_t)>& body,
             const std::vector<uint64_t>& turns = {})
    {
        ProcessTeam team(processes);
        ProcessTeam::Work work;
        work.here = here;
        work.turns = turns;
        work.run = [&](std::size_t task)
        {
            const auto result = body(task);
            team.Report(2);
            return result;
        };
        work.take = [&](std::size_t task, const std::string& result)
        { EXPECT_TRUE(results.emplace(task, result).second) << "task " << task << " twice"; };
        work.progress = [&](uint64_t units)
        {
            Interruption::Check();
            told.push_back(units);
        };
        team.Run(work);
    }
};

} // namespace

TEST(ProcessTeam, EachTaskRunsOnceWhereItMay)
{
    for (const uint32_t processes : {1U, 2U, 5U})
    {
        std::vector<bool> here(30);
        for (std::size_t i = 0; i < here.size(); i += 7)
        {
            here[i] = true;
        }
        Runner runner;
        Meeting meeting(processes);
        int calls = 0;
        runner.Run(processes,
                   here,
                   [&](std::size_t task)
                   {
                       meeting.Join();
                       ++calls;
                       return std::to_string(::getpid()) + " " + std::to_string(task) +
                              std::string(task * 1000, '\0');
                   });
        ASSERT_EQ(runner.results.size(), here.size());
        std::set<std::string> ids;
        for (const auto& [task, result] : runner.results)
        {
            const auto id = result.substr(0, result.find(' '));
            const auto rest = result.substr(id.size() + 1);
            EXPECT_EQ(rest, std::to_string(task) + std::string(task * 1000, '\0'));
            EXPECT_TRUE(!here[task] || id == std::to_string(::getpid())) << "task " << task;
            ids.insert(id);
        }
        EXPECT_EQ(ids.size(), processes) << "each process had a task";
        EXPECT_EQ(calls == 30, processes == 1) << "what a copy changes stays there";
        EXPECT_TRUE(std::is_sorted(runner.told.begin(), runner.told.end()));
        EXPECT_LE(runner.told.back(), 60U);
    }
    Runner none;
    none.Run(3, {}, [](std::size_t) { return ""; });
    EXPECT_TRUE(none.results.empty());
}

TEST(ProcessTeam, TasksBeginInTheirTurn)
{
    const auto listBegun = [](const std::vector<uint64_t>& turns)
    {
        // This process has its own task until the copy has begun all others.
        SharedCount begun;
        Runner runner;
        runner.Run(
            2,
            {true, false, false, false, false},
            [&](std::size_t task)
            {
                for (int i = 0; task == 0 && i < 30000 && *begun.number < 4; ++i)
                {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                return std::to_string((*begun.number)++);
            },
            turns);
        std::string order;
        for (const auto& [task, result] : runner.results)
        {
            order += result;
        }
        return order;
    };
    EXPECT_EQ(listBegun({}), "40123");
    EXPECT_EQ(listBegun({0, 9, 7, 9, 1}), "42130");
}

TEST(ProcessTeam, ACopyHasNoCopies)
{
    Runner runner;
    Meeting both(2);
    const auto count = [&](std::size_t task)
    {
        both.Join();
        Runner inner;
        Meeting meeting(task == 0 ? 4 : 1);
        std::set<std::string> ids;
        inner.Run(4,
                  std::vector<bool>(8),
                  [&](std::size_t)
                  {
                      meeting.Join();
                      return std::to_string(::getpid());
                  });
        for (const auto& [task, id] : inner.results)
        {
            ids.insert(id);
        }
        return std::to_string(ids.size());
    };
    runner.Run(2, {true, false}, count);
    EXPECT_EQ(runner.results[0], "4");
    EXPECT_EQ(runner.results[1], "1");
}

TEST(ProcessTeam, ErrorsAndDeathsAreReported)
{
    const auto run = [](const std::function<std::string(std::size_t)>& body)
    {
        Runner runner;
        Meeting meeting(3);
        return GetRefusal(
            [&]
            {
                // While this process has task 0, copies begin tasks 1 and 2.
                runner.Run(3,
                           {true, false, false, false},
                           [&](std::size_t task)
                           {
                               meeting.Join();
                               return body(task);
                           });
            });
    };
    EXPECT_EQ(run(
                  [](std::size_t task) -> std::string
                  {
                      if (task == 2)
                      {
                          throw std::runtime_error("task two");
                      }
                      return "";
                  }),
              "task two");
    const pid_t self = ::getpid();
    EXPECT_EQ(run(
                  [self](std::size_t)
                  {
                      if (::getpid() != self)
                      {
                          std::raise(SIGKILL);
                      }
                      return std::string();
                  }),
              "processes: two ended in the same task, the second with signal 9");
}

TEST(ProcessTeam, TheTaskOfAKilledCopyBeginsAgain)
{
    // As the system does where memory is short: some copies are killed in their first task, others
    // later.
    for (const std::size_t first : {1, 5})
    {
        Runner runner;
        Meeting meeting(3);
        const SharedCount begun; // a bit for each task of copies
        const pid_t self = ::getpid();
        runner.Run(3,
                   std::vector<bool>(12),
                   [&](std::size_t task)
                   {
                       meeting.Join();
                       if (::getpid() == self)
                       {
                           // So that the copies have tasks enough.
                           std::this_thread::sleep_for(std::chrono::milliseconds(20));
                       }
                       else if (task >= first)
                       {
                           // The first two tasks of copies, each once.
                           const uint32_t bit = 1U << task;
                           const uint32_t before = begun.number->fetch_or(bit);
                           if ((before & bit) == 0 && std::popcount(before) < 2)
                           {
                               std::raise(SIGKILL);
                           }
                       }
                       return std::to_string(task);
                   });
        ASSERT_EQ(runner.results.size(), 12U);
        for (const auto& [task, result] : runner.results)
        {
            EXPECT_EQ(result, std::to_string(task));
        }
        EXPECT_GE(std::popcount(begun.number->load()), 2) << "two were killed";
        EXPECT_LE(runner.told.back(), 24U);
    }
}

TEST(ProcessTeam, EndsWhereTheEndOfCopiesIsIgnored)
{
    // As a process inherits it of daemons and job runners: waitpid() then never tells of an end.
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    Runner runner;
    Meeting meeting(3);
    runner.Run(3,
               std::vector<bool>(6),
               [&](std::size_t task)
               {
                   meeting.Join();
                   return std::to_string(task);
               });
    EXPECT_EQ(runner.results.size(), 6U);
    const pid_t self = ::getpid();
    EXPECT_EQ(GetRefusal(
                  [&]
                  {
                      Runner killed;
                      Meeting both(2);
                      killed.Run(2,
                                 {true, false},
                                 [&](std::size_t)
                                 {
                                     both.Join();
                                     if (::getpid() != self)
                                     {
                                         std::raise(SIGKILL);
                                     }
                                     return std::string();
                                 });
                  }),
              "processes: two ended in the same task, the second with a signal, or without memory");
    std::signal(SIGCHLD, before);
}

TEST(ProcessTeam, ASignalEndsTheCopies)
{
    const Interruption::Guard guard;
    const pid_t self = ::getpid();
    Runner runner;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(runner.Run(3,
                            {true, false, false},
                            [self](std::size_t)
                            {
                                if (::getpid() == self)
                                {
                                    std::raise(SIGTERM);
                                }
                                else
                                {
                                    std::this_thread::sleep_for(std::chrono::seconds(20));
                                }
                                return std::string();
                            }),
                 Interruption);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    Interruption::Clear();
}
