// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-ranks.h"

#include "odcn-error.h"
#include "odcn-interruption.h"

#include <algorithm>
#include <cstdlib>

namespace ns3::odcn
{

namespace
{

/// What the first number of a parcel says: DONE, FAILED with a text, or a signal's number.
constexpr int32_t DONE = 0;
constexpr int32_t FAILED = -1;

} // namespace

Ranks&
Ranks::Alone()
{
    static Ranks alone;
    return alone;
}

std::pair<uint32_t, uint32_t>
Ranks::GetLaunched()
{
    // Slurm sets its variables for every program; those of PMIx say that it is one for MPI.
    const bool pmix = std::getenv("PMIX_RANK");
    for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                     std::pair{"PMI_RANK", "PMI_SIZE"},
                                     std::pair{pmix ? "SLURM_PROCID" : "", "SLURM_NTASKS"}})
    {
        const char* r = std::getenv(rank);
        const char* n = std::getenv(size);
        if (r && n)
        {
            return {std::strtoul(r, nullptr, 10), std::max(1UL, std::strtoul(n, nullptr, 10))};
        }
    }
    return {0, 1};
}

std::unique_ptr<Ranks>
Ranks::Connect(const std::function<std::unique_ptr<Ranks>(const std::string&)>& connect)
{
    const uint32_t size = GetLaunched().second;
    if (size < 2)
    {
        return std::make_unique<Ranks>();
    }
    const std::string launched = "ranks: " + std::to_string(size) + " processes were started, ";
    auto ranks = connect(launched);
    if (ranks->GetSize() != size)
    {
        throw OdcnError(launched + "found " + std::to_string(ranks->GetSize()) +
                        ": the launcher is of another MPI than the program");
    }
    return ranks;
}

std::size_t
Ranks::GetRank() const
{
    return 0;
}

std::size_t
Ranks::GetSize() const
{
    return 1;
}

std::vector<Parcel>
Ranks::Exchange(const std::function<void(Parcel&)>& work)
{
    Parcel own;
    if (IsAlone())
    {
        work(own);
        return {Parcel(own.GetBytes())};
    }
    std::exception_ptr error;
    const auto fail = [&](int32_t kind, std::string text)
    {
        error = std::current_exception();
        own = Parcel();
        own.Pass(kind);
        own.PassList(text);
    };
    try
    {
        int32_t kind = DONE;
        own.Pass(kind);
        work(own);
    }
    catch (const Interruption& stop)
    {
        fail(stop.GetSignal(), "");
    }
    catch (const std::exception& e)
    {
        fail(FAILED, e.what());
    }
    std::vector<Parcel> parcels;
    for (auto& bytes : Gather(own.GetBytes()))
    {
        parcels.emplace_back(std::move(bytes));
    }
    for (std::size_t i = 0; i < parcels.size(); ++i)
    {
        int32_t kind = DONE;
        parcels[i].Pass(kind);
        if (kind == DONE)
        {
            continue;
        }
        m_failed = true;
        if (i == GetRank())
        {
            std::rethrow_exception(error);
        }
        if (kind != FAILED)
        {
            throw Interruption(kind);
        }
        std::string text;
        parcels[i].PassList(text);
        throw OdcnError(text);
    }
    return parcels;
}

void
Ranks::Fail(const std::exception_ptr& error)
{
    if (IsAlone() || m_failed)
    {
        return;
    }
    try
    {
        Exchange([&error](Parcel&) { std::rethrow_exception(error); });
    }
    catch (const std::exception&)
    {
        // The caller has it already.
    }
}

std::vector<float>
Ranks::SumInOrder(const std::vector<float>& own, std::size_t n, std::size_t length)
{
    std::vector<float> sum(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(length));
    for (std::size_t i = 1; i < n; ++i)
    {
        std::transform(sum.begin(),
                       sum.end(),
                       own.begin() + static_cast<std::ptrdiff_t>(i * length),
                       sum.begin(),
                       std::plus<>());
    }
    return sum;
}

std::vector<std::string>
Ranks::Gather(const std::string& own)
{
    return {own};
}

} // namespace ns3::odcn
