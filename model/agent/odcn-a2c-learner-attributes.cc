// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a2c-learner.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace odcn
{

TypeId
OdcnA2cLearner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnA2cLearner")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnA2cLearner>()
            .AddAttribute("Window",
                          "L: rewards that are summed up for one sample (Eq. 2).",
                          UintegerValue(50),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_window),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("UpdateSamples",
                          "Samples that each environment brings to an update; 0 for as many "
                          "as Window.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_updateSamples),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Gamma",
                          "Discount factor.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_gamma),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("Returns",
                          "What advantages are made from.",
                          CompatEnumValue<ReturnKind>(WINDOW),
                          CompatEnumAccessor<ReturnKind>(&OdcnA2cLearner::m_returns),
                          MakeEnumChecker(WINDOW, "Window", GAE, "Gae"))
            .AddAttribute("GaeLambda",
                          "Weight of longer sums, with Returns=Gae.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_gaeLambda),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("EntropyWeight",
                          "beta of Eq. 4.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_entropyWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ValueWeight",
                          "Weight of Eq. 5 in the sum of the two losses.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_valueWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("LearningRate",
                          "Step size of Adam.",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_learningRate),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("FinalLearningRate",
                          "Fraction of LearningRate that is left after ScheduleDecisions.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_finalLearningRate),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("ScheduleDecisions",
                          "Decisions over which LearningRate falls linearly; 0 keeps it "
                          "constant.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_scheduleDecisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Epsilon",
                          "Probability at the start that an action is drawn by roulette; "
                          "otherwise the likeliest is taken.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_epsilon),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("EpsilonStep",
                          "epsilon_0: what each update takes off Epsilon.",
                          DoubleValue(1e-05),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_epsilonStep),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("EpsilonMin",
                          "epsilon_min: where that ends.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_epsilonMin),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("UseMask",
                          "Exclude actions that the problem knows to fail.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OdcnA2cLearner::m_useMask),
                          MakeBooleanChecker())
            .AddAttribute("NormalizeAdvantage",
                          "Bring the advantages of an update to mean 0 and standard deviation"
                          " 1.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OdcnA2cLearner::m_normalizeAdvantage),
                          MakeBooleanChecker())
            .AddAttribute("RewardScale",
                          "Rewards are multiplied by it.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_rewardScale),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ClipGradient",
                          "Greatest Euclidean norm of the gradient of all parameters; 0 for "
                          "no limit.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_clipGradient),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("CloneDecisions",
                          "Decisions of the teacher to clone before learning begins.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_cloneDecisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("CloneLearningRate",
                          "Step size of Adam while cloning.",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_cloneLearningRate),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("EpochDecisions",
                          "Decisions of all environments together until they start anew; also"
                          " the grain of resuming.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_epochDecisions),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("WarmUpDecisions",
                          "Decisions that the teacher takes in each environment at the start of an "
                          "epoch, unseen by the network. Short epochs from a teacher's states keep "
                          "the learner where the teacher does well.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_warmUpDecisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EvaluationEpochs",
                          "Epochs from one evaluation to the next.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_evaluationEpochs),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("EvaluationWarmUp",
                          "Decisions of each evaluation problem before its score counts.",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_evaluationWarmUp),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EvaluationDecisions",
                          "Decisions of each evaluation problem that count; 0 for no "
                          "evaluation.",
                          UintegerValue(50000),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_evaluationDecisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Threads",
                          "Threads that step environments; the result does not depend on it.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&OdcnA2cLearner::m_threads),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("ProgressSeconds",
                          "Wall-clock seconds between calls of the progress function.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&OdcnA2cLearner::m_progressSeconds),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

} // namespace odcn
} // namespace ns3
