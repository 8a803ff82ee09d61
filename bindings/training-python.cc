// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs that share a fabric, in Python, with the random numbers of training-jobs.
 */

#include "python-fabric.h"

#include "ns3/odcn-fabric-least-times.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-jobs-helper.h"
#include "ns3/odcn-training-jobs-run.h"

#include <memory>

namespace odcn_python
{

using namespace py::literals;

namespace
{

/// What jobs there are, and how they are run.
struct TrainingSetting : TrainingJobsSetting
{
    Texts attributes;            //!< of TrainingCluster and TrainingRun
    uint64_t shortFlows{100000}; //!< messages of fewer bytes are short
    double limit{100};           //!< longest simulated time, s
};

/// What jobs have become.
struct TrainingTable
{
    FabricEngine engine{FabricEngine::FLOWS};              //!< that ran them
    std::vector<std::string> models{};                     //!< by job
    std::map<std::string, std::vector<int64_t>> columns{}; //!< by name, by job
};

/**
 * @param setting of jobs
 * @param helper makes the jobs
 * @param design that carries them
 * @param engine that runs them
 * @param run number of the replication
 * @return a cluster with its jobs
 */
Ptr<TrainingCluster>
MakeCluster(const TrainingSetting& setting,
            const TrainingJobsHelper& helper,
            const FabricDesign& design,
            FabricEngine engine,
            uint32_t run)
{
    const auto cluster = helper.MakeCluster(design, engine);
    for (const auto& [name, text] : setting.attributes)
    {
        TypeId::AttributeInformation found;
        const bool isOfCluster =
            TrainingCluster::GetTypeId().LookupAttributeByName(name, &found) && name != "Placement";
        if (!isOfCluster && !TrainingRun::GetTypeId().LookupAttributeByName(name, &found))
        {
            throw OdcnError::InOption("Attribute",
                                      name,
                                      "an Attribute of TrainingCluster or TrainingRun");
        }
        CheckValue(isOfCluster ? TrainingCluster::GetTypeId() : TrainingRun::GetTypeId(),
                   name,
                   text);
        if (isOfCluster)
        {
            cluster->SetAttribute(name, StringValue(text));
        }
        else
        {
            cluster->SetRunAttribute(name, StringValue(text));
        }
    }
    helper.AddJobs(cluster, run);
    return cluster;
}

/**
 * Run the jobs, as training-jobs does.
 * @param fabric that carries them
 * @param setting of jobs
 * @param cluster the jobs
 * @param engine that runs them
 * @param run number of the replication
 * @param progress of the run
 * @return the circuits; null if there is no schedule
 * @throws OdcnError when jobs do not end
 */
Ptr<CircuitSchedule>
RunJobs(const Fabric& fabric,
        const TrainingSetting& setting,
        const Ptr<TrainingCluster>& cluster,
        FabricEngine engine,
        uint32_t run,
        ProgressCall& progress)
{
    const FabricDesign& design = fabric.GetDesign();
    TrainingJobsRun training(fabric.GetHelper(), design, engine, cluster, run);
    TrainingCluster& jobs = *PeekPointer(cluster);
    const auto ended = [&](const TrainingCluster::Outcome& job)
    {
        progress.Update(jobs.CountEnded(), setting.jobs, job.end);
        if (engine != FabricEngine::EXACT && jobs.IsDone())
        {
            Simulator::Stop(); // circuits change for ever
        }
    };
    cluster->TraceConnectWithoutContext("Ended",
                                        Callback<void, const TrainingCluster::Outcome&>(ended));
    if (engine == FabricEngine::EXACT)
    {
        training.RunExact(setting.shortFlows, Seconds(setting.limit));
    }
    else
    {
        training.Start(setting.shortFlows);
        Simulator::Stop(Seconds(setting.limit));
        Watch([&] { progress.Update(jobs.CountEnded(), setting.jobs, Simulator::Now()); });
        Simulator::Run();
    }
    const std::string open = training.DescribeUnfinished();
    training.End();
    Simulator::Destroy(); // it calls what is of this function
    if (!open.empty())
    {
        throw OdcnError(design.GetName() + ", within " + FormatNumber(setting.limit) +
                        " s (limit): " + open);
    }
    return training.GetSchedule();
}

/// @param setting of jobs
/// @param helper has made the jobs
/// @param fabric that carried them
/// @param schedule of its circuits, or null
/// @param cluster the jobs, which have ended
/// @return a row for each job
TrainingTable
MakeTable(const TrainingSetting& setting,
          const TrainingJobsHelper& helper,
          const Fabric& fabric,
          const Ptr<CircuitSchedule>& schedule,
          const TrainingCluster& cluster)
{
    const FabricSize& size = fabric.GetDesign().GetSize();
    const FabricLeastTimes leastTimes(fabric.GetDesign(), schedule);
    TrainingTable table;
    for (uint32_t i = 0; i < setting.jobs; ++i)
    {
        const TrainingCluster::Outcome& job = cluster.GetOutcomes()[i];
        const TrainingJobsHelper::Kind& kind = helper.GetKind(i);
        table.models.push_back(job.job->GetName());
        const auto add = [&](const std::string& name, int64_t value)
        { table.columns[name].push_back(value); };
        const auto addTime = [&](const std::string& name, Time time)
        { add(name + "_ps", time.GetPicoSeconds()); };
        add("job", i);
        add("ranks", job.job->GetNRanks());
        add("messages", static_cast<int64_t>(job.messages));
        addTime("arrival", job.arrival);
        addTime("start", job.start);
        addTime("end", job.end);
        addTime("computations", kind.compute);
        addTime("alpha_beta", kind.least);
        addTime("time", job.end - job.arrival);
        for (uint8_t p = 0; p < TrainingTimes::N_PARTS; ++p)
        {
            const auto part = static_cast<TrainingTimes::Part>(p);
            std::string name = TrainingTimes::GetName(part);
            std::replace(name.begin(), name.end(), '-', '_');
            addTime(name, job.times.Get(part));
        }
        const auto transfers = TrainingJobsHelper::GetTransfers(job, size);
        const auto least = TrainingBound::GetNetworkTimes(transfers, leastTimes);
        addTime("cut", least.cut);
        addTime("flow", least.flow);
        add("failures", job.failures);
        add("preemptions", job.preemptions);
        add("migrations", job.migrations);
    }
    return table;
}

/// @param fabric that carries the jobs
/// @param setting of jobs
/// @param word of the engine
/// @param draw random numbers
/// @param progress of the run; may be None
/// @return engine, models and columns
py::dict
Train(const Fabric& fabric,
      const TrainingSetting& setting,
      const std::string& word,
      const Draw& draw,
      const py::object& progress)
{
    draw.Check();
    const FabricEngine engine = ReadEngine(word);
    ProgressCall call(progress);
    TrainingTable table;
    RunAlone(
        [&]
        {
            const RunScope run(draw);
            AttributeScope scope;
            fabric.SetAttributes(scope);
            const TrainingJobsHelper helper(setting, fabric.GetDesign().GetSize());
            const auto cluster = MakeCluster(setting, helper, fabric.GetDesign(), engine, draw.run);
            const auto schedule = RunJobs(fabric, setting, cluster, engine, draw.run, call);
            table = MakeTable(setting, helper, fabric, schedule, *cluster);
        });
    py::dict columns;
    for (const auto& [name, values] : table.columns)
    {
        columns[name.c_str()] = ToArray(values);
    }
    return py::dict("engine"_a = GetName(engine), "models"_a = table.models, "columns"_a = columns);
}

} // namespace

void
AddTraining(py::module_& m)
{
    using S = TrainingSetting;
    const auto how = [](auto member)
    {
        return std::pair([member](const S& s) { return s.how.*member; },
                         [member](S& s, decltype(std::declval<S>().how.*member) value)
                         { s.how.*member = value; });
    };
    py::class_<S> setting(m, "TrainingSetting");
    const auto add = [&](const char* name, auto member)
    {
        const auto [get, set] = how(member);
        setting.def_property(name, get, set);
    };
    setting.def(py::init<>())
        .def_readwrite("models", &S::models)
        .def_readwrite("files", &S::files)
        .def_property(
            "ranks",
            [](const S& s) { return s.read.ranks; },
            [](S& s, uint32_t ranks) { s.read.ranks = ranks; })
        .def_property(
            "groups",
            [](const S& s) { return s.read.groups; },
            [](S& s, const std::string& groups) { s.read.groups = groups; })
        .def_readwrite("layers", &S::layers)
        .def_readwrite("jobs", &S::jobs)
        .def_readwrite("iterations", &S::iterations)
        .def_readwrite("arrival", &S::arrival)
        .def_readwrite("placement", &S::placement)
        .def_readwrite("priorities", &S::priorities)
        .def_readwrite("attributes", &S::attributes)
        .def_readwrite("short", &S::shortFlows)
        .def_readwrite("limit", &S::limit);
    add("data", &TrainingParallelism::data);
    add("tensor", &TrainingParallelism::tensor);
    add("pipeline", &TrainingParallelism::pipeline);
    add("context", &TrainingParallelism::context);
    add("expert", &TrainingParallelism::expert);
    add("micro_batches", &TrainingParallelism::microBatches);
    add("sequences", &TrainingParallelism::sequences);
    add("length", &TrainingParallelism::length);
    add("flops", &TrainingParallelism::flops);
    m.def("train", &Train);
    m.def("models",
          []
          {
              std::vector<std::string> names;
              for (const TrainingModel& model : TrainingModel::GetAll())
              {
                  names.push_back(model.name);
              }
              return names;
          });
}

} // namespace odcn_python
