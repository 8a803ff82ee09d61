// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-options.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"

#include <algorithm>
#include <filesystem>

namespace ns3::odcn
{

namespace
{

using RecipeJson = nlohmann::json;

/// @param json any
/// @return its text, of a string without quotes
std::string
GetJsonText(const RecipeJson& json)
{
    return json.is_string() ? json.get<std::string>() : FormatJson(json, true);
}

/// @param json any
/// @param [out] text its text
/// @return whether it is a text, a number or a switch
bool
TakeScalar(const RecipeJson& json, std::string& text)
{
    text = GetJsonText(json);
    return json.is_primitive() && !json.is_null();
}

/// @param json any
/// @param [out] list its values' texts
/// @return whether it is a list of scalars
bool
TakeScalar(const RecipeJson& json, std::vector<std::string>& list)
{
    list.resize(json.size());
    return json.is_array() && !json.empty() &&
           std::equal(json.begin(),
                      json.end(),
                      list.begin(),
                      [](const RecipeJson& one, std::string& text)
                      { return TakeScalar(one, text); });
}

/// @param json any
/// @param [out] value its number
/// @return whether it is a number, not below 0
bool
TakeScalar(const RecipeJson& json, double& value)
{
    value = json.is_number() ? json.get<double>() : -1;
    return value >= 0;
}

/// @param json any
/// @param [out] text its text
/// @return whether it is a text that is not empty
bool
Take(const RecipeJson& json, std::string& text)
{
    return json.is_string() && TakeScalar(json, text) && !text.empty();
}

/// @param json any
/// @param [out] value its number
/// @return whether it is a whole number
bool
Take(const RecipeJson& json, uint64_t& value)
{
    value = json.is_number_unsigned() ? json.get<uint64_t>() : 0;
    return json.is_number_unsigned();
}

/// @param json any
/// @param [out] value its switch
/// @return whether it is true or false
bool
Take(const RecipeJson& json, bool& value)
{
    value = json == true;
    return json.is_boolean();
}

/// @param json any
/// @param [out] values its values
/// @return whether it is an object of such
template <typename T>
bool
Take(const RecipeJson& json, std::map<std::string, T>& values)
{
    if (!json.is_object())
    {
        return false;
    }
    const auto items = json.items();
    return std::all_of(items.begin(),
                       items.end(),
                       [&](const auto& item)
                       { return TakeScalar(item.value(), values[item.key()]); });
}

/// @tparam MEMBER of a recipe
/// @param json its value
/// @param recipe gets it
/// @return whether valid
template <auto MEMBER>
bool
Into(const RecipeJson& json, TrainingRecipe& recipe)
{
    return Take(json, recipe.*MEMBER);
}

/// @tparam MEMBER of a recipe
/// @param json its value
/// @param recipe gets it
/// @return whether it is
/// valid and not 0
template <auto MEMBER>
bool
IntoPositive(const RecipeJson& json, TrainingRecipe& recipe)
{
    return Take(json, recipe.*MEMBER) && recipe.*MEMBER > 0;
}

/// @param json a policy, or policies by name
/// @param recipe gets them
/// @return whether valid
bool
IntoTeachers(const RecipeJson& json, TrainingRecipe& recipe)
{
    return json.is_string() ? Take(json, recipe.teachers[""]) : Take(json, recipe.teachers);
}

/// A key of a recipe.
struct RecipeKey
{
    bool required;                                    //!< whether each recipe has it
    bool (*read)(const RecipeJson&, TrainingRecipe&); //!< @return whether the value is valid
    const char* expected;                             //!< the valid values
};

const std::map<std::string, RecipeKey> KEYS{
    {"about", {false, Into<&TrainingRecipe::about>, "a text"}},
    {"problem", {true, Into<&TrainingRecipe::problem>, "a type"}},
    {"problemAttributes",
     {false, Into<&TrainingRecipe::problemAttributes>, "texts or numbers by Attribute"}},
    {"cases", {false, Into<&TrainingRecipe::cases>, "lists of texts or numbers by name"}},
    {"problems", {false, IntoPositive<&TrainingRecipe::problems>, "a whole number above 0"}},
    {"evaluationProblems",
     {false, IntoPositive<&TrainingRecipe::evaluationProblems>, "a whole number above 0"}},
    {"learner", {true, Into<&TrainingRecipe::learner>, "a type with Attributes in brackets"}},
    {"network", {false, Into<&TrainingRecipe::network>, "a name with options in brackets"}},
    {"start", {false, Into<&TrainingRecipe::start>, "a checkpoint"}},
    {"teacher", {false, IntoTeachers, "a policy, or policies by value of the first case"}},
    {"learnerDefaults",
     {false, Into<&TrainingRecipe::learnerDefaults>, "texts or numbers by Attribute"}},
    {"durations", {false, Into<&TrainingRecipe::durations>, "numbers by Attribute"}},
    {"decisions", {true, IntoPositive<&TrainingRecipe::decisions>, "a whole number above 0"}},
    {"epochs", {false, Into<&TrainingRecipe::epochs>, "a whole number"}},
    {"schedule", {false, Into<&TrainingRecipe::schedule>, "true or false"}},
};

/// @param json of a recipe
/// @param recipe gets its values, and has its file
/// @throws OdcnError when
/// it is not one
void
ReadKeys(const RecipeJson& json, TrainingRecipe& recipe)
{
    const auto fail =
        [&](const std::string& key, const std::string& found, const std::string& expected)
    { throw OdcnError(recipe.file + ": " + key + "found " + found + ", expected " + expected); };
    if (!json.is_object())
    {
        fail("", "no JSON object", "a recipe");
    }
    std::string names;
    for (const auto& [name, key] : KEYS)
    {
        names += (names.empty() ? "" : ", ") + name;
        const auto found = json.find(name);
        if (found == json.end() && key.required)
        {
            fail(name + ": ", "nothing", key.expected);
        }
        else if (found != json.end() && !key.read(*found, recipe))
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

} // namespace

TrainingRecipe
TrainingRecipe::Read(const std::string& path)
{
    TrainingRecipe recipe;
    recipe.file = path;
    recipe.text = ReadJsonFile(path, "a recipe");
    ReadKeys(ParseFlatJson(recipe.text, path, "a recipe"), recipe);
    if (recipe.network.empty() == recipe.start.empty())
    {
        throw OdcnError(path + ": network, start: found " +
                        (recipe.start.empty() ? "none" : "both") + ", expected one of them");
    }
    // A policy's file is found from the recipe's folder.
    const auto findBeside = [&](std::string& file)
    {
        const auto beside = std::filesystem::path(path).parent_path() / file;
        if (std::error_code none; std::filesystem::is_regular_file(beside, none))
        {
            file = beside.lexically_normal().string();
        }
    };
    findBeside(recipe.start);
    for (auto& [value, teacher] : recipe.teachers)
    {
        findBeside(teacher);
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
