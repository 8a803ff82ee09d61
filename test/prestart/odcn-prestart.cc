// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * For test/odcn-program-kit.sh, loaded with LD_PRELOAD: the program stops before main() and, for
 * each request on standard input, a copy of the process (fork) runs main() with the arguments of
 * the request. Loading LibTorch takes half a second of CPU time, more than most of these runs: with
 * ODCN_PRESTART_TORCH in the environment it is loaded before the first one, but not odcn-agent.
 *
 * A request is text with a NUL after each part: the number of arguments, the paths of standard
 * input, output and error, the working directory, the limit of the running time in seconds (0:
 * none), and the arguments. The answer on standard output is a line with the exit status: 128 and
 * the signal where one ended the copy.
 */

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{

using Main = int (*)(int, char**, char**);
using Hook = void (*)();
using Start = int (*)(Main, int, char**, Hook, Hook, Hook, void*);

/// A request.
struct Request
{
    std::string streams[3];             //!< paths of standard input, output and error
    std::string folder;                 //!< working directory
    unsigned int limit{0};              //!< in seconds; 0 for none
    std::vector<std::string> arguments; //!< after the name of the program

    /// @param stream of requests
    /// @return whether there was one
    bool Read(FILE* stream)
    {
        std::string count;
        std::string seconds;
        if (!ReadPart(stream, count) || !ReadPart(stream, streams[0]) ||
            !ReadPart(stream, streams[1]) || !ReadPart(stream, streams[2]) ||
            !ReadPart(stream, folder) || !ReadPart(stream, seconds))
        {
            return false;
        }
        limit = std::stoul(seconds);
        arguments.resize(std::stoul(count));
        for (auto& argument : arguments)
        {
            if (!ReadPart(stream, argument))
            {
                return false;
            }
        }
        return true;
    }

  private:
    /// @param stream of requests
    /// @param [out] part up to the next NUL
    /// @return whether there was
    /// one
    static bool ReadPart(FILE* stream, std::string& part)
    {
        part.clear();
        int c = std::fgetc(stream);
        for (; c != EOF && c != 0; c = std::fgetc(stream))
        {
            part.push_back(static_cast<char>(c));
        }
        return c == 0;
    }
};

/// @param request whose streams become those of this process
/// @return whether they could be opened
bool
OpenStreams(const Request& request)
{
    for (const int number : {0, 1, 2})
    {
        const int opened =
            open(request.streams[number].c_str(), number == 0 ? O_RDONLY : O_WRONLY | O_APPEND);
        if (opened < 0 || dup2(opened, number) < 0)
        {
            return false;
        }
        close(opened);
    }
    return true;
}

} // namespace

extern "C" int
__libc_start_main(Main main, int, char** argv, Hook init, Hook fini, Hook unload, void* stack)
{
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    unsetenv("LD_PRELOAD");
    if (getenv("ODCN_PRESTART_TORCH"))
    {
        dlopen(ODCN_TORCH, RTLD_LAZY | RTLD_GLOBAL);
    }
    // Streams of their own: the copies begin with fresh buffers.
    FILE* requests = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 3), "r");
    FILE* answers = fdopen(fcntl(1, F_DUPFD_CLOEXEC, 3), "w");
    for (Request request; requests && answers && request.Read(requests);)
    {
        const pid_t copy = fork();
        if (copy == 0)
        {
            fclose(requests);
            fclose(answers);
            // The shell lets background processes ignore these.
            std::signal(SIGINT, SIG_DFL);
            std::signal(SIGQUIT, SIG_DFL);
            if (chdir(request.folder.c_str()) != 0 || !OpenStreams(request))
            {
                _exit(126);
            }
            alarm(request.limit);
            std::vector<char*> arguments{argv[0]};
            for (auto& argument : request.arguments)
            {
                arguments.push_back(argument.data());
            }
            const auto count = static_cast<int>(arguments.size());
            arguments.push_back(nullptr);
            for (char** variable = environ; *variable; ++variable)
            {
                arguments.push_back(*variable);
            }
            arguments.push_back(nullptr);
            return start(main, count, arguments.data(), init, fini, unload, stack);
        }
        int status = 0;
        if (copy < 0 || waitpid(copy, &status, 0) != copy)
        {
            break;
        }
        std::fprintf(answers,
                     "%d\n",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        std::fflush(answers);
    }
    _exit(0);
}
