// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <array>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

namespace
{

/// Groups of ranks of a workload in AICB's text, and indices of the communicators.
enum class AicbGroup : uint8_t
{
    TENSOR,     //!< tensor parallel
    DATA,       //!< data parallel
    EXPERT,     //!< expert parallel
    DATA_EXPERT //!< data parallel among the same experts
};

/// A pass of a layer: a computation, then a collective.
struct AicbPass
{
    uint64_t nanoseconds{0};      //!< of the computation
    bool hasCollective{false};    //!< whether there is a collective
    Collective::Operation what{}; //!< the collective
    AicbGroup group{};            //!< of the ranks that run it
    uint64_t bytes{0};            //!< S of Collective::Make(), which AICB means, too
};

/// A line.
struct AicbLayer
{
    uint64_t line;                  //!< its number
    std::string name;               //!< of the layer
    std::array<AicbPass, 3> passes; //!< forward, input gradient, weight gradient
    uint64_t update;                //!< time after a collective in ns
};

/// First line of a file.
struct AicbHeader
{
    bool isMicro{false};       //!< collectives alone
    uint64_t tensor{1};        //!< ranks of a tensor-parallel group
    uint64_t expert{1};        //!< ranks of an expert-parallel group
    uint64_t pipeline{1};      //!< stages
    uint64_t virtualStages{1}; //!< of a rank
    uint64_t microBatches{1};  //!< of a pass
    uint64_t ranks{0};         //!< of the job; 0 if unknown
    bool hasMessages{false};   //!< whether bytes between stages are given
};

/// @param reader at the first line
/// @return what it says
AicbHeader
ReadAicbHeader(const TextReader& reader)
{
    const auto words = SplitWords(reader.GetLine());
    AicbHeader header;
    header.isMicro = words.front() == "MICRO";
    for (std::size_t i = 1; i < words.size(); i += 2)
    {
        std::string_view key = words[i];
        const bool hasColon = key.back() == ':';
        key.remove_suffix(hasColon ? 1 : 0);
        if (i + 1 == words.size() || (!hasColon && key != "pp_comm"))
        {
            reader.Refuse(words[i], "pairs 'key: value'");
        }
        const std::string_view value = words[i + 1];
        if (key == "pp_comm")
        {
            // Python divided it.
            const auto bytes = ParseFinite(value);
            if (!bytes || *bytes < 0)
            {
                reader.Refuse(value, "pp_comm: a number of bytes");
            }
            header.hasMessages = *bytes > 0;
            continue;
        }
        if (key == "checkpoints" || key == "checkpoint_initiates")
        {
            if (value != "0")
            {
                reader.Refuse(value, std::string(key) + ": 0: recomputed passes are not supported");
            }
            continue;
        }
        uint64_t* number = key == "model_parallel_NPU_group"                   ? &header.tensor
                           : key == "ep" || key == "expert_parallel_npu_group" ? &header.expert
                           : key == "pp"                                       ? &header.pipeline
                           : key == "vpp"      ? &header.virtualStages
                           : key == "ga"       ? &header.microBatches
                           : key == "all_gpus" ? &header.ranks
                                               : nullptr;
        if (!number)
        {
            reader.Refuse(key,
                          "model_parallel_NPU_group, ep, pp, vpp, ga, all_gpus, checkpoints, "
                          "checkpoint_initiates or pp_comm");
        }
        *number = ParseCount(value).value_or(0);
        if (*number == 0 || *number > MAX_TRAINING_RANKS)
        {
            reader.Refuse(value, std::string(key) + ": 1 to " + std::to_string(MAX_TRAINING_RANKS));
        }
    }
    return header;
}

/// @param reader at a layer
/// @param text a number
/// @param most largest
/// @param what column
uint64_t
ParseAicbCount(const TextReader& reader, std::string_view text, uint64_t most, const char* what)
{
    const auto number = ParseCount(text);
    if (!number || *number > most)
    {
        reader.Refuse(text, std::string(what) + ": a whole number up to " + std::to_string(most));
    }
    return *number;
}

/// @param reader at a layer
/// @param words its fields
/// @param pass 0 to 2
/// @return that pass
AicbPass
ReadAicbPass(const TextReader& reader, const std::vector<std::string_view>& words, int pass)
{
    static constexpr std::array<std::pair<std::string_view, Collective::Operation>, 5> KINDS{
        {{"ALLREDUCE", Collective::Operation::ALL_REDUCE},
         {"REDUCESCATTER", Collective::Operation::REDUCE_SCATTER},
         {"ALLGATHER", Collective::Operation::ALL_GATHER},
         {"ALLTOALL", Collective::Operation::ALL_TO_ALL},
         {"BROADCAST", Collective::Operation::BROADCAST}}};
    const std::size_t first = 2 + 3 * static_cast<std::size_t>(pass);
    AicbPass read;
    read.nanoseconds =
        ParseAicbCount(reader, words[first], MAX_TRAINING_NANOSECONDS, "computation in ns");
    read.bytes = ParseAicbCount(reader, words[first + 2], MAX_TRAINING_BYTES, "bytes");
    const std::string_view word = words[first + 1];
    if (word == "NONE")
    {
        return read;
    }
    for (const auto& [name, what] : KINDS)
    {
        if (!word.starts_with(name))
        {
            continue;
        }
        const std::string_view suffix = word.substr(name.size());
        if (suffix != "" && suffix != "_EP" && suffix != "_DP_EP")
        {
            break;
        }
        read.hasCollective = true;
        read.what = what;
        read.group = suffix == "_EP"      ? AicbGroup::EXPERT
                     : suffix == "_DP_EP" ? AicbGroup::DATA_EXPERT
                     : pass == 2          ? AicbGroup::DATA
                                          : AicbGroup::TENSOR;
        return read;
    }
    reader.Refuse(word,
                  "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or BROADCAST, with _EP, "
                  "_DP_EP or nothing after it");
}

/// Adds what a rank does.
class AicbProgram
{
  public:
    /// @param report counts
    explicit AicbProgram(TrainingReadReport& report)
        : m_report(report)
    {
    }

    /**
     * Add a pass, which begins after what was added before.
     * @param layer its layer  @param pass 0 to 2  @param isBlocking whether what is added later
     * waits for its collective
     */
    void Add(const AicbLayer& layer, int pass, bool isBlocking)
    {
        const AicbPass& added = layer.passes[pass];
        TrainingProgram::Operation operation;
        operation.id = layer.line;
        if (added.nanoseconds > 0)
        {
            operation.duration = NanoSeconds(added.nanoseconds);
            m_last = {m_program.Add(operation, m_last, layer.name)};
            m_report.Add("computations");
        }
        if (!added.hasCollective)
        {
            return;
        }
        operation.duration = Time();
        operation.kind = TrainingProgram::Kind::COLLECTIVE;
        operation.what = added.what;
        operation.communicator = static_cast<uint32_t>(added.group);
        operation.bytes = added.bytes;
        std::vector<uint32_t> end{m_program.Add(operation, m_last, layer.name)};
        m_report.Add("collectives");
        m_report.Add("collectives of 0 bytes", added.bytes == 0 ? 1 : 0);
        if (layer.update > 0)
        {
            // Takes time, but not the accelerator's.
            operation = {};
            operation.id = layer.line;
            operation.unit = TrainingProgram::Unit::PROCESSOR;
            operation.duration = NanoSeconds(layer.update);
            end = {m_program.Add(operation, end, "update")};
            m_report.Add("updates");
        }
        if (isBlocking)
        {
            m_last = end;
        }
    }

    /// @return the program
    TrainingProgram Take()
    {
        return std::move(m_program);
    }

  private:
    TrainingReadReport& m_report; //!< counts
    TrainingProgram m_program;    //!< what was added
    std::vector<uint32_t> m_last; //!< operation that the next one waits for, or none
};

/**
 * @param ranks their number  @param size ranks of a group  @param stride between ranks of a group
 * @return groups of ranks base, base + stride, ..., of which there are size
 */
std::vector<std::vector<uint32_t>>
MakeAicbGroups(uint64_t ranks, uint64_t size, uint64_t stride)
{
    std::vector<std::vector<uint32_t>> groups;
    for (uint64_t block = 0; block < ranks; block += size * stride)
    {
        for (uint64_t base = block; base < block + stride; ++base)
        {
            auto& group = groups.emplace_back();
            for (uint64_t i = 0; i < size; ++i)
            {
                group.push_back(static_cast<uint32_t>(base + i * stride));
            }
        }
    }
    return groups;
}

} // namespace

TrainingJob
ReadAicbText(const std::string& path,
             const TrainingReadOptions& options,
             TrainingReadReport& report)
{
    constexpr std::size_t FIELDS = 12;
    TextReader reader(path);
    std::vector<std::string_view> words;
    while (words.empty() && reader.NextLine())
    {
        words = SplitWords(reader.GetLine());
    }
    AicbHeader header = ReadAicbHeader(reader);
    if (options.ranks != 0)
    {
        if (header.ranks != 0 && header.ranks != options.ranks)
        {
            reader.Refuse("all_gpus: " + std::to_string(header.ranks),
                          std::to_string(options.ranks) + " ranks, as the option ranks says");
        }
        header.ranks = options.ranks;
    }
    if (header.ranks == 0)
    {
        reader.Refuse(words.front(),
                      "all_gpus: N on this line, or the number of ranks as the option ranks");
    }
    const uint64_t model = header.tensor * header.pipeline;
    if (header.ranks % model != 0 || header.ranks / model % header.expert != 0)
    {
        reader.Refuse(std::to_string(header.ranks) + " GPUs",
                      "a multiple of model_parallel_NPU_group x pp x ep = " +
                          std::to_string(model) + " x " + std::to_string(header.expert));
    }
    if (header.isMicro && (model != 1 || header.expert != 1))
    {
        reader.Refuse(reader.GetLine(), "MICRO without groups");
    }

    words.clear();
    while (words.empty())
    {
        if (!reader.NextLine())
        {
            throw OdcnError(path + ": found no second line, expected the number of layers");
        }
        words = SplitWords(reader.GetLine());
    }
    const auto count = ParseCount(words.front());
    if (!count || *count == 0 || words.size() != 1)
    {
        reader.Refuse(reader.GetLine(), "the number of layers, 1 or more");
    }
    const uint64_t countLine = reader.GetLineNumber();
    std::vector<AicbLayer> layers;
    while (reader.NextLine())
    {
        words = SplitWords(reader.GetLine());
        if (words.empty())
        {
            continue;
        }
        if (words.size() != FIELDS)
        {
            reader.Refuse(reader.GetLine(),
                          "12 fields, not " + std::to_string(words.size()) +
                              ": name, dependency, computation in ns, collective and bytes three "
                              "times, update in ns");
        }
        if (words[1] != "-1")
        {
            reader.Refuse(words[1], "a dependency of -1: others are not supported");
        }
        AicbLayer layer;
        layer.line = reader.GetLineNumber();
        layer.name = words[0];
        for (int pass = 0; pass < 3; ++pass)
        {
            layer.passes[pass] = ReadAicbPass(reader, words, pass);
            if (header.isMicro && pass < 2 && layer.passes[pass].hasCollective)
            {
                reader.Refuse(words[3 + 3 * static_cast<std::size_t>(pass)],
                              "NONE: MICRO has collectives in the last columns only");
            }
        }
        layer.update = ParseAicbCount(reader, words[11], MAX_TRAINING_NANOSECONDS, "update in ns");
        layers.push_back(std::move(layer));
        if (layers.size() > *count)
        {
            reader.Refuse(words[0],
                          std::to_string(*count) + " layers, as line " + std::to_string(countLine) +
                              " says");
        }
    }
    if (layers.empty())
    {
        throw OdcnError::InFile(path, countLine, "no layer after it", "1 or more");
    }
    // A file of AICB itself announces 839 and has 33.
    report.Add("layers announced and not there", *count - layers.size());

    AicbProgram program(report);
    report.Add("layers", layers.size());
    if (header.isMicro)
    {
        for (const AicbLayer& layer : layers)
        {
            program.Add(layer, 2, true);
        }
    }
    else
    {
        for (const AicbLayer& layer : layers)
        {
            program.Add(layer, 0, true);
        }
        for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        {
            program.Add(*layer, 1, true);
            program.Add(*layer, 2, false);
        }
    }
    report.Add("pipeline stages whose messages and bubbles are left out",
               header.pipeline > 1 ? header.pipeline : 0);
    TrainingJob job(path, static_cast<uint32_t>(header.ranks));
    const uint64_t data = header.ranks / model;
    job.AddCommunicator("TP", MakeAicbGroups(header.ranks, header.tensor, 1));
    job.AddCommunicator("DP", MakeAicbGroups(header.ranks, data, header.tensor));
    job.AddCommunicator("EP", MakeAicbGroups(header.ranks, header.expert, header.tensor));
    job.AddCommunicator(
        "DP_EP",
        MakeAicbGroups(header.ranks, data / header.expert, header.tensor * header.expert));
    std::vector<uint32_t> ranks(header.ranks);
    std::iota(ranks.begin(), ranks.end(), 0U);
    job.AddProgram(program.Take(), ranks);
    return job;
}

} // namespace ns3::odcn
