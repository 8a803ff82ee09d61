// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_OPTIONS_H
#define ODCN_TRAINING_OPTIONS_H

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-policy-registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * How an agent is trained: a file, of the user or of data/recipes. It is a JSON object whose keys
 * are the members from about on ("teacher" is teachers).
 */
struct TrainingRecipe
{
    /// Decisions per problem in an epoch where epochs is 0.
    static constexpr uint64_t EPOCH_DECISIONS = 3000;

    std::string file;    //!< its path
    std::string text;    //!< what the file contains
    std::string about;   //!< one line
    std::string problem; //!< required: its type, e.g. "OdcnScheduling"

    /// Attributes of the problem or of its parts: {"State": "Placement"}
    std::map<std::string, std::string> problemAttributes;

    /// Values of the program's cases by name: {"loads": [60, 66]}. Problems take turns at them.
    std::map<std::string, std::vector<std::string>> cases;

    uint64_t problems{16};          //!< number of problems to learn from
    uint64_t evaluationProblems{8}; //!< number of problems to be evaluated on
    std::string learner;            //!< required: as for Learner::Create()
    std::string network;            //!< required without start: as for Learner::SetNetwork()
    std::string start;              //!< checkpoint of the initial network, which is not cloned then

    /// A policy, by the name "", or one for each value of the first case
    std::map<std::string, std::string> teachers;

    /// Attributes that learner or --learner does not set in brackets; those that the learner lacks
    /// are left out
    std::map<std::string, std::string> learnerDefaults;

    /// The same in units of the decisions in a mean duration of a job
    std::map<std::string, double> durations;

    uint64_t decisions{0}; //!< required: number of training decisions
    uint64_t epochs{20};   //!< number of epochs; 0 for epochs of EPOCH_DECISIONS per problem
    bool schedule{false};  //!< whether the learning rate falls until the end (ScheduleDecisions)

    /// @param path a file
    /// @return the recipe
    /// @throws OdcnError when the file is not a recipe
    static TrainingRecipe Read(const std::string& path);

    /// @param system first part of the names of files
    /// @return the shipped files by the second part
    static std::map<std::string, std::string> List(const std::string& system);
};

/// A problem that a training asks a program for.
struct TrainingCase
{
    std::map<std::string, std::string> values; //!< of the cases, by name
    bool evaluation{false};                    //!< whether the policy is evaluated on it
};

/// What a program's trainings have in common.
struct TrainingDesign
{
    /// A case that a recipe and an option may set.
    struct Case
    {
        std::string name;   //!< in recipes, checkpoints and TrainingCase
        std::string option; //!< comma-separated list of its values
        std::string help;   //!< of the option
    };

    std::string system;        //!< recipes are data/recipes/SYSTEM-NAME.json
    std::string problem;       //!< TypeId name
    std::string agent;         //!< default recipe
    std::vector<Case> cases{}; //!< each problem has a value of each
    /// Options that set an Attribute of the problems, TYPE::ATTRIBUTE
    std::map<std::string, std::string> attributes{};
    std::string problems{"environments"};  //!< option for the number of problems
    double decisionsPerJob{0};             //!< above 0: --trainJobs instead of --trainDecisions
    bool decisionsLimitGenerations{false}; //!< whether a recipe's decisions end an evolution, too
    bool isShare{true};                    //!< whether scores are shares, shown in percent
    int64_t stream{1000000};               //!< first of the training's random streams
};

/// What one training of a program needs.
struct TrainingTask
{
    std::string checkpoint; //!< file to be written

    /// Build a problem of a case, without streams.
    std::function<Ptr<DecisionProblem>(const TrainingCase&)> create;

    std::function<PolicyChoice(const std::string&)> find{}; //!< a teacher by its name
    std::function<double(const TrainingCase&)> duration{};  //!< decisions in a mean duration
    std::map<std::string, std::string> cases{};             //!< default values by name

    /// What the checkpoint records of a problem, by key.
    std::function<std::map<std::string, std::string>(const DecisionProblem&)> describe{};
};

/**
 * @ingroup odcn
 *
 * Options of programs that train, and the training, see Training; also in builds without LibTorch.
 */
class TrainingOptions
{
  public:
    /// Trains by options and a task.
    using Trainer = std::function<int(const TrainingOptions&, const TrainingTask&)>;

    /// @param design of the program
    explicit TrainingOptions(TrainingDesign design);

    bool train{false};     //!< whether to train
    std::string agent;     //!< recipe: a name, or a file
    uint64_t decisions{0}; //!< number of decisions, or of jobs; 0 for the recipe's
    bool resume{false};    //!< resume an interrupted training, if there is one

    /// Add all options.
    /// @param line a command line, which must live as long as this object
    void AddTo(OdcnCommandLine& line);

    /// Add the options except for train, agent and decisions.
    /// @param line see AddTo()
    void AddPartsTo(OdcnCommandLine& line);

    /// @return name of the recipe, without folder and extension
    std::string GetName() const;

    /**
     * Train an agent and write its file.
     * @param task training of the program
     * @return exit status, see Training::Run()
     * @throws OdcnError as Training::Run(), and when recipe and options do not fit each other, or
     * this odcn has no agents
     */
    int Run(const TrainingTask& task) const;

    /// @return what Run() calls; the library of agents sets it when it is loaded
    static Trainer& GetTrainer();

  private:
    friend class RecipeTraining;

    /// An option that sets an Attribute of the learner.
    struct LearnerOption
    {
        const char* name;          //!< of the option
        const char* attribute;     //!< name of the Attribute
        const char* help;          //!< of the option
        uint64_t most{UINT64_MAX}; //!< greatest value, if the Attribute's is greater
    };

    /// @return all of them
    static const std::vector<LearnerOption>& GetLearnerOptions();

    /// @param task training
    /// @return the recipe, with the options' values and all cases
    TrainingRecipe GetRecipe(const TrainingTask& task) const;

    TrainingDesign m_design;                            //!< of the program
    OdcnCommandLine* m_line{nullptr};                   //!< of AddTo()
    std::string m_learner;                              //!< "" for the recipe's
    std::string m_network;                              //!< "" for the recipe's
    std::string m_teacher;                              //!< "" for the recipe's
    std::string m_start;                                //!< checkpoint of an initial network
    uint64_t m_problems{0};                             //!< 0 for the recipe's
    uint64_t m_epochs{0};                               //!< 0 for the recipe's
    std::map<std::string, std::string> m_learnerValues; //!< by option; "" for the recipe's
    std::map<std::string, std::string> m_cases;         //!< lists by name; "" for the recipe's
    std::map<std::string, std::string> m_attributes;    //!< by option; "" for the recipe's
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_OPTIONS_H */
