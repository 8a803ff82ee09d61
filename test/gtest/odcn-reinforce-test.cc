// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-reinforce-learner.h"
#include "ns3/odcn-returns.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string MLP = "ns3::odcn::OdcnMlpNetwork[HiddenLayers=1|HiddenUnits=20]";
const std::string SCORER = "ns3::odcn::OdcnRackScorerNetwork[Hidden=16,16|ValueHidden=]";

/**
 * Writes down what happens. Numbers are drawn whatever is decided; action 0 ends an episode after
 * two decisions, and six do.
 */
class Diary : public OdcnDecisionProblem
{
  public:
    /// A decision.
    struct Entry
    {
        std::vector<float> seen; //!< Observation
        uint32_t action;         //!< What was decided
        float reward;            //!< For it
    };

    std::vector<std::vector<Entry>> episodes; //!< All, the last may be empty

    uint32_t GetNActions() const override
    {
        return 3;
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {2};
    }

    void Observe(float* out) const override
    {
        out[0] = 0.1F * static_cast<float>(episodes.back().size());
        out[1] = m_number;
    }

    void Mask(uint8_t* out) const override
    {
        std::fill_n(out, 3, 1);
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

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

    std::string GetScoreName() const override
    {
        return "nothing";
    }

    double GetScore() const override
    {
        return 0.0;
    }

    void ClearScore() override
    {
    }

  private:
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< For numbers
    float m_number{0};                                                          //!< What is seen
};

/// @param network its description  @param threads at work  @return a learner that is fit for toys
Ptr<OdcnReinforceLearner>
MakeLearner(const std::string& network, uint32_t threads = 2)
{
    auto learner = CreateObject<OdcnReinforceLearner>();
    learner->SetNetwork(OdcnNetwork::Create(network));
    learner->SetEnvironments(OdcnToys(10, 21));
    learner->SetEvaluation(OdcnToys(2));
    learner->SetAttribute("Sequences", UintegerValue(2));
    learner->SetAttribute("Gamma", DoubleValue(0.5));
    learner->SetAttribute("LearningRate", DoubleValue(0.003));
    learner->SetAttribute("Threads", UintegerValue(threads));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(2000));
    return learner;
}

} // namespace

TEST(OdcnReinforceLearner, LearnsFromWholeEpisodes)
{
    for (const char* optimizer : {"RmsProp", "Adam"})
    {
        auto learner = MakeLearner(SCORER);
        learner->SetAttribute("Optimizer", StringValue(optimizer));
        learner->Prepare();
        EXPECT_GT(learner->Evaluate(), 0.5);
        learner->SetAttribute("EpochDecisions", UintegerValue(200000));
        ASSERT_TRUE(learner->Train(200000));
        EXPECT_EQ(learner->GetUpdates(), (200000 + 419) / 420);
        EXPECT_LT(learner->Evaluate(), 0.06) << optimizer;
    }
}

TEST(OdcnReinforceLearner, AnUpdateIsAsWorkedByHand)
{
    constexpr std::size_t M = 4;
    constexpr double GAMMA = 0.9;
    constexpr double BETA = 0.05;
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    std::vector<Ptr<Diary>> diaries;
    for (std::size_t i = 0; i < M; ++i)
    {
        diaries.push_back(CreateObject<Diary>());
        problems.push_back(diaries.back());
    }
    auto learner = MakeLearner(MLP);
    learner->SetEnvironments(problems);
    learner->SetEvaluation({});
    learner->SetAttribute("Gamma", DoubleValue(GAMMA));
    learner->SetAttribute("EntropyWeight", DoubleValue(BETA));
    learner->SetAttribute("RewardScale", DoubleValue(2));
    learner->SetAttribute("Sequences", UintegerValue(3));
    learner->Prepare();
    const auto before = OdcnParametersOf(learner);
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetUpdates(), 1U);

    // Those of M problems and three sequences, without the one that a problem was reset to.
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
            // All meet the same numbers, whatever they decide.
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

    auto network = OdcnNetwork::Create(MLP);
    network->Build({2}, 3);
    std::copy(before.begin(), before.end(), network->GetMutableParameters().begin());
    const auto n = static_cast<uint32_t>(choices.size());
    ASSERT_EQ(n, samples);
    std::vector<float> logits(n * 3);
    std::vector<float> values(n);
    network->Forward(observations.data(), n, logits.data(), values.data());
    std::vector<float> dLogits(n * 3);
    for (uint32_t i = 0; i < n; ++i)
    {
        std::vector<float> chances(3);
        OdcnSoftmax({logits.data() + i * 3, 3}, {}, chances);
        OdcnPolicyLoss(chances,
                       choices[i].first,
                       choices[i].second,
                       BETA,
                       1.0 / n,
                       {dLogits.data() + i * 3, 3});
    }
    const std::vector<float> none(n, 0.0F);
    network->Backward(dLogits.data(), none.data());
    const auto after = OdcnParametersOf(learner);
    const auto gradient = network->GetGradient();
    for (std::size_t i = 0; i < after.size(); ++i)
    {
        // RMSProp of DeepRM: learning rate 0.003 here, 0.9, 1e-9.
        const double g = gradient[i];
        const double step = 0.003 * g / std::sqrt(0.1 * g * g + 1e-9);
        ASSERT_NEAR(after[i], before[i] - step, 1e-4) << i << " " << g;
    }
    EXPECT_NE(after, before);
}

TEST(OdcnReinforceLearner, APoolComesAgain)
{
    auto diary = CreateObject<Diary>();
    auto learner = MakeLearner(MLP);
    learner->SetEnvironments({diary, CreateObject<Diary>()});
    learner->SetEvaluation({});
    learner->SetAttribute("Sequences", UintegerValue(3));
    learner->SetAttribute("SequencePool", UintegerValue(2));
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

TEST(OdcnReinforceLearner, CutsEpisodesShort)
{
    // Three decisions of a toy job are rewarded together: of 20 the last two never are.
    auto learner = MakeLearner(SCORER);
    learner->SetEnvironments(OdcnToys(4));
    learner->SetAttribute("EpisodeDecisions", UintegerValue(20));
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetDecisions(), 2U * 4U * 20U);
    learner->SetAttribute("EpisodeDecisions", UintegerValue(2));
    EXPECT_THROW(learner->Train(1000), OdcnError) << "no reward is known by then";
}

TEST(OdcnReinforceLearner, EqualSeedsGiveEqualNetworks)
{
    const auto train = [](uint32_t threads, int64_t stream)
    {
        auto learner = MakeLearner(MLP, threads);
        learner->AssignStreams(stream);
        learner->Train(5000);
        return OdcnParametersOf(learner);
    };
    const auto first = train(1, 7);
    EXPECT_EQ(first, train(1, 7));
    EXPECT_EQ(first, train(3, 7)) << "threads must not matter";
    EXPECT_NE(first, train(1, 8));
}

TEST(OdcnReinforceLearner, ResumedEqualsUninterrupted)
{
    const auto make = []
    {
        // An update is 420 decisions.
        auto learner = MakeLearner(MLP);
        learner->SetTeacher(CreateObject<OdcnToyOracle>());
        learner->SetAttribute("CloneDecisions", UintegerValue(1000));
        learner->SetAttribute("ClonePasses", UintegerValue(2));
        learner->SetAttribute("EpochDecisions", UintegerValue(1500));
        learner->SetAttribute("EvaluationDecisions", UintegerValue(100));
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        return learner;
    };
    OdcnExpectResumable(make, 6000, 4000);
}

TEST(OdcnReinforceLearner, ClonesUntilItIsAccurate)
{
    // A network for images, too.
    auto learner = MakeLearner(
        "ns3::odcn::OdcnCnnNetwork[Layers=Conv3-16|Hidden=64|Activation=Elu|Value=None]");
    std::vector<Ptr<OdcnDecisionProblem>> toys;
    for (int i = 0; i < 4; ++i)
    {
        toys.push_back(CreateObject<OdcnImageToyProblem>(4, 21));
    }
    learner->SetEnvironments(toys);
    learner->SetEvaluation({CreateObject<OdcnImageToyProblem>(4, 21)});
    auto teacher = CreateObject<OdcnToyOracle>();
    learner->SetTeacher(teacher);
    learner->SetAttribute("Optimizer", StringValue("Adam"));
    learner->SetAttribute("CloneDecisions", UintegerValue(6000));
    learner->SetAttribute("ClonePasses", UintegerValue(60));
    learner->SetAttribute("CloneAccuracy", DoubleValue(0.9));
    learner->SetAttribute("CloneLearningRate", DoubleValue(0.002));
    std::vector<double> accuracy;
    learner->SetProgress(
        [&](const OdcnTrainingProgress& p)
        {
            EXPECT_TRUE(p.cloning);
            accuracy.push_back(p.accuracy);
            EXPECT_EQ(p.clonePass, accuracy.size());
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
    EXPECT_NEAR(learner->Evaluate(), 1 - accuracy.back(), 0.05);
}

TEST(OdcnReinforceLearner, SaysWhatIsWrong)
{
    auto learner = MakeLearner(MLP);
    learner->SetEnvironments(OdcnToys(1, 21));
    EXPECT_THROW(learner->Train(1), OdcnError) << "a baseline needs two";
    learner = MakeLearner(MLP);
    learner->SetAttribute("CloneDecisions", UintegerValue(10));
    learner->SetAttribute("ClonePasses", UintegerValue(1));
    EXPECT_THROW(learner->Train(1), OdcnError) << "no teacher";
    EXPECT_FALSE(learner->SetAttributeFailSafe("GaeLambda", DoubleValue(1.0)));
    EXPECT_FALSE(learner->SetAttributeFailSafe("WarmUpDecisions", UintegerValue(1)));
}

TEST(OdcnReinforceLearner, KeepsNoSampleTwice)
{
    // What is seen never changes: one decision, however often it is made.
    class Still : public OdcnToyProblem
    {
      public:
        void Observe(float* out) const override
        {
            std::fill_n(out, GetObservationSize(), 0.5F);
        }
    };

    class Always : public OdcnDecisionPolicy
    {
      public:
        uint32_t Decide(const OdcnDecisionProblem&) override
        {
            return 0;
        }
    };

    auto learner = MakeLearner(MLP);
    learner->SetEnvironments({CreateObject<Still>(), CreateObject<Still>()});
    learner->SetTeacher(CreateObject<Always>());
    learner->SetAttribute("CloneDecisions", UintegerValue(500));
    learner->SetAttribute("ClonePasses", UintegerValue(1));
    try
    {
        learner->Train(1);
        FAIL() << "one sample is not to be split";
    }
    catch (const OdcnError& error)
    {
        EXPECT_EQ(std::string(error.what()).find("CloneDecisions: the teacher made 1 different"),
                  0U)
            << error.what();
    }
}
