// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-folder-test.h"

#include "ns3/odcn-text.h"

#include <string_view>
#include <sys/stat.h>

using namespace ns3::odcn;

namespace
{

/// @param value integer  @param digits number of decimals  @return text of AppendDecimal()
std::string
Decimal(int64_t value, int digits)
{
    std::string text;
    AppendDecimal(text, value, digits);
    return text;
}

TEST(TextTest, Splits)
{
    using Fields = std::vector<std::string_view>;
    Fields fields{"left over"};
    SplitText("", ',', fields);
    EXPECT_EQ(fields, (Fields{""}));
    SplitText("a,,b,", ',', fields);
    EXPECT_EQ(fields, (Fields{"a", "", "b", ""}));
    SplitText("a|b", ',', fields);
    EXPECT_EQ(fields, (Fields{"a|b"}));
}

TEST(TextTest, BracesStandForAlternatives)
{
    using Texts = std::vector<std::string>;
    EXPECT_EQ(SplitAtCommas("a,b{c,{d,e}},"), (Texts{"a", "b{c,{d,e}}", ""}));
    EXPECT_EQ(ExpandBraces("a"), Texts{"a"});
    EXPECT_EQ(ExpandBraces("a{b,c}d{1,2}"), (Texts{"abd1", "abd2", "acd1", "acd2"}));
    EXPECT_EQ(ExpandBraces("{a{b,},c}d"), (Texts{"abd", "ad", "cd"}));
    for (const char* text : {"a{b", "a}b", "}{", "{a,{b}"})
    {
        EXPECT_TRUE(ExpandBraces(text).empty()) << text;
    }
    // Refused before they take memory: 2^24 texts; 60,000 braces in each other.
    std::string many;
    for (int i = 0; i < 24; ++i)
    {
        many += "{a,b}";
    }
    const auto refuse = [](const std::string& text)
    { return GetRefusal([&] { ExpandBraces(text); }); };
    EXPECT_TRUE(Has(refuse(many), "', expected at most 10000 forms and 64 pairs"));
    EXPECT_TRUE(Has(refuse(std::string(60000, '{') + std::string(60000, '}')), "64 pairs"));
    EXPECT_EQ(ExpandBraces(many.substr(0, 13 * 5)).size(), 8192U);
}

TEST(TextTest, CountsThings)
{
    EXPECT_EQ(FormatCount(0, "run"), "0 runs");
    EXPECT_EQ(FormatCount(1, "run"), "1 run");
    EXPECT_EQ(FormatCount(2, "run"), "2 runs");
}

TEST(TextTest, WritesNumbersThatReadBack)
{
    EXPECT_EQ(FormatNumber(829.8125), "829.8125");
    EXPECT_EQ(FormatNumber(66), "66");
    EXPECT_EQ(FormatNumber(0), "0");
    EXPECT_EQ(FormatNumber(1e6), "1000000") << "ns-3 reads no exponent in a rate";
    EXPECT_EQ(FormatNumber(5e-324), "5e-324");
    for (const double value : {1.0 / 3, 1e22, 123456789.123456789, 2e-9, -0.1})
    {
        EXPECT_EQ(ParseFinite(FormatNumber(value)), value);
    }
}

TEST(TextTest, ReadsNumbersAndNothingElse)
{
    EXPECT_EQ(ParseFinite("-1.5e3"), -1500);
    EXPECT_EQ(ParseFinite("0.1"), 0.1);
    EXPECT_EQ(ParseCount("18446744073709551615"), UINT64_MAX);
    for (const char* text : {"",
                             " 1",
                             "1 ",
                             "+1",
                             "1x",
                             "x",
                             "nan",
                             "-nan",
                             "inf",
                             "-inf",
                             "infinity",
                             "1e999",
                             "1,5",
                             "0x10",
                             "--1",
                             "1.2.3"})
    {
        EXPECT_FALSE(ParseFinite(text)) << text;
    }
    for (const char* text : {"", "-1", "1.0", "1e3", " 1", "18446744073709551616", "x"})
    {
        EXPECT_FALSE(ParseCount(text)) << text;
    }
}

TEST(TextTest, ExpandsExponents)
{
    EXPECT_EQ(ExpandExponent("1e5"), "100000");
    EXPECT_EQ(ExpandExponent("2.5e3"), "2500");
    EXPECT_EQ(ExpandExponent("18446744073709551615"), "18446744073709551615");
    for (const char* text : {"", "x", "1e5x", "-1e5", "1e-5", "2.5", "1e300", "nan"})
    {
        EXPECT_EQ(ExpandExponent(text), text);
    }
}

TEST(TextTest, FindsSimilarWords)
{
    const std::vector<std::string> known{"policies", "loads", "jobs", "odcn-jcb"};
    EXPECT_EQ(FindSimilar("polices", known), "policies");
    EXPECT_EQ(FindSimilar("Policies", known), "policies");
    EXPECT_EQ(FindSimilar("laods", known), "loads");
    EXPECT_EQ(FindSimilar("odcn-jbc", known), "odcn-jcb");
    EXPECT_EQ(FindSimilar("linear", known), "");
    EXPECT_EQ(FindSimilar("", known), "");
    EXPECT_EQ(FindSimilar("job", {}), "");
    EXPECT_EQ(AskWhether(""), "");
    EXPECT_EQ(JoinWords({"a", "b", "c"}), "a, b or c");
}

TEST(TextTest, NamesAFileThatTheDeviceDoesNotRead)
{
    // Nothing is mapped at address 0, so that reading fails as that of a broken disk does.
    EXPECT_EQ(GetRefusal([] { TextReader("/proc/self/mem").NextLine(); }),
              "/proc/self/mem: cannot be read: Input/output error");
}

TEST(TextTest, ReadsResources)
{
    EXPECT_EQ(ParseResources("16:122.5:3200"), OdcnResources::Of(16, 122.5, 3200));
    EXPECT_EQ(ParseResources("0.5:0:0"), OdcnResources::Of(0.5, 0, 0));
    for (const char* text : {"",
                             "1",
                             "1:2",
                             "1:2:3:4",
                             "1:2:",
                             ":1:2",
                             "::",
                             "1:-2:3",
                             "1:2:1e10",
                             "nan:1:1",
                             "1:2:3 "})
    {
        EXPECT_FALSE(ParseResources(text)) << text;
    }
}

TEST(TextTest, ReadsLists)
{
    using Items = std::vector<std::string_view>;
    EXPECT_EQ(ParseRepeated("2*48,16,1*a"), (Items{"48", "48", "16", "a"}));
    EXPECT_EQ(ParseRepeated("65535*1")->size(), 65535U);
    for (const char* text :
         {"", "1,", ",1", "0*1", "-1*1", "*1", "2*", "1,65535*1", "99999999999*1"})
    {
        EXPECT_FALSE(ParseRepeated(text)) << text;
    }
    EXPECT_EQ(ParseCounts("racks", "2*48,16"), (std::vector<uint32_t>{48, 48, 16}));
    EXPECT_EQ(ParseCounts("racks", ""), std::vector<uint32_t>());
    for (const char* text : {"0", "65536", "2*0", "1.5", "2*3*4", "1,,2"})
    {
        EXPECT_THROW(ParseCounts("racks", text), OdcnError) << text;
    }
}

TEST(TextTest, WritesExactDecimals)
{
    EXPECT_EQ(Decimal(0, 9), "0");
    EXPECT_EQ(Decimal(7, 0), "7");
    EXPECT_EQ(Decimal(700, 0), "700");
    EXPECT_EQ(Decimal(1, 9), "0.000000001");
    EXPECT_EQ(Decimal(6500000000, 9), "6.5");
    EXPECT_EQ(Decimal(123, 3), "0.123");
    EXPECT_EQ(Decimal(120, 3), "0.12");
    EXPECT_EQ(Decimal(100000, 3), "100");
    EXPECT_EQ(Decimal(INT64_MAX, 18), "9.223372036854775807");
    std::string text;
    AppendResources(text, OdcnResources::Of(0.5, 16, 3200.125));
    EXPECT_EQ(text, "0.5:16:3200.125");
    AppendCount(text, UINT64_MAX);
    EXPECT_EQ(text, "0.5:16:3200.12518446744073709551615");
}

TEST(TextTest, NumbersComeBackUnchanged)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i)
    {
        const double value = std::ldexp(static_cast<double>(random()), int(random() % 120) - 90);
        std::string text;
        AppendDouble(text, value);
        EXPECT_EQ(ParseFinite(text), value) << text;
        // Up to 10^6 Gb/s, the largest rate that is accepted.
        const auto rate = static_cast<BitRate>(random() % 1000000000000001);
        EXPECT_EQ(GbpsToBitRate(*ParseFinite(Decimal(rate, 9))), rate);
        // Up to 10^9, the largest resource that is accepted.
        OdcnResources resources;
        for (int64_t& milli : resources.milli)
        {
            milli = static_cast<int64_t>(random() % 1000000000001);
        }
        text.clear();
        AppendResources(text, resources);
        EXPECT_EQ(ParseResources(text), resources) << text;
    }
}

TEST(TextTest, RefusesWhatIsNoTextFile)
{
    EXPECT_THROW(TextReader(""), OdcnError);
    EXPECT_THROW(TextReader("."), OdcnError);
    EXPECT_THROW(TextReader("no-such-file"), OdcnError);
}

/// Readers of files.
using TextReaderTest = FolderTest;

TEST_F(TextReaderTest, SkipsAByteOrderMark)
{
    std::ofstream(In("marked")) << "\xEF\xBB\xBF"
                                << "job,arrival\r\n\xEF\xBB\xBF"
                                << "1,2\n";
    TextReader reader(In("marked"));
    ASSERT_TRUE(reader.NextLine());
    EXPECT_EQ(reader.GetLine(), "job,arrival");
    ASSERT_TRUE(reader.NextLine());
    EXPECT_EQ(reader.GetLine(),
              "\xEF\xBB\xBF"
              "1,2")
        << "only at the beginning";
    EXPECT_FALSE(reader.NextLine());
}

TEST_F(TextReaderTest, RefusesAPipeWithoutWaiting)
{
    ASSERT_EQ(::mkfifo(In("pipe").c_str(), 0600), 0);
    EXPECT_EQ(GetRefusal([&] { TextReader reader(In("pipe")); }),
              In("pipe") + ": cannot be read: it is a pipe, and a file is read several times");
}

} // namespace
