// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <charconv>
#include <string_view>

namespace ns3::odcn
{

namespace
{

constexpr int64_t MAX_KERNEL = 99;
constexpr int64_t MAX_FILTERS = 65536;
/// Largest number of outputs, and of parameters, of a layer.
constexpr int64_t MAX_NUMBERS = int64_t{1} << 28;

/// @param [in,out] text its leading number is removed  @param [out] value it  @return whether >= 1
bool
TakeNumber(std::string_view& text, int64_t& value)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(stop - text.data());
    return error == std::errc() && value > 0;
}

/// @param [in,out] text its leading word is removed  @param word expected  @return whether found
bool
TakeWord(std::string_view& text, std::string_view word)
{
    const bool found = text.substr(0, word.size()) == word;
    text.remove_prefix(found ? word.size() : 0);
    return found;
}

/**
 * A convolutional network for observations that are images, {channels, height, width} or {height,
 * width}. By default it is that of DeepRM_Plus (Guo et al., 2021, Table I): Conv 5x5 to 8, ReLU,
 * average of 2x2, Conv 5x5 to 16, ReLU, average of 2x2, 69 with tanh, one logit per action.
 *
 * Layers are listed first to last: "Conv5-8" is 8 filters of 5x5 over all channels, stride 1, zero
 * padding so that the size stays, then the activation; "AvgPool2" and "MaxPool2" take the mean or
 * the maximum of 2x2 pixels, stride 2, and drop an incomplete last row or column. Without layers it
 * is a fully connected network.
 */
class Cnn : public PolicyNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        std::string layers{"Conv5-8,AvgPool2,Conv5-16,AvgPool2"}; //!< May be empty
        std::vector<int64_t> hidden{69};                          //!< Fully connected layers
        std::string activation{"Relu"};                           //!< After convolutions
        std::string hiddenActivation{"Tanh"};                     //!< After hidden layers
        /// "own": a network of the same form; "shared": from the policy's last hidden layer; "none"
        std::string value{"own"};
        /// Factor on the initial biases of filters. With 0, empty parts of an image contribute
        /// nothing, and weights that read them are not trained.
        double filterBias{1.0};
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options,
                                                    layers,
                                                    hidden,
                                                    activation,
                                                    hiddenActivation,
                                                    value,
                                                    filterBias)
    };

    Cnn(const ProblemShape& shape, const Options& options)
        : m_image(shape.observation)
    {
        if (m_image.size() < 2 || m_image.size() > 3)
        {
            throw OdcnError("Cnn reads images, {channels, height, width} or {height, width}; this "
                            "problem's observations have " +
                            std::to_string(m_image.size()) + " dimension(s)");
        }
        if (options.value != "own" && options.value != "shared" && options.value != "none")
        {
            throw OdcnError::InOption("value", options.value, "own, shared or none");
        }
        if (!(options.filterBias >= 0.0 && options.filterBias <= 1.0))
        {
            throw OdcnError::InOption("filterBias",
                                      std::to_string(options.filterBias),
                                      "from 0 to 1");
        }
        if (m_image.size() == 2)
        {
            m_image.insert(m_image.begin(), 1);
        }
        int64_t features = 0;
        m_policy = register_module("policy", MakeBody(options, features));
        m_logits = register_module("logits", MakeStack(features, {}, shape.actions, "Tanh"));
        if (options.value == "own")
        {
            m_value = register_module("value", MakeBody(options, features));
        }
        if (options.value != "none")
        {
            m_valueHead = register_module("valueHead", MakeStack(features, {}, 1, "Tanh"));
        }
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        x = x.reshape({-1, m_image[0], m_image[1], m_image[2]});
        const auto features = m_policy->forward(x);
        const auto logits = m_logits->forward(features);
        if (!m_valueHead)
        {
            return {logits, torch::zeros({x.size(0)})};
        }
        const auto valueFeatures = m_value ? m_value->forward(x) : features;
        return {logits, m_valueHead->forward(valueFeatures).flatten()};
    }

    torch::Tensor GetLogits(torch::Tensor x) override
    {
        x = x.reshape({-1, m_image[0], m_image[1], m_image[2]});
        return m_logits->forward(m_policy->forward(x));
    }

  private:
    /// @param options of the network  @param [out] features number of outputs  @return all layers
    /// before a head
    torch::nn::Sequential MakeBody(const Options& options, int64_t& features) const
    {
        const auto require = [&options](bool holds, const std::string& expected)
        {
            if (!holds)
            {
                throw OdcnError::InOption("layers", options.layers, expected);
            }
        };
        torch::nn::Sequential body;
        int64_t channels = m_image[0];
        int64_t height = m_image[1];
        int64_t width = m_image[2];
        for (std::string_view text = options.layers; !text.empty();)
        {
            int64_t kernel = 0;
            int64_t filters = channels;
            const bool convolution = TakeWord(text, "Conv");
            const bool average = !convolution && TakeWord(text, "AvgPool");
            const bool known = convolution || average || TakeWord(text, "MaxPool");
            require(known && TakeNumber(text, kernel) &&
                        (!convolution || (TakeWord(text, "-") && TakeNumber(text, filters))) &&
                        (text.empty() || (TakeWord(text, ",") && !text.empty())),
                    "layers as in Conv5-8,AvgPool2,MaxPool2");
            require(!convolution ||
                        (kernel % 2 == 1 && kernel <= MAX_KERNEL && filters <= MAX_FILTERS),
                    "filters of an odd size up to 99, at most 65536 of them");
            require(convolution || (kernel <= height && kernel <= width),
                    "pools no larger than the image, here " + std::to_string(height) + "x" +
                        std::to_string(width));
            require(filters * height * width <= MAX_NUMBERS &&
                        channels * kernel * kernel * filters <= MAX_NUMBERS,
                    "images of at most 2^28 numbers between layers, and as many weights");
            if (convolution)
            {
                torch::nn::Conv2d layer(
                    torch::nn::Conv2dOptions(channels, filters, kernel).padding(kernel / 2));
                torch::NoGradGuard noGrad;
                layer->bias.mul_(options.filterBias);
                body->push_back(layer);
                body->push_back(MakeActivation(options.activation));
                channels = filters;
                continue;
            }
            if (average)
            {
                body->push_back(torch::nn::AvgPool2d(kernel));
            }
            else
            {
                body->push_back(torch::nn::MaxPool2d(kernel));
            }
            height /= kernel;
            width /= kernel;
        }
        body->push_back(torch::nn::Flatten());
        features = channels * height * width;
        for (const int64_t units : options.hidden)
        {
            body->extend(*MakeStack(features, {}, units, options.hiddenActivation));
            body->push_back(MakeActivation(options.hiddenActivation));
            features = units;
        }
        return body;
    }

    std::vector<int64_t> m_image;               //!< Channels, height, width
    torch::nn::Sequential m_policy{nullptr};    //!< From an image to features
    torch::nn::Sequential m_logits{nullptr};    //!< Features to logits
    torch::nn::Sequential m_value{nullptr};     //!< As m_policy; null unless value=own
    torch::nn::Sequential m_valueHead{nullptr}; //!< Features to value; null with value=none
};

ODCN_REGISTER_NETWORK(Cnn)

} // namespace

} // namespace ns3::odcn
