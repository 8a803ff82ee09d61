// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-demand-matrix.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Weight of an ordered pair of different racks.
using Weight = std::function<double(RackId from, RackId to)>;

/// @param racks number of racks  @param weight of each pair  @return the matrix
DemandMatrix
MakeByWeight(uint32_t racks, const Weight& weight)
{
    DemandMatrix matrix(racks);
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            if (from != to)
            {
                matrix.Set(from, to, weight(from, to));
            }
        }
    }
    return matrix;
}

/// A pattern's name and parameter, with the error of a wrong one.
class Pattern
{
  public:
    /// @param text "NAME" or "NAME:PARAMETER"
    explicit Pattern(const std::string& text)
        : m_text(text),
          name(text.substr(0, text.find(':'))),
          parameter(text.size() > name.size() ? text.substr(name.size() + 1) : "")
    {
    }

    /// @param expected description of the valid values  @throws OdcnError always
    [[noreturn]] void Refuse(const std::string& expected) const
    {
        throw OdcnError::InOption("demand pattern", m_text, expected);
    }

    /// @param least smallest valid value  @param greatest largest  @return the parameter
    double GetNumber(double least, double greatest) const
    {
        const auto value = ParseFinite(parameter);
        if (!value || *value < least || *value > greatest)
        {
            std::string expected = name + ":NUMBER, the number from ";
            AppendDouble(expected, least);
            expected += " to ";
            AppendDouble(expected, greatest);
            Refuse(expected);
        }
        return *value;
    }

    /// @param least smallest valid value  @param greatest largest  @return the parameter
    uint32_t GetCount(uint32_t least, uint32_t greatest) const
    {
        const auto value = ParseCount(parameter);
        if (!value || *value < least || *value > greatest)
        {
            Refuse(name + ":K, K a whole number from " + std::to_string(least) + " to " +
                   std::to_string(greatest));
        }
        return static_cast<uint32_t>(*value);
    }

  private:
    std::string m_text; //!< the whole text

  public:
    std::string name;      //!< text before the colon
    std::string parameter; //!< text after the colon
};

/// @param racks number of racks  @param random generator  @return the racks in random order
std::vector<RackId>
Shuffle(uint32_t racks, UniformRandomVariable& random)
{
    std::vector<RackId> order(racks);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = racks - 1; i > 0; --i)
    {
        std::swap(order[i], order[random.GetInteger(0, i)]);
    }
    return order;
}

/// @param order a permutation  @return whether it leaves an element in its place
bool
HasFixedPoint(const std::vector<RackId>& order)
{
    for (RackId i = 0; i < order.size(); ++i)
    {
        if (order[i] == i)
        {
            return true;
        }
    }
    return false;
}

/// @param pattern "permutation" or "skewed"  @param racks number of racks  @param random generator
/// @return the matrix
DemandMatrix
MakeRandom(const Pattern& pattern, uint32_t racks, UniformRandomVariable& random)
{
    if (pattern.name == "skewed")
    {
        const auto active =
            static_cast<uint32_t>(std::lround(pattern.GetNumber(0, 1) * double(racks)));
        if (active < 2)
        {
            pattern.Refuse("a fraction of " + std::to_string(racks) +
                           " racks that makes 2 racks or more");
        }
        const std::vector<RackId> order = Shuffle(racks, random);
        std::vector<bool> isActive(racks);
        for (uint32_t i = 0; i < active; ++i)
        {
            isActive[order[i]] = true;
        }
        return MakeByWeight(racks,
                            [&](RackId from, RackId to)
                            { return isActive[from] && isActive[to] ? 1.0 : 0.0; });
    }
    // Rejection keeps the distribution uniform; it needs e = 2.7 trials on average.
    std::vector<RackId> order = Shuffle(racks, random);
    while (HasFixedPoint(order))
    {
        order = Shuffle(racks, random);
    }
    return MakeByWeight(racks, [&](RackId from, RackId to) { return double(order[from] == to); });
}

/// @param pattern parsed  @param racks number of racks  @return weights of a fixed pattern, or null
Weight
FindWeight(const Pattern& pattern, uint32_t racks)
{
    constexpr double GREATEST = 1e9;
    if (pattern.name == "shift")
    {
        const uint32_t shift = pattern.GetCount(1, racks - 1);
        return [=](RackId from, RackId to) { return double((from + shift) % racks == to); };
    }
    if (pattern.name == "hot")
    {
        const double weight = pattern.GetNumber(0, GREATEST);
        return [=](RackId from, RackId to) { return from == 0 || to == 0 ? weight : 1.0; };
    }
    if (pattern.name == "hot-pair")
    {
        const double weight = pattern.GetNumber(0, GREATEST);
        return [=](RackId from, RackId to) { return from + to == 1 ? weight : 1.0; };
    }
    if (pattern.name == "incast")
    {
        const uint32_t senders = pattern.GetCount(1, racks - 1);
        return [=](RackId from, RackId to) { return double(to == 0 && from <= senders); };
    }
    if (!pattern.parameter.empty())
    {
        return nullptr;
    }
    if (pattern.name == "uniform")
    {
        return [](RackId, RackId) { return 1.0; };
    }
    if (pattern.name == "chessboard")
    {
        return [](RackId from, RackId to) { return (from + to) % 2 == 1 ? 3.0 : 1.0; };
    }
    return nullptr;
}

} // namespace

DemandMatrix
DemandMatrix::Make(const std::string& pattern, uint32_t racks, Ptr<UniformRandomVariable> random)
{
    if (racks < 2)
    {
        throw OdcnError::InOption("racks of a demand matrix", std::to_string(racks), "2 or more");
    }
    const Pattern parsed(pattern);
    DemandMatrix matrix;
    if (pattern == "permutation" || parsed.name == "skewed")
    {
        if (!random)
        {
            parsed.Refuse("a random variable to draw it from");
        }
        matrix = MakeRandom(parsed, racks, *random);
    }
    else if (parsed.name == "file")
    {
        matrix = Read(parsed.parameter);
        if (matrix.GetNRacks() != racks)
        {
            throw OdcnError::InFile(parsed.parameter,
                                    0,
                                    std::to_string(matrix.GetNRacks()) + " racks",
                                    std::to_string(racks));
        }
    }
    else if (const Weight weight = FindWeight(parsed, racks))
    {
        matrix = MakeByWeight(racks, weight);
    }
    else
    {
        parsed.Refuse("uniform, permutation, shift:K, skewed:FRACTION, chessboard, hot:K, "
                      "hot-pair:K, incast:K or file:PATH");
    }
    if (matrix.GetMaxLoad() == 0)
    {
        parsed.Refuse("a pattern with traffic");
    }
    matrix.Scale(1 / matrix.GetMaxLoad());
    return matrix;
}

DemandMatrix
DemandMatrix::Read(const std::string& path)
{
    RowReader reader(path, RowReader::BLANKS);
    DemandMatrix matrix;
    RackId from = 0;
    for (; reader.NextRow(); ++from)
    {
        if (from == 0)
        {
            constexpr std::size_t MOST_RACKS = 4096;
            if (reader.GetWidth() > MOST_RACKS)
            {
                reader.Refuse(std::to_string(reader.GetWidth()) + " numbers",
                              "at most " + std::to_string(MOST_RACKS));
            }
            matrix = DemandMatrix(static_cast<uint32_t>(reader.GetWidth()));
        }
        const uint32_t racks = matrix.GetNRacks();
        if (from == racks)
        {
            reader.Refuse(reader.GetLine(), "no line after the first " + std::to_string(racks));
        }
        reader.CheckWidth(racks, std::to_string(racks) + " numbers, as in the first line");
        for (RackId to = 0; to < racks; ++to)
        {
            matrix.Set(from,
                       to,
                       from == to ? reader.Number(to, {0, 0, "0 on the diagonal"})
                                  : reader.Number(to, {0, 1e18}));
        }
    }
    if (from < 2 || from < matrix.GetNRacks())
    {
        reader.Refuse(std::to_string(from) + " lines",
                      "as many lines as numbers in a line, 2 or more");
    }
    return matrix;
}

void
DemandMatrix::Check(const std::string& what) const
{
    if (m_racks < 2)
    {
        throw OdcnError::InOption(what, std::to_string(m_racks) + " racks", "at least 2 racks");
    }
    for (RackId from = 0; from < m_racks; ++from)
    {
        for (RackId to = 0; to < m_racks; ++to)
        {
            const double value = Get(from, to);
            if (!std::isfinite(value) || value < 0 || (from == to && value != 0))
            {
                throw OdcnError::InOption(what + " from rack " + std::to_string(from) +
                                              " to rack " + std::to_string(to),
                                          std::to_string(value),
                                          from == to ? "0" : "a finite number, not negative");
            }
        }
    }
}

} // namespace ns3::odcn
