// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sweep-plan.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using ns3::odcn::OdcnError;
// Options keep the order of the file.
using json = nlohmann::ordered_json;

namespace
{

constexpr uint64_t MOST_RUNS = 100'000;
constexpr std::uintmax_t MOST_BYTES = 1'000'000;
/// Bytes of the options of all runs.
constexpr double MOST_TEXT = 5e7;

/// A plan while it is read.
class Reader
{
  public:
    /// @param file path of the plan
    explicit Reader(std::string file)
        : m_file(std::move(file))
    {
    }

    /// @return its runs
    std::vector<SweepRun> Read()
    {
        std::ifstream stream(m_file, std::ios::binary);
        std::string text(MOST_BYTES + 1, '\0');
        stream.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(stream.gcount()));
        if (text.empty() || text.size() > MOST_BYTES)
        {
            throw OdcnError("cannot read " + m_file + ": expected a JSON file of 1 to " +
                            std::to_string(MOST_BYTES) + " bytes");
        }
        json root;
        try
        {
            root = json::parse(text);
        }
        catch (const json::parse_error& error)
        {
            const auto line = 1 + std::count(text.begin(),
                                             text.begin() + static_cast<std::ptrdiff_t>(
                                                                std::min(error.byte, text.size())),
                                             '\n');
            throw OdcnError::InFile(m_file,
                                    static_cast<uint64_t>(line),
                                    "no JSON",
                                    "a JSON object");
        }
        catch (const json::out_of_range&)
        {
            Check(false, "", "a number that is too large", "numbers below 1.8e308");
        }
        if (root.is_array())
        {
            for (std::size_t i = 0; i < root.size(); ++i)
            {
                ReadSweep(root[i], "/" + std::to_string(i));
            }
        }
        else
        {
            ReadSweep(root, "");
        }
        std::set<std::string> seen;
        for (const auto& run : m_runs)
        {
            Check(seen.insert(run.id).second, "", run.program, "every run once");
        }
        return std::move(m_runs);
    }

  private:
    using Options = std::vector<std::pair<std::string, std::string>>;
    using Axes = std::vector<std::pair<std::string, std::vector<std::string>>>;

    /// @param valid whether it is  @param place JSON pointer  @param value what is there
    /// @param expected description of valid values  @throws OdcnError if it is not
    void Check(bool valid,
               const std::string& place,
               const std::string& value,
               const std::string& expected) const
    {
        if (!valid)
        {
            throw OdcnError(m_file + (place.empty() ? "" : ": " + place) + ": found '" + value +
                            "', expected " + expected);
        }
    }

    /// @param value of an option  @param place JSON pointer  @return its text
    std::string ToText(const json& value, const std::string& place) const
    {
        Check(value.is_string() || value.is_number() || value.is_boolean(),
              place,
              value.dump(),
              "a text, a number, true or false");
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    /// @param object of options, or null  @param place JSON pointer  @return the options
    Options ReadOptions(const json& object, const std::string& place) const
    {
        Options options;
        Check(object.is_object(), place, object.dump(), "an object of options");
        for (const auto& [name, value] : object.items())
        {
            options.emplace_back(name, ToText(value, place + "/" + name));
        }
        return options;
    }

    /// @param seeds list or range  @param place JSON pointer  @return values of --RngRun
    std::vector<std::string> ReadSeeds(const json& seeds, const std::string& place) const
    {
        std::vector<std::string> list;
        const auto isCount = [](const json& value) { return value.is_number_unsigned(); };
        if (seeds.is_array() && !seeds.empty() && std::all_of(seeds.begin(), seeds.end(), isCount))
        {
            for (const auto& seed : seeds)
            {
                list.push_back(seed.dump());
            }
            return list;
        }
        Check(seeds.is_object() && seeds.size() == 2 && seeds.contains("first") &&
                  seeds.contains("count") && isCount(seeds["first"]) && isCount(seeds["count"]) &&
                  seeds["count"].get<uint64_t>() - 1 < MOST_RUNS,
              place,
              seeds.dump(),
              R"(a list of numbers or {"first": 1, "count": 10})");
        for (uint64_t i = 0; i < seeds["count"].get<uint64_t>(); ++i)
        {
            list.push_back(std::to_string(seeds["first"].get<uint64_t>() + i));
        }
        return list;
    }

    /// Add the runs of one object. @param sweep the object  @param place JSON pointer
    void ReadSweep(const json& sweep, const std::string& place)
    {
        Check(sweep.is_object(), place, sweep.dump().substr(0, 40), "an object with a program");
        SweepRun first;
        first.output = "output";
        Axes axes;
        for (const auto& [name, value] : sweep.items())
        {
            const std::string at = place + "/" + name;
            if (name == "program")
            {
                Check(value.is_string() && !value.get<std::string>().empty(),
                      at,
                      value.dump(),
                      "the name of a program");
                first.program = value.get<std::string>();
            }
            else if (name == "output")
            {
                Check(value.is_string(), at, value.dump(), "the name of an option");
                first.output = value.get<std::string>();
            }
            else if (name == "options")
            {
                first.options = ReadOptions(value, at);
            }
            else if (name == "resume")
            {
                first.resume = ReadOptions(value, at);
            }
            else if (name == "seeds")
            {
                axes.emplace_back("RngRun", ReadSeeds(value, at));
            }
            else if (name == "grid")
            {
                Check(value.is_object(), at, value.dump(), "an object of options and lists");
                std::size_t axis = 0;
                for (const auto& [option, list] : value.items())
                {
                    const std::string where = at + "/" + option;
                    Check(list.is_array() && !list.empty(), where, list.dump(), "a list of values");
                    std::vector<std::string> values;
                    for (const auto& item : list)
                    {
                        values.push_back(ToText(item, where));
                    }
                    // Before the seeds, wherever they are in the file.
                    axes.emplace(axes.begin() + static_cast<std::ptrdiff_t>(axis++),
                                 option,
                                 values);
                }
            }
            else
            {
                Check(false, place, name, "program, options, grid, seeds, output or resume");
            }
        }
        Check(!first.program.empty(), place, sweep.dump().substr(0, 40), "a program");
        CheckSize(first.options, axes);
        Expand(std::move(first), axes, 0);
    }

    /// @param options of all runs  @param axes all options that vary
    /// @throws OdcnError when an option is given twice, or the runs are too many or too large
    void CheckSize(const Options& options, const Axes& axes)
    {
        std::set<std::string> names;
        double text = 0;
        const auto add = [&](const std::string& name, std::size_t length)
        {
            Check(names.insert(name).second, "", name, "every option once");
            text += static_cast<double>(name.size() + length);
        };
        for (const auto& [name, value] : options)
        {
            add(name, value.size());
        }
        double runs = 1;
        for (const auto& [name, values] : axes)
        {
            add(name, std::max_element(values.begin(), values.end(), IsShorter)->size());
            runs *= static_cast<double>(values.size());
        }
        m_text += runs * text;
        Check(static_cast<double>(m_runs.size()) + runs <= MOST_RUNS && m_text <= MOST_TEXT,
              "",
              "more",
              "at most " + std::to_string(MOST_RUNS) + " runs, and options of 50 MB in all");
    }

    /// @param a a text  @param b a text  @return whether the first is shorter
    static bool IsShorter(const std::string& a, const std::string& b)
    {
        return a.size() < b.size();
    }

    /// Add the runs of all combinations. @param run options so far  @param axes all options that
    /// vary  @param axis the next of them
    void Expand(SweepRun run, const Axes& axes, std::size_t axis)
    {
        if (axis < axes.size())
        {
            for (const auto& value : axes[axis].second)
            {
                SweepRun next = run;
                next.options.emplace_back(axes[axis].first, value);
                Expand(std::move(next), axes, axis + 1);
            }
            return;
        }
        std::string text = run.program;
        for (const auto& [name, value] : run.options)
        {
            text += '\0' + name + '\0' + value;
        }
        std::string id =
            to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
        std::erase(id, '-');
        run.id = id.substr(0, 12);
        m_runs.push_back(std::move(run));
    }

    std::string m_file;           //!< path of the plan
    std::vector<SweepRun> m_runs; //!< runs so far
    double m_text{0};             //!< bytes of their options
};

} // namespace

std::vector<SweepRun>
ReadSweepPlan(const std::string& file)
{
    return Reader(file).Read();
}
