// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PROPERTY_H
#define ODCN_PROPERTY_H

/**
 * @file
 * A tester of properties with state: random operations on a system, with all invariants checked
 * after each. A sequence that breaks one is shrunk to a shortest one by deleting operations, and
 * reported with its seed as C++.
 *
 * Two environment variables change what is run: ODCN_OPERATIONS, the operations on each system
 * (100000 by default), and ODCN_SEED, the seed of the first sequence (1 by default).
 */

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// An operation on a system. It is possible in every state: a system takes its arguments from the
/// numbers modulo what there is, and does nothing where there is none.
struct PropertyOperation
{
    uint32_t kind;                 //!< index of a kind of operation
    std::array<uint32_t, 4> words; //!< any numbers
};

/// A system under test, beside a simple model of it.
class PropertySystem
{
  public:
    virtual ~PropertySystem() = default;

    /// Carry out an operation on system and model, and compare them.
    /// @param operation any  @return the invariant that is broken; empty if all hold
    virtual std::string Apply(const PropertyOperation& operation) = 0;

    /// Release everything. @return the invariant that is broken; empty if all hold
    virtual std::string Finish() = 0;

    /// @return how often each event was noted
    const std::map<std::string_view, uint64_t>& GetEvents() const
    {
        return m_events;
    }

  protected:
    /// Note an event, see Property::events. @param event a literal
    void Note(std::string_view event)
    {
        ++m_events[event];
    }

  private:
    std::map<std::string_view, uint64_t> m_events; //!< how often each was noted
};

/// What is tested.
struct Property
{
    /// A kind of operation.
    struct Kind
    {
        std::string name; //!< as in the system's enumeration
        double weight;    //!< relative frequency
    };

    std::vector<Kind> kinds;                               //!< the kinds of operations
    std::function<std::unique_ptr<PropertySystem>()> make; //!< a new system
    std::vector<std::string_view> events;                  //!< events that must occur

    /// @param event that must occur
    /// @param where whether it must
    void Require(std::string_view event, bool where)
    {
        if (where)
        {
            events.push_back(event);
        }
    }

    std::size_t length{1000}; //!< operations of a sequence
    uint64_t cost{1};         //!< divides the number of operations, for slow systems
};

/// Result of a test.
struct PropertyResult
{
    std::string broken;                      //!< the broken invariant; empty if all hold
    uint64_t seed{0};                        //!< of the sequence that broke it
    std::vector<PropertyOperation> sequence; //!< that sequence, shrunk
    std::string report;                      //!< all of it in words; empty if all hold
};

/// @param name of an environment variable  @param otherwise its default  @return its value
inline uint64_t
PropertySetting(const char* name, uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/**
 * @param property what is tested  @param sequence operations on a new system
 * @param [out] done number of operations carried out  @param [in,out] events adds those noted
 * @return the invariant that is broken; empty if all hold
 */
inline std::string
RunProperty(const Property& property,
            const std::vector<PropertyOperation>& sequence,
            std::size_t& done,
            std::map<std::string_view, uint64_t>& events)
{
    done = 0;
    std::string broken;
    try
    {
        const auto system = property.make();
        for (; done < sequence.size() && broken.empty(); ++done)
        {
            broken = system->Apply(sequence[done]);
        }
        broken = broken.empty() ? system->Finish() : broken;
        for (const auto& [event, times] : system->GetEvents())
        {
            events[event] += times;
        }
    }
    catch (const std::exception& error)
    {
        broken = std::string("exception: ") + error.what();
    }
    return broken;
}

/**
 * Delete operations, ever fewer at a time, as long as an invariant is still broken, until no single
 * one can be deleted; then set numbers to 0 in the same way.
 * @param property what is tested  @param sequence that breaks an invariant
 * @return a sequence that does so too
 */
inline std::vector<PropertyOperation>
ShrinkProperty(const Property& property, std::vector<PropertyOperation> sequence)
{
    std::size_t done = 0;
    std::map<std::string_view, uint64_t> events;
    const auto breaks = [&](const std::vector<PropertyOperation>& candidate)
    { return !RunProperty(property, candidate, done, events).empty(); };
    for (std::size_t part = sequence.size(); part > 0;)
    {
        bool shrunk = false;
        for (std::size_t begin = 0; begin < sequence.size();)
        {
            const auto first = sequence.begin() + static_cast<std::ptrdiff_t>(begin);
            const std::size_t n = std::min(part, sequence.size() - begin);
            std::vector<PropertyOperation> candidate(sequence.begin(), first);
            candidate.insert(candidate.end(),
                             first + static_cast<std::ptrdiff_t>(n),
                             sequence.end());
            if (breaks(candidate))
            {
                sequence = std::move(candidate);
                shrunk = true;
            }
            else
            {
                begin += n;
            }
        }
        part = shrunk && part == 1 ? 1 : part / 2;
    }
    for (auto& operation : sequence)
    {
        for (uint32_t& word : operation.words)
        {
            const uint32_t old = std::exchange(word, 0);
            word = old == 0 || breaks(sequence) ? 0 : old;
        }
    }
    return sequence;
}

/// @param property what is tested  @return the result
inline PropertyResult
CheckProperty(const Property& property)
{
    const uint64_t total =
        std::max<uint64_t>(1, PropertySetting("ODCN_OPERATIONS", 100000) / property.cost);
    PropertyResult result;
    result.seed = PropertySetting("ODCN_SEED", 1);
    std::vector<double> weights;
    for (const auto& kind : property.kinds)
    {
        weights.push_back(kind.weight);
    }
    std::map<std::string_view, uint64_t> events;
    for (uint64_t begun = 0; begun < total; begun += property.length, ++result.seed)
    {
        std::mt19937_64 random(result.seed);
        std::discrete_distribution<uint32_t> kinds(weights.begin(), weights.end());
        result.sequence.resize(property.length);
        for (auto& operation : result.sequence)
        {
            operation.kind = kinds(random);
            for (uint32_t& word : operation.words)
            {
                word = static_cast<uint32_t>(random() >> 32);
            }
        }
        std::size_t done = 0;
        if (RunProperty(property, result.sequence, done, events).empty())
        {
            continue;
        }
        result.sequence.resize(done);
        result.sequence = ShrinkProperty(property, std::move(result.sequence));
        result.broken = RunProperty(property, result.sequence, done, events);
        result.report = result.broken + "\nODCN_SEED=" + std::to_string(result.seed) + "\n{";
        for (const auto& operation : result.sequence)
        {
            result.report += "{" + property.kinds[operation.kind].name + ", {";
            for (std::size_t i = 0; i < operation.words.size(); ++i)
            {
                result.report += (i > 0 ? ", " : "") + std::to_string(operation.words[i]);
            }
            result.report += "}},\n ";
        }
        result.report += "}";
        return result;
    }
    for (const auto event : property.events)
    {
        if (events[event] == 0)
        {
            result.broken = "never " + std::string(event);
            result.report = result.broken;
        }
    }
    return result;
}

} // namespace ns3::odcn

#endif /* ODCN_PROPERTY_H */
