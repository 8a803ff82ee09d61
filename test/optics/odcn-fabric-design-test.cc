// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The text of designs: what is found, what is refused and with which words, sizes, and which engine
 * can carry which design.
 */

#include "../core/odcn-test-kit.h"

#include "ns3/config.h"
#include "ns3/odcn-fabric-design.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-torus.h"

#include <gtest/gtest.h>

namespace ns3::odcn
{
namespace
{

/// @param text of a design
/// @param size its size
/// @return message of its refusal
std::string
Refuse(const std::string& text, const FabricSize& size = {})
{
    return GetRefusal([&] { FabricDesign::Parse(text, size, "mine", "--own"); });
}

/// @param text of a design
/// @param size its size
/// @return message when its circuits and routing do not exist
std::string
RefuseCircuits(const std::string& text, const FabricSize& size = {})
{
    const FabricDesign design = FabricDesign::Parse(text, size, "mine", "--own");
    return GetRefusal([&] { design.Check(DemandMatrix::Make("uniform", size.racks), 1); });
}

/// @param designs some
/// @return their names, joined by blanks
std::string
JoinNames(const std::vector<FabricDesign>& designs)
{
    std::string names;
    for (const FabricDesign& design : designs)
    {
        names += (names.empty() ? "" : " ") + design.GetName();
    }
    return names;
}

TEST(FabricDesign, FindsThoseOfTheFileAndRegisteredOnes)
{
    const FabricDesign opera = FabricDesign::Find("opera");
    EXPECT_EQ(opera.GetName(), "opera");
    EXPECT_EQ(opera.GetRouting(),
              "ClassRouting[Short=ExpanderRouting[EndingCircuits=false]|Bulk=RotorLbRouting]");
    EXPECT_TRUE(opera.IsScheduled());
    EXPECT_FALSE(opera.Holds());
    EXPECT_TRUE(FabricDesign::Find("opera-hold").Holds());
    EXPECT_TRUE(FabricDesign::Find("hybrid").IsHybrid());
    EXPECT_TRUE(FabricDesign::Find("helios").IsController());
    EXPECT_TRUE(FabricDesign::Find("fat-tree").IsElectrical());
    const std::string unknown = GetRefusal([] { FabricDesign::Find("chess"); });
    EXPECT_EQ(unknown.find("design: found 'chess', expected ideal, fat-tree, clos-3:1"), 0U);

    EXPECT_TRUE(FabricDesign::Register("test-design", "RotorSchedule;DirectRouting", "of a test"));
    const FabricDesign mine = FabricDesign::Find("test-design");
    EXPECT_EQ(mine.GetDescription(), "of a test");
    // All designs of the file exist for the default size.
    for (const FabricDesign& design : FabricDesign::GetAll())
    {
        if (design.GetName() != "twisted-torus") // sides k and 2k only
        {
            design.Check(DemandMatrix::Make("uniform", design.GetSize().racks), 1);
        }
    }
}

TEST(FabricDesign, ChoosesByTwoOptions)
{
    const std::string all = JoinNames(FabricDesign::Choose("all", "", {}));
    EXPECT_EQ(all.find("ideal fat-tree clos-3:1 expander rotornet-direct"), 0U);
    EXPECT_EQ(all.find("torus"), std::string::npos); // by name only
    EXPECT_EQ(JoinNames(FabricDesign::Choose("torus,opera", "", {})), "torus opera");
    const std::string two = "a=RotorSchedule[Slot=50us];DirectRouting,"
                            "RotorSchedule;ClassRouting[By=Port|Values=80,90]";
    EXPECT_EQ(JoinNames(FabricDesign::Choose("ideal", two, {})), "ideal a own");
    EXPECT_EQ(JoinNames(FabricDesign::Choose("opera,opera-hold", "", {}, false)), "opera");
    const auto refuse = [](const std::string& names, const std::string& own)
    { return GetRefusal([&] { FabricDesign::Choose(names, own, {}, false); }); };
    EXPECT_EQ(refuse("none", "").find("--designs: found 'none', expected a design, or one of your"),
              0U);
    EXPECT_EQ(refuse("chess", "").find("--designs: found 'chess', expected all, none, or some of"),
              0U);
    EXPECT_NE(refuse("opera-hold", "").find("in none may hosts hold flows"), std::string::npos);
    EXPECT_NE(refuse("ideal", "ideal=RotorSchedule;DirectRouting").find("no other design"),
              std::string::npos);
    EXPECT_NE(refuse("none", "=RotorSchedule;DirectRouting").find("letters, digits"),
              std::string::npos);
}

TEST(FabricDesign, RefusesATextAndSaysWhereAndWhat)
{
    const std::string place = "--own: design mine: ";
    EXPECT_EQ(Refuse("RotorSchedule"),
              place + "text: found 'RotorSchedule', expected "
                      "SCHEDULE;ROUTING");
    EXPECT_EQ(Refuse(";DirectRouting"),
              place + "text: found ';DirectRouting', expected "
                      "SCHEDULE;ROUTING");
    EXPECT_EQ(Refuse("RotorSchedule;DirectRouting;holds"),
              place + "word: found 'holds', expected hold, more, hybrid or named");
    EXPECT_EQ(Refuse("electrical;ideal;hold"),
              place + "word: found 'hold', expected named, of an electrical network");
    EXPECT_EQ(Refuse("electrical;idael"),
              place + "electrical network: found 'idael', expected ideal, clos or fat-tree; did "
                      "you mean ideal?");
    EXPECT_EQ(Refuse("RotorSchedule;DirectRouting;1"), ""); // of older designs
    EXPECT_EQ(RefuseCircuits("RotorSchedule;Direct")
                  .find(place + "routing of a ToR switch: found 'Direct'"),
              0U);
    EXPECT_EQ(RefuseCircuits("Rotor;DirectRouting").find(place + "schedule: found 'Rotor'"), 0U);
    EXPECT_EQ(RefuseCircuits("RotorSchedule[Slots=1us];DirectRouting").find(place), 0U);
    EXPECT_EQ(RefuseCircuits("RotorSchedule;DirectRouting;more"),
              place +
                  "racks of a rotor schedule: found '16', expected a multiple of the planes, 5");
    EXPECT_EQ(RefuseCircuits("TorusSchedule[Shape=4x4x4];ExpanderRouting").find(place + "torus"),
              0U);
    // A packet of 1500 bytes takes 1200 ns at 10 Gb/s.
    EXPECT_EQ(RefuseCircuits("SiriusSchedule[Slot=1299ns|ReconfigurationTime=100ns];DirectRouting"),
              place + "schedule: found 'SiriusSchedule[Slot=1299ns|ReconfigurationTime=100ns]', "
                      "expected circuits that last for a packet of 1500 bytes, 1200 ns");
    EXPECT_EQ(RefuseCircuits("SiriusSchedule[Slot=1300ns|ReconfigurationTime=100ns];DirectRouting"),
              "");
    // Without a name, the option says all.
    EXPECT_EQ(GetRefusal([] { FabricDesign::Parse("x", {}, "own", "--own"); }),
              "--own: text: found 'x', expected SCHEDULE;ROUTING");
    EXPECT_EQ(GetRefusal([] { FabricDesign::Parse("x"); }),
              "design own: text: found 'x', expected SCHEDULE;ROUTING");
}

TEST(FabricDesign, RefusesASize)
{
    const auto refuse = [](const FabricSize& size)
    { return GetRefusal([&] { size.Check("--"); }); };
    EXPECT_EQ(refuse({}), "");
    EXPECT_EQ(refuse({.racks = 1}), "--racks: found '1', expected 2 to 65536");
    EXPECT_EQ(refuse({.servers = 0}), "--servers: found '0', expected 1 to 16384");
    EXPECT_EQ(refuse({.uplinks = 0}), "--uplinks: found '0', expected 1 to 4096");
    EXPECT_EQ(refuse({.gbps = 0}), "--gbps: found '0', expected 0.001 to 1e6");
    EXPECT_EQ(refuse({.gbps = 1e10}), "--gbps: found '10000000000', expected 0.001 to 1e6");
    EXPECT_EQ(refuse({.serverGbps = 1e-12}).find("--serverGbps: found '1e-12'"), 0U);
    EXPECT_EQ(refuse({.gbps = std::nan("")}).find("--gbps: found 'nan'"), 0U);
    EXPECT_EQ(refuse({.slot = 0, .dark = 0}), "--slot: found '0', expected above 0 to 1e9");
    EXPECT_EQ(refuse({.delay = -1}), "--delay: found '-1', expected 0 to 1e9");
    EXPECT_EQ(refuse({.delay = 1e17}).find("--delay: found '1e+17'"), 0U);
    EXPECT_EQ(refuse({.slot = 10, .dark = 10}), "--dark: found '10', expected less than --slot");
    const std::string found = GetRefusal([] { FabricDesign::Find("opera", {.dark = 200}); });
    EXPECT_NE(found.find("dark: found '200', expected less than slot"), std::string::npos) << found;
}

TEST(FabricDesign, SizesFollowItsText)
{
    const FabricSize size{.racks = 16, .servers = 6, .uplinks = 4};
    const auto find = [&](const char* name) { return FabricDesign::Find(name, size); };
    EXPECT_EQ(find("rotornet").GetUplinks(), 4U);
    EXPECT_EQ(find("expander").GetUplinks(), 5U);
    EXPECT_EQ(find("hybrid").GetUplinks(), 3U);
    EXPECT_EQ(find("hybrid").GetLinks(), 4);
    EXPECT_EQ(find("ideal").GetLinks(), 6);
    EXPECT_EQ(find("clos-3:1").GetLinks(), 2);
    EXPECT_EQ(find("hybrid").GetFabricSize().electrical, 1U);
    FabricDesign expander = find("expander");
    EXPECT_TRUE(expander.RemoveMore());
    EXPECT_FALSE(expander.RemoveMore());
    EXPECT_EQ(expander.GetUplinks(), 4U);

    // Products, slots in units of the size, and tori of any racks.
    const auto demand = DemandMatrix::Make("uniform", 16);
    const auto opera = FabricDesign::Find("opera", {.slot = 30, .dark = 3});
    const auto plan = opera.MakeSchedule(demand, 1);
    EXPECT_EQ(plan->GetPlane(0).slots[0].duration, MicroSeconds(120));
    EXPECT_EQ(plan->GetReconfigurationTime(), MicroSeconds(3));
    const auto torus = [](uint32_t racks, uint32_t uplinks)
    {
        const auto design = FabricDesign::Find("torus", {.racks = racks, .uplinks = uplinks});
        const auto plan = design.MakeSchedule(DemandMatrix(racks), 1);
        EXPECT_EQ(plan->GetNPlanes(), design.GetUplinks());
        return DynamicCast<TorusSchedule>(plan)->GetTorus().GetText();
    };
    EXPECT_EQ(torus(16, 4), "4x4");
    EXPECT_EQ(torus(128, 6), "4x4x8");
    EXPECT_EQ(torus(18, 7), "2x3x3");
    EXPECT_EQ(torus(7, 1), "7");
}

TEST(FabricDesign, SaysWhyNot)
{
    // Of each design: whether the flow level and the exact engine carry it, or a word of the
    // reason.
    const std::map<std::string, std::pair<std::string, std::string>> expected{
        {"ideal", {"", ""}},
        {"fat-tree", {"", ""}},
        {"clos-3:1", {"", ""}},
        {"expander", {"", ""}},
        {"rotornet-direct", {"", ""}},
        {"rotornet", {"racks agree", ""}},
        {"opera", {"in another way", ""}},
        {"opera-hold", {"in another way", ""}},
        {"sirius", {"", ""}},
        {"hybrid", {"electrical", "electrical"}},
        {"max-weight", {"", ""}},
        {"helios", {"a controller", ""}},
        {"greedy", {"a controller", ""}},
        {"agent", {"a controller", ""}},
        {"birkhoff", {"", ""}},
        {"vermilion", {"", ""}},
        {"torus", {"", ""}},
        {"twisted-torus", {"", ""}},
    };
    const auto matches = [](const std::string& found, const std::string& word)
    { return word.empty() ? found.empty() : found.find(word) != std::string::npos; };
    for (const FabricDesign& design : FabricDesign::GetAll({.racks = 32, .uplinks = 6}))
    {
        if (design.GetName() == "test-design")
        {
            continue;
        }
        SCOPED_TRACE(design.GetName());
        ASSERT_TRUE(expected.contains(design.GetName()));
        const auto& [flows, exact] = expected.at(design.GetName());
        EXPECT_EQ(design.WhyNot(FabricEngine::PACKETS), "");
        EXPECT_TRUE(matches(design.WhyNot(FabricEngine::FLOWS), flows))
            << design.WhyNot(FabricEngine::FLOWS);
        EXPECT_TRUE(matches(design.WhyNot(FabricEngine::EXACT), exact))
            << design.WhyNot(FabricEngine::EXACT);
    }
    const auto own = [](const std::string& text)
    { return FabricDesign::Parse(text).WhyNot(FabricEngine::EXACT); };
    EXPECT_EQ(own("RotorSchedule;ValiantRouting;hold"),
              "hosts hold flows, but not for direct circuits");
    EXPECT_EQ(own("MatchingController;DirectRouting;hold"),
              "hosts hold flows, but a controller sets circuits");
    EXPECT_EQ(
        FabricDesign::MakeGranted("DirectRouting", {}, "granted", "").WhyNot(FabricEngine::EXACT),
        "a program sets its circuits");
    // Attributes that only packets follow, given as by a program's options or by the environment.
    const auto given = [&](const std::string& path, const AttributeValue& value, const char* usual)
    {
        Config::SetDefault("ns3::odcn::" + path, value);
        const std::string reason = own("ExpanderSchedule;ExpanderRouting");
        Config::SetDefault("ns3::odcn::" + path, StringValue(usual));
        return reason;
    };
    EXPECT_EQ(given("TorSwitch::BufferSize", StringValue("20000B"), "0B"),
              "TorSwitch::BufferSize is given");
    EXPECT_EQ(given("TorSwitch::QueueSize", StringValue("10p"), "0p"),
              "TorSwitch::QueueSize is given");
    EXPECT_EQ(given("FlowApplication::Rate", StringValue("1Gbps"), "0bps"),
              "FlowApplication::Rate is given");
    EXPECT_EQ(given("TorSwitch::Spreading", StringValue("PerFlow"), "PerPacket"),
              "TorSwitch::Spreading is PerFlow");
    EXPECT_EQ(own("ExpanderSchedule;ExpanderRouting"), "");
    setenv("NS_ATTRIBUTE_DEFAULT", "a=b;ns3::odcn::TorSwitch::QueueSize=7p", 1);
    EXPECT_EQ(own("ExpanderSchedule;ExpanderRouting"), "TorSwitch::QueueSize is given");
    unsetenv("NS_ATTRIBUTE_DEFAULT");
}

TEST(FabricDesign, Bounds)
{
    // Each rack sends 1 in links: rotors give each pair 1/16 of each of 4 uplinks, 90 % of the
    // time.
    const DemandMatrix uniform = DemandMatrix::Make("uniform", 16);
    const FabricSize size;
    const auto bound = [&](const char* name, const FabricBoundScope& scope = {})
    { return FabricDesign::Find(name, size).GetBound(uniform, scope); };
    EXPECT_NEAR(bound("rotornet-direct"), 4 * 15 / 16.0 * 0.9, 1e-9);
    EXPECT_NEAR(bound("rotornet-direct", {.unit = 4}), 15 / 16.0 * 0.9, 1e-9);
    EXPECT_NEAR(bound("ideal"), 4, 1e-9);
    EXPECT_NEAR(bound("clos-3:1"), 4 / 3.0, 1e-9);
    EXPECT_NEAR(bound("helios"), 4, 1e-9);
    EXPECT_NEAR(bound("hybrid"), 4, 1e-9);
    // Of all bytes 9 in 10 are short and have one electrical link.
    EXPECT_NEAR(bound("hybrid", {.shortShare = 0.9}), 1 / 0.9, 1e-9);
}

TEST(FabricDesign, EnginesHaveOneWord)
{
    EXPECT_STREQ(GetName(FabricEngine::PACKETS), "packets");
    EXPECT_STREQ(GetName(FabricEngine::FLOWS), "flows");
    EXPECT_STREQ(GetName(FabricEngine::EXACT), "exact");
}

} // namespace
} // namespace ns3::odcn
