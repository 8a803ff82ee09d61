// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>

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

/// Batches of at least so many images pass a linear layer column by column.
constexpr int64_t BY_PLACE = 32;

/// Weights of an output from which on its sum is split.
constexpr int64_t LONG_ROW = 8192;

/// Largest share of distinct columns for which equal ones are worth finding; clusters have 0.04.
constexpr double MOST_DISTINCT = 0.25;

/// Samples of a shard: the more, the more columns are equal.
constexpr int64_t COLUMN_SHARD_SAMPLES = 320;

/// Equal rows of a matrix.
struct EqualRows
{
    torch::Tensor ids;   //!< [rows], int64: the same number for equal rows, counted from 0
    torch::Tensor first; //!< [distinct rows], int64: the first row with each number
};

/// @param rows [images, rows of an image, ...], contiguous  @return which of the rows are equal
EqualRows
FindEqualRows(const torch::Tensor& rows)
{
    const int64_t n = rows.size(0) * rows.size(1);
    const int64_t perImage = rows.size(1);
    const auto size = rows.nbytes() / static_cast<std::size_t>(n);
    const char* data = static_cast<const char*>(rows.data_ptr());
    const auto row = [&](int64_t r)
    { return std::string_view(data + static_cast<std::size_t>(r) * size, size); };
    auto ids = torch::empty({n}, torch::kInt64);
    auto* id = ids.data_ptr<int64_t>();
    std::vector<int64_t> first;
    std::unordered_map<std::string_view, int64_t> known;
    for (int64_t r = 0; r < n; ++r)
    {
        // Most rows equal a neighbour, which is found faster than by hash.
        if (r > 0 && row(r) == row(r - 1))
        {
            id[r] = id[r - 1];
        }
        else if (r >= perImage && row(r) == row(r - perImage))
        {
            id[r] = id[r - perImage];
        }
        else
        {
            const auto [at, isNew] = known.emplace(row(r), static_cast<int64_t>(first.size()));
            id[r] = at->second;
            if (isNew)
            {
                first.push_back(r);
            }
        }
    }
    return {ids, torch::tensor(first)};
}

/**
 * Images as columns of pixels, equal ones held once. A column of a convolution's output depends on
 * a few columns of its input, so equal windows of columns have equal outputs, computed once for all
 * images of a batch. Images of a cluster repeat themselves: a job that waits looks the same as long
 * as it waits. Results and gradients are those of conv2d(), up to the order of sums.
 */
class ColumnImages
{
  public:
    /// @param images [n, channels, height, width], without gradients
    explicit ColumnImages(const torch::Tensor& images)
    {
        const auto columns = images.permute({0, 3, 2, 1}).contiguous();
        const auto equal = FindEqualRows(columns);
        m_ids = equal.ids.view({columns.size(0), columns.size(1)});
        m_columns = columns.flatten(0, 1).index_select(0, equal.first);
    }

    /// @return distinct columns / columns of all images
    double GetDistinctShare() const
    {
        return static_cast<double>(m_columns.size(0)) / static_cast<double>(m_ids.numel());
    }

    /// @param layer stride 1, an odd size, zero padding so that the size stays  @param activation
    /// after it  @param pool after that; null for none
    void Convolve(torch::nn::Conv2dImpl& layer,
                  torch::nn::AnyModule& activation,
                  torch::nn::AnyModule* pool)
    {
        const auto& weight = layer.weight;
        const int64_t filters = weight.size(0);
        const int64_t kernel = weight.size(2);
        const int64_t around = kernel / 2;
        const int64_t height = m_columns.size(1);
        // One column more, of zeros, is the padding at the left and at the right.
        const int64_t padding = m_columns.size(0);
        const auto padded = torch::constant_pad_nd(m_columns, {0, 0, around, around, 0, 1});
        std::vector<torch::Tensor> shifted;
        for (int64_t k = 0; k < kernel; ++k)
        {
            shifted.push_back(padded.slice(1, k, k + height));
        }
        // What each column adds to the output at each distance. The bias is added where the column
        // is the output's own, which is never padding.
        const auto bias =
            torch::constant_pad_nd(layer.bias, {around * filters, (kernel - 1 - around) * filters});
        const auto parts =
            torch::addmm(bias,
                         torch::cat(shifted, 2).flatten(0, 1),
                         weight.permute({2, 1, 3, 0}).reshape({-1, kernel * filters}))
                .view({padding + 1, height, kernel, filters})
                .permute({2, 0, 1, 3})
                .reshape({kernel * (padding + 1), height * filters});
        const int64_t width = pool ? GetPoolSize(*pool) : 1;
        const auto windows =
            TakeWindows(torch::constant_pad_nd(m_ids, {around, around}, padding), kernel, width);
        const auto places = windows.unfold(1, kernel, 1) + torch::arange(kernel) * (padding + 1);
        m_columns =
            std::get<0>(torch::embedding_bag(parts,
                                             places.reshape({-1}),
                                             torch::arange(places.size(0) * width) * kernel));
        m_columns = activation.forward(m_columns).view({-1, width, height, filters});
        Reduce(pool);
    }

    /// @param pool layer
    void Pool(torch::nn::AnyModule& pool)
    {
        const int64_t width = GetPoolSize(pool);
        const auto windows = TakeWindows(m_ids, 1, width);
        m_columns = torch::embedding(m_columns.flatten(1), windows)
                        .view({-1, width, m_columns.size(1), m_columns.size(2)});
        Reduce(&pool);
    }

    /// @param layer any  @return size of the squares that it pools; 0 if it does not
    static int64_t GetPoolSize(const torch::nn::AnyModule& layer)
    {
        const auto module = layer.ptr();
        const auto* average = module->as<torch::nn::AvgPool2d>();
        const auto* most = module->as<torch::nn::MaxPool2d>();
        return average ? average->options.kernel_size()->at(0)
               : most  ? most->options.kernel_size()->at(0)
                       : 0;
    }

    /// @param layer reads the pixels in order of channel, row, column  @return its output, [n, out]
    torch::Tensor Linear(torch::nn::LinearImpl& layer) const
    {
        const int64_t n = m_ids.size(0);
        const int64_t width = m_ids.size(1);
        const int64_t distinct = m_columns.size(0);
        const int64_t channels = m_columns.size(2);
        const auto columns = m_columns.transpose(1, 2).flatten(1);
        if (n < BY_PLACE)
        {
            const int64_t pixels = columns.size(1);
            // OpenBLAS is slow where few rows meet long rows of weights: then add up over channels.
            const int64_t parts = pixels * width > LONG_ROW ? channels : 1;
            const auto images = columns.t()
                                    .contiguous()
                                    .expand({n, pixels, distinct})
                                    .gather(2, m_ids.unsqueeze(1).expand({n, pixels, width}))
                                    .view({n, parts, -1});
            const auto weights = layer.weight.view({layer.weight.size(0), parts, -1});
            return images.transpose(0, 1).bmm(weights.permute({1, 2, 0})).sum(0) + layer.bias;
        }
        // What a column adds depends on its place too: compute it once for each pair, by place.
        const auto pairs = (m_ids + torch::arange(width) * distinct).flatten();
        const auto occurs = torch::zeros({width * distinct}, torch::kInt64);
        occurs.index_fill_(0, pairs, 1);
        const auto counts = occurs.view({width, distinct}).sum(1);
        const auto inputs =
            torch::embedding(columns, occurs.nonzero().flatten().remainder(distinct))
                .split_with_sizes({counts.data_ptr<int64_t>(), static_cast<std::size_t>(width)});
        const auto weights = layer.weight.view({-1, width})
                                 .t()
                                 .contiguous()
                                 .view({width, -1, columns.size(1)})
                                 .transpose(1, 2)
                                 .unbind();
        std::vector<torch::Tensor> parts;
        for (int64_t x = 0; x < width; ++x)
        {
            parts.push_back(inputs[x].mm(weights[x]));
        }
        return std::get<0>(torch::embedding_bag(torch::cat(parts),
                                                (occurs.cumsum(0) - 1).index_select(0, pairs),
                                                torch::arange(n) * width)) +
               layer.bias;
    }

  private:
    /// Number the windows of columns from which the columns of an output are computed.
    /// @param ids of columns, padded  @param kernel of the convolution  @param pool after it
    /// @return the distinct windows, [*, kernel + pool - 1]
    torch::Tensor TakeWindows(const torch::Tensor& ids, int64_t kernel, int64_t pool)
    {
        const auto windows = ids.unfold(1, kernel + pool - 1, pool).contiguous();
        const auto equal = FindEqualRows(windows);
        m_ids = equal.ids.view({windows.size(0), windows.size(1)});
        return windows.flatten(0, 1).index_select(0, equal.first);
    }

    /// @param pool of m_columns, [*, its size, height, channels]; null for none, of size 1
    void Reduce(torch::nn::AnyModule* pool)
    {
        // In LibTorch's order of dimensions.
        const auto images = m_columns.permute({0, 3, 1, 2});
        m_columns = (pool ? pool->forward(images) : images).squeeze(2).transpose(1, 2);
    }

    torch::Tensor m_columns; //!< [distinct columns, height, channels]
    torch::Tensor m_ids;     //!< [n, width], indices of columns
};

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

    /// The number of distinct columns of a batch decides how its matrices are divided.
    bool IsRowIndependent() const override
    {
        return false;
    }

    int64_t GetShardSamples() const override
    {
        return IsByColumns() ? COLUMN_SHARD_SAMPLES : PolicyNetwork::GetShardSamples();
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        const auto image = GetInput(std::move(x));
        const auto features = Through(*m_policy, image);
        const auto logits = Through(*m_logits, features).pixels;
        if (!m_valueHead)
        {
            return {logits, torch::zeros({logits.size(0)})};
        }
        const auto valueFeatures = m_value ? Through(*m_value, image) : features;
        return {logits, Through(*m_valueHead, valueFeatures).pixels.flatten()};
    }

    torch::Tensor GetLogits(torch::Tensor x) override
    {
        return Through(*m_logits, Through(*m_policy, GetInput(std::move(x)))).pixels;
    }

  private:
    /// What one layer passes to the next.
    struct Signal
    {
        torch::Tensor pixels;                //!< Undefined if there are columns
        std::optional<ColumnImages> columns; //!< Until the first linear layer
    };

    /// @return whether there are layers before the flat part, which equal columns may share
    bool IsByColumns() const
    {
        return !m_policy->ptr(0)->as<torch::nn::Flatten>();
    }

    /// @param x observations, [n, ...]  @return input of the first layer
    Signal GetInput(torch::Tensor x) const
    {
        x = x.reshape({-1, m_image[0], m_image[1], m_image[2]});
        // Gradients by the image need all its pixels.
        if (IsByColumns() && !x.requires_grad())
        {
            ColumnImages columns(x);
            if (columns.GetDistinctShare() <= MOST_DISTINCT)
            {
                return {{}, std::move(columns)};
            }
        }
        return {x, {}};
    }

    /// @param layers in turn  @param signal their input  @return their output
    static Signal Through(torch::nn::SequentialImpl& layers, Signal signal)
    {
        for (auto layer = layers.begin(); layer != layers.end(); ++layer)
        {
            if (!signal.columns)
            {
                signal.pixels = layer->forward(signal.pixels);
                continue;
            }
            const auto module = layer->ptr();
            if (auto* convolution = module->as<torch::nn::Conv2d>())
            {
                auto& activation = *++layer;
                const auto next = layer + 1;
                const bool pools = next != layers.end() && ColumnImages::GetPoolSize(*next) > 0;
                signal.columns->Convolve(*convolution, activation, pools ? &*next : nullptr);
                layer += pools ? 1 : 0;
            }
            else if (ColumnImages::GetPoolSize(*layer) > 0)
            {
                signal.columns->Pool(*layer);
            }
            else if (auto* linear = module->as<torch::nn::Linear>())
            {
                signal.pixels = signal.columns->Linear(*linear);
                signal.columns.reset();
            }
        }
        return signal;
    }

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
