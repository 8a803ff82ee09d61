// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Files of networks: contents, refused files, and the policy that uses them.
 */

#include "../fuzz/odcn-fuzz-replay.h"
#include "odcn-graph-toy.h"

#include "ns3/enum.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-archive.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-problems.h"

#include <boost/crc.hpp>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <torch/script.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A toy observed as a graph or as an image, for networks that need this.
class ShapedToy : public ToyProblem
{
  public:
    explicit ShapedToy(const std::string& words, uint32_t actions = 16)
        : ToyProblem(actions),
          m_image(words.find("Cnn") == 0)
    {
        if (words.find("Graph") == 0)
        {
            m_graph = std::make_unique<GraphObservation>(ToyTree(4, actions / 4, 2));
        }
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return m_graph   ? std::vector<uint32_t>{m_graph->GetSize()}
               : m_image ? std::vector<uint32_t>{2, GetNActions() / 4, 4}
                         : ToyProblem::GetObservationShape();
    }

    const GraphObservation* GetGraph() const override
    {
        return m_graph.get();
    }

  private:
    bool m_image;                              //!< whether it is observed as an image
    std::unique_ptr<GraphObservation> m_graph; //!< null unless it is observed as a graph
};

/// @param words network  @param problem for which  @return the network with random parameters
std::shared_ptr<PolicyNetwork>
Make(const std::string& words, const DecisionProblem& problem, uint64_t seed = 3)
{
    return PolicyNetwork::Create(words, ProblemShape(problem), seed);
}

/// Save a network that was trained on a problem.
void
Save(const std::string& path,
     const std::string& words,
     const DecisionProblem& problem,
     uint64_t seed = 3)
{
    Checkpoint::Save(path,
                     *Make(words, problem, seed),
                     ObservationForm::Of(problem),
                     {{"command", "train --load=66 \xff"}, {"seed", "3"}});
}

/// @return a policy that uses a file
Ptr<AgentPolicy>
MakePolicy(const std::string& path, bool greedy = true, bool mask = true)
{
    auto policy = CreateObject<AgentPolicy>();
    Configure(policy, "Greedy=" + std::to_string(greedy) + "|UseMask=" + std::to_string(mask));
    policy->SetAttribute("Checkpoint", StringValue(path));
    return policy;
}

/// @return the network in a file
std::shared_ptr<PolicyNetwork>
Load(const std::string& path, const DecisionProblem& problem)
{
    return Checkpoint::Load(path, problem);
}

/// A ZIP file that can be modified, with correct checksums.
class Zip
{
  public:
    explicit Zip(const std::string& bytes)
    {
        // The last 22 bytes give the offset of the directory.
        std::size_t p = Number(bytes, bytes.size() - 6, 4);
        for (auto n = Number(bytes, bytes.size() - 12, 2); n > 0; --n)
        {
            const auto name = Number(bytes, p + 28, 2);
            const auto local = Number(bytes, p + 42, 4);
            const auto data =
                local + 30 + Number(bytes, local + 26, 2) + Number(bytes, local + 28, 2);
            m_entries.push_back({bytes.substr(p + 46, name),
                                 bytes.substr(data, Number(bytes, p + 20, 4)),
                                 Number(bytes, p + 10, 2),
                                 Number(bytes, p + 24, 4),
                                 Number(bytes, p + 16, 4)});
            p += 46 + name;
        }
    }

    /// @param name of an entry, without its folder  @return its content
    std::string Get(const std::string& name) const
    {
        const auto* entry = const_cast<Zip*>(this)->Find(name);
        return entry ? entry->data : "";
    }

    /// Replace an entry, or add one.
    Zip& Set(const std::string& name, const std::string& data)
    {
        auto* entry = Find(name);
        if (!entry)
        {
            m_entries.push_back({"archive/" + name, "", 0, 0, 0});
            entry = &m_entries.back();
        }
        boost::crc_32_type crc;
        crc.process_bytes(data.data(), data.size());
        entry->data = data;
        entry->method = 0;
        entry->size = data.size();
        entry->crc = crc.checksum();
        return *this;
    }

    Zip& Remove(const std::string& name)
    {
        m_entries.erase(m_entries.begin() + (Find(name) - m_entries.data()));
        return *this;
    }

    /// Add a second name of an entry, with the same content offset.
    Zip& Alias(const std::string& name, const std::string& again)
    {
        auto alias = *Find(name);
        alias.name = "archive/" + again;
        alias.data.clear();
        alias.of = static_cast<int>(Find(name) - m_entries.data());
        m_entries.push_back(alias);
        return *this;
    }

    /// Mark an entry as compressed, with the given size.
    Zip& Compress(const std::string& name, uint64_t size)
    {
        Find(name)->method = 8;
        Find(name)->size = size;
        return *this;
    }

    /// @return the file
    std::string Join() const
    {
        std::string out;
        std::string directory;
        std::vector<std::size_t> places;
        for (const auto& e : m_entries)
        {
            const auto& source = e.of < 0 ? e : m_entries[e.of];
            places.push_back(e.of < 0 ? out.size() : places[e.of]);
            const std::string head = Bytes(0, 2) + Bytes(e.method, 2) + Bytes(0, 4) +
                                     Bytes(e.crc, 4) + Bytes(source.data.size(), 4) +
                                     Bytes(e.size, 4) + Bytes(e.name.size(), 2) + Bytes(0, 2);
            directory += std::string("PK\1\2") + Bytes(0, 4) + head + Bytes(0, 10) +
                         Bytes(places.back(), 4) + e.name;
            out += e.of < 0 ? std::string("PK\3\4") + Bytes(0, 2) + head + e.name + e.data : "";
        }
        return out + directory + "PK\5\6" + Bytes(0, 4) + Bytes(m_entries.size(), 2) +
               Bytes(m_entries.size(), 2) + Bytes(directory.size(), 4) + Bytes(out.size(), 4) +
               Bytes(0, 2);
    }

  private:
    struct Entry
    {
        std::string name;
        std::string data;
        uint64_t method;
        uint64_t size;
        uint64_t crc;
        int of{-1}; //!< entry that has the content; -1 for the entry itself
    };

    static uint64_t Number(const std::string& bytes, std::size_t at, int n)
    {
        uint64_t value = 0;
        for (int i = n; i-- > 0;)
        {
            value = 256 * value + static_cast<unsigned char>(bytes.at(at + i));
        }
        return value;
    }

    static std::string Bytes(uint64_t value, int n)
    {
        std::string out;
        for (; n > 0; --n, value /= 256)
        {
            out += static_cast<char>(value % 256);
        }
        return out;
    }

    Entry* Find(const std::string& name)
    {
        for (auto& e : m_entries)
        {
            if (e.name.substr(e.name.find('/') + 1) == name)
            {
                return &e;
            }
        }
        return nullptr;
    }

    std::vector<Entry> m_entries;
};

/// @param text any  @param n number of repetitions  @return the repeated text
std::string
Repeat(const std::string& text, std::size_t n)
{
    return SumOf<std::string>(n, [&](std::size_t) { return text; });
}

/// The record that describes a checkpoint.
constexpr const char* TEXT = "extra/odcn.json";

/// A checkpoint of a small network, and modifications of it.
class HostileArchive : public testing::Test
{
  protected:
    HostileArchive()
    {
        ns3::odcn::WriteFile(m_file.path, "");
        Save(m_file.path, "Mlp[layers=1|units=8]", m_problem);
        m_bytes = ReadFile(m_file.path);
    }

    ~HostileArchive() override
    {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        EXPECT_LT(usage.ru_maxrss, 2L << 20) << "KiB of memory";
    }

    /// @param bytes of a file  @return the error on loading
    std::string Refuse(const std::string& bytes)
    {
        WriteFile(m_file.path, bytes);
        return GetRefusal([&] { Load(m_file.path, m_problem); });
    }

    /// @param text replaces that of the archive  @return the error
    std::string RefuseText(const std::string& text)
    {
        return Refuse(Zip(m_bytes).Set(TEXT, text).Join());
    }

    /// @param change of the JSON text  @return the error
    template <typename F>
    std::string RefuseChange(F change)
    {
        auto json = nlohmann::ordered_json::parse(Zip(m_bytes).Get(TEXT));
        change(json);
        return RefuseText(json.dump());
    }

    /// @param change of the description of the first tensor, 8 x 8  @return the error
    template <typename F>
    std::string RefuseTensor(F change)
    {
        return RefuseChange([&](auto& json) { change(json["tensors"][0]); });
    }

    /// @param bytes of a file  @return the network with its parameters; null if refused
    std::shared_ptr<PolicyNetwork> Unpack(const std::string& bytes)
    {
        auto network = Make("Mlp[layers=1|units=8]", m_problem, 4);
        const auto error =
            GetRefusal([&] { Archive::Unpack(bytes, "f").CopyTo("", *network, "f"); });
        return error == "" ? network : nullptr;
    }

    /// @param random generator  @param n number  @return bytes
    static std::string Random(std::mt19937& random, std::size_t n)
    {
        std::string bytes(n, '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random()); });
        return bytes;
    }

    ToyProblem m_problem{4};
    TemporaryPath m_file{"hostile-archive"};
    std::string m_bytes;
};

} // namespace

using CheckpointOf = testing::TestWithParam<const char*>;

TEST_P(CheckpointOf, KeepsNetwork)
{
    const ShapedToy problem(GetParam());
    const auto network = Make(GetParam(), problem);
    const TemporaryPath file("checkpoint");
    Save(file.path, GetParam(), problem);
    const auto read = Checkpoint::Read(file.path);
    EXPECT_EQ(read.network, network->GetName());
    EXPECT_EQ(read.options, network->GetOptions());
    EXPECT_EQ(read.form.ToJson(), ObservationForm::Of(problem).ToJson());
    // Invalid UTF-8 is replaced.
    EXPECT_TRUE(Has(read.provenance.at("command"), "train --load=66 "));
    EXPECT_EQ(read.provenance.at("seed"), "3");
    const auto again = Load(file.path, problem);
    EXPECT_EQ(again->GetOptions(), network->GetOptions());
    ASSERT_EQ(again->parameters().size(), network->parameters().size());
    for (const auto& parameter : network->named_parameters())
    {
        EXPECT_TRUE(torch::equal(again->named_parameters()[parameter.key()], parameter.value()))
            << parameter.key();
    }
    // Saving again gives an identical file.
    const auto bytes = ReadFile(file.path);
    Save(file.path, GetParam(), problem);
    EXPECT_EQ(ReadFile(file.path), bytes);
    Checkpoint::Save(file.path, *again, read.form, read.provenance);
    EXPECT_EQ(ReadFile(file.path), bytes);
}

INSTANTIATE_TEST_SUITE_P(Agent, CheckpointOf, testing::ValuesIn(ALL_NETWORKS));

TEST(Checkpoint, ServesOtherNumbersOfRacks)
{
    const TemporaryPath file("checkpoint");
    Save(file.path, "Scorer", ToyProblem(16));
    auto changing = MakePolicy(file.path);
    for (uint32_t racks : {2U, 16U, 64U})
    {
        ToyProblem problem(racks);
        auto policy = MakePolicy(file.path);
        EXPECT_LT(policy->Decide(problem), racks);
        EXPECT_EQ(policy->GetNetwork()->GetShape().actions, racks);
        EXPECT_EQ(changing->Decide(problem), policy->Decide(problem));
    }
}

TEST(Checkpoint, ServesObservationsWithFurtherBlocks)
{
    // The blocks that State=Ahead adds to those of State=Traffic change no decision yet.
    const auto problem = DataCentres(1, 4, 6).front();
    problem->Set("State", "Traffic");
    problem->Reset();
    const TemporaryPath file("checkpoint");
    const auto network = PolicyNetwork::Create("Scorer[inputs=own]", ProblemShape(*problem), 7);
    Checkpoint::Save(file.path, *network, ObservationForm::Of(*problem), {});
    const auto checkpoint = Checkpoint::Read(file.path);
    std::vector<float> logits(4);
    std::vector<float> wider(4);
    for (int i = 0; i < 50; ++i)
    {
        problem->Set("State", "Traffic");
        checkpoint.Extend(*problem, file.path)
            ->Infer(ObservationOf(*problem).data(), 1, logits.data());
        problem->Set("State", "Ahead");
        const auto extended = checkpoint.Extend(*problem, file.path);
        extended->Infer(ObservationOf(*problem).data(), 1, wider.data());
        for (int a = 0; a < 4; ++a)
        {
            EXPECT_NEAR(wider[a], logits[a], 1e-5);
        }
        problem->Act(i % 4);
    }
    problem->Set("State", "Paper");
    EXPECT_REFUSAL(checkpoint.Extend(*problem, file.path),
                   file.path + ": trained for observations of");
}

namespace
{

/// A network of which a row has the same digits in any batch, so that ties are broken alike.
struct LeastBandwidth : PolicyNetwork
{
    torch::Tensor weight;

    explicit LeastBandwidth(const ProblemShape&)
        : weight(register_parameter("weight", torch::full({1}, -0.75)))
    {
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        const auto actions = GetShape().GetActions(x);
        return {actions.select(2, 1) * weight, torch::zeros({x.size(0)})};
    }
};

ODCN_REGISTER_NETWORK(LeastBandwidth)

} // namespace

TEST(Checkpoint, LooksAheadInBatchesAsAlone)
{
    const TemporaryPath file("checkpoint");
    const auto problems = DataCentres(4, 4, 7);
    const auto words = "LookaheadPolicy[Policy=AgentPolicy[Checkpoint=" + file.path + "]]";
    const auto network =
        PolicyNetwork::Create("LeastBandwidth", ProblemShape(*problems.front()), 7);
    Checkpoint::Save(file.path, *network, ObservationForm::Of(*problems.front()), {});
    std::vector<Episode> episodes;
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        auto policy = DecisionPolicy::Create(words);
        policy->Configure(*problems[i]);
        problems[i]->AssignStreams(10 * static_cast<int64_t>(i));
        problems[i]->Reset();
        episodes.push_back({problems[i], policy, 0, false, 0, 0});
    }
    EXPECT_GE(episodes.front().policy->GetBatch(), 4U);
    DecisionProblem::RunEpisodes(episodes, 300, nullptr);
    uint64_t lost = 0;
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        const auto alone = DataCentres(1, 4, 7).front();
        auto policy = DecisionPolicy::Create(words);
        policy->Configure(*alone);
        alone->AssignStreams(10 * static_cast<int64_t>(i));
        alone->Reset();
        alone->RunEpisode(*policy, 300);
        EXPECT_EQ(alone->GetTally().accepted, problems[i]->GetTally().accepted) << i;
        EXPECT_EQ(ObservationOf(*alone), ObservationOf(*problems[i])) << i;
        lost += 300 - alone->GetTally().accepted;
    }
    EXPECT_GT(lost, 50U);
}

TEST(Checkpoint, NamesBothSizes)
{
    const TemporaryPath file("checkpoint");
    Save(file.path, "Mlp", ToyProblem(16));
    ToyProblem problem(32);
    EXPECT_EQ(GetRefusal([&] { MakePolicy(file.path)->Decide(problem); }),
              file.path + ": trained for observations of 32 and 16 actions, the problem has 64 "
                          "and 32 actions");
    // Also for a policy that has decided problems of the right size, and can continue to.
    ToyProblem right(16);
    auto policy = MakePolicy(file.path);
    const auto action = policy->Decide(right);
    EXPECT_REFUSAL(policy->Decide(problem), "16 actions");
    EXPECT_EQ(policy->Decide(right), action);
}

TEST(Checkpoint, ConfiguresItsProblem)
{
    const TemporaryPath file("checkpoint");
    const ToyProblem toy(4);
    ObservationForm form = ObservationForm::Of(toy);
    form.problem = "ns3::odcn::OdcnScheduling";
    form.attributes = {{"State", "Placement"}};
    Checkpoint::Save(file.path, *Make("Scorer", toy), form, {});
    auto problem = CreateObject<OdcnScheduling>();
    MakePolicy(file.path)->Configure(*problem);
    EXPECT_EQ(SettingOf(problem, "State"), "Placement");
    ToyProblem other;
    EXPECT_REFUSAL(MakePolicy(file.path)->Configure(other),
                   file.path + ": trained for ns3::odcn::OdcnScheduling");
}

TEST(Checkpoint, RefusesParametersThatAreNotFinite)
{
    const TemporaryPath file("checkpoint");
    const ToyProblem problem(4);
    Save(file.path, "Mlp", problem);
    const auto before = ReadFile(file.path);
    for (const float x :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()})
    {
        const auto network = Make("Mlp", problem);
        torch::NoGradGuard noGradient;
        network->named_parameters()["value.2.bias"][5] = x;
        EXPECT_EQ(GetRefusal(
                      [&]
                      { Checkpoint::Save(file.path, *network, ObservationForm::Of(problem), {}); }),
                  file.path + ": parameter value.2.bias has numbers that are not finite");
        EXPECT_EQ(ReadFile(file.path), before);
        auto zip = Zip(before);
        std::string data = zip.Get("data/1");
        std::memcpy(data.data(), &x, sizeof(x));
        WriteFile(file.path, zip.Set("data/1", data).Join());
        EXPECT_EQ(GetRefusal([&] { Load(file.path, problem); }),
                  file.path + ": policy.0.bias is not finite");
        WriteFile(file.path, before);
    }
}

TEST(Checkpoint, LeavesTheOldFileWhereItCannotWrite)
{
    const ToyProblem problem;
    EXPECT_THROW(Save(testing::TempDir() + "no/such/folder/file", "Mlp", problem), OdcnError);
    const TemporaryPath file("checkpoint");
    WriteFile(file.path, "before");
    EXPECT_REFUSAL(Checkpoint::Save(file.path,
                                    *Make("Mlp", problem),
                                    ObservationForm::Of(problem),
                                    {{"command", std::string(70000, 'x')}}),
                   "64 KiB");
    EXPECT_EQ(ReadFile(file.path), "before");
}

TEST(Checkpoint, RefusesOtherNetworks)
{
    const ToyProblem problem;
    const auto network = Make("Mlp", problem);
    Archive archive;
    archive.AddModule("", *network);
    const auto back = Archive::Unpack(archive.Pack(), "f");
    const auto read = [&](const std::string& words)
    { return GetRefusal([&] { back.CopyTo("", *Make(words, problem), "f"); }); };
    EXPECT_EQ(read("Mlp"), "");
    EXPECT_EQ(read("Mlp[units=64]"), "f: policy.0.weight has another size than in this network");
    EXPECT_EQ(read("Mlp[layers=6]"), "f: policy.10.weight has another size than in this network");
    EXPECT_TRUE(Has(read("Scorer"), "f: "));
    archive.Add("extra", torch::zeros({1}));
    EXPECT_EQ(GetRefusal([&] { archive.CopyTo("", *network, "f"); }),
              "f: has parameters that this network lacks");
}

TEST_F(HostileArchive, CutAtAnyLength)
{
    for (std::size_t size = 0; size < m_bytes.size(); size += size < 300 ? 1 : 41)
    {
        const auto error = GetRefusal([&] { Archive::Unpack(m_bytes.substr(0, size), "f"); });
        ASSERT_TRUE(Has(error, size < 4 ? "f: not an odcn checkpoint" : "f: the file is cut short"))
            << size;
    }
    EXPECT_TRUE(Has(Refuse(m_bytes + "x"), "cut short"));
    EXPECT_TRUE(Has(Refuse("job,arrival\n1,2\n"), m_file.path + ": not an odcn checkpoint"));
    EXPECT_TRUE(Has(Refuse("ODCN-NN\n\1"), m_file.path + ": not an odcn checkpoint"));
    // The policy's error, too, names the file.
    const auto decide = [&](const std::string& path)
    { return GetRefusal([&] { MakePolicy(path)->Decide(m_problem); }); };
    EXPECT_TRUE(Has(decide(m_file.path), m_file.path + ": not an odcn checkpoint"));
    WriteFile(m_file.path, m_bytes.substr(0, 3000));
    EXPECT_TRUE(Has(decide(m_file.path), m_file.path + ": the file is cut short"));
    EXPECT_TRUE(Has(decide(""), "names no file"));
    EXPECT_TRUE(Has(decide("/no/file"), "/no/file: cannot be read"));
    EXPECT_TRUE(Has(decide(testing::TempDir()), "cannot be read: it is a folder"));
    const std::string pipe = m_file.path + ".pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(Has(decide(pipe), pipe + ": cannot be read: it is a pipe"));
    std::filesystem::remove(pipe);
    EXPECT_TRUE(Has(decide("/dev/zero"), "/dev/zero: larger than 512 MiB"));
}

TEST_F(HostileArchive, AnyByteChanged)
{
    // Either it is refused, or nothing relevant was changed.
    const auto network = Load(m_file.path, m_problem);
    std::mt19937 random(1);
    int refused = 0;
    for (int trial = 0; trial < 3000; ++trial)
    {
        auto bytes = m_bytes;
        for (auto n = 1 + random() % 3; n > 0; --n)
        {
            // Half of the changes in the directory at the end, sometimes four bytes.
            const auto range = random() % 2 ? bytes.size() : bytes.size() / 8;
            const auto at = bytes.size() - 4 - random() % (range - 4);
            const std::size_t width = random() % 4 ? 1 : 4;
            bytes.replace(at, width, Random(random, width));
        }
        const auto copy = Unpack(bytes);
        refused += copy ? 0 : 1;
        for (const auto& parameter : network->named_parameters())
        {
            ASSERT_TRUE(!copy ||
                        torch::equal(copy->named_parameters()[parameter.key()], parameter.value()))
                << trial;
        }
    }
    EXPECT_GT(refused, 2000);
}

TEST_F(HostileArchive, TextChangedWithItsChecksum)
{
    const auto original = Zip(m_bytes).Get(TEXT);
    std::mt19937 random(2);
    int refused = 0;
    for (int trial = 0; trial < 3000; ++trial)
    {
        auto text = original;
        for (auto n = 1 + random() % 3; n > 0; --n)
        {
            // Half of the changes among the sizes of tensors.
            const auto begin = random() % 2 ? text.find("\"tensors\"") : 0;
            const auto at = (begin < text.size() ? begin : 0) + random() % (text.size() / 2);
            switch (random() % 3)
            {
            case 0:
                text[at % text.size()] = "0123456789-[]{},:\"e."[random() % 20];
                break;
            case 1:
                text.erase(at % text.size(), 1 + random() % 8);
                break;
            default:
                text.insert(at % text.size(), text.substr(random() % text.size(), random() % 20));
                break;
            }
        }
        refused += Unpack(Zip(m_bytes).Set(TEXT, text).Join()) ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 3000);
}

TEST_F(HostileArchive, HeaderMutated)
{
    // The text of a whole checkpoint: name and options of the network, form, provenance, tensors.
    const auto original = Zip(m_bytes).Get(TEXT);
    std::mt19937_64 random(3);
    const std::size_t mutations = FuzzMutations();
    std::size_t accepted = 0;
    for (std::size_t trial = 0; trial < mutations; ++trial)
    {
        std::string text = original;
        for (auto n = 1 + random() % 2; n > 0; --n)
        {
            text = FuzzMutate(std::move(text), random);
        }
        WriteFile(m_file.path, Zip(m_bytes).Set(TEXT, text).Join());
        const auto error = GetRefusal([&] { MakePolicy(m_file.path)->Decide(m_problem); });
        ASSERT_EQ(error.find('\n'), std::string::npos) << error << text;
        accepted += error == "" ? 1 : 0;
    }
    EXPECT_GT(accepted, mutations / 100);
    EXPECT_LT(accepted, mutations / 2);
}

TEST_F(HostileArchive, ForgedSizes)
{
    using Json = nlohmann::ordered_json;
    EXPECT_EQ(RefuseChange([](Json&) {}), "");
    const int64_t large = int64_t{1} << 62;
    for (const auto& sizes : std::vector<std::vector<int64_t>>{{8, 9},
                                                               {},
                                                               {large, large},
                                                               {large, 4},
                                                               {0, large, large},
                                                               {large, large, 0},
                                                               {-8, -8}})
    {
        EXPECT_TRUE(Has(RefuseTensor([&](Json& t) { t["sizes"] = sizes; }), "damaged"));
    }
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["sizes"] = {UINT64_MAX, 8}; }), m_file.path));
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["sizes"] = {4, 16}; }), "another size"));
    for (const double size : {8.0, -1.0, 1e300})
    {
        EXPECT_TRUE(Has(RefuseTensor(
                            [&](Json& t) {
                                t["sizes"] = Json{8, size};
                            }),
                        "not an odcn checkpoint"));
    }
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["sizes"] = "8"; }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["type"] = "uint8"; }), "damaged"));
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["type"] = "double"; }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseTensor([](Json& t) { t["name"] = "a\nb"; }), "lacks policy.0.weight"));
    EXPECT_TRUE(
        Has(RefuseChange([](Json& j) { j["tensors"].push_back(j["tensors"][0]); }), "damaged"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["tensors"].erase(3); }), m_file.path));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["tensors"] = 3; }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Remove("data/0").Join()), "damaged"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Set("data/0", "").Join()), "damaged"));
    // Records that would expand.
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Compress("data/0", 1U << 31).Join()), "damaged"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Compress(TEXT, 1U << 31).Join()), "not an odcn"));
    EXPECT_TRUE(Has(RefuseText(std::string(2 << 20, ' ')), "not an odcn checkpoint"));
    // Many records at one offset, whose checksums would take days.
    const std::string content(4 << 20, 'x');
    Zip zip(m_bytes);
    zip.Set("data/0", content);
    for (int i = 0; i < 50000; ++i)
    {
        zip.Alias("data/0", "data/x" + std::to_string(i));
    }
    EXPECT_TRUE(Has(Refuse(zip.Join()), "damaged"));
}

TEST_F(HostileArchive, DeepNesting)
{
    for (const std::string begin : {"", "{\"tensors\":[],\"a\":", "{\"tensors\":"})
    {
        EXPECT_TRUE(Has(RefuseText(begin + Repeat("[", 500000)),
                        m_file.path + ": found deeply nested JSON, expected an odcn checkpoint"));
    }
    EXPECT_TRUE(
        Has(RefuseText(Repeat("{\"a\":", 90000) + "1" + Repeat("}", 90000)), "deeply nested"));
}

TEST_F(HostileArchive, NeitherPickleNorSourceIsRead)
{
    const std::string garbage = "\x80\x02" + Repeat("(", 100000);
    EXPECT_EQ(Refuse(Zip(m_bytes)
                         .Set("data.pkl", garbage)
                         .Set("constants.pkl", garbage)
                         .Set("code/__torch__.py", Repeat("(", 100000))
                         .Join()),
              "");
    EXPECT_LT(MakePolicy(m_file.path)->Decide(m_problem), 4U);
    // A module with functions is not a checkpoint, but can decide.
    torch::jit::Module module("M");
    module.define("def forward(self, x):\n    return x[:, 0:4]\n");
    module.save(m_file.path);
    EXPECT_REFUSAL(Load(m_file.path, m_problem), "not an odcn checkpoint");
    EXPECT_LT(MakePolicy(m_file.path)->Decide(m_problem), 4U);
}

TEST_F(HostileArchive, OtherDescriptions)
{
    using Json = nlohmann::ordered_json;
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["format"] = "x"; }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["version"] = 3; }), "version is not 2"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j.erase("form"); }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["form"] = 3; }), "observation form"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["provenance"]["a"] = 3; }), "not an odcn"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["network"]["name"] = "To\nday"; }), "To?day"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["network"]["options"] = {1}; }), "no object"));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["network"]["options"]["a"] = 1; }), "'a'"));
    EXPECT_TRUE(
        Has(RefuseChange([](Json& j) { j["network"]["options"]["units"] = 9; }), "another size"));
    EXPECT_TRUE(
        Has(RefuseChange([](Json& j) { j["network"]["options"]["units"] = int64_t{1} << 60; }),
            m_file.path));
    EXPECT_TRUE(Has(RefuseChange([](Json& j) { j["x"] = std::string(70000, 'x'); }), "64 KiB"));
    EXPECT_TRUE(Has(RefuseText(""), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseText(std::string("\0\xff", 2)), "not an odcn checkpoint"));
    Archive archive;
    EXPECT_TRUE(Has(Refuse(archive.Pack()), "not an odcn checkpoint"));
}

TEST(AgentPolicy, DecidesByItsNetwork)
{
    const TemporaryPath file("checkpoint");
    ToyProblem problem;
    const auto network = Make("Mlp", problem);
    Save(file.path, "Mlp", problem);
    auto greedy = MakePolicy(file.path);
    auto unmasked = MakePolicy(file.path, true, false);
    auto sampling = MakePolicy(file.path, false);
    sampling->AssignStreams(1);
    auto same = MakePolicy(file.path, false);
    same->AssignStreams(1);
    auto other = MakePolicy(file.path, false);
    other->AssignStreams(2);
    int differ = 0;
    int otherDiffer = 0;
    torch::NoGradGuard noGradient;
    for (int i = 0; i < 300; ++i)
    {
        auto x = torch::empty({1, 12});
        problem.Observe(x.data_ptr<float>());
        const auto mask = MaskOf(problem);
        auto logits = network->forward(x).logits;
        EXPECT_EQ(unmasked->Decide(problem), logits.argmax(1).item<int64_t>());
        for (std::size_t a = 0; a < 6; ++a)
        {
            logits[0][a] = mask[a] ? logits[0][a].item<float>() : -1e9F;
        }
        const uint32_t best = logits.argmax(1).item<int64_t>();
        EXPECT_EQ(greedy->Decide(problem), best);
        const uint32_t sampled = sampling->Decide(problem);
        EXPECT_EQ(mask[sampled], 1);
        EXPECT_EQ(same->Decide(problem), sampled);
        otherDiffer += other->Decide(problem) != sampled ? 1 : 0;
        differ += sampled != best ? 1 : 0;
        problem.Act(best);
    }
    EXPECT_GT(differ, 30);
    EXPECT_GT(otherDiffer, 30);
}

TEST(AgentPolicy, DecidesSeveralProblemsAsOneByOne)
{
    for (const std::string words : {"Mlp", "Scorer", "Attention"})
    {
        for (const bool greedy : {true, false})
        {
            const TemporaryPath file("checkpoint");
            Save(file.path, words, ToyProblem(9));
            std::vector<Episode> episodes(4);
            std::vector<Ptr<AgentPolicy>> alone;
            for (std::size_t i = 0; i < episodes.size(); ++i)
            {
                episodes[i].problem = CreateObject<ToyProblem>(9);
                auto policy = MakePolicy(file.path, greedy);
                episodes[i].policy = policy;
                alone.push_back(MakePolicy(file.path, greedy));
                for (const auto& p : {policy, alone[i]})
                {
                    p->Configure(*episodes[i].problem);
                    p->AssignStreams(100 + static_cast<int64_t>(i));
                }
            }
            ASSERT_EQ(alone[0]->GetBatch(), 4U);
            for (int step = 0; step < 100; ++step)
            {
                for (std::size_t i = 0; i < episodes.size(); ++i)
                {
                    // Problems end at different times, the first one included.
                    episodes[i].waits = step < 40 || i % 2 == 1;
                }
                episodes[0].policy->DecideAll(episodes);
                for (std::size_t i = 0; i < episodes.size(); ++i)
                {
                    if (episodes[i].waits)
                    {
                        ASSERT_EQ(episodes[i].action, alone[i]->Decide(*episodes[i].problem))
                            << words;
                        episodes[i].problem->Act(episodes[i].action);
                    }
                }
            }
            EXPECT_EQ(alone[0]->GetNDecisions(), 40U);
            EXPECT_EQ(DynamicCast<AgentPolicy>(episodes[1].policy)->GetNDecisions(), 100U);
        }
    }
}

/// @param file a shipped checkpoint  @param name of its problem  @return the problem it is for
Ptr<DecisionProblem>
MakeShippedProblem(const std::string& file, const std::string& name)
{
    if (file.find("16-tor") == std::string::npos)
    {
        return CreateProblem(name);
    }
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(16));
    return helper.CreateProblem(16);
}

/// A run is the same, alone or among others, if a row of logits depends on nothing beside it.
TEST(AgentPolicy, LogitsOfShippedNetworksDoNotDependOnOtherRuns)
{
    const std::map<std::string, std::string> shipped{{"odcn", "odcn"},
                                                     {"odcn-evolved", "odcn"},
                                                     {"odcn-ppo", "odcn"},
                                                     {"odcn-paper", "odcn"},
                                                     {"odcn-16-tor-a2c", "odcn"},
                                                     {"rddc-nara-paper-16-8", "rddc"},
                                                     {"cluster-deeprm", "cluster"},
                                                     {"cluster-deeprm-plus", "cluster"},
                                                     {"cluster-a2cscheduler", "cluster"},
                                                     {"icci-agent", "icci"},
                                                     {"icci-agent-dwa", "icci"},
                                                     {"matching-agent", "matching"}};
    for (const auto& [file, name] : shipped)
    {
        SCOPED_TRACE(file);
        const auto problem = MakeShippedProblem(file, name);
        const auto policy = MakePolicy(GetDataFile(file + ".pt"));
        policy->Configure(*problem);
        problem->AssignStreams(3);
        problem->Reset();
        policy->Load(*problem);
        ASSERT_EQ(policy->GetBatch(), 4U);
        const auto infer = policy->GetNetwork()->Freeze();
        auto random = DecisionPolicy::Create("RandomPolicy");
        const std::size_t size = problem->GetObservationSize();
        const std::size_t actions = problem->GetNActions();
        std::vector<float> rows(4 * size);
        std::vector<float> stale(4 * size, 0.0F);
        std::vector<float> logits(4 * actions);
        std::vector<float> alone(4 * actions);
        int differ = 0;
        for (int step = 0; step < 40; ++step)
        {
            for (std::size_t row = 0; row < 4; ++row)
            {
                problem->Observe(rows.data() + row * size);
                problem->Act(random->Decide(*problem));
                if (problem->IsDone())
                {
                    problem->ResetToDecision();
                }
            }
            infer(rows.data(), 4, logits.data());
            for (std::size_t row = 0; row < 4; ++row)
            {
                std::copy_n(rows.data() + row * size, size, stale.data());
                infer(stale.data(), 4, alone.data());
                differ += !std::equal(alone.begin(),
                                      alone.begin() + static_cast<std::ptrdiff_t>(actions),
                                      logits.begin() + static_cast<std::ptrdiff_t>(row * actions));
            }
        }
        if (policy->GetNetwork()->IsRowIndependent())
        {
            EXPECT_EQ(differ, 0);
        }
    }
}

TEST(AgentPolicy, AnotherStreamIsAnotherUntrainedNetwork)
{
    const auto problem = CreateObject<ToyProblem>(9);
    auto policy = CreateObjectWithAttributes<AgentPolicy>("Untrained", StringValue("Mlp"));
    const auto parametersAt = [&](int64_t stream)
    {
        policy->AssignStreams(stream);
        policy->Decide(*problem);
        return policy->GetNetwork()->parameters().front().detach().clone();
    };
    const auto first = parametersAt(1);
    EXPECT_FALSE(torch::equal(first, parametersAt(2)));
    EXPECT_TRUE(torch::equal(first, parametersAt(1)));
}

TEST(AgentPolicy, DecidesAloneWhatItCannotDecideTogether)
{
    // Networks that differ, and problems of other sizes.
    EXPECT_EQ(CreateObjectWithAttributes<AgentPolicy>("Untrained", StringValue("Mlp"))->GetBatch(),
              1U);
    const TemporaryPath file("checkpoint");
    Save(file.path, "Scorer", ToyProblem(9));
    std::vector<Episode> episodes(2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        episodes[i].problem = CreateObject<ToyProblem>(9 + i);
        episodes[i].policy = MakePolicy(file.path);
        episodes[i].policy->Configure(*episodes[i].problem);
        episodes[i].waits = true;
    }
    episodes[0].policy->DecideAll(episodes);
    for (const auto& episode : episodes)
    {
        EXPECT_EQ(episode.action, episode.policy->Decide(*episode.problem));
    }
}

TEST(AgentPolicy, RefusesProblemsOfAnotherSize)
{
    auto policy = CreateObject<AgentPolicy>();
    policy->SetNetwork(Make("Mlp", ToyProblem()));
    policy->Decide(ToyProblem());
    EXPECT_REFUSAL(policy->Decide(ToyProblem(7)), "built for");
}

TEST(AgentPolicy, FollowsParametersThatChange)
{
    ToyProblem problem;
    const auto network = Make("Mlp", problem);
    auto policy = CreateObject<AgentPolicy>();
    policy->SetAttribute("UseMask", BooleanValue(false));
    torch::NoGradGuard noGradient;
    for (uint32_t action : {4U, 2U, 5U})
    {
        network->named_parameters()["policy.10.bias"].zero_()[action] = 100.0F;
        policy->SetNetwork(network);
        EXPECT_EQ(policy->Decide(problem), action);
    }
}

TEST(AgentPolicy, RefusesLogitsThatAreNotFinite)
{
    // Finite parameters whose products overflow.
    ToyProblem problem;
    const TemporaryPath file("checkpoint");
    const auto network = Make("Mlp[activation=Relu]", problem);
    {
        torch::NoGradGuard noGradient;
        for (auto& parameter : network->parameters())
        {
            parameter.fill_(1e30F);
        }
    }
    Checkpoint::Save(file.path, *network, ObservationForm::Of(problem), {});
    for (const bool greedy : {true, false})
    {
        EXPECT_REFUSAL(MakePolicy(file.path, greedy)->Decide(problem), file.path + ": ");
    }
}

TEST(AgentPolicy, DecidesByTorchScript)
{
    // One module returns the first half of an observation as logits, one the second half in a
    // tuple.
    for (const uint32_t half : {0U, 1U})
    {
        const auto path =
            std::string("test/data") + (half ? "/second-half-tuple.pt" : "/first-half.pt");
        auto policy = MakePolicy(path);
        ToyProblem problem;
        policy->Configure(problem);
        for (int i = 0; i < 50; ++i)
        {
            const auto x = ObservationOf(problem);
            const auto mask = MaskOf(problem);
            uint32_t expected = 0;
            for (uint32_t a = 0; a < 6; ++a)
            {
                expected = mask[a] && x[6 * half + a] > x[6 * half + expected] ? a : expected;
            }
            EXPECT_EQ(policy->Decide(problem), expected);
            problem.Act(0);
        }
        EXPECT_EQ(policy->GetNDecisions(), 50U);
        ToyProblem larger(7);
        EXPECT_REFUSAL(MakePolicy(path)->Decide(larger), "gives 6 logits");
    }
}

TEST(AgentPolicy, RefusesTorchScriptThatGivesNoLogits)
{
    const TemporaryPath file("module");
    ToyProblem problem;
    for (const auto& [body, message] : std::vector<std::pair<std::string, std::string>>{
             {"return ()", "does not map"},
             {"return (1, x)", "does not map"},
             {"return 'logits'", "does not map"},
             {"return x[:, 0:5]", "gives 5 logits"},
             {"return x[:, 0:6] / 0.0 * 0.0", "not finite"},
             {"return x.view(5, 7)", "does not map"},
             {"assert False", "does not map"}})
    {
        torch::jit::Module module("M");
        module.define("def forward(self, x):\n    " + body + "\n");
        module.save(file.path);
        const auto error = GetRefusal([&] { MakePolicy(file.path)->Decide(problem); });
        EXPECT_TRUE(Has(error, file.path + ": ")) << body;
        EXPECT_TRUE(Has(error, message)) << body;
    }
    torch::jit::Module module("M");
    module.define("def backward(self, x):\n    return x\n");
    module.save(file.path);
    EXPECT_REFUSAL(MakePolicy(file.path)->Decide(problem), "without a method forward");
    WriteFile(file.path, "not a module");
    EXPECT_REFUSAL(MakePolicy(file.path)->Decide(problem), "not an odcn checkpoint");
}
