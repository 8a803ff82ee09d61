// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-options.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

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
ToText(const RecipeJson& json)
{
    return json.is_string() ? json.get<std::string>()
                            : json.dump(-1, ' ', true, RecipeJson::error_handler_t::replace);
}

/// @param json any  @return whether it is a text, a number, true or false
bool
IsScalar(const RecipeJson& json)
{
    return json.is_string() || json.is_number() || json.is_boolean();
}

/// Read a value. @param json value  @param [out] text its text  @return whether it is valid
bool
Take(const RecipeJson& json, std::string& text)
{
    text = ToText(json);
    return json.is_string() && !text.empty();
}

/// As above. @param json a whole number  @param [out] count its value  @return as above
bool
Take(const RecipeJson& json, uint64_t& count)
{
    count = json.is_number_unsigned() ? json.get<uint64_t>() : 0;
    return json.is_number_unsigned();
}

/// As above. @param json true or false  @param [out] value its value  @return as above
bool
Take(const RecipeJson& json, bool& value)
{
    value = json.is_boolean() && json.get<bool>();
    return json.is_boolean();
}

/// As above. @param json a number  @param [out] value its value  @return as above
bool
Take(const RecipeJson& json, double& value)
{
    value = json.is_number() ? json.get<double>() : -1;
    return value >= 0;
}

/// As above. @param json texts and numbers  @param [out] list their texts  @return as above
bool
Take(const RecipeJson& json, std::vector<std::string>& list)
{
    bool valid = json.is_array() && !json.empty();
    for (std::size_t i = 0; valid && i < json.size(); ++i)
    {
        valid = IsScalar(json[i]);
        list.push_back(ToText(json[i]));
    }
    return valid;
}

/// As above. @param json object  @param [out] map values by name  @return as above
template <typename T>
bool
Take(const RecipeJson& json, std::map<std::string, T>& map)
{
    bool valid = json.is_object();
    for (auto i = json.begin(); valid && i != json.end(); ++i)
    {
        if constexpr (std::is_same_v<T, std::string>)
        {
            valid = IsScalar(*i);
            map[i.key()] = ToText(*i);
        }
        else
        {
            valid = Take(*i, map[i.key()]);
        }
    }
    return valid;
}

/// Reads the keys of a recipe.
class RecipeReader
{
  public:
    /// @param file its path  @param json its content
    RecipeReader(std::string file, RecipeJson json)
        : m_file(std::move(file)),
          m_json(std::move(json))
    {
    }

    /// @param key key  @param [out] value its value  @param expected the valid values
    /// @param required whether there must be one
    template <typename T>
    void Read(const std::string& key, T& value, const std::string& expected, bool required = false)
    {
        m_keys += (m_keys.empty() ? "" : ", ") + key;
        const auto found = m_json.find(key);
        if (found == m_json.end())
        {
            Require(!required, key, "nothing", expected);
            return;
        }
        const RecipeJson json = *found;
        m_json.erase(found);
        T read{};
        Require(Take(json, read), key, "'" + ToText(json).substr(0, 60) + "'", expected);
        value = read;
    }

    /// @return whether a key that was not read is an object  @param key the key
    bool IsText(const std::string& key) const
    {
        return m_json.contains(key) && m_json.at(key).is_string();
    }

    /// @throws OdcnError when there is a key that was not read
    void Finish() const
    {
        if (!m_json.empty())
        {
            Require(false, m_json.begin().key(), "a key that is not known", "one of " + m_keys);
        }
    }

  private:
    /// @param valid whether a value is  @param key its key  @param found what was found
    /// @param expected the valid values
    void Require(bool valid,
                 const std::string& key,
                 const std::string& found,
                 const std::string& expected) const
    {
        if (!valid)
        {
            throw OdcnError(m_file + ": " + key + ": found " + found + ", expected " + expected);
        }
    }

    std::string m_file; //!< its path
    RecipeJson m_json;  //!< keys that were not read
    std::string m_keys; //!< those that were asked for
};

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
    const auto flat = [](int depth, RecipeJson::parse_event_t, RecipeJson&)
    { return depth <= MAX_RECIPE_DEPTH; };
    const auto json = RecipeJson::parse(recipe.text, flat, false);
    if (!json.is_object())
    {
        throw OdcnError(path + ": found no JSON object, expected a recipe");
    }
    RecipeReader reader(path, json);
    const std::string count = "a whole number";
    reader.Read("about", recipe.about, "a text");
    reader.Read("problem", recipe.problem, "a type", true);
    reader.Read("problemAttributes", recipe.problemAttributes, "texts or numbers by Attribute");
    reader.Read("cases", recipe.cases, "lists of texts or numbers by name");
    reader.Read("problems", recipe.problems, count);
    reader.Read("evaluationProblems", recipe.evaluationProblems, count);
    reader.Read("learner", recipe.learner, "a type with Attributes in brackets", true);
    reader.Read("network", recipe.network, "a name with options in brackets", true);
    if (reader.IsText("teacher"))
    {
        reader.Read("teacher", recipe.teachers[""], "a policy");
    }
    else
    {
        reader.Read("teacher", recipe.teachers, "a policy, or policies by value of the first case");
    }
    reader.Read("learnerDefaults", recipe.learnerDefaults, "texts or numbers by Attribute");
    reader.Read("durations", recipe.durations, "numbers by Attribute of the learner");
    reader.Read("decisions", recipe.decisions, count, true);
    reader.Read("epochs", recipe.epochs, count);
    reader.Read("schedule", recipe.schedule, "true or false");
    reader.Finish();
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
