// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLUMN_PLAN_H
#define ODCN_COLUMN_PLAN_H

#include "odcn-dense-stack.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ns3
{
namespace odcn
{

/// What makes an image of an image.
struct OdcnImageLayer
{
    /// What it does.
    enum Kind
    {
        CONVOLUTION, //!< Filters, step 1, zeros around the image, then the activation
        AVERAGE,     //!< Mean of squares; a last row or column that is not whole is left out
        GREATEST     //!< Greatest of squares, likewise
    };

    Kind kind;                 //!< What it does
    uint32_t kernel;           //!< Pixels of a filter or square each way
    uint32_t in;               //!< Channels of its input
    uint32_t out;              //!< Channels of its result
    uint32_t height;           //!< Of its input
    uint32_t width;            //!< Of its input
    OdcnDenseLayer filter;     //!< CONVOLUTION: weights as [out][in][row][column]
    OdcnActivation activation; //!< CONVOLUTION: what follows
};

/**
 * @ingroup odcn
 *
 * Layers that make images of images, and the fully connected layers that read the last one, with
 * their parameters in the order in which columns of pixels are computed. A gradient has the same
 * order until AddUp().
 */
class OdcnColumnPlan
{
  public:
    /// An image: the one observed, or what a layer makes.
    struct Stage
    {
        OdcnImageLayer layer; //!< What makes it; of the first stage nothing
        uint32_t channels;    //!< Numbers of a pixel
        uint32_t height;      //!< Pixels of a column
        uint32_t width;       //!< Columns
        uint32_t above;       //!< Pixels of zeros above and below, for the filters that follow
        std::size_t size;     //!< Numbers of a column with these, [pixel][channel]
        uint32_t lanes;       //!< CONVOLUTION: filters, rounded up to whole vectors
        uint32_t window;      //!< CONVOLUTION: pixels of a filter in a column times channels
        uint32_t windowLanes; //!< That rounded up
        std::size_t weight;   //!< CONVOLUTION: where [column of the filter][window][lanes] begins
        std::size_t bias;     //!< CONVOLUTION: where [lanes] begins
        std::size_t turned;   //!< CONVOLUTION: where [column][filter][windowLanes] begins
    };

    /**
     * @param layers first to last, at least one
     * @param readers fully connected layers that each read the last image, as
     * [channel][row][column]; their results lie side by side
     */
    void Build(std::span<const OdcnImageLayer> layers, std::span<const OdcnDenseLayer> readers);

    /// Take parameters. @param parameters flat  @param learning whether Backward() will follow
    void Pack(const float* parameters, bool learning);

    /// @param packed gradient of GetPackedSize()  @param [in,out] gradient flat, added to
    void AddUp(const float* packed, float* gradient) const;

    /// @return numbers of a gradient in the order of this plan
    std::size_t GetPackedSize() const
    {
        return m_packed.size();
    }

    /// @return numbers that the readers make of an image
    uint32_t GetOutputs() const
    {
        return m_outputs;
    }

  private:
    friend class OdcnColumnTape;

    /// @param body called with the place of each parameter here and in the flat buffer
    template <typename F>
    void ForParameters(F body) const;

    std::vector<Stage> m_stages;           //!< The image observed, then what each layer makes
    std::vector<OdcnDenseLayer> m_readers; //!< Of the last stage
    uint32_t m_outputs{0};                 //!< Of all readers
    uint32_t m_lanes{0};                   //!< That rounded up to whole vectors
    uint32_t m_features{0};                //!< Numbers of a column of the last stage
    std::size_t m_readWeight{0};           //!< Where [column][features][lanes] begins
    std::size_t m_readBias{0};             //!< Where [lanes] begins
    std::vector<float> m_packed;           //!< Parameters
    std::vector<float> m_turned;           //!< Weights the other way round, for Backward()
    std::vector<float> m_readTurned;       //!< Likewise, [column][outputs][features]
};

/**
 * @ingroup odcn
 *
 * Numbers different keys of some words, in the order in which they are first met.
 */
class OdcnColumnTable
{
  public:
    /// Forget all. @param words of a key
    void Begin(uint32_t words);

    /// @param key words  @return its number
    uint32_t Find(const uint32_t* key);

    /// @return how many there are
    uint32_t GetN() const
    {
        return m_n;
    }

    /// @param number of a key  @return its words
    const uint32_t* GetKey(uint32_t number) const
    {
        return m_keys.data() + std::size_t(number) * m_words;
    }

  private:
    /// @param key words  @return where to look first
    std::size_t Hash(const uint32_t* key) const;

    uint32_t m_words{1};           //!< Of a key
    uint32_t m_n{0};               //!< How many keys
    std::vector<uint32_t> m_keys;  //!< One after the other
    std::vector<uint32_t> m_slots; //!< Numbers by hash, a power of two of them
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_COLUMN_PLAN_H */
