// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param check may throw  @return its error, or ""
std::string
Complaint(const std::function<void()>& check)
{
    try
    {
        check();
    }
    catch (const OdcnError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(CommandLine, WordsAreOneOfAList)
{
    const auto choose = [](const std::string& value, const std::vector<std::string>& words)
    { return Complaint([&]() { OdcnCommandLine::CheckWord("mode", value, words); }); };
    EXPECT_EQ(choose("b", {"a", "b", "c"}), "");
    EXPECT_EQ(choose("d", {"a", "b", "c"}), "--mode: found 'd', expected a, b or c");
    EXPECT_EQ(choose("", {"a", "b"}), "--mode: found '', expected a or b");
    EXPECT_EQ(choose("B", {"b"}), "--mode: found 'B', expected b");
}

TEST(CommandLine, ListsHaveNoBlanksAndNothingTwice)
{
    const auto split = [](const std::string& list)
    { return Complaint([&]() { OdcnCommandLine::SplitList(list, "loads"); }); };
    EXPECT_EQ(OdcnCommandLine::SplitList("a,b", "loads"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(split("a,,b"),
              "--loads: found 'a,,b', expected names separated by commas, without blanks");
    EXPECT_EQ(split("a,b,a"), "--loads: found 'a', expected each once");
    EXPECT_EQ(split(""), "--loads: found '', expected a comma-separated list of names");
}

TEST(CommandLine, ValuesOfAnotherKindAreRefused)
{
    const auto parse = [](std::string word)
    {
        return Complaint(
            [&]()
            {
                std::string program = "program";
                char* words[] = {program.data(), word.data(), nullptr};
                OdcnCommandLine cmd(2, words, "test");
                uint32_t jobs = 0;
                double load = 0;
                bool train = false;
                cmd.AddValue("jobs", "how many", jobs);
                cmd.AddValue("load", "how much", load);
                cmd.AddValue("train", "whether", train);
                cmd.Parse();
                EXPECT_EQ(jobs + load + train, 1);
            });
    };
    for (const char* sound : {"--jobs=1", "-jobs=1", "--load=1", "--train=true"})
    {
        EXPECT_EQ(parse(sound), "") << sound;
    }
    EXPECT_EQ(parse("--jobs=-1"),
              "--jobs: found '-1', expected a whole number from 0 to 4294967295");
    EXPECT_EQ(parse("--jobs=4294967296"),
              "--jobs: found '4294967296', expected a whole number from 0 to 4294967295");
    EXPECT_EQ(parse("--load=nan"), "--load: found 'nan', expected a number");
    EXPECT_EQ(parse("--train=perhaps"), "--train: found 'perhaps', expected true or false");
}
