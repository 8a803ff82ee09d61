// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_OPTIONS_H
#define ODCN_TRAINING_OPTIONS_H

#include "ns3/object-base.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-object-text.h"

#include <utility>

namespace ns3::odcn
{

/// @ingroup odcn
/// Options of all programs that train, see Training; also in builds without LibTorch.
struct TrainingOptions
{
    bool resume{false};            //!< resume an interrupted training, if there is one
    OdcnCommandLine* cmd{nullptr}; //!< set by AddTo()

    /// @param line the options are added to this command line, which must live until Check()
    void AddTo(OdcnCommandLine& line)
    {
        cmd = &line;
        line.AddValue("resume", "resume an interrupted training", resume);
    }

    /**
     * Refuse options that set Attributes which this learner lacks, or which --learner sets too.
     * @param learner the learner  @param words value of --learner, may be empty
     */
    void Check(const Object& learner, const std::string& words) const
    {
        if (!cmd)
        {
            return;
        }
        const auto set = words.empty() ? ObjectText{} : ObjectText::Parse("learner", words);
        for (const auto& [option, attribute] :
             {std::pair{"generations", "Generations"},
              std::pair{"cloneDecisions", "CloneDecisions"},
              std::pair{"epochs", "EpochDecisions"},
              std::pair{"evaluationDecisions", "EvaluationDecisions"},
              std::pair{"learningRate", "LearningRate"},
              std::pair{"threads", "Threads"}})
        {
            TypeId::AttributeInformation found;
            const std::string name = attribute;
            cmd->Require(learner.GetInstanceTypeId().LookupAttributeByName(name, &found),
                         option,
                         "only with a learner that has the Attribute " + name);
            cmd->Require(!set.attributes.count(name),
                         option,
                         "only without " + name + " in --learner");
        }
    }
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_OPTIONS_H */
