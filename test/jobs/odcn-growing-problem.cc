// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * For test/python-test.sh: a problem in a library that breaks its word, since a size changes with
 * the episodes. An episode is one decision.
 */

#include "ns3/odcn-decision-problem.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// See the file's comment.
class Growing : public DecisionProblem
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("Growing")
                                .SetParent<DecisionProblem>()
                                .AddConstructor<Growing>()
                                .AddAttribute("Grows",
                                              "actions, observation, figures or values",
                                              StringValue(""),
                                              MakeStringAccessor(&Growing::m_grows),
                                              MakeStringChecker())
                                .AddAttribute("From",
                                              "The first episode that is larger.",
                                              UintegerValue(2),
                                              MakeUintegerAccessor(&Growing::m_from),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    uint32_t GetNActions() const override
    {
        return GetSize("actions");
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {GetSize("observation")};
    }

    void Observe(float* out) const override
    {
        std::fill_n(out, GetObservationSize(), 1.0F);
    }

    void Mask(uint8_t* out) const override
    {
        std::fill_n(out, GetNActions(), 1);
    }

    void Act(uint32_t) override
    {
        m_rewards.push_back(1);
        m_done = true;
    }

    void Reset() override
    {
        ++m_episodes;
        m_done = false;
    }

    int64_t AssignStreams(int64_t) override
    {
        return 0;
    }

    std::string GetScoreName() const override
    {
        return "nothing";
    }

    std::vector<FigureOfMerit> GetFigures() const override
    {
        return std::vector<FigureOfMerit>(GetSize("figures"));
    }

    std::vector<FigureValue> MeasureFigures() const override
    {
        return std::vector<FigureValue>(2 * SIZE - GetSize("values"), FigureValue{1, 1});
    }

  private:
    static constexpr uint32_t SIZE = 1000; //!< at first

    /// @param what a size
    /// @return it in this episode
    uint32_t GetSize(const std::string& what) const
    {
        return m_grows == what && m_episodes >= m_from ? 2 * SIZE : SIZE;
    }

    std::string m_grows;    //!< which size
    uint32_t m_from;        //!< first larger episode
    uint32_t m_episodes{0}; //!< number of Reset()
};

NS_OBJECT_ENSURE_REGISTERED(Growing);

} // namespace
