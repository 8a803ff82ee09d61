// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-folder-test.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-file-lock.h"
#include "ns3/odcn-interruption.h"

#include <csignal>
#include <sys/resource.h>

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

TEST_F(AtomicFileTest, TellsOfAnotherError)
{
    AtomicFile file(In("out"));
    file.Stream() << "text";
    file.Stream().setstate(std::ios::badbit);
    EXPECT_THROW(file.Commit(), OdcnError);
    EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(AtomicFileTest, RemovesTemporariesOfTheDeadOnly)
{
    for (const char* name :
         {"out.tmp-1-1", "out.tmp-22-3", "out.tmp-a-1", "outer.tmp-1-1", "other"})
    {
        std::ofstream(In(name)) << "half";
    }
    AtomicFile file(In("out"));
    file.Stream() << "text";
    AtomicFile::RemoveTemporaries(In("out"));
    EXPECT_FALSE(fs::exists(In("out.tmp-1-1")));
    EXPECT_FALSE(fs::exists(In("out.tmp-22-3")));
    EXPECT_TRUE(fs::exists(In("out.tmp-a-1")));
    EXPECT_TRUE(fs::exists(In("outer.tmp-1-1")));
    AtomicFile::RemoveTemporaries(m_folder.string());
    EXPECT_FALSE(fs::exists(In("outer.tmp-1-1")));
    EXPECT_TRUE(fs::exists(In("other")));
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

TEST(Interruption, IsRecordedWhileThereIsAGuard)
{
    Interruption::Check();
    {
        const Interruption::Guard guard;
        {
            const Interruption::Guard inner;
        }
        std::raise(SIGTERM);
        try
        {
            Interruption::Check();
            FAIL() << "the signal was lost";
        }
        catch (const Interruption& stop)
        {
            EXPECT_EQ(stop.GetStatus(), 143);
            EXPECT_STREQ(stop.what(), "interrupted by SIGTERM");
        }
    }
    EXPECT_THROW(Interruption::Check(), Interruption) << "it stays recorded";
    Interruption::Clear();
    Interruption::Check();
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
