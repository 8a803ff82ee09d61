// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Recipes of trainings: what a file says, what is refused, and that those of data/ are complete.
 */

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-training-options.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A recipe's file, removed at the end.
class RecipeFile
{
  public:
    /// @param text its content
    explicit RecipeFile(const std::string& text)
        : m_path(std::filesystem::temp_directory_path() / "odcn-recipe-test.json")
    {
        std::ofstream(m_path) << text;
    }

    ~RecipeFile()
    {
        std::filesystem::remove(m_path);
    }

    /// @return the recipe
    TrainingRecipe Read() const
    {
        return TrainingRecipe::Read(m_path);
    }

    /// @return the message of Read() behind the file's name; "" without an error
    std::string GetError() const
    {
        try
        {
            Read();
        }
        catch (const OdcnError& error)
        {
            const std::string what = error.what();
            EXPECT_EQ(what.rfind(m_path + ": ", 0), 0U) << what;
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
            return what.substr(m_path.size() + 2);
        }
        return "";
    }

  private:
    std::string m_path; //!< its path
};

/// Keys that every recipe has, without the final bracket.
const std::string LEAST =
    R"({"problem": "A", "learner": "PpoLearner", "network": "Mlp", "decisions": 1000)";

} // namespace

TEST(TrainingRecipe, TakesValuesAndDefaults)
{
    const auto least = RecipeFile(LEAST + "}").Read();
    EXPECT_EQ(least.problem, "A");
    EXPECT_EQ(least.decisions, 1000U);
    EXPECT_EQ(least.problems, 16U);
    EXPECT_EQ(least.evaluationProblems, 8U);
    EXPECT_EQ(least.epochs, 20U);
    EXPECT_FALSE(least.schedule);
    EXPECT_TRUE(least.teachers.empty());
    const auto more =
        RecipeFile(LEAST + R"(, "problemAttributes": {"State": "Paper", "Alpha": 1e-5},
                              "cases": {"loads": [60, 66.5], "patterns": ["ring"]},
                              "teacher": {"ring": "fcfs", "star": "sjf"}, "schedule": true,
                              "learnerDefaults": {"UseMask": false},
                              "durations": {"WarmUpDecisions": 2.5}})")
            .Read();
    EXPECT_EQ(more.problemAttributes.at("State"), "Paper");
    EXPECT_EQ(more.problemAttributes.at("Alpha"), "1e-05");
    EXPECT_EQ(more.cases.at("loads"), (std::vector<std::string>{"60", "66.5"}));
    EXPECT_EQ(more.teachers.at("star"), "sjf");
    EXPECT_EQ(more.learnerDefaults.at("UseMask"), "false");
    EXPECT_EQ(more.durations.at("WarmUpDecisions"), 2.5);
    EXPECT_TRUE(more.schedule);
    EXPECT_EQ(RecipeFile(LEAST + R"(, "teacher": "sjf"})").Read().teachers.at(""), "sjf");
}

TEST(TrainingRecipe, RefusesWhatIsNoRecipe)
{
    const auto error = [](const std::string& more)
    { return RecipeFile(LEAST + ", " + more + "}").GetError(); };
    EXPECT_EQ(RecipeFile("[1]").GetError(), "found no JSON object, expected a recipe");
    EXPECT_EQ(RecipeFile("{").GetError(), "found no JSON object, expected a recipe");
    EXPECT_EQ(RecipeFile("{}").GetError(),
              "decisions: found nothing, expected a whole number above 0");
    EXPECT_EQ(RecipeFile(R"({"problem": "A", "learner": "B", "network": "C"})").GetError(),
              "decisions: found nothing, expected a whole number above 0");
    EXPECT_EQ(error(R"("steps": 3)").substr(0, 54),
              "steps: found an unknown key, expected one of about, ca");
    EXPECT_EQ(error(R"("about": 3)"), "about: found '3', expected a text");
    EXPECT_EQ(error(R"("problems": "many")"),
              "problems: found 'many', expected a whole number above 0");
    EXPECT_EQ(error(R"("problems": -1)"), "problems: found '-1', expected a whole number above 0");
    EXPECT_EQ(error(R"("epochs": 1.5)"), "epochs: found '1.5', expected a whole number");
    EXPECT_EQ(error(R"("schedule": 1)"), "schedule: found '1', expected true or false");
    EXPECT_EQ(error(R"("cases": {"loads": 60})"),
              "cases: found '{\"loads\":60}', expected lists of texts or numbers by name");
    EXPECT_EQ(error(R"("cases": {"loads": []})"),
              "cases: found '{\"loads\":[]}', expected lists of texts or numbers by name");
    EXPECT_EQ(error(R"("teacher": 3)"),
              "teacher: found '3', expected a policy, or policies by value of the first case");
    EXPECT_EQ(error(R"("durations": {"WarmUpDecisions": "2"})"),
              "durations: found '{\"WarmUpDecisions\":\"2\"}', expected numbers by Attribute");
    EXPECT_EQ(error(R"("learnerDefaults": {"Gamma": [1]})"),
              "learnerDefaults: found '{\"Gamma\":[1]}', expected texts or numbers by Attribute");
    EXPECT_EQ(error(R"("cases": [[[[[[[[1]]]]]]]])"), "found no JSON object, expected a recipe");
    EXPECT_EQ(RecipeFile(std::string(100000, ' ')).GetError(), "is too large for a recipe");
    EXPECT_THROW(TrainingRecipe::Read("/none/a.json"), OdcnError);
}

TEST(TrainingRecipe, ThoseOfDataAreComplete)
{
    std::size_t n = 0;
    for (const std::string system : {"cluster", "icci", "matching", "odcn", "rddc"})
    {
        for (const auto& [name, file] : TrainingRecipe::List(system))
        {
            SCOPED_TRACE(file);
            const auto recipe = TrainingRecipe::Read(file);
            EXPECT_FALSE(recipe.about.empty());
            TypeId problem;
            EXPECT_TRUE(TypeId::LookupByNameFailSafe("ns3::odcn::" + recipe.problem, &problem));
            EXPECT_TRUE(bool{Learner::Create(recipe.learner)});
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
