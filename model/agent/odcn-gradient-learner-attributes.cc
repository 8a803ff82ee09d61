// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gradient-learner.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(GradientLearner);

TypeId
GradientLearner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::GradientLearner").SetParent<Learner>().SetGroupName("Odcn");
    return tid;
}

TypeId
GradientLearner::AddCriticAttributes(TypeId tid)
{
    return tid
        .AddAttribute("GaeLambda",
                      "Weight of longer sums in generalised advantage estimation.",
                      DoubleValue(0.95),
                      MakeDoubleAccessor(&GradientLearner::m_gaeLambda),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("ValueWeight",
                      "Weight of the value loss in the sum of the two losses.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&GradientLearner::m_valueWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("WarmUpDecisions",
                      "Decisions that the teacher takes in each problem at the start of an "
                      "epoch, unseen by the network. Short epochs from a teacher's states keep "
                      "the learner where the teacher does well.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&GradientLearner::m_warmUpDecisions),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
GradientLearner::AddAttributes(TypeId tid, const Defaults& defaults)
{
    // Not of this class's own TypeId: defaults differ, and are set by the learner's name.
    if (defaults.critic)
    {
        tid = AddCriticAttributes(tid);
    }
    return AddLearnerAttributes(tid, defaults.threads)
        .AddAttribute("Gamma",
                      "Discount factor.",
                      DoubleValue(defaults.gamma),
                      MakeDoubleAccessor(&GradientLearner::m_gamma),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EntropyWeight",
                      "Weight of the policy's entropy in the loss.",
                      DoubleValue(defaults.entropyWeight),
                      MakeDoubleAccessor(&GradientLearner::m_entropyWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("LearningRate",
                      "Learning rate of the optimiser.",
                      DoubleValue(defaults.learningRate),
                      MakeDoubleAccessor(&GradientLearner::m_learningRate),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("FinalLearningRate",
                      "Fraction of LearningRate that is left after ScheduleDecisions.",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&GradientLearner::m_finalLearningRate),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("ScheduleDecisions",
                      "Decisions over which LearningRate falls linearly; 0 keeps it "
                      "constant.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&GradientLearner::m_scheduleDecisions),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("Optimizer",
                      "Optimiser of LibTorch: Adam, AdamW, RMSprop, SGD or Adagrad.",
                      StringValue(defaults.optimizer),
                      MakeStringAccessor(&GradientLearner::m_optimizerName),
                      MakeStringChecker())
        .AddAttribute("OptimizerEpsilon",
                      "Term added to the denominator for numerical stability; not for SGD.",
                      DoubleValue(defaults.optimizerEpsilon),
                      MakeDoubleAccessor(&GradientLearner::m_optimizerEpsilon),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("RmsDecay",
                      "RMSprop: weight of the past in the mean of squared gradients.",
                      DoubleValue(0.9),
                      MakeDoubleAccessor(&GradientLearner::m_rmsDecay),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("Momentum",
                      "Momentum of RMSprop and SGD.",
                      DoubleValue(0.0),
                      MakeDoubleAccessor(&GradientLearner::m_momentum),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("WeightDecay",
                      "Weight decay of the optimiser.",
                      DoubleValue(0.0),
                      MakeDoubleAccessor(&GradientLearner::m_weightDecay),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("UseMask",
                      "Exclude actions that are certain to fail.",
                      BooleanValue(defaults.useMask),
                      MakeBooleanAccessor(&GradientLearner::m_useMask),
                      MakeBooleanChecker())
        .AddAttribute("NormalizeAdvantage",
                      "Shift and scale the advantages of an update to mean 0 and standard "
                      "deviation 1.",
                      BooleanValue(defaults.normalizeAdvantage),
                      MakeBooleanAccessor(&GradientLearner::m_normalizeAdvantage),
                      MakeBooleanChecker())
        .AddAttribute("RewardScale",
                      "Rewards are multiplied by it.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&GradientLearner::m_rewardScale),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ClipGradient",
                      "Greatest Euclidean norm of the gradient of all parameters; 0 for "
                      "no limit.",
                      DoubleValue(defaults.clipGradient),
                      MakeDoubleAccessor(&GradientLearner::m_clipGradient),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("CloneDecisions",
                      "Decisions of the teacher to clone before learning begins.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&GradientLearner::m_cloneDecisions),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("CloneLearningRate",
                      "Learning rate while cloning.",
                      DoubleValue(0.001),
                      MakeDoubleAccessor(&GradientLearner::m_cloneLearningRate),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ClonePasses",
                      "Passes at most through CloneDecisions kept as a set, each sample once; 0 to "
                      "learn from each once, as it comes.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&GradientLearner::m_clonePasses),
                      MakeUintegerChecker<uint32_t>(0, 1000000))
        .AddAttribute("CloneSamples",
                      "Samples of a step in such a pass.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&GradientLearner::m_cloneSamples),
                      MakeUintegerChecker<uint32_t>(1, 1000000))
        .AddAttribute("CloneValidation",
                      "Part of the set that is not learnt from, to measure accuracy on.",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&GradientLearner::m_cloneValidation),
                      MakeDoubleChecker<double>(0.001, 0.9))
        .AddAttribute("CloneAccuracy",
                      "Cloning by passes ends when the network takes more than this part of the "
                      "teacher's decisions there.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&GradientLearner::m_cloneAccuracy),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EvaluationSampled",
                      "Whether evaluations sample actions, as training does; otherwise they take "
                      "the likeliest.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&GradientLearner::m_evaluationSampled),
                      MakeBooleanChecker())
        .AddAttribute("EpochDecisions",
                      "Decisions of all problems together in an epoch; a training resumes "
                      "at the start of one.",
                      UintegerValue(1000000),
                      MakeUintegerAccessor(&GradientLearner::m_epochDecisions),
                      MakeUintegerChecker<uint64_t>(1));
}

} // namespace ns3::odcn
