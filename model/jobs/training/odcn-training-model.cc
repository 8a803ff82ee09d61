// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-model.h"

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace ns3::odcn
{

namespace
{

using Kind = TrainingProgram::Kind;
using What = Collective::Operation;

/// Bytes of a number.
constexpr double NUMBER = 2;

/// Builds the program of a stage.
class StageBuilder
{
  public:
    /// Communicators of the job, if there are such groups.
    struct Communicators
    {
        std::optional<uint32_t> tensor{};  //!< TP
        std::optional<uint32_t> context{}; //!< CP
        std::optional<uint32_t> data{};    //!< DP
        std::optional<uint32_t> expert{};  //!< EP
        std::optional<uint32_t> replica{}; //!< EDP: ranks with the same experts
    };

    /**
     * @param model what is trained
     * @param parallelism how
     * @param communicators of the job
     * @param stage index of the stage
     * @param weights of the experts of each layer, see TrainingJob::AddWeights(); none if even
     */
    StageBuilder(const TrainingModel& model,
                 const TrainingParallelism& parallelism,
                 const Communicators& communicators,
                 uint32_t stage,
                 const std::vector<uint32_t>& weights)
        : m_model(model),
          m_how(parallelism),
          m_communicators(communicators),
          m_stage(stage),
          m_weights(weights)
    {
    }

    /// @return the program: forward and backward passes in turn
    TrainingProgram Build()
    {
        const uint32_t n = m_how.microBatches;
        const uint32_t ahead = std::min(m_how.pipeline - m_stage - 1, n);
        for (uint32_t i = 0; i < ahead; ++i)
        {
            AddForward();
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            if (ahead + i < n)
            {
                AddForward();
            }
            AddBackward(i + 1 == n);
        }
        return std::move(m_program);
    }

  private:
    /// @return tokens of a rank in a micro batch
    double GetTokens() const
    {
        return double(m_how.sequences) * m_how.length / m_how.context;
    }

    /// @return bytes of the activations of a micro batch
    double GetActivations() const
    {
        return GetTokens() * m_model.hidden * NUMBER;
    }

    /// Add an operation after the last one.
    /// @param operation the operation
    /// @param name for it
    void Chain(TrainingProgram::Operation operation, const std::string& name)
    {
        m_last = {m_program.Add(operation, m_last, name)};
    }

    /// @param what collective
    /// @param communicator of it, or none
    /// @param bytes of it
    /// @return the operation
    static std::optional<TrainingProgram::Operation> MakeCollective(
        What what,
        const std::optional<uint32_t>& communicator,
        double bytes)
    {
        if (!communicator)
        {
            return {};
        }
        TrainingProgram::Operation operation;
        operation.kind = Kind::COLLECTIVE;
        operation.what = what;
        operation.communicator = *communicator;
        operation.bytes = static_cast<uint64_t>(std::ceil(bytes));
        return operation;
    }

    /// Add a collective that others wait for.
    /// @param what collective
    /// @param communicator of it, or none
    /// @param bytes of it
    /// @param name for it
    void Collect(What what,
                 const std::optional<uint32_t>& communicator,
                 double bytes,
                 const std::string& name)
    {
        if (const auto operation = MakeCollective(what, communicator, bytes))
        {
            Chain(*operation, name);
        }
    }

    /// Add a collective beside what follows. Arguments as of Collect().
    void CollectBeside(What what,
                       const std::optional<uint32_t>& communicator,
                       double bytes,
                       const std::string& name)
    {
        if (const auto operation = MakeCollective(what, communicator, bytes))
        {
            m_program.Add(*operation, m_last, name);
        }
    }

    /// @param operations of floating point, of all ranks that share the layer
    /// @param name for it
    void Compute(double operations, const std::string& name)
    {
        const double seconds = operations / m_how.tensor / m_how.flops;
        if (constexpr double MOST = double(MAX_TRAINING_NANOSECONDS) / 1e9; !(seconds <= MOST))
        {
            throw OdcnError("model: found an operation " + name + " of " + FormatNumber(seconds) +
                            " s, expected at most " + FormatNumber(MOST) +
                            " s: a higher number of operations a second");
        }
        TrainingProgram::Operation operation;
        operation.duration = Seconds(seconds);
        Chain(operation, name);
    }

    /// @param kind SEND or RECEIVE
    /// @param forward whether activations go to the next stage; else gradients to the one before
    void Exchange(Kind kind, bool forward)
    {
        const bool isNext = forward == (kind == Kind::SEND);
        if (isNext ? m_stage + 1 == m_how.pipeline : m_stage == 0)
        {
            return;
        }
        const auto stride = static_cast<int32_t>(m_how.GetNRanks() / m_how.pipeline);
        TrainingProgram::Operation operation;
        operation.kind = kind;
        operation.peer = isNext ? stride : -stride;
        operation.tag = forward ? 0 : 1;
        operation.bytes = static_cast<uint64_t>(std::ceil(GetActivations() / m_how.tensor));
        if (kind == Kind::SEND)
        {
            m_program.Add(operation, m_last, "pipeline"); // what follows need not wait
        }
        else
        {
            Chain(operation, "pipeline");
        }
    }

    /// @return operations of attention, forward
    double CountAttention() const
    {
        const double scores = 4.0 * m_how.length * m_model.hidden; // of a token with all others
        return GetTokens() * (2 * m_model.GetAttentionParameters() + scores);
    }

    /// @return operations of the feed-forward network, forward
    double CountInner() const
    {
        return GetTokens() * 2 * m_model.GetInnerParameters() * m_model.active;
    }

    /// @return bytes of keys and values of a whole micro batch, of a tensor part
    double GetKeys() const
    {
        const double share = double(m_model.keyHeads) / m_model.heads;
        return 2 * GetActivations() * m_how.context * share / m_how.tensor;
    }

    /// Exchange the tokens of experts.
    /// @param name of the operation
    /// @param layer index in the stage
    /// @param isBack whether they return from the experts
    void Dispatch(const std::string& name, uint32_t layer, bool isBack)
    {
        auto operation = MakeCollective(What::ALL_TO_ALL,
                                        m_communicators.expert,
                                        GetActivations() * m_model.active / m_how.tensor);
        if (operation && !m_weights.empty())
        {
            operation->weights = m_weights[m_stage * (m_model.layers / m_how.pipeline) + layer];
            operation->isBack = isBack;
        }
        if (operation)
        {
            Chain(*operation, name);
        }
    }

    /// Add a forward pass.
    void AddForward()
    {
        Exchange(Kind::RECEIVE, true);
        for (uint32_t layer = 0; layer < m_model.layers / m_how.pipeline; ++layer)
        {
            Collect(What::ALL_GATHER, m_communicators.context, GetKeys(), "keys");
            Compute(CountAttention(), "attention");
            Collect(What::ALL_REDUCE, m_communicators.tensor, GetActivations(), "attention");
            Dispatch("dispatch", layer, false);
            Compute(CountInner(), "feed-forward");
            Dispatch("combine", layer, true);
            Collect(What::ALL_REDUCE, m_communicators.tensor, GetActivations(), "feed-forward");
        }
        Exchange(Kind::SEND, true);
    }

    /// Add a backward pass.
    /// @param isLast whether the gradients are complete with it
    void AddBackward(bool isLast)
    {
        Exchange(Kind::RECEIVE, false);
        for (uint32_t layer = m_model.layers / m_how.pipeline; layer-- > 0;)
        {
            Dispatch("combine", layer, false);
            Compute(2 * CountInner(), "feed-forward");
            Dispatch("dispatch", layer, true);
            Collect(What::ALL_REDUCE, m_communicators.tensor, GetActivations(), "feed-forward");
            Compute(2 * CountAttention(), "attention");
            Collect(What::ALL_REDUCE, m_communicators.tensor, GetActivations(), "attention");
            Collect(What::REDUCE_SCATTER, m_communicators.context, GetKeys(), "keys");
            if (isLast)
            {
                AddGradients();
            }
        }
        Exchange(Kind::SEND, false);
    }

    /// Add the all-reduces of the gradients of a layer.
    void AddGradients()
    {
        const double inner = m_model.GetInnerParameters() * m_model.experts / m_how.expert;
        const double attention = m_model.GetAttentionParameters();
        const bool isSplit = m_how.expert > 1;
        CollectBeside(What::ALL_REDUCE,
                      m_communicators.data,
                      NUMBER * (attention + (isSplit ? 0 : inner)) / m_how.tensor,
                      "gradients");
        if (isSplit)
        {
            CollectBeside(What::ALL_REDUCE,
                          m_communicators.replica,
                          NUMBER * inner / m_how.tensor,
                          "gradients of experts");
        }
    }

    const TrainingModel& m_model;           //!< what is trained
    const TrainingParallelism& m_how;       //!< how
    const Communicators& m_communicators;   //!< of the job
    uint32_t m_stage;                       //!< index of the stage
    const std::vector<uint32_t>& m_weights; //!< of experts, by layer; none if even
    TrainingProgram m_program;              //!< so far
    std::vector<uint32_t> m_last;           //!< the last operation
};

/**
 * Add groups of ranks of one size.
 * @param job gets them
 * @param name of the communicator
 * @param size of a group; 1 for none
 * @param find tells the group of a rank
 * @return the communicator
 */
std::optional<uint32_t>
AddGroups(TrainingJob& job,
          const std::string& name,
          uint32_t size,
          const std::function<uint32_t(uint32_t rank)>& find)
{
    if (size == 1)
    {
        return {};
    }
    std::vector<std::vector<uint32_t>> groups(job.GetNRanks() / size);
    for (uint32_t rank = 0; rank < job.GetNRanks(); ++rank)
    {
        groups[find(rank)].push_back(rank);
    }
    return job.AddCommunicator(name, std::move(groups));
}

/**
 * Draw which ranks of an expert group get how many tokens of a layer.
 * @param experts of the layer
 * @param how parallelism
 * @param iterations their number
 * @param random draws
 * @return by iteration: weights of the ranks
 */
std::vector<std::vector<double>>
DrawWeights(uint32_t experts,
            const TrainingParallelism& how,
            uint32_t iterations,
            UniformRandomVariable& random)
{
    std::vector<double> shares(experts); // of each expert
    double sum = 0;
    for (uint32_t i = 0; i < experts; ++i)
    {
        shares[i] = std::pow(i + 1.0, -how.expertSkew);
        sum += shares[i];
    }
    for (uint32_t i = experts - 1; i > 0; --i)
    {
        std::swap(shares[i], shares[random.GetInteger(0, i)]);
    }
    std::vector<std::vector<double>> weights;
    for (uint32_t iteration = 0; iteration < iterations; ++iteration)
    {
        for (uint32_t i = 0; iteration > 0 && how.expertDrift > 0 && i < experts; ++i)
        {
            if (random.GetValue(0, 1) < how.expertDrift)
            {
                std::swap(shares[i], shares[random.GetInteger(0, experts - 1)]);
            }
        }
        std::vector<double>& ranks = weights.emplace_back(how.expert, 0.0);
        for (uint32_t i = 0; i < experts; ++i)
        {
            ranks[i / (experts / how.expert)] += shares[i] / sum;
        }
        if (how.expertDrift == 0)
        {
            break; // the same in all iterations
        }
    }
    return weights;
}

} // namespace

const std::vector<TrainingModel>&
TrainingModel::GetAll()
{
    static const std::vector<TrainingModel> all{{"gpt3-13b", 40, 5140, 20560, 40, 40, 2, 1, 1},
                                                {"gpt3-175b", 96, 12288, 49152, 96, 96, 2, 1, 1},
                                                {"llama-7b", 32, 4096, 11008, 32, 32, 3, 1, 1},
                                                {"llama-70b", 80, 8192, 28672, 64, 8, 3, 1, 1},
                                                {"mixtral-8x7b", 32, 4096, 14336, 32, 8, 3, 8, 2},
                                                {"mini-gpt", 4, 256, 1024, 4, 4, 2, 1, 1},
                                                {"mini-moe", 4, 256, 512, 4, 4, 3, 8, 2}};
    return all;
}

const TrainingModel&
TrainingModel::Find(const std::string& name)
{
    std::vector<std::string> names;
    for (const TrainingModel& model : GetAll())
    {
        if (model.name == name)
        {
            return model;
        }
        names.push_back(model.name);
    }
    throw OdcnError::InOption("model", name, "one of " + JoinWords(names));
}

double
TrainingModel::GetAttentionParameters() const
{
    return double(hidden) * hidden * (2 + 2 * double(keyHeads) / heads);
}

double
TrainingModel::GetInnerParameters() const
{
    return double(matrices) * hidden * inner;
}

double
TrainingModel::GetParameters() const
{
    return layers * (GetAttentionParameters() + experts * GetInnerParameters());
}

TrainingJob
TrainingModel::MakeJob(const TrainingParallelism& how,
                       uint32_t iterations,
                       const Ptr<UniformRandomVariable>& random) const
{
    const uint32_t copies = how.data * how.context; // ranks with the same parameters
    const auto require = [&](bool isValid, const std::string& what)
    {
        if (!isValid)
        {
            throw OdcnError("model " + name + ": " + what);
        }
    };
    require(how.GetNRanks() > 0 && how.expert > 0 && how.microBatches > 0 && how.sequences > 0 &&
                how.length > 0 && how.flops > 0,
            "a number of its parallelism is 0, expected more");
    require(layers % how.pipeline == 0,
            std::to_string(layers) + " layers in " + std::to_string(how.pipeline) +
                " stages, expected stages of as many layers");
    require(copies % how.expert == 0 && experts % how.expert == 0,
            std::to_string(experts) + " experts over " + std::to_string(how.expert) +
                " ranks, expected a divisor of the experts and of the " + std::to_string(copies) +
                " ranks of data and context");
    require(how.expertSkew >= 0 && how.expertDrift >= 0 && how.expertDrift <= 1,
            "found skew " + std::to_string(how.expertSkew) + " and drift " +
                std::to_string(how.expertDrift) +
                " of experts, expected 0 or more, and a probability");
    const bool isUneven = how.expertSkew > 0 && how.expert > 1;
    require(!isUneven || random, "no random numbers for the skew of experts, expected a stream");
    TrainingJob job(name, how.GetNRanks());
    const uint32_t tensor = how.tensor;
    const uint32_t stage = tensor * copies; // ranks of a stage
    // A rank is tensor index + tensor x (copy + copies x stage), a copy context + contexts x data.
    const auto getCopy = [=](uint32_t rank) { return rank / tensor % copies; };
    const auto getOther = [=](uint32_t rank) { return rank / stage * tensor + rank % tensor; };
    StageBuilder::Communicators communicators;
    communicators.tensor =
        AddGroups(job, "TP", tensor, [=](uint32_t rank) { return rank / tensor; });
    communicators.context = AddGroups(
        job,
        "CP",
        how.context,
        [&](uint32_t rank) { return getOther(rank) * how.data + getCopy(rank) / how.context; });
    communicators.data = AddGroups(job, "DP", copies, getOther);
    communicators.expert =
        AddGroups(job,
                  "EP",
                  how.expert,
                  [&](uint32_t rank)
                  { return getOther(rank) * (copies / how.expert) + getCopy(rank) / how.expert; });
    communicators.replica =
        how.expert == 1
            ? std::nullopt
            : AddGroups(job,
                        "EDP",
                        copies / how.expert,
                        [&](uint32_t rank)
                        { return getOther(rank) * how.expert + getCopy(rank) % how.expert; });
    std::vector<uint32_t> weights;
    for (uint32_t layer = 0; isUneven && layer < layers; ++layer)
    {
        weights.push_back(job.AddWeights(DrawWeights(experts, how, iterations, *random)));
    }
    for (uint32_t s = 0; s < how.pipeline; ++s)
    {
        std::vector<uint32_t> ranks(stage);
        for (uint32_t i = 0; i < stage; ++i)
        {
            ranks[i] = s * stage + i;
        }
        job.AddProgram(StageBuilder(*this, how, communicators, s, weights).Build(), ranks);
    }
    job.SetIterations(iterations);
    return job;
}

} // namespace ns3::odcn
