// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-checkpoint.h"

#include "odcn-archive.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::odcn
{

namespace
{

constexpr const char* FORMAT = "odcn-checkpoint";
/// Version 1 was not an archive of LibTorch.
constexpr int VERSION = 2;
/// Largest size of the text, bytes.
constexpr std::size_t MAX_TEXT = 64 * 1024;

} // namespace

Checkpoint
Checkpoint::Parse(Archive archive, const std::string& path)
{
    const auto fail = [&path](const std::string& why)
    { throw OdcnError(path + ": not an odcn checkpoint (" + why + ")"); };
    if (archive.isForeign)
    {
        fail("it has no text \"odcn.json\"");
    }
    if (archive.text.size() > MAX_TEXT)
    {
        throw OdcnError(path + ": its description has more than 64 KiB");
    }
    Checkpoint checkpoint;
    try
    {
        const auto json = ParseJson(archive.text);
        if (json.at("format") != FORMAT)
        {
            fail("the format is not " + std::string(FORMAT));
        }
        if (json.at("version") != VERSION)
        {
            fail("its version is not " + std::to_string(VERSION) +
                 ", the one that this odcn reads");
        }
        json.at("network").at("name").get_to(checkpoint.network);
        if (!json.at("network").at("options").is_object())
        {
            fail("the options of its network are no object");
        }
        checkpoint.options = FormatJson(json.at("network").at("options"));
        checkpoint.form = ObservationForm::FromJson(FormatJson(json.at("form")), path);
        json.at("provenance").get_to(checkpoint.provenance);
    }
    catch (const nlohmann::json::exception&)
    {
        fail("its description is not what odcn writes");
    }
    checkpoint.parameters = std::make_shared<const Archive>(std::move(archive));
    return checkpoint;
}

Checkpoint
Checkpoint::Read(const std::string& path)
{
    return Parse(Archive::Unpack(ReadFile(path), path), path);
}

std::shared_ptr<PolicyNetwork>
Checkpoint::Load(const std::string& path, const DecisionProblem& problem)
{
    return Read(path).Build(problem, path);
}

std::shared_ptr<PolicyNetwork>
Checkpoint::Build(const DecisionProblem& problem, const std::string& path) const
{
    try
    {
        auto built = PolicyNetwork::Build(network, options, ProblemShape(problem));
        parameters->CopyTo("", *built, path);
        return built;
    }
    catch (const c10::Error&)
    {
        throw OdcnError(path + ": its network " + network + " cannot be built");
    }
    catch (const std::exception& error)
    {
        const auto here = ObservationForm::Of(problem);
        if (here.shape != form.shape || here.actions != form.actions)
        {
            throw OdcnError(path + ": trained for observations of " + form.Describe() +
                            ", the problem has " + here.Describe());
        }
        const std::string what = error.what();
        throw OdcnError(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
    }
}

std::shared_ptr<PolicyNetwork>
Checkpoint::Extend(const DecisionProblem& problem, const std::string& path) const
{
    const ProblemShape shape(problem);
    const auto& before = form.shape;
    if (before.size() != 2 || shape.observation.size() != 2 ||
        shape.observation.front() <= static_cast<int64_t>(before.front()))
    {
        return Build(problem, path);
    }
    auto built = PolicyNetwork::Build(network, options, shape);
    const torch::NoGradGuard guard;
    for (auto& parameter : built->named_parameters())
    {
        auto part = parameter.value().zero_();
        const auto& old = parameters->Get(parameter.key(), path);
        for (int64_t i = 0; i < old.dim(); ++i)
        {
            if (old.dim() != part.dim() || old.size(i) > part.size(i))
            {
                throw OdcnError(path + ": its network " + network + " cannot be extended");
            }
            part = part.narrow(i, 0, old.size(i));
        }
        part.copy_(old);
    }
    built->RequireFinite(path);
    return built;
}

void
Checkpoint::Save(const std::string& path,
                 const PolicyNetwork& network,
                 const ObservationForm& form,
                 const std::map<std::string, std::string>& provenance)
{
    nlohmann::ordered_json json;
    json["format"] = FORMAT;
    json["version"] = VERSION;
    json["network"]["name"] = network.GetName();
    json["network"]["options"] = ParseOrderedJson(network.GetOptions());
    json["form"] = ParseOrderedJson(form.ToJson());
    json["provenance"] = provenance;
    // Provenance may hold a command line in any encoding.
    const std::string text = FormatOrderedJson(json, 1);
    if (text.size() > MAX_TEXT)
    {
        throw OdcnError(path + ": the provenance does not fit into 64 KiB");
    }
    network.RequireFinite(path);
    Archive archive;
    archive.text = text;
    archive.AddModule("", network);
    WriteFile(path, archive.Pack());
}

} // namespace ns3::odcn
