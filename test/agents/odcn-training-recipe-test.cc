// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Recipes of trainings: what a file says, what is refused, and that those of data/ are complete.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-training-options.h"

#include <ctime>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Keys that every recipe has, without the final bracket.
const std::string LEAST =
    R"({"problem": "A", "learner": "PpoLearner", "network": "Mlp", "decisions": 1000)";

/// Reads recipes.
class TrainingRecipeTest : public FolderTest
{
  protected:
    /// @param text of a file  @return its recipe
    TrainingRecipe ReadRecipe(const std::string& text) const
    {
        return TrainingRecipe::Read(Write(text));
    }
};

} // namespace

TEST_F(TrainingRecipeTest, TakesValuesAndDefaults)
{
    const auto least = ReadRecipe(LEAST + "}");
    EXPECT_EQ(least.problem, "A");
    EXPECT_EQ(least.decisions, 1000U);
    EXPECT_EQ(least.problems, 16U);
    EXPECT_EQ(least.evaluationProblems, 8U);
    EXPECT_EQ(least.epochs, 20U);
    EXPECT_FALSE(least.schedule);
    EXPECT_TRUE(least.teachers.empty());
    const auto more =
        ReadRecipe(LEAST + R"(, "problemAttributes": {"State": "Paper", "Alpha": 1e-5},
                     "cases": {"loads": [60, 66.5], "patterns": ["ring"]},
                     "teacher": {"ring": "fcfs", "star": "sjf"}, "schedule": true,
                     "learnerDefaults": {"UseMask": false}, "durations": {"WarmUpDecisions": 2.5}})");
    EXPECT_EQ(more.problemAttributes.at("State"), "Paper");
    EXPECT_EQ(more.problemAttributes.at("Alpha"), "1e-05");
    EXPECT_EQ(more.cases.at("loads"), (std::vector<std::string>{"60", "66.5"}));
    EXPECT_EQ(more.teachers.at("star"), "sjf");
    EXPECT_EQ(more.learnerDefaults.at("UseMask"), "false");
    EXPECT_EQ(more.durations.at("WarmUpDecisions"), 2.5);
    EXPECT_TRUE(more.schedule);
    EXPECT_EQ(ReadRecipe(LEAST + R"(, "teacher": "sjf"})").teachers.at(""), "sjf");
    const auto from = [this](const std::string& file)
    {
        return ReadRecipe(R"({"problem": "A", "learner": "B", "decisions": 1, "start": ")" + file +
                          R"("})")
            .start;
    };
    EXPECT_EQ(from("absent.pt"), "absent.pt");
    EXPECT_EQ(from("a-file"), m_path) << "a file in the recipe's folder";
}

TEST_F(TrainingRecipeTest, RefusesWhatIsNoRecipe)
{
    const std::string noObject = "found no JSON object, expected a recipe";
    const std::string noDecisions = "decisions: found nothing, expected a whole number above 0";
    const auto with = [](const std::string& more) { return LEAST + ", " + more + "}"; };
    for (const auto& [text, message] : std::map<std::string, std::string>{
             {"[1]", noObject},
             {"{", noObject},
             {"{}", noDecisions},
             {R"({"problem": "A", "learner": "B", "network": "C"})", noDecisions},
             {with(R"("steps": 3)"),
              "steps: found an unknown key, expected one of about, cases, decisions, durations, "
              "epochs, evaluationProblems, learner, learnerDefaults, network, problem, "
              "problemAttributes, problems, schedule, start, teacher"},
             {with(R"("start": "a.pt")"), "network, start: found both, expected one of them"},
             {R"({"problem": "A", "learner": "B", "decisions": 1})",
              "network, start: found none, expected one of them"},
             {with(R"("about": 3)"), "about: found '3', expected a text"},
             {with(R"("problems": "many")"),
              "problems: found 'many', expected a whole number above 0"},
             {with(R"("problems": -1)"), "problems: found '-1', expected a whole number above 0"},
             {with(R"("epochs": 1.5)"), "epochs: found '1.5', expected a whole number"},
             {with(R"("schedule": 1)"), "schedule: found '1', expected true or false"},
             {with(R"("cases": {"loads": 60})"),
              "cases: found '{\"loads\":60}', expected lists of texts or numbers by name"},
             {with(R"("cases": {"loads": []})"),
              "cases: found '{\"loads\":[]}', expected lists of texts or numbers by name"},
             {with(R"("teacher": 3)"),
              "teacher: found '3', expected a policy, or policies by value of the first case"},
             {with(R"("durations": {"WarmUpDecisions": "2"})"),
              "durations: found '{\"WarmUpDecisions\":\"2\"}', expected numbers by Attribute"},
             {with(R"("learnerDefaults": {"Gamma": [1]})"),
              "learnerDefaults: found '{\"Gamma\":[1]}', expected texts or numbers by Attribute"},
             {with(R"("cases": [[[[[[[[1]]]]]]]])"), "found deeply nested JSON, expected a recipe"},
             {std::string(5000000, ' '), "found more than 4194304 bytes, expected a recipe"}})
    {
        EXPECT_EQ(Refuse([&] { ReadRecipe(text); }), ": " + message);
    }
    EXPECT_REFUSAL(TrainingRecipe::Read("/none/a.json"), "/none/a.json: cannot be read");
    // Each key compared with all before it takes a minute.
    std::string many = LEAST;
    for (int i = 0; i < 200000; ++i)
    {
        many += ", \"k" + std::to_string(i) + "\": 0";
    }
    const std::clock_t begin = std::clock();
    EXPECT_TRUE(Has(Refuse([&] { ReadRecipe(many + "}"); }), ": k0: found an unknown key"));
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 10);
}

TEST_F(TrainingRecipeTest, ThoseOfDataAreComplete)
{
    std::size_t n = 0;
    for (const std::string system :
         {"circuits", "cluster", "icci", "matching", "odcn", "rddc", "training"})
    {
        for (const auto& [name, file] : TrainingRecipe::List(system))
        {
            SCOPED_TRACE(file);
            const auto recipe = TrainingRecipe::Read(file);
            EXPECT_FALSE(recipe.about.empty());
            TypeId problem;
            EXPECT_TRUE(TypeId::LookupByNameFailSafe("ns3::odcn::" + recipe.problem, &problem));
            EXPECT_TRUE(bool{Learner::Create(recipe.learner)});
            EXPECT_TRUE(recipe.start.empty() || std::filesystem::exists(recipe.start));
            for (const auto& [value, teacher] : recipe.teachers)
            {
                EXPECT_FALSE(PolicyRegistry::Find(problem.GetName(), teacher).words.empty());
            }
            ++n;
        }
    }
    const std::filesystem::directory_iterator all(GetDataFile("recipes"));
    EXPECT_EQ(n, static_cast<std::size_t>(std::distance(begin(all), end(all))));
}
