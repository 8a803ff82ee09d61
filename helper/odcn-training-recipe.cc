// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-options.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ns3::odcn
{

namespace
{

using RecipeJson = nlohmann::ordered_json;

/// Largest size of a recipe, bytes.
constexpr std::size_t MAX_RECIPE_SIZE = 64 * 1024;
/// Largest nesting depth of its JSON.
constexpr int MAX_RECIPE_DEPTH = 4;

/// @param json any  @return its text, of a string without quotes
std::string
GetJsonText(const RecipeJson& json)
{
    return json.is_string() ? json.get<std::string>()
                            : json.dump(-1, ' ', true, RecipeJson::error_handler_t::replace);
}

/// @param json any  @return whether it is a text that is not empty
bool
IsText(const RecipeJson& json)
{
    return json.is_string() && json != "";
}

/// @param json any  @return whether it is a whole number
bool
IsCount(const RecipeJson& json)
{
    return json.is_number_unsigned();
}

/// @param json any  @return whether it is a whole number above 0
bool
IsPositive(const RecipeJson& json)
{
    return json.is_number_unsigned() && json > 0;
}

/// @param json any  @return whether it is a text, a number, true or false
bool
IsScalar(const RecipeJson& json)
{
    return json.is_primitive() && !json.is_null();
}

/// @tparam IS_VALID whether a value is valid  @param json any  @return whether it is an object of
/// valid values
template <auto IS_VALID>
bool
IsObject(const RecipeJson& json)
{
    return json.is_object() && std::all_of(json.begin(), json.end(), IS_VALID);
}

/// A key of a recipe.
struct RecipeKey
{
    bool required;                      //!< whether each recipe has it
    bool (*isValid)(const RecipeJson&); //!< whether a value is valid
    const char* expected;               //!< the valid values
};

const std::map<std::string, RecipeKey> KEYS{
    {"about", {false, IsText, "a text"}},
    {"problem", {true, IsText, "a type"}},
    {"problemAttributes", {false, IsObject<IsScalar>, "texts or numbers by Attribute"}},
    {"cases",
     {false,
      IsObject<[](const RecipeJson& list) {
          return list.is_array() && !list.empty() &&
                 std::all_of(list.begin(), list.end(), IsScalar);
      }>,
      "lists of texts or numbers by name"}},
    {"problems", {false, IsPositive, "a whole number above 0"}},
    {"evaluationProblems", {false, IsPositive, "a whole number above 0"}},
    {"learner", {true, IsText, "a type with Attributes in brackets"}},
    {"network", {true, IsText, "a name with options in brackets"}},
    {"teacher",
     {false,
      [](const RecipeJson& json) { return IsText(json) || IsObject<IsText>(json); },
      "a policy, or policies by value of the first case"}},
    {"learnerDefaults", {false, IsObject<IsScalar>, "texts or numbers by Attribute"}},
    {"durations",
     {false,
      IsObject<[](const RecipeJson& json) { return json.is_number() && json >= 0; }>,
      "numbers by Attribute"}},
    {"decisions", {true, IsPositive, "a whole number above 0"}},
    {"epochs", {false, IsCount, "a whole number"}},
    {"schedule",
     {false, [](const RecipeJson& json) { return json.is_boolean(); }, "true or false"}},
};

/// @param json of a recipe  @param file for errors  @throws OdcnError when it is not one
void
CheckRecipe(const RecipeJson& json, const std::string& file)
{
    const auto fail =
        [&](const std::string& key, const std::string& found, const std::string& expected)
    { throw OdcnError(file + ": " + key + "found " + found + ", expected " + expected); };
    if (!json.is_object())
    {
        fail("", "no JSON object", "a recipe");
    }
    std::string names;
    for (const auto& [name, key] : KEYS)
    {
        names += (names.empty() ? "" : ", ") + name;
        if (const auto found = json.find(name); found == json.end() && key.required)
        {
            fail(name + ": ", "nothing", key.expected);
        }
        else if (found != json.end() && !key.isValid(*found))
        {
            fail(name + ": ", "'" + GetJsonText(*found).substr(0, 60) + "'", key.expected);
        }
    }
    for (const auto& [name, value] : json.items())
    {
        if (!KEYS.contains(name))
        {
            fail(name + ": ", "an unknown key", "one of " + names);
        }
    }
}

/// @param json of a recipe  @param key key of an object or a text  @return the texts of its values,
/// a text by the name ""
std::map<std::string, std::string>
GetTexts(const RecipeJson& json, const std::string& key)
{
    std::map<std::string, std::string> texts;
    const auto found = json.value(key, RecipeJson::object());
    if (found.is_string())
    {
        return {{"", GetJsonText(found)}};
    }
    for (const auto& [name, value] : found.items())
    {
        texts[name] = GetJsonText(value);
    }
    return texts;
}

} // namespace

TrainingRecipe
TrainingRecipe::Read(const std::string& path)
{
    TrainingRecipe recipe;
    recipe.file = path;
    std::ifstream file(path, std::ios::binary);
    recipe.text.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || recipe.text.size() > MAX_RECIPE_SIZE)
    {
        throw OdcnError(path + (file ? ": is too large for a recipe" : ": cannot be read"));
    }
    bool flat = true;
    const auto json = RecipeJson::parse(
        recipe.text,
        [&](int depth, RecipeJson::parse_event_t, RecipeJson&)
        { return flat = flat && depth <= MAX_RECIPE_DEPTH; },
        false);
    CheckRecipe(flat ? json : RecipeJson(), path);
    recipe.about = json.value("about", "");
    recipe.problem = json["problem"];
    recipe.problemAttributes = GetTexts(json, "problemAttributes");
    const auto cases = json.value("cases", RecipeJson::object());
    for (const auto& [name, list] : cases.items())
    {
        std::transform(list.begin(),
                       list.end(),
                       std::back_inserter(recipe.cases[name]),
                       GetJsonText);
    }
    recipe.problems = json.value("problems", recipe.problems);
    recipe.evaluationProblems = json.value("evaluationProblems", recipe.evaluationProblems);
    recipe.learner = json["learner"];
    recipe.network = json["network"];
    recipe.teachers = GetTexts(json, "teacher");
    recipe.learnerDefaults = GetTexts(json, "learnerDefaults");
    recipe.durations = json.value("durations", recipe.durations);
    recipe.decisions = json["decisions"];
    recipe.epochs = json.value("epochs", recipe.epochs);
    recipe.schedule = json.value("schedule", false);
    for (auto& [value, teacher] : recipe.teachers)
    {
        // A policy's file is found from the recipe's folder.
        const auto beside = std::filesystem::path(path).parent_path() / teacher;
        if (std::error_code none; std::filesystem::is_regular_file(beside, none))
        {
            teacher = beside.lexically_normal().string();
        }
    }
    return recipe;
}

std::map<std::string, std::string>
TrainingRecipe::List(const std::string& system)
{
    std::map<std::string, std::string> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(GetDataFile("recipes"), none))
    {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".json" && name.rfind(system + "-", 0) == 0)
        {
            files[name.substr(system.size() + 1)] = entry.path().string();
        }
    }
    return files;
}

} // namespace ns3::odcn
