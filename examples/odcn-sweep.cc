// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/*
 * odcn-sweep: run a program for every point of a grid of options and seeds, several at once, or as
 * an array of Slurm or a list of GNU parallel; resume by skipping what is done; collect all results
 * in one SQLite file.
 *
 *   ./ns3 run "odcn-sweep --plan=plan.json --jobs=2"
 *   ./ns3 run "odcn-sweep --query='SELECT load, avg(blocking) FROM runs JOIN summary USING (run_id)
 *     GROUP BY load'"
 */

#include "odcn-sweep-database.h"
#include "odcn-sweep-plan.h"
#include "odcn-sweep-report.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

namespace
{

/// Options of this program.
struct Options
{
    std::string plan;                     //!< file of the plan
    std::string output{"odcn-sweep-out"}; //!< folder of all runs
    uint32_t jobs{0};                     //!< runs at once
    std::string write;                    //!< "slurm", "parallel" or empty
    std::string only;                     //!< id of the one run to do
    std::string query;                    //!< statement of SQL
};

/// A program that is running.
struct Child
{
    const SweepRun* run;                             //!< what it runs
    int lock;                                        //!< descriptor that locks the run
    std::string started;                             //!< time of the start, UTC
    std::chrono::steady_clock::time_point startedAt; //!< the same, to measure the duration
};

/// The runs of a plan in a folder.
class Sweep
{
  public:
    /// @param options of the program  @param report written when runs are merged
    Sweep(const Options& options, RunReport& report)
        : m_options(options),
          m_report(report),
          m_self(fs::read_symlink("/proc/self/exe")),
          m_runs(ReadSweepPlan(options.plan))
    {
        for (const auto& run : m_runs)
        {
            const fs::path program = GetProgram(run);
            if (::access(program.c_str(), X_OK) != 0 || fs::is_directory(program))
            {
                throw OdcnError(options.plan + ": program: found '" + run.program +
                                "', expected a program that is built; there is no " +
                                program.string());
            }
        }
    }

    /// Print a job script that does all missing runs.
    void WriteScript() const
    {
        std::vector<std::string> missing;
        for (const auto& run : m_runs)
        {
            if (!IsDone(run))
            {
                missing.push_back(run.id);
            }
        }
        const auto command = [&](const std::string& id)
        {
            return Quote(m_self.string()) + " --plan=" + Quote(fs::absolute(m_options.plan)) +
                   " --output=" + Quote(fs::absolute(m_options.output)) + " --only=" + id;
        };
        if (m_options.write == "parallel")
        {
            for (const auto& id : missing)
            {
                std::cout << command(id) << "\n";
            }
            return;
        }
        if (missing.empty())
        {
            throw OdcnError("all " + std::to_string(m_runs.size()) + " runs are done");
        }
        std::cout << "#!/bin/bash\n#SBATCH --job-name=odcn-sweep\n#SBATCH --ntasks=1\n"
                  << "#SBATCH --array=0-" << missing.size() - 1;
        if (m_options.jobs > 0)
        {
            std::cout << "%" << m_options.jobs;
        }
        std::cout << "\nids=(";
        for (const auto& id : missing)
        {
            std::cout << (&id == &missing.front() ? "" : " ") << id;
        }
        std::cout << ")\nexec " << command("${ids[$SLURM_ARRAY_TASK_ID]}") << "\n";
    }

    /// Do what is missing. @return exit status
    int Run()
    {
        const Interruption::Guard guard;
        std::vector<const SweepRun*> missing;
        for (const auto& run : m_runs)
        {
            if (IsDone(run))
            {
                // Left by a process that was killed after it recorded the run.
                ::unlink(GetLock(run).c_str());
            }
            else if (m_options.only.empty() || run.id == m_options.only)
            {
                missing.push_back(&run);
            }
        }
        const bool known = m_options.only.empty() ||
                           std::any_of(m_runs.begin(),
                                       m_runs.end(),
                                       [&](const auto& run) { return run.id == m_options.only; });
        if (!known)
        {
            throw OdcnError::InOption("only", m_options.only, "the id of a run of the plan");
        }
        std::error_code error;
        fs::create_directories(m_options.output, error);
        if (error)
        {
            throw OdcnError("cannot write " + m_options.output + ": " + error.message());
        }
        const std::size_t before = m_runs.size() - missing.size();
        const std::size_t jobs =
            m_options.jobs ? m_options.jobs : std::max(1U, std::thread::hardware_concurrency());
        Progress progress("sweep", missing.size(), "runs");
        auto next = missing.begin();
        std::size_t done = 0;
        try
        {
            while (next != missing.end() || !m_children.empty())
            {
                while (next != missing.end() && m_children.size() < jobs)
                {
                    Start(**next++);
                }
                done += Collect();
                progress.Update(done + m_failed.size() + m_elsewhere);
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
        catch (const Interruption& interruption)
        {
            done += Stop();
            throw Interruption(interruption.GetSignal(),
                               std::to_string(done) + " of " + std::to_string(missing.size()) +
                                   " runs finished; the same command goes on");
        }
        catch (const OdcnError&)
        {
            Terminate();
            throw;
        }
        progress.Finish(done);
        if (m_options.only.empty())
        {
            Merge();
        }
        std::cout << m_runs.size() << " runs: " << before << " were done, " << done << " done now";
        if (m_elsewhere > 0)
        {
            std::cout << ", " << m_elsewhere << " by other processes";
        }
        std::cout << "\n";
        if (!m_failed.empty())
        {
            throw OdcnError(std::to_string(m_failed.size()) + " of " +
                            std::to_string(missing.size()) +
                            " runs failed; the first: " + GetCommand(*m_failed.front()) + "; see " +
                            (GetFolder(*m_failed.front()) / "output.txt").string());
        }
        return 0;
    }

    /// @return path of the SQLite file
    static std::string GetDatabase(const Options& options)
    {
        return (fs::path(options.output) / "sweep.sqlite").string();
    }

  private:
    /// @param text any  @return the text as a word of a shell
    static std::string Quote(const std::string& text)
    {
        std::string quoted = "'";
        for (const char c : text)
        {
            quoted += c == '\'' ? "'\\''" : std::string(1, c);
        }
        return quoted + "'";
    }

    /// @param run a run  @return its folder
    fs::path GetFolder(const SweepRun& run) const
    {
        return fs::path(m_options.output) / run.id;
    }

    /// @param run a run  @return path of the file that is locked while its program runs
    std::string GetLock(const SweepRun& run) const
    {
        return GetFolder(run).string() + ".lock";
    }

    /// @param run a run  @return whether it has finished; run.json is written last
    bool IsDone(const SweepRun& run) const
    {
        return fs::exists(GetFolder(run) / "run.json");
    }

    /// @param run a run  @return path of its program
    fs::path GetProgram(const SweepRun& run) const
    {
        if (run.program.find('/') != std::string::npos)
        {
            return run.program;
        }
        // In a tree, the names of programs have ns-3's version before and the profile after them.
        std::string name = m_self.filename().string();
        const std::string own = "odcn-sweep";
        name.replace(name.find(own), own.size(), run.program);
        return m_self.parent_path() / name;
    }

    /// @param run a run  @param again whether an earlier attempt was killed
    /// @return its arguments; {run} in a value is the run's folder
    std::vector<std::string> GetArguments(const SweepRun& run, bool again) const
    {
        auto options = run.options;
        if (again)
        {
            options.insert(options.end(), run.resume.begin(), run.resume.end());
        }
        const std::string folder = GetFolder(run).string();
        std::vector<std::string> arguments{GetProgram(run).string()};
        bool hasOutput = false; // whether an option names the folder
        for (auto [name, value] : options)
        {
            for (auto at = value.find("{run}"); at != std::string::npos;
                 at = value.find("{run}", at + folder.size()))
            {
                value.replace(at, 5, folder);
                hasOutput = true;
            }
            arguments.push_back("--" + name + "=" + value);
        }
        if (!hasOutput && !run.output.empty())
        {
            arguments.push_back("--" + run.output + "=" + folder);
        }
        return arguments;
    }

    /// @param run a run  @return its command line
    std::string GetCommand(const SweepRun& run) const
    {
        std::string command = run.program;
        const auto arguments = GetArguments(run, false);
        for (std::size_t i = 1; i < arguments.size(); ++i)
        {
            command += " " + Quote(arguments[i]);
        }
        return command;
    }

    /// Start a run, unless another process has done it or is doing it. @param run the run
    void Start(const SweepRun& run)
    {
        const std::string path = GetLock(run);
        // The program inherits the lock, so that it holds also when this process is killed.
        const int lock = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (lock < 0)
        {
            throw OdcnError("cannot write " + path + ": " + std::generic_category().message(errno));
        }
        const bool locked = ::flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (!locked || IsDone(run))
        {
            if (locked)
            {
                ::unlink(path.c_str());
            }
            ::close(lock);
            ++m_elsewhere;
            return;
        }
        const fs::path folder = GetFolder(run);
        const bool again = fs::exists(folder) && !run.resume.empty();
        if (!again)
        {
            fs::remove_all(folder);
            fs::create_directory(folder);
        }
        const auto arguments = GetArguments(run, again);
        std::vector<char*> words;
        for (const auto& argument : arguments)
        {
            words.push_back(const_cast<char*>(argument.c_str()));
        }
        words.push_back(nullptr);
        const std::string said = (folder / "output.txt").string();
        const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        char text[32];
        std::strftime(text, sizeof text, "%FT%TZ", std::gmtime(&now));
        const pid_t pid = ::fork();
        if (pid == 0)
        {
            ::setpgid(0, 0);
            ::signal(SIGINT, SIG_DFL);
            ::signal(SIGTERM, SIG_DFL);
            ::dup(lock);
            const int out =
                ::open(said.c_str(), O_CREAT | O_WRONLY | (again ? O_APPEND : O_TRUNC), 0666);
            ::dup2(out, STDOUT_FILENO);
            ::dup2(out, STDERR_FILENO);
            ::execv(words[0], words.data());
            ::_exit(127);
        }
        if (pid < 0)
        {
            ::close(lock);
            throw OdcnError("cannot start " + arguments[0] + ": " +
                            std::generic_category().message(errno));
        }
        m_children[pid] = {&run, lock, text, std::chrono::steady_clock::now()};
    }

    /// Record programs that have ended. @return how many succeeded
    std::size_t Collect()
    {
        std::size_t done = 0;
        for (auto i = m_children.begin(); i != m_children.end();)
        {
            int status = 0;
            if (::waitpid(i->first, &status, WNOHANG) != i->first)
            {
                ++i;
                continue;
            }
            const Child& child = i->second;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            {
                Record(child);
                ++done;
            }
            else
            {
                m_failed.push_back(child.run);
            }
            // Before the lock is released, so that the file is not another process's.
            ::unlink(GetLock(*child.run).c_str());
            ::close(child.lock);
            i = m_children.erase(i);
        }
        return done;
    }

    /// Write what marks a run as done. @param child the run
    void Record(const Child& child) const
    {
        char host[256] = "";
        ::gethostname(host, sizeof host - 1);
        json options = json::object();
        for (const auto& [name, value] : child.run->options)
        {
            options[name] = value;
        }
        const std::chrono::duration<double> seconds =
            std::chrono::steady_clock::now() - child.startedAt;
        const json record{{"run", child.run->id},
                          {"program", child.run->program},
                          {"options", options},
                          {"command", GetCommand(*child.run)},
                          {"host", host},
                          {"started", child.started},
                          {"seconds", seconds.count()}};
        AtomicFile file((GetFolder(*child.run) / "run.json").string());
        file.Stream() << record.dump(1) << "\n";
        file.Commit();
    }

    /// Send SIGTERM to all programs.
    void Terminate() const
    {
        for (const auto& [pid, child] : m_children)
        {
            ::kill(-pid, SIGTERM);
        }
    }

    /// End all programs as a signal to them would, and wait for them. @return how many succeeded
    std::size_t Stop()
    {
        std::size_t done = 0;
        Terminate();
        while (!m_children.empty())
        {
            done += Collect();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return done;
    }

    /// Write the SQLite file of all runs of the plan that are done, and the report.
    void Merge() const
    {
        std::vector<SweepRecord> records;
        for (const auto& run : m_runs)
        {
            if (!IsDone(run))
            {
                continue;
            }
            const std::string path = (GetFolder(run) / "run.json").string();
            std::ifstream stream(path);
            const json root = json::parse(stream, nullptr, false);
            SweepRecord record;
            record.id = run.id;
            record.folder = GetFolder(run).string();
            record.program = run.program;
            record.command = GetCommand(run);
            if (root.is_discarded() || !root.contains("host") || !root.contains("started") ||
                !root.contains("seconds"))
            {
                throw OdcnError(path + ": expected what odcn-sweep writes");
            }
            record.host = root["host"].get<std::string>();
            record.started = root["started"].get<std::string>();
            record.seconds = root["seconds"].dump();
            record.options = run.options;
            records.push_back(std::move(record));
        }
        WriteSweepDatabase(GetDatabase(m_options), records);
        std::cout << GetDatabase(m_options) << "\n";
        if (m_report.IsWanted())
        {
            AddSweepMeans(m_report, GetDatabase(m_options));
            OutputFiles files(m_options.output);
            files.Written("sweep.sqlite", "the runs and all that they wrote");
            m_report.Write(files);
        }
    }

    const Options& m_options;              //!< options of the program
    RunReport& m_report;                   //!< the report
    fs::path m_self;                       //!< path of this program
    std::vector<SweepRun> m_runs;          //!< all runs of the plan
    std::map<pid_t, Child> m_children;     //!< programs that are running
    std::vector<const SweepRun*> m_failed; //!< runs that ended with an error
    std::size_t m_elsewhere{0};            //!< runs that other processes have done or are doing
};

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    OdcnCommandLine cmd(argc, argv, "Runs of a program over a grid of options and seeds.");
    cmd.AddValue("plan", "JSON file: program, options, grid, seeds, resume", options.plan);
    cmd.AddValue("output", "folder of all runs and of sweep.sqlite", options.output);
    cmd.AddValue("jobs", "runs at once; 0 for one per core", options.jobs);
    cmd.AddWord("write",
                "print a job script for the missing runs instead: slurm, parallel",
                options.write,
                {"slurm", "parallel"});
    cmd.AddValue("only", "do only the run of this id, as job scripts do", options.only);
    cmd.AddValue("query", "print the result of this SQL statement as CSV instead", options.query);
    RunReport report;
    report.AddOptions(cmd);
    cmd.Restrict({"plan", "jobs", "write", "only"}, {"!query"});
    cmd.Restrict({"only"}, {"!write"});
    cmd.Parse();
    if (!options.query.empty())
    {
        QuerySweepDatabase(Sweep::GetDatabase(options), options.query, std::cout);
        return 0;
    }
    OdcnCommandLine::Check(!options.plan.empty(), "plan", options.plan, "a JSON file");
    Sweep sweep(options, report);
    if (!options.write.empty())
    {
        sweep.WriteScript();
        return 0;
    }
    return sweep.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
