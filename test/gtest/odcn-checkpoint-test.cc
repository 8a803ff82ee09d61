// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Files of networks: what they keep, what is refused, and the policy that decides by them.
 */

#include "../../model/agent/odcn-archive.h"
#include "odcn-graph-toy.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <sys/resource.h>
#include <torch/script.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A toy that is seen as a graph or as an image, where a network needs that.
class ShapedToy : public OdcnToyProblem
{
  public:
    explicit ShapedToy(const std::string& words, uint32_t actions = 16)
        : OdcnToyProblem(actions),
          m_image(words.find("Cnn") == 0)
    {
        if (words.find("Graph") == 0)
        {
            m_graph = std::make_unique<OdcnGraphObservation>(OdcnToyTree(4, actions / 4, 2));
        }
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return m_graph   ? std::vector<uint32_t>{m_graph->GetSize()}
               : m_image ? std::vector<uint32_t>{2, GetNActions() / 4, 4}
                         : OdcnToyProblem::GetObservationShape();
    }

    const OdcnGraphObservation* GetGraph() const override
    {
        return m_graph.get();
    }

  private:
    bool m_image;                                  //!< Whether it is seen as an image
    std::unique_ptr<OdcnGraphObservation> m_graph; //!< Null unless it is seen as a graph
};

/// @param words of a network  @param problem that it is for  @return with random parameters
std::shared_ptr<PolicyNetwork>
Make(const std::string& words, const OdcnDecisionProblem& problem, uint64_t seed = 3)
{
    return PolicyNetwork::Create(words, ProblemShape(problem), seed);
}

/// Save a network that was trained on a problem.
void
Save(const std::string& path,
     const std::string& words,
     const OdcnDecisionProblem& problem,
     uint64_t seed = 3)
{
    Checkpoint::Save(path,
                     *Make(words, problem, seed),
                     ObservationForm::Of(problem),
                     {{"command", "train --load=66 \xff"}, {"seed", "3"}});
}

/// @param body what throws an OdcnError of one line  @return its text
template <typename F>
std::string
GetError(F body)
{
    try
    {
        body();
    }
    catch (const OdcnError& error)
    {
        const std::string text = error.what();
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        return text;
    }
    return "nothing was thrown";
}

/// @param text any  @param part of it  @return whether it is
testing::AssertionResult
Has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

/// @return a policy by a file
Ptr<AgentPolicy>
MakePolicy(const std::string& path, bool greedy = true, bool mask = true)
{
    auto policy = CreateObject<AgentPolicy>();
    policy->SetAttribute("Checkpoint", StringValue(path));
    policy->SetAttribute("Greedy", BooleanValue(greedy));
    policy->SetAttribute("UseMask", BooleanValue(mask));
    return policy;
}

/// @return of a file of a network by itself
std::shared_ptr<PolicyNetwork>
Load(const std::string& path, const OdcnDecisionProblem& problem)
{
    return Checkpoint::Load(path, problem);
}

/// A ZIP file taken apart, to be changed and put together with correct checksums.
class Zip
{
  public:
    explicit Zip(const std::string& bytes)
    {
        // The directory is where the last 22 bytes say.
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

    /// Replace the first occurrence in an entry.
    Zip& Replace(const std::string& name, const std::string& from, const std::string& to)
    {
        auto data = Get(name);
        const auto at = data.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return Set(name, data.replace(at, from.size(), to));
    }

    Zip& Remove(const std::string& name)
    {
        m_entries.erase(m_entries.begin() + (Find(name) - m_entries.data()));
        return *this;
    }

    /// Say that an entry is compressed, to a size.
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
        for (const auto& e : m_entries)
        {
            const std::string sizes = Bytes(e.crc, 4) + Bytes(e.data.size(), 4) + Bytes(e.size, 4);
            const std::string head = Bytes(0, 2) + Bytes(e.method, 2) + Bytes(0, 4) + sizes +
                                     Bytes(e.name.size(), 2) + Bytes(0, 2);
            directory += std::string("PK\1\2") + Bytes(0, 4) + head + Bytes(0, 10) +
                         Bytes(out.size(), 4) + e.name;
            out += std::string("PK\3\4") + Bytes(0, 2) + head + e.name + e.data;
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

/// @param text  @param n how often  @return repeated
std::string
Repeat(const std::string& text, std::size_t n)
{
    std::string out;
    while (n-- > 0)
    {
        out += text;
    }
    return out;
}

/// A checkpoint of a small network, and what is made of it.
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

    /// @param bytes of a file  @return the error that loading it gives
    std::string Refuse(const std::string& bytes)
    {
        WriteFile(m_file.path, bytes);
        return GetError([&] { Load(m_file.path, m_problem); });
    }

    /// @param pickle in the place of the archive's own  @return the error
    std::string RefusePickle(const std::string& pickle)
    {
        return Refuse(Zip(m_bytes).Set("data.pkl", pickle).Join());
    }

    /// @param from a part of the pickle  @param to what replaces it  @return the error
    std::string RefuseChange(const std::string& from, const std::string& to)
    {
        return Refuse(Zip(m_bytes).Replace("data.pkl", from, to).Join());
    }

    /// @param change of the JSON text  @return the error
    template <typename F>
    std::string RefuseText(F change)
    {
        const auto pickle = Zip(m_bytes).Get("data.pkl");
        const auto begin = pickle.find("{\n \"format\"");
        const auto end = pickle.rfind('}') + 1;
        auto json = nlohmann::ordered_json::parse(pickle.substr(begin, end - begin));
        change(json);
        return RefuseRawText(json.dump());
    }

    /// @param text in the place of the JSON text  @return the error
    std::string RefuseRawText(const std::string& text)
    {
        auto pickle = Zip(m_bytes).Get("data.pkl");
        const auto begin = pickle.find("{\n \"format\"");
        const auto end = pickle.rfind('}') + 1;
        std::string size;
        for (int i = 0; i < 4; ++i)
        {
            size += static_cast<char>(text.size() >> (8 * i));
        }
        pickle.replace(begin - 4, end - begin + 4, size + text);
        return RefusePickle(pickle);
    }

    /// @param bytes of a file  @return the network, as far as parameters go; null where refused
    std::shared_ptr<PolicyNetwork> Unpack(const std::string& bytes)
    {
        auto network = Make("Mlp[layers=1|units=8]", m_problem, 4);
        const auto error = GetError(
            [&]
            {
                auto archive = UnpackArchive(bytes, "f");
                ReadParameters(archive, *network, "f");
            });
        return error == "nothing was thrown" ? network : nullptr;
    }

    /// @param random generator  @param n how many  @return bytes
    static std::string Random(std::mt19937& random, std::size_t n)
    {
        std::string bytes(n, '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random()); });
        return bytes;
    }

    OdcnToyProblem m_problem{4};
    TemporaryPath m_file{"hostile-archive"};
    std::string m_bytes;
};

} // namespace

class CheckpointOf : public testing::TestWithParam<const char*>
{
};

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
    // Bytes that are no UTF-8 are replaced.
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
    // The same again is the same file, byte for byte.
    const auto bytes = ReadFile(file.path);
    Save(file.path, GetParam(), problem);
    EXPECT_EQ(ReadFile(file.path), bytes);
    Checkpoint::Save(file.path, *again, read.form, read.provenance);
    EXPECT_EQ(ReadFile(file.path), bytes);
}

INSTANTIATE_TEST_SUITE_P(Agent,
                         CheckpointOf,
                         testing::Values("Mlp",
                                         "Mlp[layers=2|units=37|activation=Tanh]",
                                         "Mlp[layers=0]",
                                         "Cnn[layers=Conv3-5,AvgPool2]",
                                         "Cnn[layers=Conv5-16,MaxPool3|hidden=|value=shared]",
                                         "Cnn[layers=|hidden=33,21|hiddenActivation=Relu]",
                                         "Scorer",
                                         "Scorer[hidden=24|valueHidden=]",
                                         "Scorer[inputs=own|hidden=24]",
                                         "Scorer[inputs=own|hidden=|valueHidden=]",
                                         "Attention",
                                         "GraphSage"));

TEST(Checkpoint, ServesOtherNumbersOfRacks)
{
    const TemporaryPath file("checkpoint");
    Save(file.path, "Scorer", OdcnToyProblem(16));
    auto changing = MakePolicy(file.path);
    for (uint32_t racks : {2U, 16U, 64U})
    {
        OdcnToyProblem problem(racks);
        auto policy = MakePolicy(file.path);
        EXPECT_LT(policy->Decide(problem), racks);
        EXPECT_EQ(policy->GetNetwork()->GetShape().actions, racks);
        EXPECT_EQ(changing->Decide(problem), policy->Decide(problem));
    }
}

TEST(Checkpoint, NamesBothSizes)
{
    const TemporaryPath file("checkpoint");
    Save(file.path, "Mlp", OdcnToyProblem(16));
    OdcnToyProblem problem(32);
    EXPECT_EQ(GetError([&] { MakePolicy(file.path)->Decide(problem); }),
              file.path + ": trained for observations of 32 and 16 actions, the problem has 64 "
                          "and 32 actions");
    // The same for a policy that has decided problems of the right size, which it still can.
    OdcnToyProblem right(16);
    auto policy = MakePolicy(file.path);
    const auto action = policy->Decide(right);
    EXPECT_TRUE(Has(GetError([&] { policy->Decide(problem); }), "16 actions"));
    EXPECT_EQ(policy->Decide(right), action);
}

TEST(Checkpoint, ConfiguresItsProblem)
{
    const TemporaryPath file("checkpoint");
    const OdcnToyProblem toy(4);
    ObservationForm form = ObservationForm::Of(toy);
    form.problem = "ns3::odcn::OdcnScheduling";
    form.attributes = {{"State", "Placement"}};
    Checkpoint::Save(file.path, *Make("Scorer", toy), form, {});
    auto problem = CreateObject<OdcnScheduling>();
    MakePolicy(file.path)->Configure(*problem);
    StringValue state;
    problem->GetAttribute("State", state);
    EXPECT_EQ(state.Get(), "Placement");
    OdcnToyProblem other;
    EXPECT_TRUE(Has(GetError([&] { MakePolicy(file.path)->Configure(other); }),
                    file.path + ": trained for ns3::odcn::OdcnScheduling"));
}

TEST(Checkpoint, RefusesParametersThatAreNotFinite)
{
    const TemporaryPath file("checkpoint");
    const OdcnToyProblem problem(4);
    Save(file.path, "Mlp", problem);
    const auto before = ReadFile(file.path);
    for (const float x :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()})
    {
        const auto network = Make("Mlp", problem);
        torch::NoGradGuard noGradient;
        network->named_parameters()["value.2.bias"][5] = x;
        EXPECT_EQ(
            GetError([&]
                     { Checkpoint::Save(file.path, *network, ObservationForm::Of(problem), {}); }),
            file.path + ": parameter value.2.bias is not finite");
        EXPECT_EQ(ReadFile(file.path), before);
        auto zip = Zip(before);
        std::string data = zip.Get("data/1");
        std::memcpy(data.data(), &x, sizeof(x));
        WriteFile(file.path, zip.Set("data/1", data).Join());
        EXPECT_EQ(GetError([&] { Load(file.path, problem); }),
                  file.path + ": parameter policy.0.bias is not finite");
        WriteFile(file.path, before);
    }
}

TEST(Checkpoint, LeavesTheOldFileWhereItCannotWrite)
{
    const OdcnToyProblem problem;
    EXPECT_THROW(Save(testing::TempDir() + "no/such/folder/file", "Mlp", problem), OdcnError);
    const TemporaryPath file("checkpoint");
    WriteFile(file.path, "before");
    EXPECT_TRUE(Has(GetError(
                        [&]
                        {
                            Checkpoint::Save(file.path,
                                             *Make("Mlp", problem),
                                             ObservationForm::Of(problem),
                                             {{"command", std::string(70000, 'x')}});
                        }),
                    "64 KiB"));
    EXPECT_EQ(ReadFile(file.path), "before");
}

TEST(Checkpoint, RefusesOtherNetworks)
{
    const TemporaryPath file("checkpoint");
    const OdcnToyProblem problem;
    auto network = Make("Mlp", problem);
    torch::serialize::OutputArchive archive;
    WriteParameters(archive, *network);
    const auto bytes = PackArchive(archive);
    const auto read = [&](const std::string& words)
    {
        auto input = UnpackArchive(bytes, "f");
        return GetError([&] { ReadParameters(input, *Make(words, problem), "f"); });
    };
    EXPECT_EQ(read("Mlp"), "nothing was thrown");
    EXPECT_EQ(read("Mlp[units=64]"),
              "f: parameter policy.0.weight: found float [128, 12], expected float [64, 12]");
    EXPECT_EQ(read("Mlp[layers=6]"),
              "f: parameter policy.10.weight: found float [6, 128], expected float [128, 128]");
    EXPECT_EQ(read("Mlp[layers=0]"),
              "f: parameter policy.0.weight: found float [128, 12], expected float [6, 12]");
    torch::serialize::OutputArchive more;
    WriteParameters(more, *network);
    more.write("extra", torch::zeros({1}));
    auto input = UnpackArchive(PackArchive(more), "f");
    EXPECT_EQ(GetError([&] { ReadParameters(input, *network, "f"); }),
              "f: parameter extra, which the network has not");
}

TEST_F(HostileArchive, CutAtAnyLength)
{
    for (std::size_t size = 0; size < m_bytes.size(); size += size < 300 ? 1 : 41)
    {
        const auto error = GetError([&] { UnpackArchive(m_bytes.substr(0, size), "f"); });
        ASSERT_TRUE(Has(error, size == 0 ? "f: not an odcn checkpoint" : "f: the archive is cut"))
            << size;
    }
    EXPECT_TRUE(Has(Refuse(m_bytes + "x"), "cut short"));
    EXPECT_TRUE(Has(Refuse(m_bytes + m_bytes), "damaged"));
    EXPECT_TRUE(Has(Refuse("job,arrival\n1,2\n"), m_file.path + ": not an odcn checkpoint"));
    EXPECT_TRUE(Has(Refuse("ODCN-NN\n\1"), "first odcn format"));
    EXPECT_TRUE(Has(GetError([&] { MakePolicy("")->Decide(m_problem); }), "names no file"));
    EXPECT_TRUE(
        Has(GetError([&] { MakePolicy("/no/file")->Decide(m_problem); }), "cannot be read"));
    EXPECT_TRUE(Has(GetError([&] { MakePolicy(testing::TempDir())->Decide(m_problem); }),
                    "cannot be read"));
    EXPECT_TRUE(Has(GetError([&] { MakePolicy("/dev/zero")->Decide(m_problem); }), "512 MiB"));
}

TEST_F(HostileArchive, AnyByteChanged)
{
    // Either it is refused, or nothing that counts was changed.
    const auto network = Load(m_file.path, m_problem);
    std::mt19937 random(1);
    int refused = 0;
    for (int trial = 0; trial < 3000; ++trial)
    {
        auto bytes = m_bytes;
        for (auto n = 1 + random() % 3; n > 0; --n)
        {
            // Half of the time in the directory at the end, four bytes now and then.
            const auto range = random() % 2 ? bytes.size() : bytes.size() / 8;
            const auto at = bytes.size() - 4 - random() % (range - 4);
            bytes.replace(at, random() % 4 ? 1 : 4, Random(random, random() % 4 ? 1 : 4));
            bytes.resize(m_bytes.size());
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
    EXPECT_GT(refused, 2500);
}

TEST_F(HostileArchive, PickleChangedWithItsChecksum)
{
    // Instructions of pickles, so that many changes get far.
    const std::string codes("\x80.()\x85\x86\x87t]}aesuN\x88\x89KMJ\x8aGXcqrhjQR\x81"
                            "b");
    const Zip zip(m_bytes);
    std::mt19937 random(2);
    int refused = 0;
    for (int trial = 0; trial < 3000; ++trial)
    {
        auto pickle = zip.Get("data.pkl");
        for (auto n = 1 + random() % 3; n > 0; --n)
        {
            const auto at = random() % pickle.size();
            switch (random() % 4)
            {
            case 0:
                pickle[at] = static_cast<char>(pickle[at] ^ (1 << random() % 8));
                break;
            case 1:
                pickle[at] = codes[random() % codes.size()];
                break;
            case 2:
                pickle.erase(at, 1 + random() % 8);
                break;
            default:
                pickle.insert(at, pickle.substr(random() % pickle.size(), random() % 20));
                break;
            }
        }
        refused += Unpack(Zip(m_bytes).Set("data.pkl", pickle).Join()) ? 0 : 1;
    }
    EXPECT_GT(refused, 1500);
    EXPECT_LT(refused, 3000);
}

TEST_F(HostileArchive, SourceChangedWithItsChecksum)
{
    const std::string name = "code/__torch__.py";
    const auto original = Zip(m_bytes).Get(name);
    ASSERT_TRUE(Has(original, "class Module(Module):"));
    std::mt19937 random(3);
    int refused = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        auto source = original;
        for (auto n = 1 + random() % 3; n > 0; --n)
        {
            const auto at = random() % source.size();
            if (random() % 2)
            {
                source[at] = "=:[]()., \n\"x0"[random() % 13];
            }
            else
            {
                source.erase(at, 1 + random() % 8);
            }
        }
        refused += Unpack(Zip(m_bytes).Set(name, source).Join()) ? 0 : 1;
    }
    EXPECT_GT(refused, 800);
}

TEST_F(HostileArchive, ForgedSizes)
{
    EXPECT_EQ(Refuse(Zip(m_bytes).Join()), "nothing was thrown");
    // The first tensor has 8 x 8 numbers: (8, 8) with strides (8, 1) in a storage of 64.
    const std::string big("\x8a\x08\0\0\0\0\0\0\0\x40", 10);
    for (const auto& n : {std::string("K\x41"), std::string("J\xff\xff\xff\x7f"), big})
    {
        EXPECT_TRUE(Has(RefuseChange("K\x40t", n + "t"), "size of a storage"));
    }
    for (const auto& sizes : {std::string("K\x09K\x08"), big + big, "K\x08" + big})
    {
        EXPECT_TRUE(Has(RefuseChange("(K\x08K\x08t", "(" + sizes + "t"), "exceeds its storage"));
    }
    EXPECT_TRUE(Has(RefuseChange("(K\x08K\x01t", "(K\x09K\x01t"), "exceeds its storage"));
    EXPECT_TRUE(
        Has(RefuseChange("(K\x08K\x08t", std::string("(J\xff\xff\xff\xffK\x08t")), "sizes"));
    EXPECT_TRUE(Has(RefuseChange("(K\x08K\x08t", "(K\x04K\x08t"), "expected float [8, 8]"));
    for (const std::string type : {"Double", "Byte", "Long", "ComplexDouble", "QUInt8", "Untyped"})
    {
        EXPECT_TRUE(Has(RefuseChange("FloatStorage", type + "Storage"), "storage")) << type;
    }
    EXPECT_TRUE(Has(RefuseChange(std::string("\3\0\0\0cpu", 7), std::string("\4\0\0\0meta", 8)),
                    "not on the CPU"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Remove("data/0").Join()), "size of a storage"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Set("data/0", "").Join()), "size of a storage"));
    // Two entries that would grow when unpacked, and one that is too large to begin with.
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Compress("data/0", 1U << 31).Join()), "data/0"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Compress("data.pkl", 1U << 31).Join()), "data.pkl"));
    EXPECT_TRUE(
        Has(Refuse(Zip(m_bytes).Set("code/a.py", "x").Compress("code/a.py", 1U << 31).Join()),
            "code/a.py"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Set("data.PKL", "").Join()), "names of its entries"));
    EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Set("model.json", "{}").Join()), "before 1.0"));
}

TEST_F(HostileArchive, DeepNesting)
{
    const std::string begin("\x80\x02");
    const std::size_t n = 1000000;
    EXPECT_TRUE(Has(RefusePickle(begin + ")" + Repeat("\x85", n) + "."), "too deeply"));
    EXPECT_TRUE(Has(RefusePickle(begin + Repeat("]", n / 2) + Repeat("a", n / 2) + "."), "deeply"));
    EXPECT_TRUE(Has(RefusePickle(begin + Repeat("(", n) + Repeat("t", n) + "."), "too deeply"));
    EXPECT_TRUE(Has(RefusePickle(begin + "(" + Repeat("]", 2 * n) + "t."), "too many objects"));
    EXPECT_TRUE(Has(RefusePickle(begin + "X\xff\xff\xff\xff."), "length"));
    EXPECT_TRUE(Has(RefusePickle(begin + ")r\xff\xff\xff\xff."), "memo"));
    // A list in itself, and one that would be written out 2^60 times.
    EXPECT_TRUE(Has(RefusePickle(begin + std::string("]q\0h\0a.", 7)), "memo"));
    std::string doubling = begin + std::string(")q\0", 3);
    for (char k = 0; k < 60; ++k)
    {
        const std::string get{'h', k};
        doubling += get + get + "\x86q" + static_cast<char>(k + 1);
    }
    EXPECT_TRUE(Has(RefusePickle(doubling + "."), "too many objects"));
    const auto source = Zip(m_bytes).Get("code/__torch__.py");
    for (const auto& more : {"  x : " + Repeat("List[", 20000) + Repeat("]", 20000) + "\n",
                             "  x : int = " + Repeat("(", 20000) + "\n",
                             "  x : int = " + Repeat("-", 20000) + "1\n",
                             "  x : a" + Repeat(".a", 20000) + "\n"})
    {
        EXPECT_TRUE(Has(Refuse(Zip(m_bytes).Set("code/__torch__.py", source + more).Join()),
                        "nested too deeply"));
    }
    EXPECT_TRUE(Has(RefuseRawText(Repeat("[", 30000)), "nested too deeply"));
    EXPECT_TRUE(Has(RefuseRawText(Repeat("{\"a\":", 9000) + "1" + Repeat("}", 9000)), "deeply"));
}

TEST_F(HostileArchive, OtherDescriptions)
{
    using Json = nlohmann::ordered_json;
    EXPECT_EQ(RefuseText([](Json&) {}), "nothing was thrown");
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["format"] = "x"; }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["version"] = 3; }), "version is not 2"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j.erase("form"); }), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["form"] = 3; }), "observation form"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["provenance"]["a"] = 3; }), "not an odcn"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["network"]["name"] = "Tomorrow"; }), "Tomorrow"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["network"]["options"] = {1}; }), "no object"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["network"]["options"]["a"] = 1; }), "'a'"));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["network"]["options"]["units"] = 9; }),
                    "expected float [9"));
    EXPECT_TRUE(
        Has(RefuseText([](Json& j) { j["network"]["options"]["units"] = 1e18; }), m_file.path));
    EXPECT_TRUE(Has(RefuseText([](Json& j) { j["x"] = std::string(70000, 'x'); }), "64 KiB"));
    EXPECT_TRUE(Has(RefuseRawText(""), "not an odcn checkpoint"));
    EXPECT_TRUE(Has(RefuseRawText(std::string("\0\xff", 2)), "not an odcn checkpoint"));
    torch::serialize::OutputArchive archive;
    archive.write("x", torch::zeros({1}));
    EXPECT_TRUE(Has(Refuse(PackArchive(archive)), "without the text \"odcn\""));
    archive.write("odcn", torch::zeros({1}));
    EXPECT_TRUE(Has(Refuse(PackArchive(archive)), "no text \"odcn\""));
}

TEST_F(HostileArchive, CodeIsNotLoadedAsData)
{
    torch::jit::Module module("M");
    module.define("def forward(self, x):\n    return x[:, 0:4]\n");
    module.save(m_file.path);
    EXPECT_TRUE(Has(GetError([&] { Load(m_file.path, m_problem); }), "a TorchScript module"));
    EXPECT_LT(MakePolicy(m_file.path)->Decide(m_problem), 4U);
    const auto source = Zip(m_bytes).Get("code/__torch__.py");
    for (const std::string more : {"  def __setstate__(self, x: int) -> None:\n    return None\n",
                                   "def f() -> int:\n  return 1\n",
                                   "  x = 1\n",
                                   "  x : Final[int] = 1\n"})
    {
        EXPECT_NE(Refuse(Zip(m_bytes).Set("code/__torch__.py", source + more).Join()),
                  "nothing was thrown")
            << more;
    }
}

TEST(AgentPolicy, DecidesByItsNetwork)
{
    const TemporaryPath file("checkpoint");
    OdcnToyProblem problem;
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
    std::vector<uint8_t> mask(6);
    int differ = 0;
    int otherDiffer = 0;
    torch::NoGradGuard noGradient;
    for (int i = 0; i < 300; ++i)
    {
        auto x = torch::empty({1, 12});
        problem.Observe(x.data_ptr<float>());
        problem.Mask(mask.data());
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

TEST(AgentPolicy, FastPathDecidesTheSame)
{
    for (const std::string words : {"Mlp", "Scorer", "Scorer[inputs=own|hidden=24]"})
    {
        OdcnToyProblem problem(9);
        const TemporaryPath file("checkpoint");
        Save(file.path, words, problem);
        auto fast = MakePolicy(file.path);
        auto slow = MakePolicy(file.path);
        slow->SetAttribute("FastPath", BooleanValue(false));
        for (int i = 0; i < 300; ++i)
        {
            const auto action = fast->Decide(problem);
            EXPECT_EQ(slow->Decide(problem), action) << words;
            problem.Act(action);
        }
        EXPECT_EQ(fast->GetForwardPasses().fast, 300U);
        EXPECT_EQ(fast->GetForwardPasses().torch, 0U);
        EXPECT_EQ(slow->GetForwardPasses().fast, 0U);
        EXPECT_EQ(slow->GetForwardPasses().torch, 300U);
    }
    // No fast path for networks that are not dense.
    OdcnImageToyProblem image(9);
    auto policy = CreateObject<AgentPolicy>();
    policy->SetNetwork(Make("Cnn[layers=|hidden=]", image));
    policy->Decide(image);
    EXPECT_EQ(policy->GetForwardPasses().torch, 1U);
}

TEST(AgentPolicy, BatchDecidesAsOneByOne)
{
    auto policy = CreateObject<AgentPolicy>();
    policy->SetNetwork(Make("Mlp", OdcnToyProblem()));
    std::vector<Ptr<OdcnToyProblem>> toys;
    std::vector<const OdcnDecisionProblem*> problems;
    std::vector<uint32_t> expected;
    for (int i = 0; i < 9; ++i)
    {
        toys.push_back(CreateObject<OdcnToyProblem>());
        problems.push_back(PeekPointer(toys.back()));
        expected.push_back(policy->Decide(*toys.back()));
    }
    std::vector<uint32_t> actions;
    policy->DecideBatch(problems, actions);
    EXPECT_EQ(actions, expected);
    EXPECT_EQ(policy->GetForwardPasses().torch, 9U);
    EXPECT_EQ(policy->GetForwardPasses().fast, 9U);
    // A batch of one has no overhead to share.
    policy->DecideBatch({problems.front()}, actions);
    EXPECT_EQ(policy->GetForwardPasses().fast, 10U);
    policy->DecideBatch({}, actions);
    EXPECT_TRUE(actions.empty());
    const OdcnToyProblem larger(7);
    problems.push_back(&larger);
    EXPECT_TRUE(Has(GetError([&] { policy->DecideBatch(problems, actions); }), "differ in size"));
    EXPECT_TRUE(Has(GetError([&] { policy->Decide(larger); }), "built for"));
}

TEST(AgentPolicy, FollowsParametersThatChange)
{
    OdcnToyProblem problem;
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
    // Finite parameters whose products are not.
    OdcnToyProblem problem;
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
    for (const bool fast : {true, false})
    {
        for (const bool greedy : {true, false})
        {
            auto policy = MakePolicy(file.path, greedy);
            policy->SetAttribute("FastPath", BooleanValue(fast));
            EXPECT_TRUE(Has(GetError([&] { policy->Decide(problem); }), file.path + ": "));
        }
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
        OdcnToyProblem problem;
        policy->Configure(problem);
        std::vector<float> x(12);
        std::vector<uint8_t> mask(6);
        for (int i = 0; i < 50; ++i)
        {
            problem.Observe(x.data());
            problem.Mask(mask.data());
            uint32_t expected = 0;
            for (uint32_t a = 0; a < 6; ++a)
            {
                expected = mask[a] && x[6 * half + a] > x[6 * half + expected] ? a : expected;
            }
            EXPECT_EQ(policy->Decide(problem), expected);
            std::vector<uint32_t> actions;
            policy->DecideBatch({&problem, &problem}, actions);
            EXPECT_EQ(actions, std::vector<uint32_t>(2, expected));
            problem.Act(0);
        }
        EXPECT_EQ(policy->GetForwardPasses().torch, 150U);
        OdcnToyProblem larger(7);
        EXPECT_TRUE(Has(GetError([&] { MakePolicy(path)->Decide(larger); }),
                        path + ": the model gives 6 logits for 1 observation(s), the problem has 7 "
                               "actions"));
    }
}

TEST(AgentPolicy, RefusesTorchScriptThatGivesNoLogits)
{
    const TemporaryPath file("module");
    OdcnToyProblem problem;
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
        const auto error = GetError([&] { MakePolicy(file.path)->Decide(problem); });
        EXPECT_TRUE(Has(error, file.path + ": ")) << body;
        EXPECT_TRUE(Has(error, message)) << body;
    }
    torch::jit::Module module("M");
    module.define("def backward(self, x):\n    return x\n");
    module.save(file.path);
    EXPECT_TRUE(
        Has(GetError([&] { MakePolicy(file.path)->Decide(problem); }), "without a method forward"));
    WriteFile(file.path, "not a module");
    EXPECT_TRUE(
        Has(GetError([&] { MakePolicy(file.path)->Decide(problem); }), "not an odcn checkpoint"));
}
