// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-actor-critic-learner.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnActorCriticLearner);

TypeId
OdcnActorCriticLearner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnActorCriticLearner").SetParent<Object>().SetGroupName("Odcn");
    return tid;
}

TypeId
OdcnActorCriticLearner::AddCriticAttributes(TypeId tid)
{
    return tid
        .AddAttribute("GaeLambda",
                      "Weight of longer sums in generalised advantage estimation.",
                      DoubleValue(0.95),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_gaeLambda),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("ValueWeight",
                      "Weight of the value loss in the sum of the two losses.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_valueWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("WarmUpDecisions",
                      "Decisions that the teacher takes in each environment at the start of an "
                      "epoch, unseen by the network. Short epochs from a teacher's states keep "
                      "the learner where the teacher does well.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_warmUpDecisions),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
OdcnActorCriticLearner::AddAttributes(TypeId tid, const Defaults& defaults)
{
    // Not of this class's own TypeId: defaults differ, and are set by the learner's name.
    if (defaults.critic)
    {
        tid = AddCriticAttributes(tid);
    }
    return tid
        .AddAttribute("Gamma",
                      "Discount factor.",
                      DoubleValue(defaults.gamma),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_gamma),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EntropyWeight",
                      "Weight of the policy's entropy in the loss.",
                      DoubleValue(defaults.entropyWeight),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_entropyWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("LearningRate",
                      "Step size of the optimiser.",
                      DoubleValue(defaults.learningRate),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_learningRate),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("FinalLearningRate",
                      "Fraction of LearningRate that is left after ScheduleDecisions.",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_finalLearningRate),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("ScheduleDecisions",
                      "Decisions over which LearningRate falls linearly; 0 keeps it "
                      "constant.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_scheduleDecisions),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("Optimizer",
                      "What finds the way down the gradient.",
                      CompatEnumValue<OptimizerKind>(defaults.rmsProp ? RMS_PROP : ADAM),
                      CompatEnumAccessor<OptimizerKind>(&OdcnActorCriticLearner::m_optimizer),
                      MakeEnumChecker(ADAM, "Adam", RMS_PROP, "RmsProp"))
        .AddAttribute("RmsDecay",
                      "RmsProp: weight of what was in the mean of the squares.",
                      DoubleValue(0.9),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_rmsDecay),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("RmsEpsilon",
                      "RmsProp: what is added to that mean.",
                      DoubleValue(1e-9),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_rmsEpsilon),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("UseMask",
                      "Exclude actions that the problem knows to fail.",
                      BooleanValue(defaults.useMask),
                      MakeBooleanAccessor(&OdcnActorCriticLearner::m_useMask),
                      MakeBooleanChecker())
        .AddAttribute("NormalizeAdvantage",
                      "Bring the advantages of an update to mean 0 and standard deviation"
                      " 1.",
                      BooleanValue(defaults.normalizeAdvantage),
                      MakeBooleanAccessor(&OdcnActorCriticLearner::m_normalizeAdvantage),
                      MakeBooleanChecker())
        .AddAttribute("RewardScale",
                      "Rewards are multiplied by it.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_rewardScale),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ClipGradient",
                      "Greatest Euclidean norm of the gradient of all parameters; 0 for "
                      "no limit.",
                      DoubleValue(defaults.clipGradient),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_clipGradient),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("CloneDecisions",
                      "Decisions of the teacher to clone before learning begins.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_cloneDecisions),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("CloneLearningRate",
                      "Step size of the optimiser while cloning.",
                      DoubleValue(0.001),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_cloneLearningRate),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ClonePasses",
                      "Passes at most through CloneDecisions kept as a set, each sample once; 0 to "
                      "learn from each as it comes, and from no other again.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_clonePasses),
                      MakeUintegerChecker<uint32_t>(0, 1000000))
        .AddAttribute("CloneSamples",
                      "Samples of a step in such a pass.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_cloneSamples),
                      MakeUintegerChecker<uint32_t>(1, 1000000))
        .AddAttribute("CloneValidation",
                      "Part of the set that is not learnt from, to measure accuracy on.",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_cloneValidation),
                      MakeDoubleChecker<double>(0.001, 0.9))
        .AddAttribute("CloneAccuracy",
                      "Cloning by passes ends when the network takes more than this part of the "
                      "teacher's decisions there.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_cloneAccuracy),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EpochDecisions",
                      "Decisions of all environments together until they start anew; also"
                      " the grain of resuming.",
                      UintegerValue(1000000),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_epochDecisions),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("EvaluationEpochs",
                      "Epochs from one evaluation to the next.",
                      UintegerValue(1),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_evaluationEpochs),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("EvaluationWarmUp",
                      "Decisions of each evaluation problem before its score counts.",
                      UintegerValue(10000),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_evaluationWarmUp),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EvaluationDecisions",
                      "Decisions of each evaluation problem that count; 0 for no "
                      "evaluation.",
                      UintegerValue(50000),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_evaluationDecisions),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EvaluationDrawn",
                      "Whether actions are drawn by their probability there, as in training; "
                      "otherwise the likeliest is taken.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&OdcnActorCriticLearner::m_evaluationDrawn),
                      MakeBooleanChecker())
        .AddAttribute("Threads",
                      "Threads at work; the result does not depend on it, unless the learner is "
                      "asynchronous.",
                      UintegerValue(defaults.threads),
                      MakeUintegerAccessor(&OdcnActorCriticLearner::m_threads),
                      MakeUintegerChecker<uint32_t>(1, 1024))
        .AddAttribute("ProgressSeconds",
                      "Wall-clock seconds between calls of the progress function.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&OdcnActorCriticLearner::m_progressSeconds),
                      MakeDoubleChecker<double>(0.0));
}

} // namespace odcn
} // namespace ns3
