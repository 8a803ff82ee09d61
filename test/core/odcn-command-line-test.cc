// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gtest-kit.h"

#include "ns3/cluster-scheduling.h"
#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-object-text.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

} // namespace

TEST(CommandLine, WordsAreOneOfAList)
{
    const auto choose = [](const std::string& value, const std::vector<std::string>& words)
    { return GetRefusal([&]() { OdcnCommandLine::CheckWord("mode", value, words); }); };
    EXPECT_EQ(choose("b", {"a", "b", "c"}), "");
    EXPECT_EQ(choose("d", {"a", "b", "c"}), "--mode: found 'd', expected a, b or c");
    EXPECT_EQ(choose("", {"a", "b"}), "--mode: found '', expected a or b");
    EXPECT_EQ(choose("B", {"b"}), "--mode: found 'B', expected b; did you mean b?");
    EXPECT_EQ(choose("extact", {"exact", "ns3"}),
              "--mode: found 'extact', expected exact or ns3; did you mean exact?");
}

TEST(CommandLine, ListsHaveNoBlanksAndNothingTwice)
{
    const auto split = [](const std::string& list)
    { return GetRefusal([&]() { OdcnCommandLine::SplitList(list, "loads"); }); };
    EXPECT_EQ(OdcnCommandLine::SplitList("a,b", "loads"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(split("a,,b"),
              "--loads: found 'a,,b', expected names separated by commas, without blanks");
    EXPECT_EQ(split("a,b,a"), "--loads: found 'a', expected each once");
    EXPECT_EQ(split(""), "--loads: found '', expected a comma-separated list of names");
}

namespace
{

/// Options of each type.
struct Options
{
    uint32_t jobs{0};              //!< a whole number
    double load{0};                //!< a number
    bool train{false};             //!< a switch that is off
    bool pcap{true};               //!< a switch that is on
    std::string output{"results"}; //!< a text
    Time length;                   //!< a time

    /// @param words arguments  @param more declares more  @return the error of parsing them, or ""
    std::string Parse(
        std::vector<std::string> words,
        const std::function<void(OdcnCommandLine&)>& more = [](auto&) {})
    {
        return GetRefusal(
            [&]()
            {
                words.insert(words.begin(), "bin/program");
                auto pointers = ListOf<char*>(words, [&](auto& word) { return word.data(); });
                pointers.push_back(nullptr);
                OdcnCommandLine cmd(static_cast<int>(words.size()), pointers.data(), "test");
                cmd.AddValue("jobs", "how many", jobs);
                cmd.AddValue("load", "how much", load);
                cmd.AddValue("train", "whether", train);
                cmd.AddValue("pcap", "whether", pcap);
                cmd.AddValue("output", "where", output);
                cmd.AddValue("length", "how long", length);
                more(cmd);
                cmd.Parse();
                command = cmd.GetCommand();
            });
    }

    std::string command; //!< GetCommand() after Parse()
};

} // namespace

TEST(CommandLine, ValuesOfAnotherKindAreRefused)
{
    const auto parse = [](const std::string& word)
    {
        Options options;
        const auto error = options.Parse({word});
        EXPECT_EQ(options.jobs + options.load + options.train, error.empty() ? 1 : 0) << word;
        return error;
    };
    for (const char* sound : {"--jobs=1", "-jobs=1", "--load=1", "--train=true", "--train"})
    {
        EXPECT_EQ(parse(sound), "") << sound;
    }
    EXPECT_EQ(parse("--jobs=-1"),
              "--jobs: found '-1', expected a whole number from 0 to 4294967295");
    EXPECT_EQ(parse("--jobs=4294967296"),
              "--jobs: found '4294967296', expected a whole number from 0 to 4294967295");
    EXPECT_EQ(parse("--load=nan"), "--load: found 'nan', expected a number");
    EXPECT_EQ(parse("--train=perhaps"), "--train: found 'perhaps', expected true or false");
    EXPECT_EQ(parse("--length=abc"),
              "--length: found 'abc', expected a time such as 10us, from 0 to 9000000s");
    EXPECT_EQ(parse("--load"), "command line: found '--load', expected --load=VALUE");
}

TEST(CommandLine, AnOptionSetsTheDefaultOfAnAttribute)
{
    const auto parse = [](const std::vector<std::string>& words)
    {
        return Options().Parse(
            words,
            [](OdcnCommandLine& cmd)
            {
                cmd.AddValue("slots", "ns3::odcn::ClusterScheduling::JobSlots");
                cmd.AddValue("reward", "ns3::odcn::ClusterScheduling::Reward");
                cmd.AddValue("machines", "ns3::odcn::ClusterScheduling::Machines");
                cmd.AddValue("dark", "ns3::odcn::OcsSwitch::ReconfigurationTime");
                cmd.AddValue("hold", "ns3::odcn::FlowApplication::Hold");
                cmd.Restrict({"slots"}, {"jobs"});
                std::ostringstream text;
                cmd.PrintHelp(text);
                EXPECT_TRUE(Has(text.str(), "N, number of equal"));
                EXPECT_TRUE(Has(text.str(), "dark time of a circuit that is changed [10ms]"));
            });
    };
    EXPECT_EQ(parse({"--slots=0", "--jobs=1"}), "--slots: found '0', expected 1 to 100000");
    EXPECT_EQ(parse({"--slots=x", "--jobs=1"}), "--slots: found 'x', expected 1 to 100000");
    EXPECT_EQ(parse({"--slots=7"}), "--slots: found '7', expected only with --jobs");
    EXPECT_EQ(parse({"--reward=R3"}), "--reward: found 'R3', expected R1 or R2");
    EXPECT_EQ(parse({"--dark=abc"}), "--dark: found 'abc', expected a time such as 10us");
    EXPECT_EQ(parse({"--hold=3"}), "--hold: found '3', expected true or false");
    EXPECT_EQ(parse({"--slots=7", "--jobs=1", "--reward=R2", "--dark=3us", "--hold"}), "");
    BooleanValue hold;
    CreateObject<FlowApplication>()->GetAttribute("Hold", hold);
    EXPECT_TRUE(hold.Get());
    UintegerValue slots;
    auto problem = CreateObject<ClusterScheduling>();
    problem->GetAttribute("JobSlots", slots);
    EXPECT_EQ(slots.Get(), 7);
    Config::Reset();
    OdcnCommandLine cmd(0, nullptr, "test");
    EXPECT_EQ(GetRefusal([&]() { cmd.AddValue("a", "ns3::odcn::ClusterScheduling::No"); }),
              "option --a: there is no Attribute ns3::odcn::ClusterScheduling::No");
}

TEST(CommandLine, EachObjectGetsARandomVariableOfItsOwn)
{
    const std::string path = "ns3::RateErrorModel::RanVar";
    const auto get = []
    {
        PointerValue variable;
        CreateObject<RateErrorModel>()->GetAttribute("RanVar", variable);
        return variable.Get<UniformRandomVariable>();
    };
    const std::string text = "ns3::UniformRandomVariable[Max=2]";
    for (const bool isOption : {false, true})
    {
        const auto set = [&](OdcnCommandLine& cmd) { isOption ? cmd.AddValue("a", path) : void(); };
        EXPECT_EQ(Options().Parse({(isOption ? "--a=" : "--" + path + "=") + text}, set), "");
        const auto first = get();
        EXPECT_EQ(first->GetMax(), 2);
        EXPECT_NE(first, get());
        Config::Reset();
    }
    TypeId::AttributeInformation attribute;
    RateErrorModel::GetTypeId().LookupAttributeByName("RanVar", &attribute);
    GivenAttributes::SetDefaultText(path, text);
    GivenAttributes::SetInitialValue(path, attribute.initialValue);
    EXPECT_EQ(get()->GetMax(), 1);
    EXPECT_NE(get(), get());
}

TEST(CommandLine, TextsKeepTheirBlanks)
{
    Options options;
    EXPECT_EQ(options.Parse({"--output=my results", "--pcap", "--length=+10us", "--load=1e3"}), "");
    EXPECT_EQ(options.output, "my results");
    EXPECT_TRUE(options.pcap) << "an option alone is true, also where it is so by default";
    EXPECT_EQ(options.Parse({"--pcap=false"}), "");
    EXPECT_FALSE(options.pcap);
    EXPECT_EQ(options.Parse({"--output=my results", "--pcap", "--length=+10us", "--load=1e3"}), "");
    EXPECT_EQ(options.length, MicroSeconds(10));
    EXPECT_EQ(options.load, 1000);
    EXPECT_EQ(options.command,
              "./ns3 run program -- '--output=my results' --pcap --length=+10us --load=1e3");
    EXPECT_EQ(options.Parse({"--output=the user's", "--output="}), "");
    EXPECT_EQ(options.output, "");
    EXPECT_EQ(options.command, R"(./ns3 run program -- '--output=the user'\''s' --output=)");
}

TEST(CommandLine, OptionsWithoutEffectAreRefused)
{
    const auto parse = [](const std::vector<std::string>& words)
    {
        std::string network = "Mlp";
        return Options().Parse(words,
                               [&network](OdcnCommandLine& cmd)
                               {
                                   cmd.SetGroup("Training", "train");
                                   cmd.AddValue("network", "which", network);
                                   cmd.SetGroup("Others");
                                   cmd.Restrict({"load", "jobs"}, {"!output", "pcap=false"});
                                   cmd.Restrict({"length"}, {"network=Cnn", "!noSuchOption"});
                                   cmd.Restrict({"pcap"}, {"jobs"});
                               });
    };
    // Of a group.
    EXPECT_EQ(parse({"--network=Cnn"}), "--network: found 'Cnn', expected only with --train");
    EXPECT_EQ(parse({"--network=Cnn", "--train", "--train=0"}),
              "--network: found 'Cnn', expected only with --train");
    EXPECT_EQ(parse({"--network=Cnn", "--train=1"}), "");
    // The default is given as another value is; what is off says what is so.
    EXPECT_EQ(parse({"--network=Mlp"}), "--network: found 'Mlp', expected only with --train");
    EXPECT_EQ(parse({"--network="}), "");
    EXPECT_EQ(parse({"--network=0"}), "--network: found '0', expected only with --train");
    EXPECT_EQ(parse({"--pcap=false"}), "");
    EXPECT_EQ(parse({"--jobs=0", "--output=a"}), "");
    // Of several conditions one must hold. A default does not exclude anything.
    EXPECT_EQ(parse({"--jobs=2"}), "");
    EXPECT_EQ(parse({"--jobs=2", "--output="}), "");
    EXPECT_EQ(parse({"--jobs=2", "--output=a"}),
              "--jobs: found '2', expected only without --output or with --pcap=false");
    EXPECT_EQ(parse({"--jobs=2", "--output=a", "--pcap=false"}), "");
    EXPECT_EQ(parse({"--length=1s"}), "");
}

TEST(CommandLine, NumbersOutOfRangeAreNamedAsTyped)
{
    const auto parse = [](const std::string& word)
    {
        uint64_t bytes = 1;
        double load = 0.5;
        return Options().Parse({word},
                               [&](OdcnCommandLine& cmd)
                               {
                                   cmd.AddRange("bytes", "", bytes, uint64_t{1}, uint64_t{1} << 40);
                                   cmd.AddRange("share", "", load, 0.001, 1.0);
                               });
    };
    EXPECT_EQ(parse("--bytes=-5"),
              "--bytes: found '-5', expected a whole number, 1 to 1099511627776");
    EXPECT_EQ(parse("--bytes=1e99"),
              "--bytes: found '1e99', expected a whole number, 1 to 1099511627776");
    EXPECT_EQ(parse("--bytes=0"), "--bytes: found '0', expected 1 to 1099511627776");
    EXPECT_EQ(parse("--share=1.000000001"), "--share: found '1.000000001', expected 0.001 to 1");
    EXPECT_EQ(parse("--share=x"), "--share: found 'x', expected a number, 0.001 to 1");
    EXPECT_EQ(parse("--bytes=1e3"), "");
}

TEST(CommandLine, WhatTheProgramSetsItselfIsRefused)
{
    const std::string dark = "ns3::odcn::OcsSwitch::ReconfigurationTime";
    const auto set = [](const std::vector<std::string>& words, const std::function<void()>& program)
    {
        std::string error;
        const auto parsed = Options().Parse(words,
                                            [&](OdcnCommandLine& cmd)
                                            {
                                                cmd.AddValue("dark",
                                                             "ns3::odcn::OcsSwitch::"
                                                             "ReconfigurationTime");
                                                cmd.AddAction("act",
                                                              "",
                                                              "1",
                                                              [&](const std::string&)
                                                              { error = GetRefusal(program); });
                                            });
        Config::Reset();
        return parsed + error;
    };
    const auto factory = [](const std::string& text)
    {
        return [text]
        {
            ObjectFactory objects("ns3::odcn::OcsSwitch");
            objects.Set("ReconfigurationTime", StringValue(text));
            objects.Create();
        };
    };
    const auto later = []
    { CreateObject<OcsSwitch>()->SetAttribute("ReconfigurationTime", TimeValue(MicroSeconds(7))); };
    const auto byDefault = []
    {
        GivenAttributes::SetDefault("ns3::odcn::OcsSwitch::ReconfigurationTime",
                                    TimeValue(MicroSeconds(7)));
    };
    const std::string refused =
        ": found '3us', expected nothing, since the program sets this Attribute itself, to ";
    for (const auto& program : {std::function<void()>(factory("7us")), {later}, {byDefault}})
    {
        EXPECT_TRUE(Has(set({"--" + dark + "=3us", "--act"}, program), "--" + dark + refused));
        EXPECT_TRUE(Has(set({"--dark=3us", "--act"}, program), "--dark" + refused));
        EXPECT_EQ(set({"--act"}, program), "");
        EXPECT_EQ(set({"--" + dark + "=7us", "--act"}, program), "") << "the same value";
    }
    EXPECT_EQ(set({"--" + dark + "=3us", "--act"}, factory("3000ns")), "") << "the same time";
    EXPECT_EQ(set({"--" + dark + "=3us", "--act"}, [] { CreateObject<OcsSwitch>(); }), "");
    // What is given as a text for the program leaves the default as it is.
    std::string text;
    EXPECT_EQ(Options().Parse(
                  {"--text=3us", "--act"},
                  [&](OdcnCommandLine& cmd)
                  {
                      cmd.AddValue("text", "ns3::odcn::OcsSwitch::ReconfigurationTime", &text);
                      cmd.AddAction("act",
                                    "",
                                    "1",
                                    [&](const std::string&)
                                    {
                                        CreateObject<OcsSwitch>();
                                        later();
                                    });
                  }),
              "");
    EXPECT_EQ(text, "3us");
    later(); // nothing is given any more
}

TEST(CommandLine, ATypeNeedsNoNamespace)
{
    EXPECT_EQ(Options().Parse({"--PrintAttributes=NoSuchType"}),
              "--PrintAttributes: found 'NoSuchType', expected a type of --PrintTypeIds");
    for (const char* type : {"TorSwitch", "ns3::odcn::TorSwitch"})
    {
        EXPECT_EXIT(Options().Parse({"--PrintAttributes=" + std::string(type)}),
                    testing::ExitedWithCode(0),
                    "");
    }
}

TEST(CommandLine, AttributesAreReadAndWrittenInAnyLocale)
{
    const OtherLocale other;
    double share = 0.25;
    EXPECT_EQ(Options().Parse({"--ns3::odcn::OcsSwitch::ReconfigurationTime=250.5us"},
                              [&](OdcnCommandLine& cmd)
                              {
                                  Time length = NanoSeconds(1500);
                                  cmd.AddValue("share", "", share);
                                  cmd.AddValue("long", "", length);
                                  std::ostringstream help;
                                  cmd.PrintHelp(help);
                                  EXPECT_TRUE(Has(help.str(), "[0.25]"));
                                  EXPECT_TRUE(Has(help.str(), "[1.5us]"));
                              }),
              "");
    TimeValue set;
    CreateObject<OcsSwitch>()->GetAttribute("ReconfigurationTime", set);
    EXPECT_EQ(set.Get(), NanoSeconds(250500));
    Config::Reset();
    const auto device =
        CreateFromText<OcsSwitch>("switch", "OcsSwitch[ReconfigurationTime=250.5us]");
    device->GetAttribute("ReconfigurationTime", set);
    EXPECT_EQ(set.Get(), NanoSeconds(250500));
    EXPECT_EQ(OdcnCommandLine::ParseTime("1.5us", "time"), NanoSeconds(1500));
    EXPECT_EQ(OdcnCommandLine::ParseRate("2.5Gbps", "rate").GetBitRate(), 2500000000U);
    std::ostringstream text;
    text << 0.5;
    EXPECT_EQ(text.str(), "0,5") << "the locale is the user's again";
}

TEST(ObjectTexts, HaveEachAttributeOnceAndUnits)
{
    const auto refuse = [](const std::string& text)
    { return GetRefusal([&] { CreateFromText<OcsSwitch>("switch", text); }); };
    EXPECT_EQ(refuse("OcsSwitch[ReconfigurationTime=1us|ReconfigurationTime=1s]"),
              "switch: found 'OcsSwitch[ReconfigurationTime=1us|ReconfigurationTime=1s]', expected "
              "each Attribute once");
    EXPECT_EQ(refuse("OcsSwitch[ReconfigurationTime=100]"),
              "switch OcsSwitch: found 'ReconfigurationTime=100', expected a time such as 10us");
    EXPECT_EQ(GetRefusal([] { OdcnCommandLine::ParseRate("10", "rate"); }),
              "--rate: found '10', expected a rate above 0 such as 10Gbps");
    EXPECT_EQ(Options().Parse({"--ns3::odcn::OcsNetDevice::DataRate=10"}),
              "--ns3::odcn::OcsNetDevice::DataRate: found '10', expected a rate such as 10Gbps");
    EXPECT_EQ(Options().Parse({"--ns3::odcn::OcsSwitch::ReconfigurationTime=100"}),
              "--ns3::odcn::OcsSwitch::ReconfigurationTime: found '100', expected a time such as "
              "10us");
}

TEST(CommandLine, WordsThatAreNoOptionAreRefused)
{
    for (const char* word : {"load=90", "a b", "", "-", "--", "--=", "---load=1"})
    {
        EXPECT_EQ(Options().Parse({word}),
                  "command line: found '" + std::string(word) +
                      "', expected options of the form --NAME=VALUE");
    }
    EXPECT_EQ(Options().Parse({"--laod=90"}),
              "there is no option --laod (--help lists all); did you mean --load?");
    EXPECT_EQ(Options().Parse({"--colour"}), "there is no option --colour (--help lists all)");
    EXPECT_EQ(Options().Parse({"--ns3::odcn::NoSuch::ServersPerRack=1"}),
              "option --ns3::odcn::NoSuch::ServersPerRack: there is no type 'ns3::odcn::NoSuch' "
              "(--PrintTypeIds lists them)");
    EXPECT_EQ(
        Options().Parse({"--library=no-such.so"}).find("--library=no-such.so: cannot be loaded: "),
        0U);
    EXPECT_EQ(Options().Parse({"--PrintAttributes=ns3::Foo"}),
              "--PrintAttributes: found 'ns3::Foo', expected a type of --PrintTypeIds");
}

TEST(CommandLine, ValuesAtWhichNs3AbortsAreRefused)
{
    for (const std::string word : {"RngRun=abc",
                                   "RngRun=",
                                   "RngRun=-1",
                                   "RngRun=1e300",
                                   "RngSeed=0",
                                   "RngSeed=4294944443",
                                   "SimulatorImplementationType=abc",
                                   "SimulatorImplementationType=a b",
                                   "ChecksumEnabled=abc",
                                   "ns3::odcn::CsMgr::ServersPerRack=abc",
                                   "ns3::odcn::CsMgr::ServersPerRack=1e300",
                                   "ns3::odcn::CsMgr::Placement=abc",
                                   "ns3::odcn::CsMgr::NoSuch=1",
                                   "ns3::odcn::OcsSwitch::ReconfigurationTime=abc",
                                   "ns3::odcn::OcsSwitch::ReconfigurationTime=1e300s",
                                   "ns3::odcn::OcsSwitch::ReconfigurationTime=nan",
                                   "ns3::odcn::OcsSwitch::ReconfigurationTime=10",
                                   "ns3::odcn::OcsSwitch::ReconfigurationTime=0",
                                   "ns3::PointToPointNetDevice::DataRate=10",
                                   "ns3::DropTailQueue<Packet>::MaxSize=abc",
                                   "ns3::PointToPointNetDevice::DataRate=a b",
                                   "ns3::RateErrorModel::RanVar=abc",
                                   "ns3::RateErrorModel::RanVar=ns3::ConstantRandomVariable[a=b]",
                                   "ns3::RateErrorModel::RanVar="})
    {
        const auto error = Options().Parse({"--" + word});
        EXPECT_EQ(error.find("--" + word.substr(0, word.find('=')) + ": found '"), 0U)
            << word << ": " << error;
    }
    const uint64_t run = RngSeedManager::GetRun();
    const auto time = "--ns3::odcn::OcsSwitch::ReconfigurationTime=";
    EXPECT_EQ(Options().Parse({"--RngRun=12", time + std::string("3us")}), "");
    EXPECT_EQ(RngSeedManager::GetRun(), 12U);
    TimeValue set;
    CreateObject<OcsSwitch>()->GetAttribute("ReconfigurationTime", set);
    EXPECT_EQ(set.Get(), MicroSeconds(3));
    RngSeedManager::SetRun(run);
    Config::Reset();
}

namespace
{

/// A variable of the environment, for a while.
struct Variable
{
    /// @param variable name
    /// @param value value
    Variable(const char* variable, const std::string& value)
        : name(variable)
    {
        ::setenv(name, value.c_str(), 1);
    }

    ~Variable()
    {
        ::unsetenv(name);
    }

    const char* name; //!< of the variable
};

} // namespace

TEST(CommandLine, VariablesOfTheEnvironmentAreRefusedWhereNs3IgnoresThem)
{
    const auto parse =
        [](const char* name, const std::string& value, const std::vector<std::string>& words = {})
    {
        const Variable variable(name, value);
        return Options().Parse(
            words,
            [](auto& cmd) { cmd.AddValue("dark", "ns3::odcn::OcsSwitch::ReconfigurationTime"); });
    };
    const std::string attribute = "ns3::odcn::OcsSwitch::ReconfigurationTime";
    const char* globals = "NS_GLOBAL_VALUE";
    const char* attributes = "NS_ATTRIBUTE_DEFAULT";
    EXPECT_EQ(parse(globals, ""), "");
    EXPECT_EQ(parse(globals, "RngRun=3;ChecksumEnabled=true;"), "");
    EXPECT_EQ(parse(globals, "RngRun=3", {"--RngRun=4"}), "") << "the command line counts";
    EXPECT_EQ(parse(globals, "ChecksumEnabled=true;RngSeed=0"),
              "NS_GLOBAL_VALUE: RngSeed: found '0', expected 1 to 4294944442");
    EXPECT_EQ(parse(globals, "ChecksumEnabled=abc"),
              "NS_GLOBAL_VALUE: ChecksumEnabled: found 'abc', expected true or false");
    for (const auto& item : {std::string("NoSuch=1"), std::string("RngRun"), attribute + "=3us"})
    {
        EXPECT_EQ(parse(globals, item),
                  "NS_GLOBAL_VALUE: found '" + item +
                      "', expected NAME=VALUE;... of --PrintGlobals");
    }
    EXPECT_EQ(parse(attributes, attribute + "=3us"), "");
    EXPECT_EQ(parse(attributes, attribute + "=abc"),
              "NS_ATTRIBUTE_DEFAULT: " + attribute + ": found 'abc', expected a time such as 10us");
    for (const std::string item :
         {"ns3::odcn::OcsSwitch::NoSuch=1", "ns3::NoSuch::A=1", "RngRun=3"})
    {
        EXPECT_EQ(parse(attributes, item),
                  "NS_ATTRIBUTE_DEFAULT: found '" + item + "', expected TYPE::ATTRIBUTE=VALUE;...");
    }
    for (const auto& word : {std::string("--dark=4us"), "--" + attribute + "=4us"})
    {
        EXPECT_EQ(parse(attributes, attribute + "=3us", {word}),
                  "NS_ATTRIBUTE_DEFAULT: found '" + attribute +
                      "=3us', expected nothing that the command line sets, too");
    }
    Config::Reset();
    EXPECT_EQ(parse("ODCN_DATA", "/no-such-folder"),
              "ODCN_DATA: found '/no-such-folder', expected a folder");
    EXPECT_EQ(parse("ODCN_DATA", "/"), "");
}

TEST(CommandLine, TheCommandBeginsWithVariablesOfTheEnvironment)
{
    Options options;
    const Variable globals("NS_GLOBAL_VALUE", "RngRun=3;ChecksumEnabled=true");
    const Variable data("ODCN_DATA", "/");
    EXPECT_EQ(options.Parse({"--load=1"}), "");
    EXPECT_EQ(options.command,
              "NS_GLOBAL_VALUE='RngRun=3;ChecksumEnabled=true' ODCN_DATA=/ ./ns3 run program -- "
              "--load=1");
}
