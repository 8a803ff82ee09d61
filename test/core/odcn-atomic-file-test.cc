// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-folder-test.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-file-lock.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-output-files.h"

#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ns3::odcn;
namespace fs = std::filesystem;

namespace
{

/// Files in a temporary folder.
class AtomicFileTest : public FolderTest
{
  protected:
    std::size_t CountFiles() const
    {
        return std::distance(fs::directory_iterator(m_folder), fs::directory_iterator());
    }
};

TEST_F(AtomicFileTest, AppearsOnlyOnCommit)
{
    const std::string bytes("a\r\n\0b", 5);
    AtomicFile file(In("out"));
    file.Stream() << bytes;
    file.Stream().flush();
    EXPECT_FALSE(fs::exists(In("out")));
    file.Commit();
    EXPECT_EQ(Read("out"), bytes);
    EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(AtomicFileTest, UncommittedLeavesEarlierFile)
{
    std::ofstream(In("out")) << "earlier";
    {
        AtomicFile file(In("out"));
        file.Stream() << "later";
    }
    EXPECT_EQ(Read("out"), "earlier");
    EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(AtomicFileTest, TwoWritersDoNotMix)
{
    AtomicFile first(In("out"));
    AtomicFile second(In("out"));
    first.Stream() << "first";
    second.Stream() << "second";
    second.Commit();
    first.Commit();
    EXPECT_EQ(Read("out"), "first");
    EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(AtomicFileTest, FollowsLinkAndKeepsPermissions)
{
    std::ofstream(In("target")) << "earlier";
    fs::permissions(In("target"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("target", In("link"));
    AtomicFile file(In("link"));
    file.Stream() << "later";
    file.Commit();
    EXPECT_TRUE(fs::is_symlink(In("link")));
    EXPECT_EQ(Read("target"), "later");
    EXPECT_EQ(fs::status(In("target")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten)
{
    EXPECT_THROW(AtomicFile(""), OdcnError);
    EXPECT_THROW(AtomicFile(In("")), OdcnError);
    const std::string error = GetRefusal([&] { AtomicFile file(In("no-such-folder/out")); });
    EXPECT_EQ(error, In("no-such-folder/out") + ": cannot be written: No such file or directory");
}

TEST_F(AtomicFileTest, TellsOfAFullDisk)
{
    if (!fs::exists("/dev/full"))
    {
        GTEST_SKIP() << "no /dev/full on this system";
    }
    // A small text stays in the buffer until Commit(); a large one fails earlier.
    for (std::size_t size : {10, 1000000})
    {
        AtomicFile file("/dev/full");
        file.Stream() << std::string(size, 'x');
        const std::string error = GetRefusal([&] { file.Commit(); });
        EXPECT_EQ(error, "/dev/full: cannot be written: No space left on device");
    }
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, OpensItsTemporaryFileOnce)
{
    // Another file could take its place before it is opened by name again.
    AtomicFile file(In("out"));
    std::size_t descriptors = 0;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
    {
        std::error_code gone; // that of the iterator
        const std::string name = fs::read_symlink(entry.path(), gone).string();
        descriptors += name.rfind(fs::canonical(m_folder).string(), 0) == 0;
    }
    EXPECT_EQ(descriptors, 1U);
}

TEST_F(AtomicFileTest, WritesIntoAPipeThatIsRead)
{
    ASSERT_EQ(::mkfifo(In("pipe").c_str(), 0600), 0);
    EXPECT_EQ(GetRefusal([&] { AtomicFile file(In("pipe")); }),
              In("pipe") + ": cannot be written: a pipe that no process reads");
    const int reader = ::open(In("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    // The name of a pipe in /proc is a link to no file.
    for (const auto& path : {In("pipe"), "/proc/self/fd/" + std::to_string(reader)})
    {
        AtomicFile file(path);
        file.Stream() << "text";
        file.Commit();
        std::string read(10, ' ');
        read.resize(std::max<ssize_t>(0, ::read(reader, read.data(), read.size())));
        EXPECT_EQ(read, "text") << path;
    }
    ::close(reader);
}

TEST_F(AtomicFileTest, TellsOfAnotherError)
{
    AtomicFile file(In("out"));
    file.Stream() << "text";
    file.Stream().setstate(std::ios::badbit);
    EXPECT_THROW(file.Commit(), OdcnError);
    EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(AtomicFileTest, WritesNamesOfAllLengths)
{
    for (const std::size_t length : {200, 215, 216, 239, 240, 255})
    {
        const std::string name(length, 'n');
        AtomicFile file(In(name));
        AtomicFile other(In(name.substr(1) + "m"));
        file.Stream() << length;
        other.Stream() << "other";
        file.Commit();
        other.Commit();
        EXPECT_EQ(Read(name), std::to_string(length));
        std::ofstream(AtomicFile::GetTemporary(In(name)) + "-1-1") << "half";
        const std::size_t before = CountFiles();
        AtomicFile::RemoveTemporaries(In(name));
        EXPECT_EQ(CountFiles(), before - 1) << length;
    }
    EXPECT_THROW(AtomicFile(In(std::string(256, 'n'))), OdcnError);
}

TEST_F(AtomicFileTest, RemovesTemporariesOfTheDeadOnly)
{
    const std::vector<std::string> users{"other", "out.tmp-1-1", ".out.part", ".odcn-parts"};
    const std::vector<std::string> others{".odcn-part-out-a-1", ".odcn-part-outer-1-1"};
    for (const auto& names :
         {users, others, {".odcn-part-out-1-1", ".odcn-part-out-22-3", ".odcn-part-out-1-1-1"}})
    {
        for (const auto& name : names)
        {
            std::ofstream(In(name)) << "half";
        }
    }
    AtomicFile file(In("out"));
    file.Stream() << "text";
    AtomicFile::RemoveTemporaries(In("out"));
    EXPECT_FALSE(fs::exists(In(".odcn-part-out-1-1")));
    EXPECT_FALSE(fs::exists(In(".odcn-part-out-22-3")));
    EXPECT_TRUE(fs::exists(In(".odcn-part-out-1-1-1"))) << "of out-1";
    for (const auto& name : others)
    {
        EXPECT_TRUE(fs::exists(In(name))) << name;
    }
    AtomicFile::RemoveTemporaries(m_folder.string());
    for (const auto& name : others)
    {
        EXPECT_FALSE(fs::exists(In(name))) << name;
    }
    for (const auto& name : users)
    {
        EXPECT_TRUE(fs::exists(In(name))) << "a file of the user: " << name;
    }
    file.Commit();
    EXPECT_EQ(Read("out"), "text") << "it was being written";
}

TEST_F(AtomicFileTest, TellsOfALimitOnSize)
{
    const Interruption::Guard guard; // otherwise SIGXFSZ ends the process
    std::ofstream(In("out")) << "earlier";
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string what = GetRefusal(
        [&]
        {
            AtomicFile file(In("out"));
            file.Stream() << std::string(1001, 'x');
            file.Commit();
        });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(what, In("out") + ": cannot be written: File too large");
    EXPECT_EQ(Read("out"), "earlier");
    EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(AtomicFileTest, FileLockExcludesOthers)
{
    std::ofstream(In(".lock")) << "of a killed process";
    {
        const FileLock lock(In(".lock"), "the folder");
        const std::string error =
            GetRefusal([&] { const FileLock second(In(".lock"), "the folder"); });
        EXPECT_EQ(error, "the folder: another process is writing it");
    }
    EXPECT_EQ(CountFiles(), 0u);
    const FileLock again(In(".lock"), "the folder");
    EXPECT_THROW(FileLock(In("nowhere/.lock"), "the folder"), OdcnError);
}

/// Files of runs into one folder.
class OutputFilesTest : public AtomicFileTest
{
  protected:
    OutputFilesTest()
    {
        OutputFiles::SetCommand("", "");
    }

    ~OutputFilesTest() override
    {
        OutputFiles::SetCommand("", "");
    }

    /// @param names files to write
    /// @param text their content
    /// @return what is said of earlier ones
    std::string RunOnce(const std::vector<std::string>& names, const std::string& text) const
    {
        OutputFiles files(m_folder.string());
        for (const auto& name : names)
        {
            AtomicFile file(files.Path(name));
            file.Stream() << text;
            files.Commit(file, "text");
        }
        std::ostringstream said;
        files.RemoveEarlier(said);
        return said.str();
    }
};

TEST_F(OutputFilesTest, RemovesWhatAnEarlierRunWrote)
{
    std::ofstream(In("of-the-user")) << "1";
    EXPECT_EQ(RunOnce({"a", "b", "c", "d"}, "1"), "");
    EXPECT_EQ(RunOnce({"d", "c", "b", "a"}, "1"), "") << "the same files";
    fs::remove(In("d"));
    std::ofstream(In("c"), std::ios::app) << "2";
    const std::string folder = m_folder.string();
    EXPECT_EQ(RunOnce({"a", "e"}, "3"),
              "Removed from " + folder + ", of an earlier run: b\n" + "Kept in " + folder +
                  ", of an earlier run, changed since: c\n");
    EXPECT_EQ(Read("a") + Read("c") + Read("e") + Read("of-the-user"), "31231");
    EXPECT_EQ(CountFiles(), 5u) << "with the manifest";
    EXPECT_EQ(Read(".odcn-manifest"), "6dd28e9b  a\n6dd28e9b  e\n") << "CRC-32 as of zip files";
    EXPECT_EQ(RunOnce({"a"}, "1"), "Removed from " + folder + ", of an earlier run: e\n")
        << "c is the user's now";
}

TEST_F(OutputFilesTest, RemovesNothingBeforeTheEnd)
{
    RunOnce({"a", "b"}, "1");
    {
        OutputFiles files(m_folder.string());
        AtomicFile file(files.Path("c"));
        files.Commit(file, "text");
        OutputFiles partial(In("interrupted"));
        AtomicFile part(partial.Path("a"));
        partial.Commit(part, "text");
        // And then it is interrupted.
    }
    EXPECT_EQ(Read("a") + Read("b"), "11");
    const std::string folder = m_folder.string();
    EXPECT_EQ(RunOnce({"a"}, "1"),
              "Removed from " + folder + ", of an earlier run: b c\n" + "Removed from " + folder +
                  "/interrupted, of an earlier run: a\n");
    EXPECT_EQ(CountFiles(), 2u);
}

TEST_F(OutputFilesTest, ResultsOfAnotherProgramStay)
{
    OutputFiles::SetCommand("first", "./ns3 run first");
    RunOnce({"a", "b"}, "1");
    EXPECT_EQ(Read(".odcn-manifest").substr(0, 16), "program   first\n");
    OutputFiles::SetCommand("second", "./ns3 run second");
    const std::string folder = m_folder.string();
    const std::string refused =
        "--output: found '" + folder + "', expected another folder: this one holds a of first";
    EXPECT_EQ(GetRefusal([&] { RunOnce({"c"}, "1"); }), refused);
    EXPECT_EQ(Read("a") + Read("b"), "11");
    EXPECT_FALSE(fs::exists(In(".lock")));
    {
        // A run that only adds files, which does not make it its own.
        OutputFiles files(folder, OutputFiles::Earlier::KEEP);
        AtomicFile file(files.Path("d"));
        files.Commit(file, "text");
    }
    EXPECT_EQ(GetRefusal([&] { RunOnce({"c"}, "1"); }), refused);
    for (const char* name : {"a", "b", "d"})
    {
        fs::remove(In(name));
    }
    EXPECT_EQ(RunOnce({"c"}, "1"), "") << "nothing of the other program is left";
    OutputFiles::SetCommand("first", "./ns3 run first");
    EXPECT_EQ(GetRefusal([&] { RunOnce({"a"}, "1"); }),
              "--output: found '" + folder +
                  "', expected another folder: this one holds c of second");
    OutputFiles::SetCommand("", "");
    EXPECT_EQ(RunOnce({"a"}, "1"), "Removed from " + folder + ", of an earlier run: c\n")
        << "a program without a name";
}

TEST_F(OutputFilesTest, ARunThatEndsSaysItsCommand)
{
    std::ostringstream said;
    OutputFiles::SetCommand("first", "./ns3 run first -- --load=2");
    {
        OutputFiles files(m_folder.string());
        files.Finish(said);
    }
    EXPECT_EQ(Read("provenance.txt"), "command: ./ns3 run first -- --load=2\n");
    {
        OutputFiles files(m_folder.string());
        files.WriteProvenance("measured: twice\n", "all of it");
        files.Finish(said);
    }
    EXPECT_EQ(Read("provenance.txt"), "command: ./ns3 run first -- --load=2\nmeasured: twice\n");
    EXPECT_NE(said.str().find("provenance.txt  the command as typed\n"), std::string::npos);
    EXPECT_NE(said.str().find("provenance.txt  all of it\n"), std::string::npos);
}

TEST_F(OutputFilesTest, APipeForTheManifestIsRefused)
{
    ASSERT_EQ(::mkfifo(In(".odcn-manifest").c_str(), 0600), 0);
    EXPECT_EQ(GetRefusal([&] { RunOnce({"a"}, "1"); }),
              In(".odcn-manifest") + ": cannot be read: it is a pipe, and a file is read several "
                                     "times");
}

TEST_F(OutputFilesTest, NumbersDoNotDependOnTheLocale)
{
    const OtherLocale other;
    AtomicFile file(In("out"));
    file.Stream() << 1234567 << " " << 0.5;
    file.Commit();
    EXPECT_EQ(Read("out"), "1234567 0.5");
}

TEST_F(OutputFilesTest, NeverTouchesAnotherFolder)
{
    fs::create_directory(In("x"));
    std::ofstream(In("x/of-the-user")) << "3";
    std::ofstream(In("of-the-user")) << "3";
    fs::create_symlink("of-the-user", In("link"));
    const std::string user = In("x/of-the-user");
    std::ofstream(In(".odcn-manifest")) << "6dd28e9b  x/of-the-user\n6dd28e9b  " << user
                                        << "\n6dd28e9b  ..\n\nabc\n6dd28e9b  link\n6dd28e9b  ";
    EXPECT_EQ(RunOnce({"a"}, "1"), "");
    EXPECT_EQ(Read("x/of-the-user") + Read("of-the-user") + Read("link"), "333");
}

TEST(Interruption, IsRecordedWhileThereIsAGuard)
{
    Interruption::Check();
    for (const auto& [signal, name] : {std::pair(SIGINT, "SIGINT"),
                                       {SIGTERM, "SIGTERM"},
                                       {SIGHUP, "SIGHUP"},
                                       {SIGXCPU, "SIGXCPU"},
                                       {SIGUSR1, "SIGUSR1"},
                                       {SIGUSR2, "SIGUSR2"},
                                       {SIGALRM, "SIGALRM"},
                                       {SIGVTALRM, "SIGVTALRM"}})
    {
        const auto before = std::signal(signal, SIG_DFL); // it may be ignored here
        {
            const Interruption::Guard guard;
            {
                const Interruption::Guard inner;
            }
            std::raise(signal);
            std::raise(SIGXCPU); // again, before the hard limit
            try
            {
                Interruption::Check();
                FAIL() << "the signal was lost";
            }
            catch (const Interruption& stop)
            {
                EXPECT_EQ(stop.GetStatus(), 128 + signal);
                EXPECT_EQ(stop.what(), std::string("interrupted by ") + name);
            }
        }
        std::signal(signal, before);
        EXPECT_THROW(Interruption::Check(), Interruption) << "it stays recorded";
        Interruption::Clear();
        Interruption::Check();
    }
    const auto before = std::signal(SIGHUP, SIG_IGN); // as nohup
    {
        const Interruption::Guard guard;
        std::raise(SIGPIPE); // a write to nobody fails instead
        std::raise(SIGHUP);
        Interruption::Check();
    }
    std::signal(SIGHUP, before);
    EXPECT_EQ(Interruption(SIGINT, "and so on").GetStatus(), 130);
}

TEST(InterruptionDeathTest, ASecondSignalEndsTheProcess)
{
    // What a shell starts in the background ignores it.
    std::signal(SIGINT, SIG_DFL);
    EXPECT_EXIT(
        {
            const Interruption::Guard guard;
            std::raise(SIGINT);
            std::raise(SIGTERM);
        },
        testing::KilledBySignal(SIGTERM),
        "");
    EXPECT_EXIT(
        {
            {
                const Interruption::Guard guard;
            }
            std::raise(SIGINT);
        },
        testing::KilledBySignal(SIGINT),
        "")
        << "without a guard";
}

} // namespace
