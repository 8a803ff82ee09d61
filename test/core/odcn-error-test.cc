// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gtest-kit.h"

using ns3::odcn::OdcnError;

TEST(OdcnError, NamesFileLineValueAndExpectation)
{
    EXPECT_STREQ(OdcnError::InFile("jobs.csv", 7, "-3", "a positive number").what(),
                 "jobs.csv:7: found '-3', expected a positive number");
    EXPECT_STREQ(OdcnError::InFile("jobs.csv", 0, "", "a header line").what(),
                 "jobs.csv: found '', expected a header line");
    EXPECT_STREQ(OdcnError::InOption("--load", "nan", "a number").what(),
                 "--load: found 'nan', expected a number");
}

TEST(OdcnError, StaysOneShortPrintableLine)
{
    const std::string hostile = "a\n\x1b[31m\xff" + std::string(500, 'x');
    const std::string what = OdcnError::InFile("f", 1, hostile, "text").what();
    EXPECT_EQ(
        what.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
                               "'?[.:,"),
        std::string::npos);
    EXPECT_LT(what.size(), 120u);
}

TEST(OdcnError, NoPartOfAMessageControlsTheTerminal)
{
    EXPECT_STREQ(OdcnError("a\x1b[31m\n\x7f.csv: caf\xc3\xa9 \xc2\x9b").what(),
                 "a\\x1b[31m\\x0a\\x7f.csv: caf\xc3\xa9 \\xc2\\x9b");
    // Bytes that are not UTF-8: Latin-1, cut, too long, half a pair, beyond the last character.
    EXPECT_STREQ(
        OdcnError("caf\xe9 \xe2\x82 \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82\xac").what(),
        "caf\\xe9 \\xe2\\x82 \\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \xe2\x82\xac");
    EXPECT_STREQ(OdcnError::InFile("\x1b.csv", 1, "-3", "a column \r").what(),
                 R"(\x1b.csv:1: found '-3', expected a column \x0d)");
}
