// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_H
#define ODCN_NETWORK_H

#include "odcn-dense-stack.h"

#include "ns3/object.h"
#include "ns3/odcn-decision-problem.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace at
{
class Tensor;
} // namespace at

namespace ns3
{
namespace odcn
{

class OdcnThreadTeam;

/**
 * @ingroup odcn
 *
 * A policy and a value estimate in one trainable object: from observations to one logit per action
 * and one value. Which learner trains it on which problem is no concern of it.
 *
 * All parameters lie in one flat buffer, so that an optimiser, a checkpoint and the LibTorch graph
 * share them without copies. LibTorch is touched only by this class's own Forward(), Backward() and
 * Evaluate(); the networks that come with odcn override them in plain C++.
 */
class OdcnNetwork : public Object
{
  public:
    /// What a network remembers from one Infer() to the next.
    struct Memory
    {
        virtual ~Memory() = default;
    };

    /// Working memory of Infer(), one per thread.
    struct Scratch
    {
        std::vector<float> inputs;      //!< What enters the first layer
        std::vector<float> layers;      //!< Between layers
        std::unique_ptr<Memory> memory; //!< Of the network that used it last
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnNetwork();
    ~OdcnNetwork() override;

    /**
     * @param description TypeId name with Attributes, "ns3::odcn::OdcnMlpNetwork[HiddenUnits=64]"
     * @return the network, not yet built
     * @throws OdcnError when there is no such network or Attribute
     */
    static Ptr<OdcnNetwork> Create(const std::string& description);

    /**
     * @param type TypeId name
     * @param attributes values by name
     * @return the network, not yet built
     * @throws OdcnError when there is no such network or Attribute
     */
    static Ptr<OdcnNetwork> Create(const std::string& type,
                                   const std::map<std::string, std::string>& attributes);

    /// @return every Attribute of this network as text, for checkpoints
    std::map<std::string, std::string> GetAttributes() const;

    /**
     * Make the layers for a problem; once, after the Attributes are set. All parameters are 0.
     * @param observationShape as OdcnDecisionProblem::GetObservationShape()
     * @param nActions number of actions
     * @param graph how an observation is a graph, copied; null when it is none
     * @throws OdcnError when this network cannot read such observations
     */
    void Build(const std::vector<uint32_t>& observationShape,
               uint32_t nActions,
               const OdcnGraphObservation* graph = nullptr);

    /// Build for a problem. @param problem as it will be observed
    void Build(const OdcnDecisionProblem& problem);

    /**
     * @param problem to decide or to learn from
     * @throws OdcnError when this network is built for another size, or on another graph
     */
    void RequireFit(const OdcnDecisionProblem& problem) const;

    /// @return whether Build() was called
    bool IsBuilt() const;

    /**
     * Draw every weight and bias of a layer from U(-1, 1) / sqrt(its inputs), unless overridden.
     * @param seed equal seeds give equal parameters on every machine
     */
    virtual void Randomize(uint64_t seed);

    /// @return dimensions of an observation
    const std::vector<uint32_t>& GetObservationShape() const;
    /// @return floats in an observation
    uint32_t GetObservationSize() const;
    /// @return how an observation is a graph; null when it is none
    const OdcnGraphObservation* GetGraph() const;
    /// @return number of actions
    uint32_t GetNActions() const;

    /**
     * @return what the parameters depend on besides the Attributes: two networks of one type and
     * equal signatures exchange parameters, whatever the size of their problems
     */
    virtual std::vector<uint32_t> GetSignature() const;

    /**
     * @return how many of the parameters, from the first on, the logits depend on; the rest serve
     * the value alone
     */
    virtual std::size_t GetPolicySize() const;

    /**
     * @return how a logit is an action's own numbers added up, with Infer()'s very roundings, where
     * it is that and no more; it sees the parameters as they are
     */
    virtual std::optional<OdcnWeightedSum> GetWeightedSum() const;

    /// @return all parameters
    std::span<const float> GetParameters() const;
    /**
     * @return all parameters, to be changed in place before they are used again. What was computed
     * with the old ones is forgotten now, so ask anew for each change.
     */
    std::span<float> GetMutableParameters();
    /// @return the derivative by each parameter, as Backward() left it
    std::span<const float> GetGradient() const;

    /**
     * Logits without LibTorch where the network can; callable from several threads at once.
     * @param observations [n][observation size]
     * @param n number of observations
     * @param [out] logits [n][actions]; a row is the same bit for bit in any batch
     * @param scratch working memory of the calling thread
     */
    virtual void Infer(const float* observations,
                       uint32_t n,
                       float* logits,
                       Scratch& scratch) const = 0;

    /**
     * Logits and values, by LibTorch unless overridden.
     * @param observations [n][observation size]
     * @param n number of observations
     * @param [out] logits [n][actions]
     * @param [out] values [n]
     */
    virtual void Evaluate(const float* observations, uint32_t n, float* logits, float* values);

    /**
     * @return how many observations are best given to Forward() at once, where there are more: what
     * it keeps of them stays small; 256 unless overridden
     */
    virtual uint32_t GetBatchRows() const;

    /// @param team threads that Forward() and Backward() may use; null for the caller alone
    void SetThreads(std::shared_ptr<OdcnThreadTeam> team);

    /**
     * As Evaluate(), and keep what Backward() needs.
     * @param observations [n][observation size]
     * @param n number of observations
     * @param [out] logits [n][actions]
     * @param [out] values [n]
     */
    virtual void Forward(const float* observations, uint32_t n, float* logits, float* values);

    /**
     * Differentiate what the last Forward() did; GetGradient() then holds the result.
     * @param dLogits derivative of the loss by each logit, [n][actions]
     * @param dValues derivative of the loss by each value, [n]
     */
    virtual void Backward(const float* dLogits, const float* dValues);

  protected:
    void DoDispose() override;

    /// @return threads that ForEach() uses at most
    std::size_t GetNThreads() const;

    /// @param tasks how many  @param body as for OdcnThreadTeam::Run()
    void ForEach(std::size_t tasks,
                 const std::function<void(std::size_t, std::size_t)>& body) const;

    /// @return the derivative by each parameter, for Backward()
    std::span<float> GetMutableGradient();

    /// @return what stands for the present parameters: no others get the same while it is held
    std::shared_ptr<const int> GetStamp() const;

    /**
     * @return observations that LibTorch's Forward() and Backward() take at once; each such shard
     * of a batch may be another thread's. All of them unless overridden.
     */
    virtual uint32_t GetShardRows() const;

    /// Add the layers; the sizes of the problem are known by now.
    virtual void DoBuild() = 0;

    /**
     * Build the LibTorch graph; by several threads at once if there are several shards.
     * @param observations [n, observation size]
     * @param [out] logits [n, actions]
     * @param [out] values [n]
     */
    virtual void DoForward(const at::Tensor& observations,
                           at::Tensor& logits,
                           at::Tensor& values) const = 0;

    /**
     * Add fully connected layers to the parameters; called in DoBuild().
     * @param inputs number of inputs
     * @param hidden outputs of each hidden layer
     * @param outputs number of outputs
     * @param activation after each hidden layer
     * @return the layers
     */
    OdcnDenseStack AddStack(uint32_t inputs,
                            const std::vector<uint32_t>& hidden,
                            uint32_t outputs,
                            OdcnActivation activation);

    /**
     * @param stack layers from AddStack()
     * @param x inputs, [n, inputs]
     * @return outputs, [n, outputs]
     */
    at::Tensor RunStack(const OdcnDenseStack& stack, const at::Tensor& x) const;

    /**
     * @param filter layer from AddStack(), its weights as [out][in][row][column]
     * @param kernel rows and columns of it
     * @param x images, [n, channels, height, width]
     * @return images of the same size, what lies outside taken as 0
     */
    at::Tensor RunFilter(const OdcnDenseLayer& filter, uint32_t kernel, const at::Tensor& x) const;

  private:
    /// What LibTorch holds: views of the buffers and the graph of the last Forward().
    struct Graph;

    /// @param stack from AddStack()  @return number of its first layer
    std::size_t FindLayer(const OdcnDenseStack& stack) const;

    /// Make the views on first use, so that a program which never trains never touches LibTorch.
    void EnsureGraph();

    std::vector<uint32_t> m_observationShape;               //!< Dimensions of an observation
    uint32_t m_nActions{0};                                 //!< Number of actions
    std::unique_ptr<const OdcnGraphObservation> m_topology; //!< Of observations; null for none
    std::vector<OdcnDenseLayer> m_layers;   //!< All layers, in the order of the buffer
    std::vector<float> m_parameters;        //!< Flat
    std::shared_ptr<const int> m_stamp;     //!< Another for other parameters
    std::vector<float> m_gradient;          //!< Flat, as m_parameters
    std::shared_ptr<Graph> m_graph;         //!< Null until first needed
    std::shared_ptr<OdcnThreadTeam> m_team; //!< Null for the caller alone
};

/**
 * @ingroup odcn
 *
 * @param option name for the error message
 * @param text numbers between commas, e.g. "64,64"; empty for none
 * @return the numbers, each from 1 to 65536
 * @throws OdcnError on anything else
 */
std::vector<uint32_t> OdcnParseSizes(const std::string& option, const std::string& text);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_NETWORK_H */
