// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "odcn-torch-setup.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace ns3::odcn
{

namespace
{

using nlohmann::json;

/// Largest number of floats of an observation, and of actions.
constexpr int64_t MAX_SIZE = 1 << 24;
constexpr double MAX_PARAMETERS = 1 << 26;
/// Largest number of samples of a shard, and approximately of floats of their observations.
constexpr int64_t SHARD_SAMPLES = 128;
constexpr int64_t SHARD_FLOATS = 1 << 18;
constexpr int64_t LEAST_SHARD = 16;

/// A registered network.
struct Entry
{
    json defaults;              //!< Its options
    PolicyNetwork::Maker maker; //!< Calls its constructor
};

/// @return all registered networks; they register before main() begins
std::map<std::string, Entry>&
GetRegistry()
{
    static std::map<std::string, Entry> registry;
    return registry;
}

/// @param names a list  @return "A, B, C", or "none"
std::string
Join(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text.empty() ? "none" : text;
}

/// @param name of a network  @return its entry  @throws OdcnError when it is unknown
const Entry&
Find(const std::string& name)
{
    const auto entry = GetRegistry().find(name);
    if (entry == GetRegistry().end())
    {
        throw OdcnError::InOption("network", name, "one of " + Join(PolicyNetwork::GetNames()));
    }
    return entry->second;
}

/// @param text an option as text  @param sample its default  @return the value; null if unreadable
json
ParseOption(const std::string& text, const json& sample)
{
    if (sample.is_string())
    {
        return text;
    }
    if (sample.is_array())
    {
        json list = json::array();
        std::vector<std::string_view> fields;
        if (!text.empty())
        {
            SplitText(text, ',', fields);
        }
        const bool words = !sample.empty() && sample[0].is_string();
        for (const auto field : fields)
        {
            list.push_back(ParseOption(std::string(field), words ? sample[0] : json()));
        }
        return list;
    }
    const json value = FindJson(text);
    const auto number = ParseFinite(text);
    return !value.is_discarded() ? value : number ? json(*number) : json();
}

/// @param value of a checkpoint
/// @param sample of the option
/// @return the value; numbers become
/// words where the option has words, as in checkpoints of version 0.3 and earlier
json
ToWords(json value, const json& sample)
{
    if (value.is_array() && sample.is_array() && !sample.empty() && sample[0].is_string())
    {
        for (json& element : value)
        {
            element = element.is_number_integer() ? json(FormatJson(element)) : element;
        }
    }
    return value;
}

/// @param value JSON  @param sample of a type  @return whether the value fits that type
bool
IsOfType(const json& value, const json& sample)
{
    if (sample.is_array())
    {
        const json element = sample.empty() ? json(0) : sample[0];
        return value.is_array() && std::all_of(value.begin(),
                                               value.end(),
                                               [&](const json& x) { return IsOfType(x, element); });
    }
    return sample.is_number_integer() ? value.is_number_integer()
           : sample.is_number()       ? value.is_number()
                                      : value.type() == sample.type();
}

/**
 * Set an option of a network.
 * @param options all options, with their defaults
 * @param network its name
 * @param option name of the option
 * @param read returns the value for an option with the given default
 * @param text the value as the user wrote it, for errors
 * @throws OdcnError when there is no such option or the value is of another type
 */
void
SetOption(json& options,
          const std::string& network,
          const std::string& option,
          const std::function<json(const json&)>& read,
          const std::string& text)
{
    if (!options.contains(option))
    {
        std::vector<std::string> names;
        for (const auto& [name, value] : options.items())
        {
            names.push_back(name);
        }
        throw OdcnError::InOption("network " + network,
                                  option,
                                  "one of its options: " + Join(names));
    }
    const json sample = options[option];
    options[option] = read(sample);
    if (!IsOfType(options[option], sample))
    {
        std::string example = sample.is_string() ? sample.get<std::string>() : FormatJson(sample);
        if (sample.is_array())
        {
            example = sample.empty() ? "64,64" : example.substr(1, example.size() - 2);
        }
        throw OdcnError::InOption("network " + network,
                                  option + "=" + text,
                                  "a value as in " + option + "=" + example);
    }
}

/// @param shape of a problem  @return "3 x 4 numbers and 5 actions"
std::string
Describe(const ProblemShape& shape)
{
    std::string text;
    for (const int64_t n : shape.observation)
    {
        text += (text.empty() ? "" : " x ") + std::to_string(n);
    }
    return text + " numbers and " + std::to_string(shape.actions) + " actions";
}

/// @param tensor a tensor  @param sizes expected  @return whether it has them and holds floats
bool
HasForm(const torch::Tensor& tensor, at::IntArrayRef sizes)
{
    return tensor.defined() && tensor.sizes() == sizes && tensor.scalar_type() == torch::kFloat32;
}

/// @param tensor a tensor  @return its sizes, and its type if that is not float
std::string
DescribeForm(const torch::Tensor& tensor)
{
    const bool isFloat = tensor.defined() && tensor.scalar_type() == torch::kFloat32;
    return !tensor.defined() ? "nothing"
           : isFloat         ? c10::str(tensor.sizes())
                             : c10::str(tensor.scalar_type(), " ", tensor.sizes());
}

} // namespace

ProblemShape::ProblemShape(const DecisionProblem& problem)
    : actions(problem.GetNActions()),
      features(problem.GetFeatureNames())
{
    const auto sizes = problem.GetObservationShape();
    observation.assign(sizes.begin(), sizes.end());
    if (problem.GetGraph())
    {
        graph = std::make_shared<const GraphObservation>(*problem.GetGraph());
    }
}

int64_t
ProblemShape::GetSize() const
{
    int64_t size = 1;
    for (const int64_t n : observation)
    {
        size *= n;
    }
    return size;
}

int64_t
ProblemShape::GetFeatures() const
{
    if (graph)
    {
        return graph->nodeFeatures;
    }
    if (actions < 1 || GetSize() % actions != 0)
    {
        throw OdcnError("this network needs as many observed numbers for every action, found " +
                        std::to_string(GetSize()) + " for " + std::to_string(actions) + " actions");
    }
    return GetSize() / actions;
}

int64_t
ProblemShape::FindFeature(const std::string& name, const std::string& option) const
{
    const auto found = std::find(features.begin(), features.end(), name);
    if (found != features.end())
    {
        return found - features.begin();
    }
    const int64_t count = GetFeatures();
    const auto index = ParseFinite(name);
    if (index && *index >= 0 && *index < static_cast<double>(count) && *index == std::floor(*index))
    {
        return static_cast<int64_t>(*index);
    }
    throw OdcnError::InOption(option,
                              name,
                              "the name of a feature, or an index below " + std::to_string(count) +
                                  AskWhether(FindSimilar(name, features)));
}

torch::Tensor
ProblemShape::GetActions(const torch::Tensor& observations) const
{
    const int64_t n = observations.size(0);
    const int64_t features = GetFeatures();
    if (!graph)
    {
        return observations.reshape({n, features, actions}).transpose(1, 2);
    }
    const int64_t nodes = graph->nodes;
    const std::vector<int64_t> candidates(graph->candidates.begin(), graph->candidates.end());
    return observations.reshape({n, -1})
        .slice(1, 0, nodes * features)
        .reshape({n, nodes, features})
        .index_select(1, torch::tensor(candidates, torch::kInt64));
}

torch::Tensor
PolicyNetwork::GetLogits(torch::Tensor observations)
{
    return forward(std::move(observations)).logits;
}

bool
PolicyNetwork::LearnsAsItActs() const
{
    return true;
}

bool
PolicyNetwork::IsRowIndependent() const
{
    return true;
}

int64_t
PolicyNetwork::GetShardSamples() const
{
    return std::clamp(SHARD_FLOATS / m_shape.GetSize(), LEAST_SHARD, SHARD_SAMPLES);
}

bool
PolicyNetwork::Register(const std::string& name, const json& defaults, Maker maker)
{
    if (!GetRegistry().emplace(name, Entry{defaults, std::move(maker)}).second)
    {
        throw OdcnError("two networks are registered as " + name);
    }
    return true;
}

std::vector<std::string>
PolicyNetwork::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, entry] : GetRegistry())
    {
        names.push_back(name);
    }
    return names;
}

std::shared_ptr<PolicyNetwork>
PolicyNetwork::Create(const std::string& words, const ProblemShape& shape, uint64_t seed)
{
    const auto text = ObjectText::Parse("network", words);
    json options = Find(text.type).defaults;
    for (const auto& [name, value] : text.attributes)
    {
        const auto read = [&](const json& sample) { return ParseOption(value, sample); };
        SetOption(options, text.type, name, read, value);
    }
    // LibTorch initialises parameters from one generator for the whole process.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    SetUpTorch();
    torch::manual_seed(seed);
    return Build(text.type, FormatJson(options), shape);
}

std::shared_ptr<PolicyNetwork>
PolicyNetwork::Build(const std::string& name, const std::string& options, const ProblemShape& shape)
{
    const Entry& entry = Find(name);
    const json given = FindJson(options);
    if (!given.is_object())
    {
        throw OdcnError::InOption("options of network " + name, options, "a JSON object");
    }
    json all = entry.defaults;
    for (const auto& [option, value] : given.items())
    {
        // clang-format off
        SetOption(
            all,
            name,
            option,
            [&](const json& sample) { return ToWords(value, sample); },
            FormatJson(value));
        // clang-format on
    }
    double size = 1.0;
    for (const int64_t n : shape.observation)
    {
        size *= n < 1 ? 0.0 : static_cast<double>(n);
    }
    if (shape.actions < 1 || shape.actions > MAX_SIZE || size < 1 || size > MAX_SIZE)
    {
        throw OdcnError("a network needs from 1 to 2^24 actions and observed numbers, found " +
                        Describe(shape));
    }
    if (shape.graph && (shape.graph->GetSize() != shape.GetSize() ||
                        shape.graph->candidates.size() != static_cast<uint64_t>(shape.actions)))
    {
        throw OdcnError("network " + name + ": the graph has " +
                        std::to_string(shape.graph->GetSize()) + " numbers and " +
                        std::to_string(shape.graph->candidates.size()) +
                        " candidates, the problem has " + Describe(shape));
    }
    SetUpTorch();
    try
    {
        auto network = entry.maker(all, shape);
        network->m_name = name;
        network->m_options = FormatJson(all);
        network->m_shape = shape;
        // Run it once, so that a wrong forward() is reported by name before learning begins.
        const torch::NoGradGuard noGrad;
        network->eval();
        network->Evaluate(torch::zeros(network->GetSizes(2)));
        network->train();
        return network;
    }
    catch (const c10::Error& error)
    {
        const std::string what = error.what_without_backtrace();
        throw OdcnError("network " + name + ": " + what.substr(0, what.find('\n')));
    }
    catch (const json::exception& error)
    {
        throw OdcnError("network " + name + ": " + error.what());
    }
}

std::vector<int64_t>
PolicyNetwork::GetSizes(int64_t n) const
{
    std::vector<int64_t> sizes{n};
    sizes.insert(sizes.end(), m_shape.observation.begin(), m_shape.observation.end());
    return sizes;
}

PolicyOutput
PolicyNetwork::Evaluate(const torch::Tensor& observations)
{
    PolicyOutput output = forward(observations);
    const int64_t n = observations.size(0);
    // Other sizes would be broadcast and give wrong losses.
    if (!HasForm(output.logits, {n, m_shape.actions}) || !HasForm(output.values, {n}))
    {
        throw OdcnError(
            "network " + m_name + ": forward() of n observations has to give logits [n, " +
            std::to_string(m_shape.actions) + "] and values [n]; for n = " + std::to_string(n) +
            " it gave " + DescribeForm(output.logits) + " and " + DescribeForm(output.values));
    }
    return output;
}

void
PolicyNetwork::Infer(const float* observations, std::size_t n, float* logits)
{
    const c10::InferenceMode inference;
    const auto rows = static_cast<int64_t>(n);
    // LibTorch has no tensor of constant memory; forward() does not write to it.
    const auto out = GetLogits(torch::from_blob(const_cast<float*>(observations), GetSizes(rows)));
    if (!HasForm(out, {rows, m_shape.actions}))
    {
        throw OdcnError("network " + m_name + ": forward() returns logits of " + DescribeForm(out) +
                        ", expected floats [" + std::to_string(rows) + ", " +
                        std::to_string(m_shape.actions) + "]");
    }
    std::copy_n(out.contiguous().data_ptr<float>(), out.numel(), logits);
}

void
PolicyNetwork::AdoptSums(const std::function<Sums()>& /* getSums */)
{
}

PolicyNetwork::Inference
PolicyNetwork::Freeze()
{
    return [this](const float* observations, std::size_t n, float* logits)
    { Infer(observations, n, logits); };
}

std::shared_ptr<PolicyNetwork>
PolicyNetwork::Copy() const
{
    if (m_name.empty())
    {
        throw OdcnError("only networks made by PolicyNetwork::Create() or Build() can be copied");
    }
    torch::NoGradGuard noGrad;
    auto copy = Build(m_name, m_options, m_shape);
    const auto parameters = copy->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        parameters[i].copy_(this->parameters()[i]);
        parameters[i].set_requires_grad(this->parameters()[i].requires_grad());
    }
    for (std::size_t i = 0; i < copy->buffers().size(); ++i)
    {
        copy->buffers()[i].copy_(buffers()[i]);
    }
    copy->train(is_training());
    return copy;
}

void
PolicyNetwork::RequireFit(const DecisionProblem& problem) const
{
    const ProblemShape other(problem);
    if (other.observation != m_shape.observation || other.actions != m_shape.actions)
    {
        throw OdcnError("the network is built for " + Describe(m_shape) + ", the problem has " +
                        Describe(other));
    }
    if (m_shape.graph && (!other.graph || *other.graph != *m_shape.graph))
    {
        throw OdcnError("the network is built for observations on another graph");
    }
}

void
PolicyNetwork::RequireFinite(const std::string& where) const
{
    torch::NoGradGuard noGrad;
    for (const auto& parameter : named_parameters())
    {
        if (!parameter.value().isfinite().all().item<bool>())
        {
            throw OdcnError(where + ": parameter " + parameter.key() +
                            " has numbers that are not finite");
        }
    }
}

std::vector<torch::Tensor>
PolicyNetwork::GetPolicyParameters()
{
    std::vector<torch::Tensor> trainable;
    for (const auto& parameter : parameters())
    {
        if (parameter.requires_grad())
        {
            trainable.push_back(parameter);
        }
    }
    torch::AutoGradMode grad(true);
    const auto sum = GetLogits(torch::zeros(GetSizes(1))).sum();
    if (!sum.requires_grad())
    {
        return {};
    }
    const auto gradients =
        torch::autograd::grad({sum}, trainable, {}, c10::nullopt, false, /*allow_unused=*/true);
    std::vector<torch::Tensor> used;
    for (std::size_t i = 0; i < trainable.size(); ++i)
    {
        if (gradients[i].defined())
        {
            used.push_back(trainable[i]);
        }
    }
    return used;
}

void
DenseNetwork::SetStacks(const ProblemShape& shape,
                        torch::nn::Sequential policy,
                        torch::nn::Sequential value)
{
    const auto first = [](const torch::nn::Sequential& stack)
    { return stack->ptr(0)->as<torch::nn::Linear>(); };
    const auto* last = policy->ptr(policy->size() - 1)->as<torch::nn::Linear>();
    if (!first(policy) || !first(value) || !last ||
        shape.actions % last->options.out_features() != 0)
    {
        throw OdcnError("a DenseNetwork needs stacks of linear layers, and as many logits as there "
                        "are actions");
    }
    m_actions = shape.actions;
    m_size = shape.GetSize();
    m_policyInputs = first(policy)->options.in_features();
    m_valueInputs = first(value)->options.in_features();
    m_rows = m_actions / last->options.out_features();
    m_policy = register_module("policy", std::move(policy));
    m_value = register_module("value", std::move(value));
}

torch::Tensor
DenseNetwork::DescribeAll(const float* observations, int64_t n, torch::Tensor* pooled) const
{
    auto rows = torch::empty({n * m_rows, m_policyInputs});
    if (pooled)
    {
        *pooled = torch::empty({n, m_valueInputs});
    }
    auto* to = rows.data_ptr<float>();
    float* toPooled = pooled ? pooled->data_ptr<float>() : nullptr;
    for (int64_t i = 0; i < n; ++i)
    {
        Describe(observations + i * m_size,
                 to + i * m_rows * m_policyInputs,
                 pooled ? toPooled + i * m_valueInputs : nullptr);
    }
    return rows;
}

PolicyOutput
DenseNetwork::forward(torch::Tensor observations)
{
    torch::Tensor pooled;
    const auto x = observations.to(torch::kFloat32).contiguous();
    const auto rows = DescribeAll(x.data_ptr<float>(), x.size(0), &pooled);
    return {m_policy->forward(rows).view({-1, m_actions}), m_value->forward(pooled).flatten()};
}

torch::Tensor
DenseNetwork::GetLogits(torch::Tensor observations)
{
    const auto x = observations.to(torch::kFloat32).contiguous();
    return m_policy->forward(DescribeAll(x.data_ptr<float>(), x.size(0), nullptr))
        .view({-1, m_actions});
}

PolicyNetwork::Inference
DenseNetwork::Freeze()
{
    /// A layer, with what it needs if it is linear: outputs in place, no transpose.
    struct Layer
    {
        torch::nn::AnyModule module;     //!< the layer
        const torch::nn::ELUImpl* elu{}; //!< the layer, if it is ELU
        torch::Tensor weight{};          //!< [inputs, outputs], if it is linear
        torch::Tensor byOutput{};        //!< the same, [outputs, inputs]
        torch::Tensor bias{};            //!< of a linear layer
        torch::Tensor out{};             //!< of a linear layer
    };

    const torch::NoGradGuard noGradients;
    std::vector<Layer> layers;
    for (const auto& module : *m_policy)
    {
        auto& layer = layers.emplace_back(Layer{module, module.ptr()->as<torch::nn::ELU>()});
        const auto* linear = module.ptr()->as<torch::nn::Linear>();
        if (linear && linear->bias.defined())
        {
            layer.weight = linear->weight.t().clone(torch::MemoryFormat::Contiguous);
            layer.byOutput = linear->weight.clone();
            layer.bias = linear->bias.clone();
            layer.out = torch::empty({0});
        }
    }
    return [this, layers](const float* observations, std::size_t n, float* logits) mutable
    {
        const c10::InferenceMode inference;
        auto x = DescribeAll(observations, static_cast<int64_t>(n), nullptr);
        for (auto& layer : layers)
        {
            if (layer.weight.defined())
            {
                layer.out.resize_({x.size(0), layer.weight.size(1)});
                if (x.size(0) == 1)
                {
                    // A product of matrices would first bring all weights into another order.
                    auto row = layer.out[0];
                    torch::addmv_out(row, layer.bias, layer.byOutput, x[0]);
                    x = layer.out;
                }
                else
                {
                    x = torch::addmm_out(layer.out, layer.bias, x, layer.weight);
                }
            }
            else if (layer.elu)
            {
                torch::elu_(x, layer.elu->options.alpha());
            }
            else
            {
                x = layer.module.forward(x);
            }
        }
        std::copy_n(x.contiguous().data_ptr<float>(), n * m_actions, logits);
    };
}

torch::nn::AnyModule
MakeActivation(const std::string& activation)
{
    if (activation == "Elu")
    {
        return torch::nn::AnyModule(torch::nn::ELU());
    }
    if (activation == "Relu")
    {
        return torch::nn::AnyModule(torch::nn::ReLU());
    }
    if (activation == "Tanh")
    {
        return torch::nn::AnyModule(torch::nn::Tanh());
    }
    throw OdcnError::InOption("activation", activation, "Elu, Relu or Tanh");
}

torch::nn::Sequential
MakeStack(int64_t inputs,
          const std::vector<int64_t>& hidden,
          int64_t outputs,
          const std::string& activation)
{
    auto sizes = hidden;
    sizes.push_back(outputs);
    // Check all sizes before memory is allocated.
    double parameters = 0;
    int64_t in = inputs;
    for (const int64_t units : sizes)
    {
        if (units < 1 || units > MAX_SIZE)
        {
            throw OdcnError::InOption("units of a layer", std::to_string(units), "from 1 to 2^24");
        }
        parameters += (static_cast<double>(in) + 1) * static_cast<double>(units);
        in = units;
    }
    if (parameters > MAX_PARAMETERS)
    {
        throw OdcnError("a network of more than 2^26 parameters is too large");
    }
    torch::nn::Sequential stack;
    in = inputs;
    for (const int64_t units : hidden)
    {
        stack->push_back(torch::nn::Linear(in, units));
        stack->push_back(MakeActivation(activation));
        in = units;
    }
    stack->push_back(torch::nn::Linear(in, outputs));
    return stack;
}

using Batch = TrainingBatch;

const std::array<torch::Tensor Batch::*, 6> Batch::FIELDS{&Batch::observations,
                                                          &Batch::masks,
                                                          &Batch::actions,
                                                          &Batch::probabilities,
                                                          &Batch::targets,
                                                          &Batch::advantages};

TrainingBatch
TrainingBatch::Slice(int64_t begin, int64_t end) const
{
    TrainingBatch some = *this;
    for (const auto field : FIELDS)
    {
        some.*field = (some.*field).defined() ? (some.*field).slice(0, begin, end) : some.*field;
    }
    return some;
}

TrainingBatch
TrainingBatch::Take(const torch::Tensor& rows) const
{
    TrainingBatch some = *this;
    for (const auto field : FIELDS)
    {
        some.*field = (some.*field).defined() ? (some.*field).index_select(0, rows) : some.*field;
    }
    return some;
}

TrainingBatch
TrainingBatch::Join(const std::vector<TrainingBatch>& parts)
{
    TrainingBatch all;
    for (const auto field : FIELDS)
    {
        std::vector<torch::Tensor> tensors;
        for (const auto& part : parts)
        {
            tensors.push_back(part.*field);
        }
        if (tensors.front().defined())
        {
            all.*field = torch::cat(tensors);
        }
    }
    return all;
}

torch::Tensor
MaskedLogSoftmax(const torch::Tensor& logits, const torch::Tensor& masks)
{
    if (!masks.defined())
    {
        return logits.log_softmax(1);
    }
    // Not minus infinity: 0 x infinity would make gradients and entropies NaN.
    constexpr double MASKED = -1e9;
    const auto allowed = masks.to(torch::kBool);
    const auto masked = allowed.logical_not().logical_and_(allowed.any(1, true));
    return logits.masked_fill(masked, MASKED).log_softmax(1);
}

torch::Tensor
Entropy(const torch::Tensor& logProbabilities)
{
    return -(logProbabilities.exp() * logProbabilities).sum(1);
}

} // namespace ns3::odcn
