// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

namespace ns3::odcn
{

namespace
{

/**
 * The graph network of the NARA paper (Shabka and Zervas), for observations that are graphs:
 * message layers compute an embedding of every node, and one small network scores each candidate.
 *
 * A layer (Eqs. 1 and 3) sends from a node to each neighbour max(0, W [its embedding, features of
 * the link] + b), and to the node itself the same with link features of 0; the new embedding is the
 * mean of the messages received. The first embeddings are the node features; the last are scaled to
 * length 1.
 *
 * DNN_1 maps the global features to some numbers; DNN_2 maps these, the mean embedding of the nodes
 * chosen already (0 without any) and the embedding of a candidate to its logit. The value has its
 * own message layers, followed by a stack on the global features, the mean embedding of the
 * candidates and that of the chosen nodes.
 *
 * With inputs=relative a node's features are followed by their position among the candidates: from
 * the minimum (0) to the maximum (1) of each feature; 0 for other nodes and if all are equal.
 * Features that differ little between servers, such as shares of a large request, are otherwise
 * hard to distinguish.
 *
 * No parameter depends on the size of the graph.
 *
 * Embeddings are stored as [nodes, n, units]: sums over neighbours are then products of one sparse
 * matrix with long rows, for all observations at once.
 */
class GraphSage : public PolicyNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        std::string inputs{"own"};            //!< Of a node: "own" features, or also "relative"
        int64_t layers{3};                    //!< Message layers: number of hops a node can see
        int64_t units{16};                    //!< Units of an embedding
        std::vector<int64_t> globals{8, 8};   //!< Layers of DNN_1, its outputs last
        std::vector<int64_t> hidden{32};      //!< Hidden layers of DNN_2
        std::vector<int64_t> valueHidden{64}; //!< Hidden layers of the value's stack
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options,
                                                    inputs,
                                                    layers,
                                                    units,
                                                    globals,
                                                    hidden,
                                                    valueHidden)
    };

    GraphSage(const ProblemShape& shape, const Options& options)
        : m_graph(shape.graph),
          m_relative(options.inputs == "relative"),
          m_units(options.units)
    {
        if (!m_graph || m_graph->nodeFeatures == 0 || m_graph->globals == 0)
        {
            throw OdcnError("GraphSage needs observations that are graphs, with features of nodes "
                            "and global features");
        }
        if (!m_relative && options.inputs != "own")
        {
            throw OdcnError::InOption("inputs", options.inputs, "own or relative");
        }
        if (options.layers < 1 || options.layers > MAX_NETWORK_LAYERS)
        {
            throw OdcnError::InOption("layers",
                                      std::to_string(options.layers),
                                      "from 1 to " + std::to_string(MAX_NETWORK_LAYERS));
        }
        if (options.globals.empty())
        {
            throw OdcnError::InOption("globals", "", "the units of at least one layer");
        }
        auto globalHidden = options.globals;
        const int64_t globalOutputs = globalHidden.back();
        globalHidden.pop_back();
        m_policyMessages = MakeMessages("policyMessages", options);
        m_globals =
            register_module("globals",
                            MakeStack(m_graph->globals, globalHidden, globalOutputs, "Relu"));
        m_policy =
            register_module("policy",
                            MakeStack(globalOutputs + 2 * m_units, options.hidden, 1, "Relu"));
        m_valueMessages = MakeMessages("valueMessages", options);
        m_value = register_module(
            "value",
            MakeStack(m_graph->globals + 2 * m_units, options.valueHidden, 1, "Relu"));
        BuildIndices();
    }

    /// An observation is as many rows of the products as it has nodes (see DenseNetwork).
    bool IsRowIndependent() const override
    {
        return false;
    }

    PolicyOutput forward(torch::Tensor observations) override
    {
        const Input input = Read(observations);
        const auto nodes = Embed(*m_valueMessages, input);
        const auto pooled = torch::cat({input.globals,
                                        nodes.index_select(0, m_candidates).mean(0),
                                        MeanOfChosen(input, nodes)},
                                       1);
        return {Score(input), m_value->forward(pooled).flatten()};
    }

    torch::Tensor GetLogits(torch::Tensor observations) override
    {
        return Score(Read(observations));
    }

  private:
    /// The parts of observations.
    struct Input
    {
        torch::Tensor nodes;   //!< [nodes, n, inputs]
        torch::Tensor links;   //!< [links x n, features]
        torch::Tensor globals; //!< [n, features]
        torch::Tensor chosen;  //!< [nodes, n, 1], 1 or 0; undefined without such a feature
    };

    /// @param name of the layers  @param options of the network  @return message layers
    torch::nn::ModuleList MakeMessages(const std::string& name, const Options& options)
    {
        torch::nn::ModuleList layers;
        int64_t inputs = (m_relative ? 2 : 1) * int64_t{m_graph->nodeFeatures};
        for (int64_t k = 0; k < options.layers; ++k)
        {
            // MakeStack() without hidden layers makes one linear layer.
            layers->push_back(
                MakeStack(inputs + m_graph->linkFeatures, {}, m_units, "Relu")->ptr(0));
            inputs = m_units;
        }
        return register_module(name, layers);
    }

    /**
     * Messages are numbered: first that of each node to itself, then one for each entry of the
     * neighbour lists. m_send, [messages, nodes + links], adds the parts of sender and link;
     * m_mean, [nodes, messages], takes the mean of the messages received.
     */
    void BuildIndices()
    {
        const int64_t nodes = m_graph->nodes;
        const auto messages = static_cast<int64_t>(nodes + m_graph->neighbours.size());
        std::vector<int64_t> sendRows;
        std::vector<int64_t> sendColumns;
        std::vector<int64_t> meanRows;
        std::vector<int64_t> meanColumns;
        std::vector<float> meanValues;
        for (int64_t v = 0; v < nodes; ++v)
        {
            const uint32_t begin = m_graph->offsets[v];
            const uint32_t end = m_graph->offsets[v + 1];
            const float share = 1.0F / static_cast<float>(1 + end - begin);
            sendRows.push_back(v);
            sendColumns.push_back(v);
            meanRows.push_back(v);
            meanColumns.push_back(v);
            meanValues.push_back(share);
            for (uint32_t k = begin; k < end; ++k)
            {
                sendRows.insert(sendRows.end(), 2, nodes + k);
                sendColumns.push_back(m_graph->neighbours[k]);
                sendColumns.push_back(nodes + m_graph->linkOf[k]);
                meanRows.push_back(v);
                meanColumns.push_back(nodes + k);
                meanValues.push_back(share);
            }
        }
        const auto sparse = [](const std::vector<int64_t>& rows,
                               const std::vector<int64_t>& columns,
                               const torch::Tensor& values,
                               std::vector<int64_t> sizes)
        {
            const auto indices = torch::stack({torch::tensor(rows), torch::tensor(columns)});
            return torch::sparse_coo_tensor(indices, values, sizes).coalesce();
        };
        const auto ones = torch::ones({static_cast<int64_t>(sendRows.size())});
        m_send = sparse(sendRows, sendColumns, ones, {messages, nodes + m_graph->links});
        m_mean = sparse(meanRows, meanColumns, torch::tensor(meanValues), {nodes, messages});
        m_candidates = torch::tensor(
            std::vector<int64_t>(m_graph->candidates.begin(), m_graph->candidates.end()));
    }

    /// @param observations [n, size]  @return their parts
    Input Read(const torch::Tensor& observations) const
    {
        const int64_t n = observations.size(0);
        const auto x = observations.reshape({n, -1});
        const int64_t nodes = m_graph->nodes;
        const int64_t features = m_graph->nodeFeatures;
        const int64_t links = m_graph->links;
        const int64_t linkFeatures = m_graph->linkFeatures;
        Input input;
        input.nodes = x.slice(1, 0, nodes * features).reshape({n, nodes, features}).transpose(0, 1);
        input.links = x.slice(1, nodes * features, nodes * features + links * linkFeatures)
                          .reshape({n, links, linkFeatures})
                          .transpose(0, 1)
                          .reshape({links * n, linkFeatures});
        input.globals = x.slice(1, nodes * features + links * linkFeatures);
        if (m_graph->chosenFeature != GraphObservation::NO_FEATURE)
        {
            input.chosen = input.nodes.slice(2, m_graph->chosenFeature, m_graph->chosenFeature + 1)
                               .gt(0.5)
                               .to(torch::kFloat32);
        }
        if (m_relative)
        {
            const auto own = input.nodes.index_select(0, m_candidates);
            const auto minimum = own.amin(0, true);
            const auto range = own.amax(0, true) - minimum;
            const auto position = torch::where(range > 0, (own - minimum) / range, 0.0F);
            const auto relative =
                torch::zeros_like(input.nodes).index_copy(0, m_candidates, position);
            input.nodes = torch::cat({input.nodes, relative}, 2);
        }
        return input;
    }

    /// @param layers of messages  @param input observations  @return embeddings [nodes, n, units]
    torch::Tensor Embed(const torch::nn::ModuleListImpl& layers, const Input& input) const
    {
        const int64_t n = input.globals.size(0);
        auto h = input.nodes;
        for (const auto& module : layers)
        {
            const auto& layer = *module->as<torch::nn::Linear>();
            const int64_t inputs = h.size(2);
            // W [h, e] + b = (W h + b) + W e: neither part is computed for each message.
            const auto fromNodes = torch::addmm(layer.bias,
                                                h.reshape({-1, inputs}),
                                                layer.weight.slice(1, 0, inputs).t());
            const auto fromLinks = input.links.mm(layer.weight.slice(1, inputs).t());
            const auto parts = torch::cat({fromNodes, fromLinks}).view({-1, n * m_units});
            h = m_mean.mm(m_send.mm(parts).relu()).view({-1, n, m_units});
        }
        // The small term avoids a division by 0 if all messages to a node are 0.
        return h * (h * h).sum(2, true).add(1e-12).rsqrt();
    }

    /// @param input observations  @param nodes embeddings  @return [n, units]
    torch::Tensor MeanOfChosen(const Input& input, const torch::Tensor& nodes) const
    {
        if (!input.chosen.defined())
        {
            return torch::zeros({nodes.size(1), m_units});
        }
        return (nodes * input.chosen).sum(0) / input.chosen.sum(0).clamp_min(1.0);
    }

    /// @param input observations  @return logits [n, candidates]
    torch::Tensor Score(const Input& input)
    {
        const auto nodes = Embed(*m_policyMessages, input);
        const auto shared =
            torch::cat({m_globals->forward(input.globals), MeanOfChosen(input, nodes)}, 1);
        const auto candidates = nodes.index_select(0, m_candidates);
        const auto rows =
            torch::cat({shared.unsqueeze(0).expand({candidates.size(0), -1, -1}), candidates}, 2);
        return m_policy->forward(rows).squeeze(2).t().contiguous();
    }

    std::shared_ptr<const GraphObservation> m_graph; //!< Graph of every observation
    bool m_relative;                                 //!< Whether inputs=relative
    int64_t m_units;                                 //!< Units of an embedding
    torch::nn::ModuleList m_policyMessages{nullptr}; //!< Embeddings for DNN_2
    torch::nn::Sequential m_globals{nullptr};        //!< DNN_1
    torch::nn::Sequential m_policy{nullptr};         //!< DNN_2
    torch::nn::ModuleList m_valueMessages{nullptr};  //!< Embeddings for the value
    torch::nn::Sequential m_value{nullptr};          //!< The value's stack
    torch::Tensor m_send;                            //!< See BuildIndices()
    torch::Tensor m_mean;                            //!< See BuildIndices()
    torch::Tensor m_candidates;                      //!< Node of each action
};

ODCN_REGISTER_NETWORK(GraphSage)

} // namespace

} // namespace ns3::odcn
