// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-process-team.h"

#include "odcn-error.h"
#include "odcn-interruption.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::odcn
{

namespace
{

/// Whether this process is a copy.
bool g_isCopy = false;

/// Set in the size of a result that is the text of an error.
constexpr uint64_t ERROR_BIT = uint64_t{1} << 63;

/// Time between two looks at the copies.
constexpr auto PAUSE = std::chrono::milliseconds(20);

/// Write all bytes.
/// @param file descriptor
/// @param data bytes
/// @param size number of them
/// @return whether it succeeded
bool
WriteAll(int file, const void* data, std::size_t size)
{
    const auto* next = static_cast<const char*>(data);
    while (size > 0)
    {
        const auto written = ::write(file, next, size);
        if (written < 0 && errno == EINTR)
        {
            continue;
        }
        if (written <= 0)
        {
            return false;
        }
        next += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

/// @return descriptor of a new file without a name, which needs no folder for temporary files
int
OpenResults()
{
#ifdef __linux__
    const int file = ::memfd_create("odcn-results", MFD_CLOEXEC);
#else
    std::string path = (std::filesystem::temp_directory_path() / "odcn-results-XXXXXX").string();
    const int file = ::mkstemp(path.data());
    ::unlink(path.c_str());
#endif
    if (file < 0)
    {
        throw OdcnError(std::string("processes: no file for results: ") + std::strerror(errno));
    }
    return file;
}

} // namespace

/// A copy. Its results are in a file without a name.
struct ProcessTeam::Member
{
    int results{-1};   //!< descriptor of records of task, size and bytes
    uint64_t taken{0}; //!< bytes of the file that were taken
    pid_t process{0};  //!< 0 once it has ended
};

/// Memory that all processes see: the next task, and what each process has done.
struct ProcessTeam::Shared
{
    /// Numbers of a process.
    struct Numbers
    {
        std::atomic<uint64_t> units{0};      //!< units done
        std::atomic<uint64_t> before{0};     //!< units of whole tasks
        std::atomic<uint64_t> written{0};    //!< bytes of whole results
        std::atomic<uint64_t> task{NO_TASK}; //!< the present one
        std::atomic<bool> done{false};       //!< whether it has no more to do
        std::atomic<int> error{0};           //!< why it could not write a result; 0 for none
    };

    static_assert(std::atomic<uint64_t>::is_always_lock_free &&
                      std::atomic<bool>::is_always_lock_free,
                  "processes share them");

    /// @param processes number of processes
    explicit Shared(std::size_t processes)
        : size(sizeof(std::atomic<uint64_t>) + processes * sizeof(Numbers))
    {
        memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
        {
            throw OdcnError(std::string("processes: no shared memory: ") + std::strerror(errno));
        }
        next = new (memory) std::atomic<uint64_t>(0);
        numbers = new (next + 1) Numbers[processes];
    }

    ~Shared()
    {
        ::munmap(memory, size);
    }

    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    std::size_t size;            //!< of the memory, bytes
    void* memory;                //!< the memory
    std::atomic<uint64_t>* next; //!< index of the next task that any process may run
    Numbers* numbers;            //!< one for each process
};

ProcessTeam::ProcessTeam(uint32_t processes)
    : m_processes(g_isCopy    ? 1
                  : processes ? processes
                              : std::max(1U, std::thread::hardware_concurrency()))
{
}

ProcessTeam::~ProcessTeam()
{
    for (auto& member : m_members)
    {
        if (member.process && ::waitpid(member.process, nullptr, WNOHANG) == 0)
        {
            ::kill(member.process, SIGKILL);
            ::waitpid(member.process, nullptr, 0);
        }
        ::close(member.results);
    }
}

void
ProcessTeam::Run(const Work& work)
{
    std::vector<std::size_t> own;
    for (std::size_t task = 0; task < work.here.size(); ++task)
    {
        (work.here[task] ? own : m_any).push_back(task);
    }
    if (!work.turns.empty())
    {
        std::stable_sort(m_any.begin(),
                         m_any.end(),
                         [&](std::size_t a, std::size_t b)
                         { return work.turns[a] < work.turns[b]; });
    }
    // This process has its own tasks, or takes one of those that any may run.
    const std::size_t copies =
        std::min<std::size_t>(m_processes - 1,
                              m_any.size() - (own.empty() && !m_any.empty() ? 1 : 0));
    m_shared = std::make_unique<Shared>(copies + 1);
    m_work = &work;
    m_taken.resize(work.here.size());
    std::cout.flush();
    std::fflush(stdout);
    for (std::size_t i = 0; i < copies; ++i)
    {
        Start(i, NO_TASK);
    }
    if (copies == 0)
    {
        // In the order of the tasks.
        for (std::size_t task = 0; task < work.here.size(); ++task)
        {
            RunHere(task);
        }
        return;
    }
    for (const std::size_t task : own)
    {
        RunHere(task);
    }
    for (std::size_t task = TakeNext(); task != NO_TASK; task = TakeNext())
    {
        RunHere(task);
    }
    const auto running = [](const Member& member) { return member.process != 0; };
    while (std::any_of(m_members.begin(), m_members.end(), running))
    {
        Reap();
        Collect();
        work.progress(CountUnits());
        std::this_thread::sleep_for(PAUSE);
    }
    Collect();
    // A copy may have been killed between taking a task and saying which.
    for (std::size_t task = 0; task < m_taken.size(); ++task)
    {
        if (!m_taken[task])
        {
            RunHere(task);
        }
    }
}

std::size_t
ProcessTeam::TakeNext()
{
    const uint64_t i = m_shared->next->fetch_add(1);
    return i < m_any.size() ? m_any[i] : NO_TASK;
}

void
ProcessTeam::RunHere(std::size_t task)
{
    const auto result = m_work->run(task);
    m_before += m_units;
    m_units = 0;
    m_taken[task] = true;
    m_work->take(task, result);
    Collect();
    Reap();
}

void
ProcessTeam::Start(std::size_t index, std::size_t first)
{
    Member member;
    member.results = OpenResults();
    const pid_t parent = ::getpid();
    member.process = ::fork();
    if (member.process < 0)
    {
        const int cause = errno;
        ::close(member.results);
        throw OdcnError(std::string("processes: fork: ") + std::strerror(cause));
    }
    if (member.process == 0)
    {
        g_isCopy = true;
        m_self = index + 1;
        m_before = m_shared->numbers[m_self].before;
        m_units = 0;
#ifdef __linux__
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        int status = EXIT_FAILURE;
        if (::getppid() == parent)
        {
            status = Serve(member.results, first);
        }
        std::cout.flush();
        std::fflush(stdout);
        ::_exit(status); // nothing of this process's own is to be undone twice
    }
    if (index == m_members.size())
    {
        m_members.push_back(member);
        return;
    }
    ::close(m_members[index].results);
    m_members[index] = member;
}

int
ProcessTeam::Serve(int results, std::size_t first)
{
    Shared::Numbers& own = m_shared->numbers[m_self];
    for (std::size_t task = first == NO_TASK ? TakeNext() : first; task != NO_TASK;
         task = TakeNext())
    {
        own.task = task;
        std::string result;
        uint64_t flag = 0;
        try
        {
            result = m_work->run(task);
        }
        catch (const Interruption& stop)
        {
            return stop.GetStatus();
        }
        catch (const std::exception& error)
        {
            result = error.what();
            flag = ERROR_BIT;
        }
        m_before += m_units;
        m_units = 0;
        const uint64_t head[] = {task, result.size() | flag};
        if (!WriteAll(results, head, sizeof(head)) ||
            !WriteAll(results, result.data(), result.size()))
        {
            own.error = errno;
            return EXIT_FAILURE;
        }
        own.before = m_before;
        own.written += sizeof(head) + result.size();
        own.task = NO_TASK;
        if (flag)
        {
            break;
        }
    }
    own.done = true;
    return EXIT_SUCCESS;
}

void
ProcessTeam::Collect()
{
    for (std::size_t i = 0; i < m_members.size(); ++i)
    {
        Member& member = m_members[i];
        const uint64_t written = m_shared->numbers[i + 1].written;
        while (member.taken < written)
        {
            const auto read = [&](void* data, std::size_t size)
            {
                const auto got =
                    ::pread(member.results, data, size, static_cast<off_t>(member.taken));
                if (got != static_cast<ssize_t>(size))
                {
                    throw OdcnError("processes: a result cannot be read");
                }
                member.taken += size;
            };
            uint64_t head[2];
            read(head, sizeof(head));
            std::string result(head[1] & ~ERROR_BIT, '\0');
            read(result.data(), result.size());
            if (head[1] & ERROR_BIT)
            {
                throw OdcnError(result);
            }
            m_taken[head[0]] = true;
            m_work->take(head[0], result);
        }
    }
}

void
ProcessTeam::Reap()
{
    for (std::size_t i = 0; i < m_members.size(); ++i)
    {
        Member& member = m_members[i];
        int status = 0;
        const pid_t ended = member.process ? ::waitpid(member.process, &status, WNOHANG) : 0;
        if (ended == 0 || (ended < 0 && errno == EINTR))
        {
            continue;
        }
        // Where SIGCHLD is ignored there is no status of a process that has ended.
        const bool known = ended == member.process;
        member.process = 0;
        Shared::Numbers& own = m_shared->numbers[i + 1];
        if (own.done)
        {
            continue;
        }
        Interruption::Check(); // a signal to all processes
        if (own.error != 0)
        {
            throw OdcnError("processes: a result cannot be written: " +
                            std::generic_category().message(own.error));
        }
        Collect();
        const std::size_t task = own.task;
        const bool lost = task != NO_TASK && !m_taken[task];
        if (lost && !m_repeated.insert(task).second)
        {
            throw OdcnError("processes: two ended in the same task, the second with " +
                            (!known ? "a signal, or without memory"
                             : WIFSIGNALED(status)
                                 ? "signal " + std::to_string(WTERMSIG(status))
                                 : "status " + std::to_string(WEXITSTATUS(status))));
        }
        own.task = NO_TASK;
        own.written = 0;
        own.units = own.before.load();
        Start(i, lost ? task : NO_TASK);
    }
}

uint64_t
ProcessTeam::CountUnits() const
{
    uint64_t units = 0;
    for (std::size_t i = 0; i <= m_members.size(); ++i)
    {
        units += m_shared->numbers[i].units.load(std::memory_order_relaxed);
    }
    return units;
}

void
ProcessTeam::SetUnits(uint64_t units)
{
    m_units = units;
    m_shared->numbers[m_self].units.store(m_before + units, std::memory_order_relaxed);
}

void
ProcessTeam::Report(uint64_t units)
{
    SetUnits(units);
    if (m_self == 0)
    {
        m_work->progress(CountUnits());
    }
}

} // namespace ns3::odcn
