// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-linear-policy.h"

#include "odcn-rack-outlook.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-returns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(LinearPolicy);

namespace
{

/// @param x finite  @return the shortest number that is read back as x
double
ToShort(float x)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
    double y = x;
    std::from_chars(text.data(), end, y);
    return static_cast<float>(y) == x ? y : x;
}

/// Greatest weight, so that sums of weighted features are finite.
constexpr float MAX_WEIGHT = 1e30F;
/// What weights are, for errors.
const std::string WEIGHTS = "finite numbers from -1e30 to 1e30 as weights and bias";

/// @param x a weight or a bias
/// @return whether it is valid
bool
IsWeight(float x)
{
    return std::abs(x) <= MAX_WEIGHT;
}

/// @param json a number
/// @param file its origin
/// @return it
/// @throws OdcnError when it is no weight
float
ToFloat(const nlohmann::json& json, const std::string& file)
{
    const float x = json.is_number() ? json.get<float>() : NAN;
    if (!IsWeight(x))
    {
        const auto found = FormatJson(json, true);
        throw OdcnError::InFile(file, 0, found, WEIGHTS);
    }
    return x;
}

} // namespace

TypeId
LinearPolicy::GetTypeId()
{
    using T = LinearPolicy;
    static TypeId tid = TypeIdOf<LinearPolicy, DecisionPolicy>("ns3::odcn::LinearPolicy")
                            .Add(Attribute("File", &T::SetFile, &T::GetFile, ""),
                                 "File of a trained policy, read when it is set.")
                            .Add(Attribute("UseMask", &T::m_useMask, true),
                                 "Whether to exclude actions that are certain to fail.");
    return tid;
}

std::size_t
LinearPolicy::CountFeatures(const DecisionProblem& problem)
{
    if (const auto* graph = problem.GetGraph())
    {
        return graph->nodeFeatures;
    }
    const uint32_t size = problem.GetObservationSize();
    const uint32_t actions = problem.GetNActions();
    if (actions == 0 || size % actions != 0)
    {
        throw OdcnError("a linear policy needs as many observed numbers for every action, found " +
                        std::to_string(size) + " for " + std::to_string(actions) + " actions");
    }
    return size / actions;
}

void
LinearPolicy::SetWeights(std::span<const float> weights, float bias)
{
    if (!IsWeight(bias) || !std::all_of(weights.begin(), weights.end(), IsWeight))
    {
        throw OdcnError("a linear policy needs " + WEIGHTS);
    }
    m_weights.assign(weights.begin(), weights.end());
    m_bias = bias;
}

void
LinearPolicy::SetForm(const ObservationForm& form)
{
    m_form = form;
}

void
LinearPolicy::SetFile(std::string file)
{
    if (file.empty())
    {
        return;
    }
    const std::string expected = "a linear policy";
    const auto json = ParseFlatJson(ReadJsonFile(file, expected), file, expected);
    const auto kind = json.is_object() ? json.find("policy") : json.end();
    if (kind == json.end() || *kind != "linear")
    {
        throw OdcnError(file + ": found no JSON object with \"policy\": \"linear\", expected a "
                               "linear policy");
    }
    std::vector<float> weights;
    float bias = 0;
    ObservationForm form;
    std::map<std::string, std::string> provenance;
    try
    {
        for (const auto& weight : json.at("weights").get_ref<const nlohmann::json::array_t&>())
        {
            weights.push_back(ToFloat(weight, file));
        }
        bias = ToFloat(json.at("bias"), file);
        form = ObservationForm::FromJson(FormatJson(json.at("form")), file);
        provenance = json.value("provenance", provenance);
    }
    catch (const nlohmann::json::exception&)
    {
        throw OdcnError(file + ": found a linear policy that is not complete, expected form, "
                               "weights, bias and provenance");
    }
    SetWeights(weights, bias);
    m_form = form;
    m_provenance = provenance;
    m_file = file;
}

void
LinearPolicy::Save(const std::string& file,
                   const DecisionProblem& problem,
                   const std::map<std::string, std::string>& provenance) const
{
    RequireFit(problem);
    nlohmann::ordered_json json;
    json["policy"] = "linear";
    json["form"] = ParseOrderedJson(ObservationForm::Of(problem).ToJson());
    const auto names = problem.GetFeatureNames();
    if (names.size() == m_weights.size())
    {
        json["features"] = names;
    }
    json["weights"] = nlohmann::ordered_json::array();
    for (const float weight : m_weights)
    {
        json["weights"].push_back(ToShort(weight));
    }
    json["bias"] = ToShort(m_bias);
    json["provenance"] = provenance;
    // A command line may have any encoding.
    const std::string text = FormatOrderedJson(json, 2);
    AtomicFile out(file);
    out.Stream() << text << '\n';
    out.Commit();
}

void
LinearPolicy::Configure(DecisionProblem& problem)
{
    if (m_form)
    {
        m_form->Apply(problem, m_file.empty() ? "a linear policy" : m_file);
    }
}

void
LinearPolicy::RequireFit(const DecisionProblem& problem) const
{
    const std::size_t features = CountFeatures(problem);
    if (features == m_weights.size())
    {
        return;
    }
    if (m_weights.empty())
    {
        throw OdcnError("ns3::odcn::LinearPolicy: the Attribute File names no file");
    }
    const std::string name = m_file.empty() ? "a linear policy" : m_file;
    throw OdcnError(name + ": found " + std::to_string(m_weights.size()) + " weights, " +
                    problem.GetInstanceTypeId().GetName() + " of " +
                    ObservationForm::Of(problem).Describe() + " needs " + std::to_string(features));
}

uint32_t
LinearPolicy::Decide(const DecisionProblem& problem)
{
    const auto* racks = m_useMask ? dynamic_cast<const OdcnScheduling*>(&problem) : nullptr;
    if (racks && OdcnRackSearch::Knows(*racks))
    {
        const std::size_t kinds = racks->GetManager()->GetServers().GetSlotKinds().size();
        const std::size_t blocks = OdcnRackFeatures::COUNT * (kinds + 1);
        const std::size_t added =
            racks->GetState() == OdcnScheduling::OPENING ? blocks + OdcnRackOutlook::COUNT : 0;
        if (m_weights.size() == blocks + added)
        {
            const RackId rack = m_search.Find(*racks, std::span(m_weights).first(blocks), m_bias);
            if (rack != NO_RACK)
            {
                return rack;
            }
        }
    }
    return FindBest(problem);
}

uint32_t
LinearPolicy::FindBest(const DecisionProblem& problem)
{
    RequireFit(problem);
    m_observation.resize(problem.GetObservationSize());
    problem.Observe(m_observation.data());
    Score(problem);
    return ArgMax(m_scores, m_useMask ? std::span(GetMask(problem)) : std::span<const uint8_t>());
}

std::vector<float>
LinearPolicy::GetScores(const DecisionProblem& problem, std::span<const float> observation)
{
    RequireFit(problem);
    m_observation.assign(observation.begin(), observation.end());
    Score(problem);
    return m_scores;
}

void
LinearPolicy::Score(const DecisionProblem& problem)
{
    const std::size_t n = problem.GetNActions();
    m_scores.assign(n, m_bias);
    if (const auto* graph = problem.GetGraph())
    {
        const float* nodes = graph->GetNodes(m_observation.data());
        for (std::size_t a = 0; a < n; ++a)
        {
            const float* node = nodes + std::size_t{graph->candidates[a]} * m_weights.size();
            m_scores[a] = std::inner_product(m_weights.begin(), m_weights.end(), node, m_scores[a]);
        }
        return;
    }
    const float* x = m_observation.data();
    float* scores = m_scores.data();
    for (const float weight : m_weights)
    {
        for (std::size_t a = 0; a < n; ++a)
        {
            scores[a] += weight * x[a];
        }
        x += n;
    }
}

} // namespace ns3::odcn
