// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-observation-form.h"

#include "odcn-decision-problem.h"
#include "odcn-json-file.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/string.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::odcn
{

namespace
{

/// Largest size of a form, bytes.
constexpr std::size_t MAX_SIZE = 64 * 1024;

/**
 * @param problem a problem
 * @return its type; that of the base class if the problem's class has no TypeId of its own
 */
TypeId
GetKind(const DecisionProblem& problem)
{
    const TypeId base = DecisionProblem::GetTypeId();
    const TypeId tid = problem.GetInstanceTypeId();
    return tid.IsChildOf(base) ? tid : base;
}

/// @param problem a problem  @param name an Attribute  @return its value; "" if it does not exist
std::string
GetText(const DecisionProblem& problem, const std::string& name)
{
    StringValue value;
    return problem.GetAttributeFailSafe(name, value) ? value.Get() : "";
}

/// @param text to be quoted in errors  @param file its origin  @throws OdcnError if not printable
void
RequirePrintable(const std::string& text, const std::string& file)
{
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
    {
        throw OdcnError::InFile(file, 0, text, "printable text in the observation form");
    }
}

} // namespace

ObservationForm
ObservationForm::Of(const DecisionProblem& problem)
{
    ObservationForm form;
    form.problem = GetKind(problem).GetName();
    for (const auto& name : problem.GetFormAttributes())
    {
        form.attributes[name] = GetText(problem, name);
    }
    form.shape = problem.GetObservationShape();
    form.actions = problem.GetNActions();
    return form;
}

void
ObservationForm::Apply(DecisionProblem& problem, const std::string& file) const
{
    const TypeId base = DecisionProblem::GetTypeId();
    const TypeId found = GetKind(problem);
    TypeId tid;
    const bool known = TypeId::LookupByNameFailSafe(this->problem, &tid);
    if (this->problem != base.GetName() && (!known || (found != tid && !found.IsChildOf(tid))))
    {
        throw OdcnError(file + ": trained for " + this->problem + ", the problem is " +
                        found.GetName());
    }
    const auto names = problem.GetFormAttributes();
    for (const auto& [name, value] : attributes)
    {
        const bool isForm = std::find(names.begin(), names.end(), name) != names.end();
        if (isForm && GetText(problem, name) == value)
        {
            continue;
        }
        bool set = isForm && ObjectText::IsReadable(found, name, value);
        try
        {
            set = set && problem.SetAttributeFailSafe(name, StringValue(value));
        }
        catch (const OdcnError& error)
        {
            throw OdcnError(file + ": " + error.what());
        }
        if (!set)
        {
            throw OdcnError(file + ": needs " + name + "=" + value + ", which " + found.GetName() +
                            " cannot have");
        }
    }
}

std::string
ObservationForm::ToJson() const
{
    nlohmann::ordered_json json;
    json["problem"] = problem;
    json["attributes"] = attributes;
    json["shape"] = shape;
    json["actions"] = actions;
    return FormatOrderedJson(json);
}

ObservationForm
ObservationForm::FromJson(const std::string& json, const std::string& file)
{
    if (json.size() > MAX_SIZE)
    {
        throw OdcnError(file + ": an observation form of " + std::to_string(json.size()) +
                        " bytes, expected " + std::to_string(MAX_SIZE) + " at most");
    }
    ObservationForm form;
    const auto object = ParseFlatJson(json, file, "an observation form");
    try
    {
        const auto natural = [&](const nlohmann::json& number)
        {
            if (!number.is_number_unsigned() || number.get<uint64_t>() > UINT32_MAX)
            {
                throw OdcnError(file + ": found " + FormatJson(number, true).substr(0, 40) +
                                " in the observation form, expected a count");
            }
            return number.get<uint32_t>();
        };
        object.at("problem").get_to(form.problem);
        object.at("attributes").get_to(form.attributes);
        RequirePrintable(form.problem, file);
        for (const auto& [name, value] : form.attributes)
        {
            RequirePrintable(name, file);
            RequirePrintable(value, file);
        }
        for (const auto& size : object.at("shape").get<std::vector<nlohmann::json>>())
        {
            form.shape.push_back(natural(size));
        }
        form.actions = natural(object.at("actions"));
    }
    catch (const nlohmann::json::exception&)
    {
        throw OdcnError(file + ": found no observation form, expected a JSON object with problem, "
                               "attributes, shape and actions");
    }
    return form;
}

std::string
ObservationForm::Describe() const
{
    std::string text;
    for (const uint32_t size : shape)
    {
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    }
    return text + " and " + std::to_string(actions) + " actions";
}

} // namespace ns3::odcn
