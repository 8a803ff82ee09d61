// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"
#include "odcn-loss-probe.h"

#include "ns3/odcn-reinforce-learner.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string SMALL_MLP = "Mlp[layers=1|units=20]";
const std::string SMALL_SCORER = "Scorer[hidden=16,16|valueHidden=]";

/**
 * Records decisions. Random numbers do not depend on decisions. After two decisions action 0 ends
 * an episode, which has at most six decisions.
 */
class Diary : public StubProblem
{
  public:
    /// A decision.
    struct Entry
    {
        std::vector<float> seen; //!< observation
        uint32_t action;         //!< decision
        float reward;            //!< reward of the decision
    };

    std::vector<std::vector<Entry>> episodes; //!< all episodes; the last may be empty

    Diary()
        : StubProblem(3, {2})
    {
    }

    void Observe(float* out) const override
    {
        out[0] = 0.1F * static_cast<float>(episodes.back().size());
        out[1] = m_number;
    }

    void Act(uint32_t action) override
    {
        std::vector<float> seen(2);
        Observe(seen.data());
        const float reward = m_number * static_cast<float>(action) - 0.5F;
        episodes.back().push_back({seen, action, reward});
        m_number = static_cast<float>(m_random->GetValue());
    }

    void TakeRewards(std::vector<float>& out) override
    {
        out.push_back(episodes.back().back().reward);
    }

    bool IsDone() const override
    {
        const auto& now = episodes.back();
        return now.size() == 6 || (now.size() > 2 && now.back().action == 0);
    }

    void Reset() override
    {
        episodes.emplace_back();
        m_number = static_cast<float>(m_random->GetValue());
    }

  private:
    float m_number{0}; //!< observation
};

/// @param network description
/// @return a learner for toys
Ptr<ReinforceLearner>
MakeReinforce(const std::string& network)
{
    return MakeToyLearner<ReinforceLearner>(network,
                                            10,
                                            21,
                                            "Sequences=2|Gamma=0.5|LearningRate=0.003|Threads=1");
}

} // namespace

TEST(ReinforceLearner, LearnsFromWholeEpisodes)
{
    for (const char* optimizer : {"RMSprop", "Adam"})
    {
        auto learner = MakeReinforce(SMALL_SCORER);
        learner->SetAttribute("Optimizer", StringValue(optimizer));
        learner->Prepare();
        EXPECT_GT(learner->Evaluate().score, 0.5);
        learner->SetAttribute("EpochDecisions", UintegerValue(60000));
        ASSERT_TRUE(learner->Train(60000));
        EXPECT_EQ(learner->GetUpdates(), (60000 + 419) / 420);
        EXPECT_LT(learner->Evaluate().score, 0.06) << optimizer;
    }
}

TEST(ReinforceLearner, AnUpdateIsAsWorkedByHand)
{
    constexpr std::size_t M = 4;
    constexpr double GAMMA = 0.9;
    constexpr double BETA = 0.05;
    std::vector<Ptr<DecisionProblem>> problems;
    std::vector<Ptr<Diary>> diaries;
    for (std::size_t i = 0; i < M; ++i)
    {
        diaries.push_back(CreateObject<Diary>());
        problems.push_back(diaries.back());
    }
    auto learner = MakeReinforce(SMALL_MLP);
    learner->SetProblems(problems);
    learner->SetEvaluation({});
    learner->SetAttribute("Gamma", DoubleValue(GAMMA));
    learner->SetAttribute("EntropyWeight", DoubleValue(BETA));
    Configure(learner, "RewardScale=2|Sequences=3");
    learner->Prepare();
    const auto before = learner->GetParameters();
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetUpdates(), 1U);

    // Those of M problems and three sequences, without the one to which a problem was reset.
    std::vector<std::vector<std::vector<Diary::Entry>>> sequences(3);
    std::size_t samples = 0;
    bool ragged = false;
    for (const auto& diary : diaries)
    {
        std::size_t k = 0;
        for (const auto& episode : diary->episodes)
        {
            if (!episode.empty())
            {
                ASSERT_LT(k, 3U);
                sequences[k++].push_back(episode);
                samples += episode.size();
            }
        }
        ASSERT_EQ(k, 3U);
    }
    EXPECT_EQ(learner->GetDecisions(), samples);
    std::vector<float> observations;
    std::vector<std::pair<uint32_t, double>> choices;
    for (const auto& sequence : sequences)
    {
        for (std::size_t t = 0; t < 6; ++t)
        {
            // All have the same numbers, whatever they decide.
            double baseline = 0;
            std::vector<double> returns;
            for (const auto& episode : sequence)
            {
                double sum = 0;
                for (std::size_t s = episode.size(); s-- > t;)
                {
                    sum = 2 * episode[s].reward + GAMMA * sum;
                }
                returns.push_back(sum);
                baseline += sum / M;
                ragged |= episode.size() != sequence[0].size();
                if (t < episode.size() && t < sequence[0].size())
                {
                    EXPECT_EQ(episode[t].seen, sequence[0][t].seen);
                }
            }
            for (std::size_t m = 0; m < M; ++m)
            {
                if (t < sequence[m].size())
                {
                    const auto& entry = sequence[m][t];
                    observations.insert(observations.end(), entry.seen.begin(), entry.seen.end());
                    choices.emplace_back(entry.action, returns[m] - baseline);
                }
            }
        }
    }
    EXPECT_TRUE(ragged) << "episodes of several lengths show what the baseline does then";
    EXPECT_NE(sequences[0][0][0].seen, sequences[1][0][0].seen);

    // The loss as in the paper, differentiated by LibTorch.
    auto network = PolicyNetwork::Create(SMALL_MLP, ProblemShape(*problems.front()), 0);
    std::size_t at = 0;
    for (auto& parameter : network->parameters())
    {
        const torch::NoGradGuard noGradients;
        const auto size = static_cast<std::size_t>(parameter.numel());
        std::copy_n(before.begin() + at, size, parameter.data_ptr<float>());
        at += size;
    }
    const auto n = static_cast<int64_t>(choices.size());
    ASSERT_EQ(choices.size(), samples);
    const auto rows = torch::from_blob(observations.data(), {n, 2});
    const auto logs = torch::log_softmax(network->forward(rows).logits, 1);
    auto loss = torch::zeros({});
    for (int64_t i = 0; i < n; ++i)
    {
        const auto& [action, advantage] = choices[i];
        const auto entropy = -(torch::exp(logs[i]) * logs[i]).sum();
        loss = loss - (logs[i][action] * advantage + BETA * entropy) / n;
    }
    loss.backward();
    const auto after = learner->GetParameters();
    at = 0;
    double largest = 0;
    for (const auto& parameter : network->parameters())
    {
        for (int64_t i = 0; i < parameter.numel(); ++i, ++at)
        {
            // RMSProp of DeepRM: learning rate 0.003 here, 0.9, 1e-9.
            const auto& grad = parameter.grad();
            const double g = grad.defined() ? grad.flatten()[i].item<double>() : 0.0;
            const double step = 0.003 * g / (std::sqrt(0.1 * g * g) + 1e-9);
            ASSERT_NEAR(after[at], before[at] - step, std::abs(g) > 1e-6 ? 1e-4 : 0.02)
                << at << " " << g;
            largest = std::max(largest, std::abs(g));
        }
    }
    EXPECT_EQ(at, after.size());
    EXPECT_GT(largest, 1e-3);
    EXPECT_NE(after, before);
}

TEST(ReinforceLearner, LossIsThatOfThePolicyAlone)
{
    constexpr double BETA = 0.04;
    auto learner = CreateObject<LossProbe<ReinforceLearner>>();
    learner->SetAttribute("EntropyWeight", DoubleValue(BETA));
    const auto samples = MakeSamples();
    const auto figures =
        ExpectLoss(*learner,
                   samples,
                   std::vector<double>(samples.size(), 1.0),
                   [&](const Sample& sample, double)
                   {
                       const auto p = SoftmaxOf(sample);
                       return -std::log(p[sample.action]) * sample.advantage - BETA * EntropyOf(p);
                   });
    EXPECT_EQ(figures.count("value_loss"), 0U);
}

TEST(ReinforceLearner, APoolComesAgain)
{
    auto diary = CreateObject<Diary>();
    auto learner = MakeReinforce(SMALL_MLP);
    learner->SetProblems({diary, CreateObject<Diary>()});
    learner->SetEvaluation({});
    Configure(learner, "Sequences=3|SequencePool=2");
    learner->Train(1);
    std::vector<std::vector<float>> first;
    for (const auto& episode : diary->episodes)
    {
        if (!episode.empty())
        {
            first.push_back(episode[0].seen);
        }
    }
    ASSERT_EQ(first.size(), 3U);
    EXPECT_NE(first[0], first[1]);
    EXPECT_EQ(first[0], first[2]);
}

TEST(ReinforceLearner, CutsEpisodesShort)
{
    // Three decisions of a toy job are rewarded together: the last two of 20 never are.
    auto learner = MakeReinforce(SMALL_SCORER);
    learner->SetProblems(Toys(4));
    learner->SetAttribute("EpisodeDecisions", UintegerValue(20));
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetDecisions(), 2U * 4U * 20U);
    learner->SetAttribute("EpisodeDecisions", UintegerValue(2));
    EXPECT_THROW(learner->Train(1000), OdcnError) << "no reward is known by then";
}

TEST(ReinforceLearner, ResumedEqualsUninterrupted)
{
    const auto make = []
    {
        // An update is 420 decisions.
        auto learner = MakeReinforce(SMALL_MLP);
        learner->SetTeacher(CreateObject<ToyOracle>());
        Configure(learner,
                  "CloneDecisions=1000|ClonePasses=2|EpochDecisions=1500|"
                  "EvaluationDecisions=100|ProgressSeconds=0.0");
        return learner;
    };
    ExpectResumable(make, 6000, 4000);
}

TEST(ReinforceLearner, ClonesUntilItIsAccurate)
{
    // Also a network for images.
    auto learner = MakeReinforce(
        "Cnn[layers=Conv3-16|hidden=64|activation=Elu|hiddenActivation=Elu|value=none]");
    auto toys =
        ListOf<Ptr<DecisionProblem>>(4, [&](int) { return CreateObject<ImageToyProblem>(4, 21); });
    learner->SetProblems(toys);
    learner->SetEvaluation({CreateObject<ImageToyProblem>(4, 21)});
    auto teacher = CreateObject<ToyOracle>();
    learner->SetTeacher(teacher);
    Configure(learner,
              "Optimizer=Adam|CloneDecisions=6000|ClonePasses=60|CloneAccuracy=0.9|"
              "CloneLearningRate=0.002|ProgressSeconds=0.0");
    std::vector<double> accuracy;
    learner->SetProgress(
        [&](const TrainingProgress& p)
        {
            EXPECT_TRUE(p.cloning);
            const auto pass = static_cast<std::size_t>(p.figures.at("clone_passes"));
            if (pass > accuracy.size())
            {
                accuracy.push_back(p.figures.at("clone_accuracy"));
                EXPECT_EQ(pass, accuracy.size());
            }
        });
    ASSERT_TRUE(learner->Train(0));
    EXPECT_GE(teacher->asked, 6000U);
    EXPECT_LT(teacher->asked, 6000U + 4U * 36U) << "passes ask no more";
    ASSERT_FALSE(accuracy.empty());
    EXPECT_LT(accuracy.size(), 60U);
    EXPECT_GT(accuracy.back(), 0.9);
    for (std::size_t i = 0; i + 1 < accuracy.size(); ++i)
    {
        EXPECT_LE(accuracy[i], 0.9) << i;
    }
    EXPECT_NEAR(learner->Evaluate().score, 1 - accuracy.back(), 0.05);
}

TEST(ReinforceLearner, SaysWhatIsWrong)
{
    auto learner = MakeReinforce(SMALL_MLP);
    learner->SetProblems(Toys(1, 21));
    EXPECT_THROW(learner->Train(1), OdcnError) << "a baseline needs two";
    learner = MakeReinforce(SMALL_MLP);
    Configure(learner, "CloneDecisions=10|ClonePasses=1");
    EXPECT_THROW(learner->Train(1), OdcnError) << "no teacher";
    EXPECT_FALSE(learner->SetAttributeFailSafe("GaeLambda", DoubleValue(1.0)));
    EXPECT_FALSE(learner->SetAttributeFailSafe("WarmUpDecisions", UintegerValue(1)));
}

TEST(ReinforceLearner, KeepsNoSampleTwice)
{
    // The observation is constant, so all decisions are equal.
    class Still : public ToyProblem
    {
      public:
        void Observe(float* out) const override
        {
            std::fill_n(out, GetObservationSize(), 0.5F);
        }
    };

    class Always : public DecisionPolicy
    {
      public:
        uint32_t Decide(const DecisionProblem&) override
        {
            return 0;
        }
    };

    auto learner = MakeReinforce(SMALL_MLP);
    learner->SetProblems({CreateObject<Still>(), CreateObject<Still>()});
    learner->SetTeacher(CreateObject<Always>());
    Configure(learner, "CloneDecisions=500|ClonePasses=1");
    const std::string error = GetRefusal([&] { learner->Train(1); });
    EXPECT_EQ(error.find("CloneDecisions: the teacher made 1 different"), 0U) << error;
}
