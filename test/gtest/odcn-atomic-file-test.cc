// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

using namespace ns3::odcn;
namespace fs = std::filesystem;

namespace
{

/// A temporary folder of each test.
class AtomicFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_folder = fs::path(testing::TempDir()) /
                   ("odcn-atomic-" + std::to_string(::getpid()) + "-" +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(m_folder);
    }

    void TearDown() override
    {
        fs::remove_all(m_folder);
    }

    std::string In(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    static std::string Content(const std::string& path)
    {
        std::ifstream in(path, std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }

    std::size_t CountFiles() const
    {
        return std::distance(fs::directory_iterator(m_folder), fs::directory_iterator());
    }

    fs::path m_folder;
};

TEST_F(AtomicFileTest, AppearsOnlyOnCommit)
{
    const std::string bytes("a\r\n\0b", 5);
    AtomicFile file(In("out"));
    file.Stream() << bytes;
    file.Stream().flush();
    EXPECT_FALSE(fs::exists(In("out")));
    file.Commit();
    EXPECT_EQ(Content(In("out")), bytes);
    EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(AtomicFileTest, UncommittedLeavesEarlierFile)
{
    std::ofstream(In("out")) << "earlier";
    {
        AtomicFile file(In("out"));
        file.Stream() << "later";
    }
    EXPECT_EQ(Content(In("out")), "earlier");
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
    EXPECT_EQ(Content(In("out")), "first");
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
    EXPECT_EQ(Content(In("target")), "later");
    EXPECT_EQ(fs::status(In("target")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten)
{
    EXPECT_THROW(AtomicFile(""), OdcnError);
    EXPECT_THROW(AtomicFile(In("")), OdcnError);
    try
    {
        AtomicFile file(In("no-such-folder/out"));
        FAIL() << "a missing folder was accepted";
    }
    catch (const OdcnError& e)
    {
        EXPECT_EQ(std::string(e.what()),
                  In("no-such-folder/out") + ": cannot be written: No such file or directory");
    }
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
        try
        {
            file.Commit();
            FAIL() << "a full disk went unnoticed";
        }
        catch (const OdcnError& e)
        {
            EXPECT_EQ(std::string(e.what()),
                      "/dev/full: cannot be written: No space left on device");
        }
    }
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, TellsOfAnotherError)
{
    AtomicFile file(In("out"));
    file.Stream() << "text";
    file.Stream().setstate(std::ios::badbit);
    EXPECT_THROW(file.Commit(), OdcnError);
    EXPECT_EQ(CountFiles(), 0u);
}

} // namespace
