// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PYTHON_H
#define ODCN_PYTHON_H

/**
 * @file
 * What the parts of the Python module _odcn share: Attributes as text, and the lock of runs.
 */

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

/// Parts of the module. Types of pybind11, which some classes hold, are hidden, too.
namespace odcn_python __attribute__((visibility("hidden")))
{

    namespace py = pybind11;

    /// Attributes and options by name, as text.
    using Texts = std::map<std::string, std::string>;

    /// Seeds are run numbers, which are this many before ns-3's streams overlap.
    constexpr uint64_t N_SEEDS = uint64_t{1} << 51;

    /// @return the share of an environment; waits for RunAlone() without Python's lock
    std::shared_lock<std::shared_mutex> ShareRuns();

    /**
     * Call a function without Python's lock, while no environment makes a step: ns-3's simulator
     * and run number are one for the process.
     * @param run the function
     * @throws as Python's handler of a signal, e.g. Ctrl-C
     */
    void RunAlone(const std::function<void()>& run);

    /**
     * @return whether this process is a child of fork() that was made while a run, or an episode
     * with packets, went on: it has neither the threads nor the locks of it
     */
    bool IsForkedWithinRun();

    /// @throws ns3::odcn::OdcnError when IsForkedWithinRun()
    void CheckProcess();

    /**
     * @param type a type
     * @param name of an Attribute that it has
     * @param text a value
     * @throws ns3::odcn::OdcnError when it is none of the Attribute
     */
    void CheckValue(ns3::TypeId type, const std::string& name, const std::string& text);

    /// Defaults of Attributes while it exists.
    class AttributeScope
    {
      public:
        AttributeScope() = default;
        ~AttributeScope();
        AttributeScope(const AttributeScope&) = delete;
        AttributeScope& operator=(const AttributeScope&) = delete;

        /**
         * @param types where Attributes are looked for
         * @param name of an Attribute, or TYPE::ATTRIBUTE
         * @param text its value
         * @throws ns3::odcn::OdcnError when there is none such, or the value is out of range
         */
        void Add(const std::vector<ns3::TypeId>& types,
                 const std::string& name,
                 const std::string& text);

      private:
        /// Defaults before, by TYPE::ATTRIBUTE
        std::vector<std::pair<std::string, ns3::Ptr<const ns3::AttributeValue>>> m_before;
        ns3::odcn::GivenAttributes m_given; //!< refuses other values
    };

    /// A user's function that is told how far a run is, twice a second.
    class ProgressCall
    {
      public:
        /// @param function of what is done, of all, and the simulated time in s; may be None
        explicit ProgressCall(const py::object& function)
            : m_function(function),
              m_isWanted(!function.is_none())
        {
        }

        /**
         * Also stops a run at a signal.
         * @param done so far
         * @param all of them
         * @param now the simulated time
         */
        void Update(uint64_t done, uint64_t all, ns3::Time now);

      private:
        py::object m_function;                      //!< of Python
        bool m_isWanted;                            //!< whether there is one
        std::chrono::steady_clock::time_point m_at; //!< of the last call
    };

    /// @param values in C++
    /// @return an array of them
    template <typename T>
    py::array_t<T> ToArray(const std::vector<T>& values)
    {
        return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
    }

    /**
     * ns-3's simulator, of which a process has one, for as long as it is used across calls.
     * @param owner that uses it; null for a run within one call
     * @throws ns3::odcn::OdcnError while another one uses it
     */
    void ClaimSimulator(const void* owner);

    /// @param owner that no longer uses the simulator
    void ReleaseSimulator(const void* owner);

    /// Watch for fork(). To be called once.
    void WatchForks();

    /// Add training jobs on fabrics. @param m the module
    void AddTraining(py::module_ & m);

    /// Add environments whose packets are in flight. @param m the module
    void AddPacketLoops(py::module_ & m);

    /// Add designs of fabrics. @param m the module
    void AddFabrics(py::module_ & m);

} // namespace )

#endif /* ODCN_PYTHON_H */
