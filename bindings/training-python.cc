// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs that share a fabric, in Python, with the random numbers of training-jobs.
 */

#include "python-fabric.h"

#include "ns3/boolean.h"
#include "ns3/odcn-fabric-least-times.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-controller.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-source.h"
#include "ns3/odcn-training-waits.h"

#include <memory>

namespace odcn_python
{

using namespace py::literals;

namespace
{

/// What jobs there are, and how they are run.
struct TrainingSetting
{
    std::vector<std::string> models; //!< names, which jobs take in turn
    std::vector<std::string> files;  //!< in place of models
    TrainingReadOptions read;        //!< of files
    TrainingParallelism how;         //!< of models
    uint32_t layers{0};              //!< of a model; 0 for all
    uint32_t jobs{8};                //!< number of jobs
    uint32_t iterations{2};          //!< of a job
    double arrival{1};               //!< mean time between jobs, ms
    std::string placement;           //!< TrainingPlacement
    uint32_t priorities{1};          //!< which jobs take in turn
    Texts attributes;                //!< of TrainingCluster and TrainingRun
    uint64_t shortFlows{100000};     //!< messages of fewer bytes are short
    double limit{100};               //!< longest simulated time, s
};

/// A job to run, known by its model.
struct TrainingKind
{
    std::shared_ptr<const TrainingJob> job; //!< the job
    Time compute;                           //!< of its computations alone
    Time least;                             //!< by the alpha-beta model
    Time estimate;                          //!< the same by its links between racks
};

/// What jobs have become.
struct TrainingTable
{
    FabricEngine engine{FabricEngine::FLOWS};              //!< that ran them
    std::vector<std::string> models{};                     //!< by job
    std::map<std::string, std::vector<int64_t>> columns{}; //!< by name, by job
};

/// @param setting of jobs
/// @param size of the fabric
/// @return the kinds of jobs
/// @throws OdcnError when one is not known, or has more ranks than there are servers
std::vector<TrainingKind>
MakeKinds(const TrainingSetting& setting, const FabricSize& size)
{
    std::vector<TrainingJob> jobs;
    std::vector<TrainingModel> models;
    bool hasExperts = false;
    for (const std::string& name : setting.models)
    {
        TrainingModel& model = models.emplace_back(TrainingModel::Find(name));
        model.layers = setting.layers > 0 ? setting.layers : model.layers;
        hasExperts = hasExperts || model.experts > 1;
    }
    for (const TrainingModel& model : models)
    {
        TrainingParallelism how = setting.how;
        how.expert = hasExperts && model.experts == 1 ? 1 : how.expert;
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2000000000 + static_cast<int64_t>(jobs.size()));
        jobs.push_back(model.MakeJob(how, setting.iterations, random));
    }
    for (const std::string& path : setting.files)
    {
        jobs.push_back(TrainingJob::Read(path, setting.read));
        jobs.back().SetIterations(setting.iterations);
    }
    // As training-jobs: messages may take several uplinks, and no propagation within a rack.
    const double alpha = size.delay * 1e-9; // s
    const auto bound =
        PacketMessages::GetLink(size.servers == 1 ? alpha : 0, size.GetServerGbps() * 1e9);
    const auto link =
        PacketMessages::GetLink(alpha, std::min(size.gbps, size.GetServerGbps()) * 1e9);
    std::vector<TrainingKind> kinds;
    for (TrainingJob& job : jobs)
    {
        if (job.GetNRanks() > size.racks * size.servers)
        {
            throw OdcnError("job " + job.GetName() + ": found " + std::to_string(job.GetNRanks()) +
                            " ranks, expected at most " +
                            std::to_string(size.racks * size.servers) + ", one a server");
        }
        const auto shared = std::make_shared<const TrainingJob>(std::move(job));
        kinds.push_back({shared,
                         TrainingBound::GetComputeTime(*shared),
                         TrainingBound::GetLeastTime(*shared, bound),
                         TrainingBound::GetLeastTime(*shared, link)});
    }
    return kinds;
}

/**
 * @param setting of jobs
 * @param kinds of jobs
 * @param design that carries them
 * @param engine that runs them
 * @param run number of the replication
 * @return a cluster with its jobs
 */
Ptr<TrainingCluster>
MakeCluster(const TrainingSetting& setting,
            const std::vector<TrainingKind>& kinds,
            const FabricDesign& design,
            FabricEngine engine,
            uint32_t run)
{
    const FabricSize& size = design.GetSize();
    const auto cluster = CreateObject<TrainingCluster>();
    const auto placement = TrainingPlacement::Create(setting.placement);
    placement->SetDesign(design);
    cluster->SetPlacement(placement);
    cluster->SetRunAttribute("RoundTime", TimeValue(Seconds(size.delay * 1e-9)));
    // Messages of an ideal switch share nothing but the servers' links.
    const bool isAlike =
        engine == FabricEngine::FLOWS && design.IsElectrical() && design.GetRouting() == "ideal";
    cluster->SetRunAttribute("Symmetric", BooleanValue(isAlike));
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
    cluster->SetEndPoints(size.racks * size.servers, size.servers);
    const auto gap = CreateObject<ExponentialRandomVariable>();
    gap->SetStream(10 * int64_t{run});
    double arrival = 0; // ms
    for (uint32_t i = 0; i < setting.jobs; ++i)
    {
        const TrainingKind& kind = kinds[i % kinds.size()];
        cluster->Add(kind.job,
                     Seconds(arrival * 1e-3),
                     kind.estimate,
                     static_cast<int32_t>(i % setting.priorities));
        arrival += setting.arrival > 0 ? gap->GetValue(setting.arrival, 0) : 0;
    }
    cluster->AssignStreams(3000000000 + 1000000 * int64_t{run});
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
    const int64_t stream = 1000000 + int64_t{run} * 100000;
    const Ptr<FabricNetwork> network = fabric.GetHelper().BuildNetwork(design);
    network->AssignStreams(stream);
    network->SetCircuits(DemandMatrix::Make("uniform", design.GetSize().racks),
                         stream + FabricDesignHelper::CIRCUITS_STREAM);
    const bool isDirect =
        design.IsScheduled() && design.GetForwarding().bulk.kind == TorForwarding::DIRECT;
    const Ptr<CircuitSchedule> schedule = network->GetSchedule();
    TrainingWaits waits(design.GetSize(), isDirect ? schedule : nullptr);
    const auto controller = DynamicCast<TrainingController>(network->GetController());
    cluster->SetExplain(
        [&waits, &controller](const Message& message, Time received, TrainingTimes& times)
        {
            Message carried = message;
            carried.sent = controller ? controller->Explain(message, times) : message.sent;
            return waits.Explain(carried, received, times);
        });
    TrafficSource* sender = PeekPointer(cluster);
    if (controller)
    {
        controller->SetCluster(cluster);
        sender = PeekPointer(controller);
    }
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
    std::string open;
    if (engine == FabricEngine::EXACT)
    {
        const auto exact =
            fabric.GetHelper().MakeExact(design, schedule, design.MakeSettings(setting.shortFlows));
        exact->AssignStreams(stream);
        exact->Run(jobs, Seconds(setting.limit));
        open = cluster->DescribeUnfinished();
    }
    else
    {
        if (engine == FabricEngine::PACKETS || controller)
        {
            network->StartCircuits();
        }
        const Ptr<MessagePlane> plane =
            fabric.GetHelper().MakePlane(network,
                                         engine,
                                         FabricDesignHelper::MakeHosts(design, setting.shortFlows));
        const auto traffic = CreateObject<PlaneTraffic>();
        design.Explain([&] { traffic->Start(plane, *sender); });
        Simulator::Stop(Seconds(setting.limit));
        Watch([&] { progress.Update(jobs.CountEnded(), setting.jobs, Simulator::Now()); });
        Simulator::Run();
        open = cluster->DescribeUnfinished();
        const std::string inFlight = plane->DescribeInFlight();
        open += open.empty() || inFlight.empty() ? "" : "; " + inFlight;
        traffic->Dispose();
    }
    Simulator::Destroy(); // it calls what is of this function
    cluster->SetExplain({});
    if (!open.empty())
    {
        throw OdcnError(design.GetName() + ", within " + FormatNumber(setting.limit) +
                        " s (limit): " + open);
    }
    return schedule;
}

/// @param setting of jobs
/// @param kinds of jobs
/// @param fabric that carried them
/// @param schedule of its circuits, or null
/// @param cluster the jobs, which have ended
/// @return a row for each job
TrainingTable
MakeTable(const TrainingSetting& setting,
          const std::vector<TrainingKind>& kinds,
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
        const TrainingKind& kind = kinds[i % kinds.size()];
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
        // Where its bytes went is known if it stayed where it was.
        const bool hasMoved = job.failures + job.preemptions + job.migrations > 0;
        std::vector<RackId> racks;
        for (const uint32_t place : job.places)
        {
            racks.push_back(place / size.servers);
        }
        const auto transfers = hasMoved ? std::vector<TrainingBound::Transfer>()
                                        : TrainingBound::GetTransfers(*job.job, racks, size.racks);
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
            const auto kinds = MakeKinds(setting, fabric.GetDesign().GetSize());
            const auto cluster = MakeCluster(setting, kinds, fabric.GetDesign(), engine, draw.run);
            const auto schedule = RunJobs(fabric, setting, cluster, engine, draw.run, call);
            table = MakeTable(setting, kinds, fabric, schedule, *cluster);
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
