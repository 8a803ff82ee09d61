// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A user-defined problem for Python, and a rule: which circuits a link with few channels accepts
 * (Poisson arrivals, exponential holding times; 3 of 10 pay five times as much as the others).
 *     c++ -shared -fPIC admission.cc -o libadmission.so $(pkg-config --cflags --libs odcn)
 */

#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

#include <set>
using namespace ns3;
using namespace ns3::odcn;

struct Admission : DecisionProblem
{
    static TypeId GetTypeId()
    {
        static auto tid = TypeId("Admission")
                              .SetParent<DecisionProblem>()
                              .AddConstructor<Admission>()
                              .AddAttribute("Channels",
                                            "Channels of the link",
                                            UintegerValue(10),
                                            MakeUintegerAccessor(&Admission::channels),
                                            MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    uint32_t GetNActions() const override
    {
        return 2;
    } // accept, refuse

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {2};
    }

    void Observe(float* out) const override
    {
        out[0] = static_cast<float>(ends.size()) / channels, out[1] = pay / 5;
    }

    void Mask(uint8_t* out) const override
    {
        out[0] = ends.size() < channels, out[1] = 1;
    }

    void Act(uint32_t action) override
    {
        RequireAction(action);
        const bool accepted = action == 0 && ends.size() < channels;
        if (accepted)
        {
            ends.insert(now + random->GetValue(10, 0));
        }
        rewards.push_back(accepted ? pay : 0);
        earned += rewards.back(), offered += pay;
        Arrive();
    }

    void TakeRewards(std::vector<float>& out) override
    {
        out.insert(out.end(), rewards.begin(), rewards.end()), rewards.clear();
    }

    bool IsDone() const override
    {
        return false;
    }

    void Reset() override
    {
        now = 0, ends.clear(), rewards.clear(), ClearScore(), Arrive();
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return random->SetStream(stream), 1;
    }

    std::string GetScoreName() const override
    {
        return "income lost";
    }

    double GetScore() const override
    {
        return 1 - earned / offered;
    }

    void ClearScore() override
    {
        earned = offered = 0;
    }

    void Arrive()
    {
        now += random->GetValue(1, 0);
        ends.erase(ends.begin(), ends.upper_bound(now));
        pay = random->GetValue(1, 0) > 1.204 ? 5 : 1; // a probability of 0.3
    }

    uint32_t channels;
    double now, earned, offered;
    float pay; // of the circuit to decide about
    std::multiset<double> ends;
    std::vector<float> rewards;
    Ptr<ExponentialRandomVariable> random = CreateObject<ExponentialRandomVariable>();
};

NS_OBJECT_ENSURE_REGISTERED(Admission);

struct Reserve : DecisionPolicy // one channel in five is kept for circuits that pay more
{
    static TypeId GetTypeId()
    {
        static auto tid = TypeId("Reserve").SetParent<DecisionPolicy>().AddConstructor<Reserve>();
        return tid;
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        float seen[2];
        problem.Observe(seen);
        return seen[0] < (seen[1] < 1 ? 0.8F : 1) ? 0 : 1;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Reserve);
