// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-checkpoint.h"

#include "odcn-archive.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::odcn
{

namespace
{

constexpr const char* FORMAT = "odcn-checkpoint";
/// Version 1 had no archive of LibTorch.
constexpr int VERSION = 2;
/// Bytes of the text at most.
constexpr std::size_t MAX_TEXT = 64 * 1024;
/// Depth of its JSON at most.
constexpr int MAX_DEPTH = 8;

/// @param text of a file  @param path of that file  @return what it says
Checkpoint
Parse(const std::string& text, const std::string& path)
{
    if (text.size() > MAX_TEXT)
    {
        throw OdcnError(path + ": its description has more than 64 KiB");
    }
    // What uses the result recurses.
    auto check = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&)
    {
        if (depth > MAX_DEPTH)
        {
            throw OdcnError("nested too deeply");
        }
        return true;
    };
    Checkpoint checkpoint;
    try
    {
        const auto json = nlohmann::json::parse(text, check);
        if (json.at("format") != FORMAT)
        {
            throw OdcnError("the format is not " + std::string(FORMAT));
        }
        if (json.at("version") != VERSION)
        {
            throw OdcnError("its version is not " + std::to_string(VERSION) +
                            ", the one that this odcn reads");
        }
        json.at("network").at("name").get_to(checkpoint.network);
        if (!json.at("network").at("options").is_object())
        {
            throw OdcnError("the options of its network are no object");
        }
        checkpoint.options = json.at("network").at("options").dump();
        checkpoint.form = ObservationForm::FromJson(json.at("form").dump(), path);
        json.at("provenance").get_to(checkpoint.provenance);
    }
    catch (const nlohmann::json::exception&)
    {
        throw OdcnError(path +
                        ": not an odcn checkpoint (its description is not what odcn writes)");
    }
    catch (const OdcnError& error)
    {
        const std::string what = error.what();
        const bool told = what.compare(0, path.size(), path) == 0;
        throw OdcnError(told ? what : path + ": not an odcn checkpoint (" + what + ")");
    }
    return checkpoint;
}

} // namespace

Checkpoint
Checkpoint::Read(const std::string& path)
{
    return Parse(Archive::Unpack(ReadFile(path), path).text, path);
}

std::shared_ptr<PolicyNetwork>
Checkpoint::Load(const std::string& path, const OdcnDecisionProblem& problem)
{
    const auto archive = Archive::Unpack(ReadFile(path), path);
    const auto checkpoint = Parse(archive.text, path);
    const auto here = ObservationForm::Of(problem);
    try
    {
        auto network =
            PolicyNetwork::Build(checkpoint.network, checkpoint.options, ProblemShape(problem));
        archive.CopyTo("", *network, path);
        return network;
    }
    catch (const c10::Error&)
    {
        throw OdcnError(path + ": its network " + checkpoint.network + " cannot be built");
    }
    catch (const std::exception& error)
    {
        if (here.shape != checkpoint.form.shape || here.actions != checkpoint.form.actions)
        {
            throw OdcnError(path + ": trained for observations of " + checkpoint.form.Describe() +
                            ", the problem has " + here.Describe());
        }
        const std::string what = error.what();
        throw OdcnError(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
    }
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
    json["network"]["options"] = nlohmann::ordered_json::parse(network.GetOptions());
    json["form"] = nlohmann::ordered_json::parse(form.ToJson());
    json["provenance"] = provenance;
    // Provenance may hold a command line in any encoding.
    const std::string text = json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() > MAX_TEXT)
    {
        throw OdcnError(path + ": the provenance does not fit into 64 KiB");
    }
    try
    {
        network.RequireFinite(path);
    }
    catch (const OdcnError& error)
    {
        const std::string what = error.what();
        throw OdcnError(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
    }
    Archive archive;
    archive.text = text;
    archive.AddModule("", network);
    WriteFile(path, archive.Pack());
}

} // namespace ns3::odcn
