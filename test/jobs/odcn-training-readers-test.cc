// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Readers of training jobs, on files of others and of our own.

#include "../core/odcn-gtest-kit.h"
#include "../fuzz/odcn-fuzz-replay.h"
#include "../fuzz/odcn-fuzz.h"

#include "ns3/odcn-training-job-list.h"
#include "ns3/odcn-training-job.h"

#include <filesystem>
#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using ReadKind = TrainingProgram::Kind;

/// A folder of the tests' samples.
const std::string TRAINING_DATA = ODCN_DATA_DIR "/../test/data/training/";

/// Message of a build without protobuf.
const std::string NO_PROTOBUF = "this build has no protobuf: install libprotobuf-dev and "
                                "protobuf-compiler, configure again";

/// A folder for files, which is removed at its end.
class TrainingFolder
{
  public:
    TrainingFolder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "odcn-XXXXXX").string();
        m_path = mkdtemp(pattern.data());
    }

    ~TrainingFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    TrainingFolder(const TrainingFolder&) = delete;
    TrainingFolder& operator=(const TrainingFolder&) = delete;

    /// @param name of a file
    /// @param text its content
    /// @return its path
    std::string Write(const std::string& name, const std::string& text) const
    {
        const std::string path = m_path + "/" + name;
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// @param texts of a trace, by rank
    /// @return its prefix
    std::string WriteTrace(const std::vector<std::string>& texts) const
    {
        for (std::size_t rank = 0; rank < texts.size(); ++rank)
        {
            Write("t." + std::to_string(rank) + ".et", texts[rank]);
        }
        return m_path + "/t";
    }

  private:
    std::string m_path; //!< of the folder
};

/// @param value a number
/// @return it as protobuf's varint
std::string
EncodeVarint(uint64_t value)
{
    std::string text;
    for (; value >= 0x80; value >>= 7)
    {
        text += static_cast<char>(0x80 | (value & 0x7f));
    }
    return text + static_cast<char>(value);
}

/// @param field number
/// @param value a number
/// @return the field
std::string
EncodeNumber(uint32_t field, uint64_t value)
{
    return EncodeVarint(field << 3) + EncodeVarint(value);
}

/// @param field number
/// @param text bytes
/// @return the field
std::string
EncodeBytes(uint32_t field, const std::string& text)
{
    return EncodeVarint(field << 3 | 2) + EncodeVarint(text.size()) + text;
}

/// @param message a message
/// @return it with its length
std::string
EncodeMessage(const std::string& message)
{
    return EncodeVarint(message.size()) + message;
}

/// A node of a Chakra trace, written field by field, without protobuf.
struct ChakraNodeText
{
    std::string text; //!< its fields

    /// @param id of the node
    /// @param type as in the schema
    ChakraNodeText(uint64_t id, uint32_t type)
        : text(EncodeNumber(1, id) + EncodeNumber(3, type))
    {
    }

    /// @param id of a data dependency
    /// @return this
    ChakraNodeText& After(uint64_t id)
    {
        text += EncodeNumber(5, id);
        return *this;
    }

    /// @param name of an attribute
    /// @param value as int64
    /// @return this
    ChakraNodeText& With(const std::string& name, int64_t value)
    {
        text +=
            EncodeBytes(10, EncodeBytes(1, name) + EncodeNumber(9, static_cast<uint64_t>(value)));
        return *this;
    }

    /// @param name of an attribute
    /// @param value as text
    /// @return this
    ChakraNodeText& With(const std::string& name, const std::string& value)
    {
        text += EncodeBytes(10, EncodeBytes(1, name) + EncodeBytes(29, value));
        return *this;
    }
};

/// @param nodes of a rank
/// @return its file
std::string
MakeTrace(const std::vector<ChakraNodeText>& nodes)
{
    std::string text = EncodeMessage(EncodeBytes(1, "0.0.4"));
    for (const auto& node : nodes)
    {
        text += EncodeMessage(node.text);
    }
    return text;
}

/// @param id of the node
/// @param type of the collective
/// @param bytes its size
/// @return the node
ChakraNodeText
MakeCollective(uint64_t id, int64_t type, int64_t bytes)
{
    return ChakraNodeText(id, 7).With("comm_type", type).With("comm_size", bytes);
}

/// @return whether this build reads Chakra traces
bool
CanReadChakra()
{
    const std::string message =
        GetRefusal([]() { TrainingJob::Read(TRAINING_DATA + "chakra/plain.0.et"); });
    EXPECT_TRUE(message.empty() || message.ends_with(NO_PROTOBUF)) << message;
    return message.empty();
}

/// @param job a job
/// @param rank of it
/// @return the operations of the rank
const std::vector<TrainingProgram::Operation>&
GetOperations(const TrainingJob& job, uint32_t rank)
{
    return job.GetPrograms()[job.GetProgramOf(rank)].GetOperations();
}

/// @param job a job
/// @param rank of it
/// @param index of an operation
/// @return those before it
std::vector<uint32_t>
GetBefore(const TrainingJob& job, uint32_t rank, uint32_t index)
{
    const auto& program = job.GetPrograms()[job.GetProgramOf(rank)];
    const auto before = program.GetAfter(program.GetOperations()[index]);
    return {before.begin(), before.end()};
}

/// @param text a file
/// @param options how to read it
/// @param report counts
/// @return the job
TrainingJob
ReadTrainingText(const std::string& text,
                 const TrainingReadOptions& options = {},
                 TrainingReadReport* report = nullptr)
{
    const TrainingFolder folder;
    return TrainingJob::Read(folder.Write("job", text), options, report);
}

/// @param text a file
/// @param ranks option
/// @return message of its refusal
std::string
RefuseTrainingText(const std::string& text, uint32_t ranks = 0)
{
    TrainingReadOptions options;
    options.ranks = ranks;
    return GetRefusal([&]() { ReadTrainingText(text, options); });
}

/// @param ranks number of ranks
/// @param kind of the operation
/// @return an operation to be filled
TrainingProgram::Operation
MakeOperation(ReadKind kind, uint64_t id)
{
    TrainingProgram::Operation operation;
    operation.kind = kind;
    operation.id = id;
    return operation;
}

} // namespace

TEST(TrainingReaders, ChakraCasesGiveTheRightAnswerOrOneLine)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    const std::string folder = TRAINING_DATA + "chakra/";
    for (const char* name : {"plain", "unpacked", "uint64", "unknownfield", "gzip", "ctrl"})
    {
        TrainingReadOptions options;
        options.controlDependencies = name == std::string("ctrl");
        const auto job = TrainingJob::Read(folder + name + ".2.et", options);
        ASSERT_EQ(job.GetNRanks(), 4) << name;
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            const auto& operations = GetOperations(job, rank);
            ASSERT_EQ(operations.size(), 2) << name;
            EXPECT_EQ(operations[0].kind, ReadKind::COMPUTE);
            EXPECT_EQ(operations[0].duration, MicroSeconds(10));
            EXPECT_EQ(operations[1].kind, ReadKind::COLLECTIVE);
            EXPECT_EQ(operations[1].what, Collective::Operation::ALL_REDUCE);
            EXPECT_EQ(operations[1].bytes, 1U << 20);
            EXPECT_EQ(GetBefore(job, rank, 1), std::vector<uint32_t>{0}) << name;
        }
    }
    TrainingReadReport report;
    EXPECT_TRUE(GetBefore(TrainingJob::Read(folder + "ctrl", {}, &report), 0, 1).empty());
    EXPECT_EQ(report.Get("control dependencies left out"), 4);

    const std::map<std::string, uint64_t> sizes{{"group0", 1U << 20},
                                                {"zerobytes", 0},
                                                {"onebyte", 1},
                                                {"7bytes", 7},
                                                {"6GiB", uint64_t{6} << 30}};
    for (const auto& [name, bytes] : sizes)
    {
        const auto job = TrainingJob::Read(folder + name + ".0.et");
        EXPECT_EQ(GetOperations(job, 3).at(0).bytes, bytes) << name;
        EXPECT_EQ(job.GetCommunicators().at(0).groups,
                  (std::vector<std::vector<uint32_t>>{{0, 1, 2, 3}}));
    }

    const std::vector<std::pair<std::string, std::string>> refused{
        {"duplicate", "duplicate.0.et: message 3 at byte 38: found id 1 twice"},
        {"selfdep", "selfdep: rank 0, id 2: found that it waits for itself"},
        {"cycle", "cycle: rank 0, id 1: found that it waits for id 2, that for rank 0 id 1"},
        {"missingdep", "missingdep.0.et: id 2: found a data dependency on id 77"},
        {"truncated",
         "truncated.0.et: message 3 at byte 38: found 62 bytes announced, expected 57"},
        {"empty", "empty.0.et: message 1 at byte 0: found an empty file"},
        {"onlymeta", "onlymeta.0.et: message 2 at byte 8: found no node"},
        {"barrier", "barrier.0.et: message 2 at byte 8, id 1: found comm_type 9 (BARRIER)"},
        {"memload", "memload.0.et: message 2 at byte 8, id 1: found a node of type MEM_LOAD"},
        {"unknowngroup", "unknowngroup.0.et: message 2 at byte 8, id 1: found group '5'"},
        {"sizes",
         "sizes: rank 0, id 1: found send of 1048576 bytes with tag 5 to rank 1, expected "
         "524288 bytes"}};
    for (const auto& one : refused)
    {
        EXPECT_REFUSAL(TrainingJob::Read(folder + one.first + ".0.et"), one.second);
    }
    TrainingReadOptions four;
    four.ranks = 4;
    EXPECT_REFUSAL(TrainingJob::Read(folder + "missingrank", four),
                   "found 3 files, expected one for each of 4 ranks; rank 3 has none");
    EXPECT_EQ(TrainingJob::Read(folder + "missingrank").GetNRanks(), 3);
}

TEST(TrainingReaders, ChakraTakesTheBytesOfEachKind)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    // What a rank gives is a quarter of the vector of an all-gather.
    const std::map<std::string, std::pair<Collective::Operation, uint64_t>> kinds{
        {"all_reduce", {Collective::Operation::ALL_REDUCE, 1U << 20}},
        {"all_gather", {Collective::Operation::ALL_GATHER, 4U << 20}},
        {"reduce_scatter", {Collective::Operation::REDUCE_SCATTER, 1U << 20}},
        {"all_to_all", {Collective::Operation::ALL_TO_ALL, 1U << 20}}};
    for (const auto& [name, kind] : kinds)
    {
        const auto job = TrainingJob::Read(TRAINING_DATA + "astra-sim/" + name + "/" + name);
        ASSERT_EQ(job.GetNRanks(), 4);
        const auto& operation = GetOperations(job, 1).at(0);
        EXPECT_EQ(operation.what, kind.first) << name;
        EXPECT_EQ(operation.bytes, kind.second) << name;
        EXPECT_NE(operation.id, GetOperations(job, 2).at(0).id) << "ids differ by rank";
    }
}

TEST(TrainingReaders, ChakraReadsTracesOfOthers)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    // Counted by a decoder of our own in Python, without protobuf.
    TrainingReadReport ring;
    const auto job =
        TrainingJob::Read(TRAINING_DATA + "astra-sim/custom_ring/custom_allreduce.3.et", {}, &ring);
    EXPECT_EQ(job.GetNRanks(), 8);
    EXPECT_EQ(ring.Get("sends"), 8 * 14);
    EXPECT_EQ(ring.Get("receives"), 8 * 14);
    EXPECT_EQ(ring.Get("computations"), 8 * 7);
    EXPECT_EQ(ring.Get("data dependencies"), 8 * 34);
    EXPECT_EQ(GetOperations(job, 0).at(0).peer, 1);
    EXPECT_EQ(GetOperations(job, 5).at(1).peer, -1);

    TrainingReadReport real;
    const std::string path = TRAINING_DATA + "mlcommons/chakra.0.et";
    TrainingJob::Read(path, {}, &real);
    EXPECT_EQ(real.Get("nodes"), 3664);
    EXPECT_EQ(real.Get("computations"), 3643);
    EXPECT_EQ(real.Get("collectives"), 7);
    EXPECT_EQ(real.Get("calls of collectives on the CPU, taken as computations"), 14);
    EXPECT_EQ(real.Get("computations without a duration, taken as 1 ns"), 157);
    EXPECT_EQ(real.Get("data dependencies"), 181878);
    EXPECT_EQ(real.Get("control dependencies left out"), 3664);
    // Parents in the call stack are no order of execution.
    TrainingReadOptions control;
    control.controlDependencies = true;
    TrainingReadReport both;
    EXPECT_REFUSAL(TrainingJob::Read(path, control, &both), "that it waits for id");
    EXPECT_EQ(both.Get("control dependencies on no node left out"), 1277);
    EXPECT_EQ(both.Get("control dependencies of a node on itself left out"), 383);

    TrainingReadOptions groups;
    groups.groups = TRAINING_DATA + "astra-sim-artifacts/comm_group.json";
    const auto torus = TrainingJob::Read(TRAINING_DATA + "astra-sim-artifacts/trace", groups);
    EXPECT_EQ(torus.GetNRanks(), 16);
    std::set<std::vector<uint32_t>> rings;
    for (const auto& communicator : torus.GetCommunicators())
    {
        rings.insert(communicator.groups.begin(), communicator.groups.end());
    }
    EXPECT_EQ(rings.size(), 8);
    EXPECT_TRUE(rings.contains({4, 5, 6, 7}));
    EXPECT_TRUE(rings.contains({1, 5, 9, 13}));
}

TEST(TrainingReaders, ChakraFindsGroupsInMetadata)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    const TrainingFolder folder;
    const auto make = [](const std::string& json)
    {
        ChakraNodeText groups(1, 1);
        groups.text += EncodeBytes(8, EncodeBytes(1, "['" + json + "']"));
        return MakeTrace({groups, MakeCollective(2, 2, 100).With("pg_name", "7")});
    };
    const std::string left = make(R"([{"pg_name": "7", "ranks": [1, 0]}])");
    const std::string right = make(R"([{"pg_name": "7", "ranks": [2, 3]}])");
    const auto job = TrainingJob::Read(folder.WriteTrace({left, left, right, right}));
    ASSERT_EQ(job.GetCommunicators().size(), 1);
    EXPECT_EQ(job.GetCommunicators()[0].groups,
              (std::vector<std::vector<uint32_t>>{{1, 0}, {2, 3}}));
    EXPECT_EQ(GetOperations(job, 3).at(1).bytes, 200);

    const std::string all = make(R"([{"pg_name": "7", "ranks": []}])");
    const auto whole = TrainingJob::Read(folder.WriteTrace({all, all, all, all}));
    EXPECT_EQ(whole.GetCommunicators().at(0).groups,
              (std::vector<std::vector<uint32_t>>{{0, 1, 2, 3}}));
    EXPECT_REFUSAL(TrainingJob::Read(folder.WriteTrace({left, left, left, right})),
                   "t.2.et: message 3 at byte");
    EXPECT_REFUSAL(TrainingJob::Read(folder.WriteTrace({left, left, right, all})), "is twice in");
}

TEST(TrainingReaders, ChakraRefusesWhatAstraSimTakesSilently)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    const TrainingFolder folder;
    const auto refuse = [&](const std::vector<std::string>& texts, const std::string& part)
    { EXPECT_REFUSAL(TrainingJob::Read(folder.WriteTrace(texts)), part); };
    const auto message = [](uint64_t id, bool isSend, int64_t other)
    {
        return ChakraNodeText(id, isSend ? 5 : 6)
            .With("comm_size", 64)
            .With("comm_tag", 3)
            .With(isSend ? "comm_dst" : "comm_src", other);
    };
    const auto idle = MakeTrace({ChakraNodeText(9, 4)});
    refuse({MakeTrace({MakeCollective(1, 0, 8), MakeCollective(2, 7, 8)}),
            MakeTrace({MakeCollective(3, 7, 8), MakeCollective(4, 0, 8)})},
           "rank 1, id 3: found reduce-scatter of 8 bytes as number 1 of group all, expected "
           "all-reduce of 8 bytes as by rank 0, id 1");
    refuse({MakeTrace({MakeCollective(1, 0, 8)}), MakeTrace({MakeCollective(3, 0, 16)})},
           "rank 1, id 3: found all-reduce of 16 bytes");
    refuse({MakeTrace({MakeCollective(1, 0, 8)}), idle},
           "rank 1: found 0 collectives of group all, expected 1");
    refuse(
        {MakeTrace({message(1, true, 1)}), idle},
        "rank 0, id 1: found send of 64 bytes with tag 3 to rank 1, expected a matching receive");
    refuse({idle, MakeTrace({message(1, false, 0)})},
           "rank 1, id 1: found receive of 64 bytes with tag 3 from rank 0, expected a matching "
           "send");
    refuse({MakeTrace({message(1, true, 0)}), idle}, "found a message to itself");
    refuse({MakeTrace({message(1, true, 2)}), idle}, "found comm_dst 2, expected 0 to 1");
    refuse({MakeTrace({message(1, true, 1).With("comm_src", 1)}), idle}, "found comm_src 1");
    refuse({MakeTrace({ChakraNodeText(1, 5).With("tensor_size", 8)}), idle},
           "found a send without comm_dst");
    refuse({MakeTrace({ChakraNodeText(1, 7).With("comm_type", 0)})},
           "found a collective without comm_size");
    refuse({MakeTrace({MakeCollective(1, 1, 8)})}, "found comm_type 1 (REDUCE)");
    refuse({MakeTrace({MakeCollective(1, 0, -8)})}, "found comm_size -8");
    refuse({MakeTrace({ChakraNodeText(1, 8)})}, "found a node of type 8");
    refuse({MakeTrace({ChakraNodeText(1, 7).With("comm_size", "8")})}, "comm_size");
    ChakraNodeText dimensions = MakeCollective(1, 0, 8);
    dimensions.text += EncodeBytes(10,
                                   EncodeBytes(1, "involved_dim") +
                                       EncodeBytes(28, EncodeBytes(1, {"\x01\x00", 2})));
    refuse({MakeTrace({dimensions})}, "found involved_dim with false");
    refuse({idle + EncodeMessage("")}, "message 3 at byte");
    refuse({idle + "\xff\xff\xff\xff\xff\x01"}, "found a length of more than 5 bytes");
    refuse({idle + "\x80"}, "found a length cut off after 1 bytes");
    refuse({idle + EncodeMessage(EncodeNumber(1, 5) + "\x5b\x5c")}, "found no message Node");

    const TrainingFolder cut;
    // A file that is cut off between two messages before it was compressed is whole; afterwards
    // not.
    const std::string gzip = ReadText(TRAINING_DATA + "chakra/gzip.0.et");
    for (std::size_t size = 3; size < gzip.size(); ++size)
    {
        const std::string refusal =
            GetRefusal([&]() { TrainingJob::Read(cut.WriteTrace({gzip.substr(0, size)})); });
        EXPECT_TRUE(Has(refusal, "t.0.et: ")) << size;
    }
}

TEST(TrainingReaders, ChakraComputesTimesByOperations)
{
    if (!CanReadChakra())
    {
        GTEST_SKIP() << NO_PROTOBUF;
    }
    const TrainingFolder folder;
    const std::string prefix = folder.WriteTrace(
        {MakeTrace({ChakraNodeText(1, 4).With("num_ops", 5000).With("tensor_size", 8000)})});
    EXPECT_EQ(GetOperations(TrainingJob::Read(prefix), 0).at(0).duration, NanoSeconds(1));
    TrainingReadOptions options;
    options.peakFlops = 1e9;
    EXPECT_EQ(GetOperations(TrainingJob::Read(prefix, options), 0).at(0).duration,
              NanoSeconds(5000));
    options.memoryBandwidth = 1e9;
    EXPECT_EQ(GetOperations(TrainingJob::Read(prefix, options), 0).at(0).duration,
              NanoSeconds(8000));
}

TEST(TrainingReaders, AicbSamplesHaveTheCountsOfTheirLines)
{
    struct Sample
    {
        const char* name;      //!< of the file
        uint64_t layers;       //!< lines
        uint64_t computations; //!< of more than 0 ns
        uint64_t collectives;  //!< columns other than NONE
        uint64_t empty;        //!< those of 0 bytes
        uint64_t bytes;        //!< of all
        uint64_t nanoseconds;  //!< of all computations
        uint64_t missing{0};   //!< lines that line 2 announces and the file lacks
    };

    // Counted by awk and Python.
    const std::vector<Sample> samples{
        {"aicb/G13B-M1-C01_GPT13B_megatron_tp8_pp1_mbs1_A100.txt",
         92,
         275,
         174,
         0,
         16719585296ULL,
         208196033},
        {"aicb/G13B-M1-C02_GPT13B_megatron_tp8_pp1_mbs1_sp_A100.txt",
         172,
         515,
         334,
         0,
         20075028496ULL,
         363836033},
        {"aicb/L65B-M1-C05_Llama65B_megatron_tp8_pp1_mbs1_A100.txt",
         33,
         99,
         33,
         0,
         10012971009ULL,
         107642024,
         806},
        {"aicb/L7B-D1-C02_Llama7B_deepspeed_zero3_A100.txt",
         12,
         36,
         13,
         0,
         1893281614ULL,
         322662512},
        {"aicb/L7B-M1-C04_Llama7B_megatron_tp2_pp1_mbs1_A100.txt",
         76,
         227,
         142,
         0,
         29462929424ULL,
         104618147},
        {"aicb/all_gather.txt", 19, 19, 19, 0, 2147479552ULL, 19},
        {"aicb/all_reduce.txt", 19, 19, 19, 0, 2147479552ULL, 19},
        {"aicb/all_to_all.txt", 19, 19, 19, 0, 2147479552ULL, 19},
        {"aicb/muti_all_reduce.txt", 19, 57, 19, 0, 2147479552ULL, 57},
        {"simai/microAllReduce.txt", 2, 6, 2, 0, 83886080ULL, 1112004},
        {"simai/workload_analytical.txt.gz",
         1789,
         5346,
         3540,
         216,
         349722230800ULL,
         4542795477ULL}};
    for (const Sample& sample : samples)
    {
        TrainingReadOptions options;
        options.ranks = sample.layers == 1789 ? 0 : sample.layers == 2 ? 8 : 64;
        TrainingReadReport report;
        const auto job = TrainingJob::Read(TRAINING_DATA + sample.name, options, &report);
        EXPECT_EQ(report.Get("layers"), sample.layers) << sample.name;
        EXPECT_EQ(report.Get("computations"), sample.computations) << sample.name;
        EXPECT_EQ(report.Get("collectives"), sample.collectives) << sample.name;
        EXPECT_EQ(report.Get("collectives of 0 bytes"), sample.empty) << sample.name;
        EXPECT_EQ(report.Get("layers announced and not there"), sample.missing) << sample.name;
        uint64_t bytes = 0;
        Time time;
        for (const auto& operation : GetOperations(job, 0))
        {
            bytes += operation.bytes;
            time +=
                operation.unit == TrainingProgram::Unit::ACCELERATOR ? operation.duration : Time(0);
        }
        EXPECT_EQ(bytes, sample.bytes) << sample.name;
        EXPECT_EQ(time, NanoSeconds(sample.nanoseconds)) << sample.name;
        EXPECT_EQ(job.GetPrograms().size(), 1) << "all ranks share it";
        EXPECT_EQ(report.Get("pipeline stages whose messages and bubbles are left out"),
                  sample.layers == 1789 ? 12 : 0);
        EXPECT_EQ(job.GetNRanks(), options.ranks == 0 ? 9216 : options.ranks);
    }
}

TEST(TrainingReaders, AicbRunsForwardThenBackwardInItsGroups)
{
    const auto job = ReadTrainingText(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 2 vpp: 1 ga: 1 "
        "all_gpus: 16\tcheckpoints: 0 checkpoint_initiates: 0 pp_comm: 25165824.0\n2\n"
        "a -1 10 ALLGATHER 100 20 NONE 0 30 ALLREDUCE 4 7\n"
        "\tb\t-1   11 ALLTOALL_EP 200 21 REDUCESCATTER 300 31 REDUCESCATTER_DP_EP 400 8");
    // Forward a, b; backward b, a: input gradient, weight gradient. Times of the accelerator:
    const auto& operations = GetOperations(job, 0);
    std::string order;
    for (const auto& operation : operations)
    {
        order += operation.kind == ReadKind::COLLECTIVE
                     ? job.GetCommunicators()[operation.communicator].name + ":" +
                           std::to_string(operation.bytes) + " "
                     : std::to_string(operation.duration.GetNanoSeconds()) +
                           (operation.unit == TrainingProgram::Unit::PROCESSOR ? "* " : " ");
    }
    EXPECT_EQ(order, "10 TP:100 7* 11 EP:200 8* 21 TP:300 8* 31 DP_EP:400 8* 20 30 DP:4 7* ");
    // The collective of a weight gradient is not waited for: 20 ns of layer a follow 31 ns of b.
    const auto find = [&](int64_t nanoseconds)
    {
        return static_cast<uint32_t>(
            std::find_if(operations.begin(),
                         operations.end(),
                         [&](const auto& o) { return o.duration == NanoSeconds(nanoseconds); }) -
            operations.begin());
    };
    EXPECT_EQ(GetBefore(job, 0, find(20)), std::vector<uint32_t>{find(31)});
    EXPECT_EQ(GetBefore(job, 0, find(11)), std::vector<uint32_t>{2}) << "after the update of a";

    using Groups = std::vector<std::vector<uint32_t>>;
    const auto& communicators = job.GetCommunicators();
    EXPECT_EQ(communicators[0].groups,
              (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}}));
    EXPECT_EQ(communicators[1].groups,
              (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
    EXPECT_EQ(communicators[2].groups,
              (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}}));
    EXPECT_EQ(communicators[3].groups,
              (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 12}, {9, 13}, {10, 14}, {11, 15}}));

    // MICRO: one collective after the other.
    TrainingReadOptions options;
    options.ranks = 4;
    const auto micro = ReadTrainingText("MICRO\n2\nm -1 0 NONE 0 0 NONE 0 0 ALLGATHER 64 1\n"
                                        "m -1 0 NONE 0 0 NONE 0 0 ALLTOALL 32 0\n",
                                        options);
    ASSERT_EQ(GetOperations(micro, 3).size(), 3);
    EXPECT_EQ(GetOperations(micro, 3)[0].bytes, 64) << "the result, as here";
    EXPECT_EQ(GetBefore(micro, 3, 2), std::vector<uint32_t>{1});
}

TEST(TrainingReaders, AicbRefusesInOneLine)
{
    const std::string first = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2";
    const std::string layer = "a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 100\n";
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\n" + layer), ":1: found"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\n" + layer), "all_gpus: N on this line"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + " all_gpus: 8\n1\n" + layer, 4),
                    "expected 4 ranks, as the option"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\n" + layer, 3), "found '3 GPUs', expected a"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + " ep: 3\n1\n" + layer, 8), "2 x 3"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + " checkpoints: 1 0\n1\n" + layer, 8),
                    "recomputed passes are not supported"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + " tp: 1\n1\n" + layer, 8), "found 'tp'"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\n" + layer + layer, 8), ":4: found 'a'"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\n", 8), ":2: found 'no layer after it'"));
    EXPECT_TRUE(
        Has(RefuseTrainingText(first + "\n1\na -1 1 NONE 0 1 NONE", 8), "12 fields, not 7"));
    EXPECT_TRUE(Has(RefuseTrainingText(first + "\n1\na 0 1 NONE 0 1 NONE 0 1 NONE 0 1", 8),
                    "a dependency of -1"));
    for (const char* word : {"REDUCE", "ALLREDUCE_PP", "ALLREDUCEALLTOALL", "none"})
    {
        EXPECT_TRUE(
            Has(RefuseTrainingText(first + "\n1\na -1 1 " + word + " 4 1 NONE 0 1 NONE 0 1\n", 8),
                std::string(":3: found '") + word));
    }
    EXPECT_TRUE(
        Has(RefuseTrainingText(first + "\n1\na -1 1 ALLREDUCE 4.5 1 NONE 0 1 NONE 0 1\n", 8),
            "found '4.5'"));
    EXPECT_TRUE(Has(RefuseTrainingText("MICRO\n1\na -1 1 ALLREDUCE 4 1 NONE 0 1 NONE 0 1\n", 8),
                    "found 'ALLREDUCE', expected NONE"));
    EXPECT_TRUE(Has(RefuseTrainingText("DATA\n1\n" + layer, 8), "HYBRID_TRANSFORMER_FWD_IN_BCKWD"));
}

TEST(TrainingReaders, GoalReadsStatementsAndRefusesInOneLine)
{
    const auto ring = TrainingJob::Read(TRAINING_DATA + "ring4.goal");
    ASSERT_EQ(ring.GetNRanks(), 4);
    ASSERT_EQ(GetOperations(ring, 3).size(), 7);
    EXPECT_EQ(GetOperations(ring, 3)[0].peer, -3);
    EXPECT_EQ(GetOperations(ring, 3)[6].duration, NanoSeconds(1000));
    EXPECT_EQ(GetBefore(ring, 3, 2), std::vector<uint32_t>{1});

    // Comments, blanks and line ends; b waits for the begin of s, that is for the end of a.
    const auto job =
        ReadTrainingText("/* first\n line */ num_ranks 2 // two\r\n"
                         "rank 0 {\r\na: calc 5 cpu 0\ns : send 8 b to 1 tag 4294967295 "
                         "cpu 0 nic 0\nb: calc 6\nb irequires s // c\ns requires a\n}\n"
                         "rank 1\n{\nrecv 8b from 0 tag 4294967295\n}\n");
    EXPECT_EQ(GetBefore(job, 0, 1), std::vector<uint32_t>{0});
    EXPECT_EQ(GetBefore(job, 0, 2), std::vector<uint32_t>{0});
    EXPECT_EQ(GetOperations(job, 1).at(0).id, 12) << "the line";

    const auto refuse = [](const std::string& statements, const std::string& part)
    {
        const std::string message = RefuseTrainingText("num_ranks 2\nrank 0 {\n" + statements +
                                                       "\n}\nrank 1 {\ncalc 1\n}\n");
        EXPECT_TRUE(Has(message, part));
    };
    refuse("send 8b to 1", "rank 0, id 3: found send of 8 bytes with tag 0 to rank 1, expected a");
    refuse("recv 8b from -1", ":3: found '-1', expected a rank: messages from any source");
    refuse("recv 8b from 1 tag -1", "messages of any tag");
    refuse("send 8b to 0", "another rank than this one");
    refuse("send 8b to 2", "a rank from 0 to 1");
    refuse("send 8 to 1", "a size such as 4096b");
    refuse("calc 5 cpu 1", "cpu 0: a rank has one of each");
    refuse("send 8b to 1 nic 1", "nic 0: a rank has one of each");
    refuse("calc 99999999999999999999", "a time in ns from 0 to");
    refuse("a: calc 1\na: calc 2", "a label that is new in this rank");
    refuse("a: calc 1\nb requires a", "found 'b', expected a label defined before");
    refuse("a: calc 1\na requires a", "it would wait for itself");
    refuse("a: calc 1\nb: calc 2\na requires b\nb requires a",
           "rank 0, id 3: found that it waits for id 4, that for rank 0 id 3");
    refuse("a: calc 1\nb: calc 2\nb irequires a",
           "waiting for the begin of a calc is not supported");
    refuse("a: send 8b to 1\nb: recv 8b from 1\na irequires b\nb irequires a",
           "a begin that waits for itself");
    refuse("calc 1 2", "found '2', expected the end of the statement");
    refuse("wait 1", "found 'wait'");
    EXPECT_TRUE(
        Has(RefuseTrainingText("num_ranks 2\nrank 0 {\ncalc 1\n}\n"), "rank 1: found no program"));
    EXPECT_TRUE(Has(RefuseTrainingText("num_ranks 1\nrank 0 {\ncalc 1\n"), ":2: found 'no end"));
    EXPECT_TRUE(Has(RefuseTrainingText("num_ranks 0\n"), "1 rank or more"));
    EXPECT_TRUE(Has(RefuseTrainingText("num_ranks 1\nrank 0 {\ncalc 1\n}\nrank 0 {\n}\n"),
                    "each rank once"));
}

TEST(TrainingReaders, CsvGivesRanksTheirOperations)
{
    const auto job =
        ReadTrainingText("# a pipeline\n\nranks,operation,duration,bytes,group,peer,tag,name\n"
                         "# two stages of four ranks each\n"
                         "0-3,compute,1.5ms,,,,,forward\n"
                         "0-3,send,,4096,,+4,7,\n"
                         "4-7,receive,,4096,,-4,7,\n"
                         "4-7,compute,2ms,,,,,\n"
                         "all,all-reduce,,1000000,blocks:4,,,gradients\n"
                         "0 4,all-gather,,64,0 4,,,\n");
    EXPECT_EQ(job.GetNRanks(), 8);
    EXPECT_EQ(job.GetPrograms().size(), 4) << "0, 1-3, 4, 5-7";
    EXPECT_EQ(job.GetProgramOf(1), job.GetProgramOf(3));
    const auto& program = job.GetPrograms()[job.GetProgramOf(2)];
    ASSERT_EQ(program.GetOperations().size(), 3);
    EXPECT_EQ(program.GetOperations()[0].duration, MicroSeconds(1500));
    EXPECT_EQ(program.GetName(program.GetOperations()[2]), "gradients");
    EXPECT_EQ(GetBefore(job, 2, 2), std::vector<uint32_t>{1}) << "one after the other";
    EXPECT_EQ(GetOperations(job, 4).size(), 4);

    const auto graph = ReadTrainingText("id,ranks,operation,duration,after\n"
                                        "a,0-1,compute,1us,\nb,0-1,compute-cpu,2us,\n"
                                        "c,1,compute,3us,a b\n");
    EXPECT_TRUE(GetBefore(graph, 1, 1).empty());
    EXPECT_EQ(GetBefore(graph, 1, 2), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(GetOperations(graph, 0).size(), 2);

    const auto refuse = [](const std::string& row, const std::string& part, uint32_t ranks = 4)
    {
        EXPECT_TRUE(Has(RefuseTrainingText(
                            "ranks,operation,id,duration,bytes,group,peer,tag,after\n" + row + "\n",
                            ranks),
                        part));
    };
    refuse("4,compute,,1us,,,,,", "ranks less than 4");
    refuse("3-1,compute,,1us,,,,,", "rising ranks");
    refuse("all,compute,,1,,,,,", "a time from 0 to 1000000s with its unit");
    refuse("all,compute,,1us,5,,,,", "nothing for the operation compute");
    refuse("all,reduce,,,5,,,,", "found 'reduce'");
    refuse("all,all-reduce,,,5,blocks:3,,,", "where N divides 4");
    refuse("all,all-reduce,,,5,0-2,,,", "rank 3, id 2: found a collective of group 0-2");
    refuse("all,all-reduce,,,,,,,", "bytes");
    refuse("0-2,send,,,5,,+1,,\n3,compute,,1us,,,,,", "expected a matching receive");
    refuse("all,send,,,5,,+1,,", "rank 3, id 2: found a message with rank 4");
    refuse("all,compute,a,1us,,,,,b", "ids of lines above");
    refuse("0,compute,a,1us,,,,,\n1,compute,,1us,,,,,a", "expected a line of rank 1, too", 2);
    refuse("0,compute,,1us,,,,,", "found no line of rank 1");
    refuse("all,compute,,1us,,,,,", "the option ranks", 0);
    refuse("all,compute", "found 'all,compute'");
}

TEST(TrainingReaders, CheckFindsWhatWouldNeverEnd)
{
    const std::vector<uint32_t> both{0, 1};
    const auto collective = [](uint64_t id, uint32_t communicator)
    {
        auto operation = MakeOperation(ReadKind::COLLECTIVE, id);
        operation.communicator = communicator;
        operation.bytes = 8;
        return operation;
    };
    const auto message = [](ReadKind kind, uint64_t id, int32_t peer)
    {
        auto operation = MakeOperation(kind, id);
        operation.peer = peer;
        operation.bytes = 8;
        return operation;
    };
    // Each group's order agrees, but rank 0 runs A before B and rank 1 B before A.
    for (const bool isOrdered : {true, false})
    {
        TrainingJob job("crossed", 2);
        const auto a = job.AddCommunicator("A", {both});
        const auto b = job.AddCommunicator("B", {both});
        for (const uint32_t rank : both)
        {
            const bool isSwapped = !isOrdered && rank == 1;
            TrainingProgram program;
            const uint32_t before[]{program.Add(collective(10 + rank, isSwapped ? b : a))};
            program.Add(collective(20 + rank, isSwapped ? a : b), before);
            job.AddProgram(std::move(program), std::vector<uint32_t>{rank});
        }
        if (isOrdered)
        {
            job.Check();
            continue;
        }
        EXPECT_REFUSAL(job.Check(), "crossed: rank ");
        EXPECT_REFUSAL(job.Check(), "rank 0 id 10");
        EXPECT_REFUSAL(job.Check(), "rank 1 id 11");
        EXPECT_REFUSAL(job.Check(), "expected no cycle");
    }
    // Both receive before they send.
    for (const bool isCycle : {true, false})
    {
        TrainingJob job("exchange", 2);
        for (const uint32_t rank : both)
        {
            const int32_t peer = rank == 0 ? 1 : -1;
            TrainingProgram program;
            const uint32_t before[]{program.Add(message(ReadKind::RECEIVE, 1, peer))};
            program.Add(message(ReadKind::SEND, 2, peer),
                        std::span<const uint32_t>(before, isCycle ? 1 : 0));
            job.AddProgram(std::move(program), std::vector<uint32_t>{rank});
        }
        if (isCycle)
        {
            EXPECT_REFUSAL(job.Check(),
                           "exchange: rank 0, id 1: found that it waits for rank 1 id 2, that for "
                           "rank 1 id 1, that for id 2, that for rank 0 id 1, expected no cycle");
        }
        else
        {
            job.Check();
        }
    }
    // A chain whose inner ranks share a program: by programs alone it seems to wait for itself.
    const uint32_t ranks = 1000;
    TrainingJob chain("chain", ranks);
    TrainingProgram first;
    first.Add(message(ReadKind::SEND, 1, 1));
    chain.AddProgram(std::move(first), std::vector<uint32_t>{0});
    TrainingProgram inner;
    const uint32_t before[]{inner.Add(message(ReadKind::RECEIVE, 2, -1))};
    inner.Add(message(ReadKind::SEND, 3, 1), before);
    std::vector<uint32_t> middle(ranks - 2);
    std::iota(middle.begin(), middle.end(), 1U);
    chain.AddProgram(std::move(inner), middle);
    EXPECT_REFUSAL(chain.Check(), "chain: rank 999: found no program");
    TrainingProgram last;
    last.Add(message(ReadKind::RECEIVE, 4, -1));
    chain.AddProgram(std::move(last), std::vector<uint32_t>{ranks - 1});
    chain.Check();
}

TEST(TrainingReaders, ListsAreReadByTheNamesOfTheirColumns)
{
    const TrainingFolder folder;
    const auto read = [&](const std::string& text)
    { return TrainingJobList::Read(folder.Write("list.csv", text)); };
    // RFold.
    const auto pod = read("#job id,arrival time (sec),topology,shape,size,duration (sec)\n"
                          "0,3.5,T3D_NT,4x4x8,128,817.0\n1,1.0,T3D_NT,8x8x8,512,496.0\n");
    ASSERT_EQ(pod.size(), 2);
    EXPECT_EQ(pod[0].id, "1") << "by arrival";
    EXPECT_EQ(pod[1].arrival, MilliSeconds(3500));
    EXPECT_EQ(pod[1].shape, (std::array<uint32_t, 3>{4, 4, 8}));
    EXPECT_EQ(pod[1].ranks, 128);
    EXPECT_EQ(pod[1].duration, Seconds(817));
    // Clusters with time stamps.
    const auto stamps = read("submit_time,gpu_num,kind,iterations,priority\n"
                             "1506816060,16,moe.goal,2,-3\n1506816000,8,gpt-13b,10,1\n");
    EXPECT_EQ(stamps[0].source, "gpt-13b");
    EXPECT_EQ(stamps[0].iterations, 10);
    EXPECT_EQ(stamps[1].arrival, Seconds(60));
    EXPECT_EQ(stamps[1].priority, -3);
    for (const auto& one : std::vector<std::pair<std::string, std::string>>{
             {"arrival,kind\n0,a\n", "expected columns arrival and ranks"},
             {"arrival,ranks\n", "found no job"},
             {"arrival,ranks\n-1,4\n", ":2: "},
             {"arrival,ranks\n1,0\n", ":2: "},
             {"arrival,shape\n1,4x4\n", "three numbers"},
             {"arrival,shape,size\n1,4x4x4,63\n", "whose product is the number of ranks"},
             {"arrival,ranks,priority\n1,4,1.5\n", "a whole number"},
             {"creation_time,ranks\n0,4\n9999999999,4\n", "found arrivals over"}})
    {
        EXPECT_REFUSAL(read(one.first), one.second);
    }
}

TEST(TrainingReaders, MutatedFilesGiveAJobOrOneLine)
{
    const bool hasChakra = CanReadChakra();
    constexpr int MUTATIONS = 10000;
    const TrainingFolder folder;
    const std::string trace = folder.Write("m.0.et", "");
    for (const std::string format : {"chakra", "chakra-gzip", "aicb", "goal", "csv", "list"})
    {
        const bool isChakra = format.starts_with("chakra");
        if (isChakra && !hasChakra)
        {
            continue;
        }
        const std::string seed =
            ReadText(ODCN_DATA_DIR "/../test/data/fuzz/odcn-training/" + format);
        ASSERT_FALSE(seed.empty()) << format;
        std::mt19937_64 random(58);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; ++i)
        {
            std::string text = seed;
            for (uint64_t k = i == 0 ? 0 : 1 + random() % 3; k > 0; --k)
            {
                text = FuzzMutate(std::move(text), random);
            }
            const FuzzFile file(text);
            const std::string path = isChakra ? trace : file.GetPath();
            if (isChakra && i == 0)
            {
                // The end of the name says that it is a trace. All files have one descriptor.
                std::filesystem::remove(trace);
                std::filesystem::create_symlink(file.GetPath(), trace);
            }
            TrainingReadOptions options;
            options.controlDependencies = i % 2 == 1;
            std::string message;
            try
            {
                if (format == "list")
                {
                    EXPECT_FALSE(TrainingJobList::Read(path).empty());
                }
                else
                {
                    EXPECT_GT(TrainingJob::Read(path, options).GetNRanks(), 0);
                }
            }
            catch (const OdcnError& error)
            {
                message = error.what();
                ++refused;
                const bool isOneLine = std::all_of(message.begin(),
                                                   message.end(),
                                                   [](char c) { return c >= 0x20 && c < 0x7f; });
                EXPECT_TRUE(isOneLine && Has(message, path.substr(0, path.rfind("/") + 2)))
                    << format << " " << i << ": " << message;
            }
            ASSERT_TRUE(i > 0 || message.empty()) << format << ": " << message;
        }
        EXPECT_GT(refused, MUTATIONS / 4) << format;
        EXPECT_LT(refused, MUTATIONS) << format;
    }
}
