// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-registry.h"

#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Type of the policies that are in the library of agents.
constexpr const char* AGENT_TYPE = "ns3::odcn::AgentPolicy";

/// Policies whose weights come from a file.
struct TrainedType
{
    const char* type;      //!< TypeId name
    const char* attribute; //!< Attribute with the file name
    const char* extension; //!< extension of such files
    const char* what;      //!< description for errors
    const char* instead;   //!< Attribute that replaces the file; "" for none
};

const std::vector<TrainedType> TRAINED{
    {AGENT_TYPE, "Checkpoint", ".pt", "the file of an agent", "Untrained"},
    {"ns3::odcn::LinearPolicy", "File", ".json", "the file of a linear policy", ""},
};

/// Former short names of policies, and what they are called now.
constexpr std::array<std::pair<const char*, const char*>, 1> RENAMED{{{"drl", "evolved"}}};

/// @param type TypeId name  @return the trained type; null for a rule
const TrainedType*
FindTrained(const std::string& type)
{
    const auto found = std::find_if(TRAINED.begin(),
                                    TRAINED.end(),
                                    [&](const TrainedType& t) { return type == t.type; });
    return found == TRAINED.end() ? nullptr : &*found;
}

/// Policies by the TypeId name of their problem.
using Table = std::map<std::string, std::vector<PolicyChoice>>;

/// @return the policies that were registered
Table&
GetTable()
{
    static Table table;
    return table;
}

/**
 * @param problem TypeId name
 * @param words a policy, as for PolicyRegistry::Find()
 * @return whether it is an agent, or decides by one that its Attribute Policy names
 */
bool
NeedsAgents(const std::string& problem, const std::string& words)
{
    const auto text = ObjectText::Parse("policy", words);
    if (text.type == AGENT_TYPE || "ns3::odcn::" + text.type == AGENT_TYPE ||
        std::filesystem::path(text.type).extension() == ".pt")
    {
        return true;
    }
    if (const auto inner = text.attributes.find("Policy"); inner != text.attributes.end())
    {
        return NeedsAgents(problem, inner->second);
    }
    const auto known = GetTable().find(problem);
    return known != GetTable().end() &&
           std::any_of(known->second.begin(),
                       known->second.end(),
                       [&](const PolicyChoice& choice)
                       { return choice.name == text.type && NeedsAgents("", choice.words); });
}

/// Open the library of agents for a policy that needs it.
/// @param what the policy, for errors
/// @param problem TypeId name
/// @param words the policy
/// @throws OdcnError when it needs agents and there are none
void
OpenAgents(const std::string& what, const std::string& problem, const std::string& words)
{
    if (NeedsAgents(problem, words))
    {
        AgentLibrary::Open("policy " + what);
    }
}

/**
 * @param words TypeId name of a policy, Attributes in brackets
 * @param more any name, Attributes in brackets
 * @return @p words with the Attributes of @p more added
 * @throws OdcnError when @p more has Attributes and the result is no policy
 */
std::string
AddAttributes(const std::string& words, const std::string& more)
{
    const auto added = ObjectText::Parse("policy", more).attributes;
    if (added.empty())
    {
        return words;
    }
    auto text = ObjectText::Parse("policy", words);
    for (const auto& [name, value] : added)
    {
        text.attributes[name] = value;
    }
    OpenAgents(more, "", words);
    text.Create("policy", DecisionPolicy::GetTypeId());
    return text.Write();
}

} // namespace

bool
PolicyChoice::IsTrained() const
{
    const auto text = ObjectText::Parse("policy", words);
    if (const auto inner = text.attributes.find("Policy"); inner != text.attributes.end())
    {
        PolicyChoice decider;
        decider.words = inner->second;
        return decider.IsTrained();
    }
    return FindTrained(text.type) != nullptr;
}

std::string
PolicyChoice::GetForm() const
{
    return GetFile().empty() ? words : words.substr(0, words.find('['));
}

std::string
PolicyChoice::GetFile() const
{
    const auto text = ObjectText::Parse("policy", words);
    const TrainedType* trained = FindTrained(text.type);
    const auto file = trained ? text.attributes.find(trained->attribute) : text.attributes.end();
    return file == text.attributes.end() ? "" : file->second;
}

void
PolicyChoice::SetFile(const std::string& file)
{
    auto text = ObjectText::Parse("policy", words);
    const TrainedType* trained = FindTrained(text.type);
    if (!trained || text.attributes.contains(trained->instead))
    {
        return;
    }
    const auto named = text.attributes.emplace(trained->attribute, file).first->second;
    if (!std::filesystem::is_regular_file(named))
    {
        throw OdcnError::InOption("policy " + name,
                                  named,
                                  std::string(trained->what) + (std::filesystem::exists(named)
                                                                    ? ""
                                                                    : ", which is not there"));
    }
    words = text.Write();
    if (const auto attribute = std::exchange(recorded, ""); !attribute.empty())
    {
        const auto provenance = Create()->GetProvenance();
        if (const auto value = provenance.find(PolicyRegistry::GetRecordName(attribute));
            value != provenance.end())
        {
            settings[attribute] = value->second;
        }
    }
}

Ptr<DecisionPolicy>
PolicyChoice::Create() const
{
    OpenAgents(name.empty() ? words : name, "", words);
    return CreateFromText<DecisionPolicy>("policy", words);
}

void
PolicyChoice::Apply(DecisionProblem& problem) const
{
    for (const auto& [attribute, value] : settings)
    {
        problem.Set(attribute, value);
    }
}

void
PolicyChoice::Configure(DecisionProblem& problem, DecisionPolicy& policy) const
{
    Apply(problem);
    const uint32_t actions = problem.GetNActions();
    policy.Configure(problem);
    // A policy may change what is observed, but not what is decided.
    if (problem.GetNActions() != actions)
    {
        throw OdcnError::InOption("policy " + name,
                                  "a file trained with " + std::to_string(problem.GetNActions()) +
                                      " actions",
                                  "one trained with " + std::to_string(actions));
    }
}

void
PolicyRegistry::Add(const std::string& problem, const PolicyChoice& choice)
{
    auto& known = GetTable()[problem];
    if (std::any_of(known.begin(),
                    known.end(),
                    [&](const PolicyChoice& other) { return other.name == choice.name; }))
    {
        throw OdcnError("policy " + choice.name + ": " + problem +
                        " has a policy of this name already");
    }
    known.push_back(choice);
}

const std::vector<PolicyChoice>&
PolicyRegistry::Get(std::string_view problem)
{
    return GetTable()[std::string(problem)];
}

std::string
PolicyRegistry::GetSetting(const std::string& problem)
{
    return problem == "ns3::odcn::OdcnScheduling" ? "Placement" : GetRecordedSetting(problem);
}

std::string
PolicyRegistry::GetRecordedSetting(const std::string& problem)
{
    static const std::map<std::string, std::string> ATTRIBUTES{
        {"ns3::odcn::RddcAllocation", "Routing"},
        {"ns3::odcn::IcciMigration", "Outlook"},
    };
    const auto found = ATTRIBUTES.find(problem);
    return found == ATTRIBUTES.end() ? "" : found->second;
}

std::string
PolicyRegistry::GetRecordName(std::string setting)
{
    setting.front() = static_cast<char>(std::tolower(setting.front()));
    return setting;
}

std::vector<std::string>
PolicyRegistry::GetNames(const std::string& problem)
{
    std::vector<std::string> names;
    for (const auto& choice : Get(problem))
    {
        names.push_back(choice.name);
    }
    return names;
}

/**
 * @param text TypeId name of a policy with Attributes in brackets, or the file of a trained one
 * @param names short names, for errors
 * @return the policy
 * @throws OdcnError when there is no such policy, Attribute or file
 */
static PolicyChoice
FindUnnamed(const std::string& text, std::vector<std::string> names)
{
    PolicyChoice choice;
    choice.name = text;
    const auto bracket = std::min(text.find('['), text.size());
    const std::string file = text.substr(0, bracket);
    const auto extension = std::filesystem::path(file).extension();
    const auto trained = std::find_if(TRAINED.begin(),
                                      TRAINED.end(),
                                      [&](const auto& t) { return extension == t.extension; });
    if (trained != TRAINED.end())
    {
        choice.words = AddAttributes(trained->type, "file" + text.substr(bracket));
        if (!choice.GetFile().empty())
        {
            throw OdcnError::InOption("policy " + text, choice.GetFile(), "one file");
        }
        choice.SetFile(file);
        return choice;
    }
    for (const auto& [before, now] : RENAMED)
    {
        if (file == before && std::find(names.begin(), names.end(), now) != names.end())
        {
            throw OdcnError::InOption("policy", text, now + std::string(", as it is called now"));
        }
    }
    names.push_back("the TypeId name of a policy in this build (agents need LibTorch)");
    auto policy = ObjectText::Parse("policy", text);
    OpenAgents(text, "", text);
    policy.Resolve("policy", DecisionPolicy::GetTypeId(), names);
    policy.Create("policy", DecisionPolicy::GetTypeId());
    choice.words = policy.type + text.substr(bracket);
    return choice;
}

/// Open the library of agents if there is one and a policy needs it, so that a program does so
/// once, before its processes. Without one, Create() throws.
/// @param what the policy, for errors  @param problem TypeId name  @param words the policy
static void
OpenAgentsEarly(const std::string& what, const std::string& problem, const std::string& words)
{
    if (AgentLibrary::IsPresent())
    {
        OpenAgents(what, problem, words);
    }
}

PolicyChoice
PolicyRegistry::Find(const std::string& text)
{
    const std::string name = text.substr(0, text.find('['));
    std::vector<std::string> problems;
    std::set<std::string> names;
    PolicyChoice choice;
    for (const auto& [problem, choices] : GetTable())
    {
        for (const auto& known : choices)
        {
            names.insert(known.name);
            if (known.name != name)
            {
                continue;
            }
            if (!known.settings.empty() || (!problems.empty() && known.words != choice.words))
            {
                throw OdcnError("policy " + name + ": depends on the problem, " +
                                (problems.empty() ? "" : problems.front() + " or ") + problem +
                                "; PolicyRegistry::Find() takes both");
            }
            problems.push_back(problem);
            choice = known;
        }
    }
    if (problems.empty())
    {
        return FindUnnamed(text, {names.begin(), names.end()});
    }
    choice.words = AddAttributes(choice.words, text);
    choice.name = text;
    OpenAgentsEarly(text, "", choice.words);
    return choice;
}

PolicyChoice
PolicyRegistry::Find(const std::string& problem, const std::string& text)
{
    const std::string attribute = GetSetting(problem);
    // Folders and files of policies may have an @ in their names, too.
    const auto end = text.find_last_of("]/");
    const auto after = text.find('@', end == std::string::npos ? 0 : end);
    const auto at = attribute.empty() ? std::string::npos : after;
    const std::string plain = text.substr(0, at);
    const std::string alias = plain.substr(0, plain.find('['));
    PolicyChoice choice;
    for (const auto& known : Get(problem))
    {
        if (known.name == alias)
        {
            choice = known;
            choice.words = AddAttributes(known.words, plain);
        }
    }
    if (choice.words.empty())
    {
        choice = FindUnnamed(plain, GetNames(problem));
    }
    choice.name = text;
    OpenAgentsEarly(text, problem, choice.words);
    if (at != std::string::npos)
    {
        choice.settings[attribute] = text.substr(at + 1);
        return choice;
    }
    choice.recorded = GetRecordedSetting(problem);
    if (const auto file = choice.GetFile(); !file.empty())
    {
        choice.SetFile(file);
    }
    return choice;
}

} // namespace ns3::odcn
