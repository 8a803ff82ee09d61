// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FOLDER_TEST_H
#define ODCN_FOLDER_TEST_H

#include "odcn-gtest-kit.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace ns3::odcn
{

/// A temporary folder of each test.
class FolderTest : public testing::Test
{
  protected:
    FolderTest()
        : m_folder(std::filesystem::path(testing::TempDir()) /
                   ("odcn-" + std::to_string(::getpid()) + "-" +
                    testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        std::filesystem::create_directories(m_folder);
    }

    ~FolderTest() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// @param name a file of the folder  @return its path
    std::string In(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    /// @param name a file of the folder  @return its content
    std::string Read(const std::string& name) const
    {
        return ReadText(In(name));
    }

    /// @param text for the file m_path  @return the path
    std::string Write(const std::string& text) const
    {
        std::ofstream(m_path, std::ios::binary) << text;
        return m_path;
    }

    /// @param call must refuse the file m_path  @return the message after the path; empty if it
    /// does not
    std::string Refuse(const std::function<void()>& call) const
    {
        const std::string text = GetRefusal(call);
        return text.rfind(m_path, 0) == 0 ? text.substr(m_path.size()) : text;
    }

    std::filesystem::path m_folder;   //!< the folder
    std::string m_path{In("a-file")}; //!< a file in it
};

/// The path of a file that is removed at the end.
struct TemporaryPath
{
    std::string path; //!< file name

    /// @param name distinguishes the files of a test
    /// @param suffix ends the file name
    explicit TemporaryPath(const std::string& name = "file", const std::string& suffix = "")
        : path(testing::TempDir() + "odcn-" + name + "-" + std::to_string(::getpid()) + suffix)
    {
    }

    ~TemporaryPath()
    {
        std::remove(path.c_str());
    }

    /// @param text for the file
    /// @return its path
    const std::string& Write(const std::string& text) const
    {
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;
};

} // namespace ns3::odcn

#endif /* ODCN_FOLDER_TEST_H */
