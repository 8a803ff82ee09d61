// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-simulator-ranks.h"

#include "ns3/odcn-error.h"

#ifdef ODCN_HAVE_NS3_MPI
#include "ns3/mpi-interface.h"

#include <exception>
#include <limits>
#include <mpi.h>
#include <numeric>
#endif

#include <string>

namespace ns3::odcn
{

#ifdef ODCN_HAVE_NS3_MPI

namespace
{

/// Ranks of ns-3's distributed simulator.
class SimulatorRanks : public Ranks
{
  public:
    SimulatorRanks()
    {
        int argc = 0;
        char** argv = nullptr;
        MpiInterface::Enable(&argc, &argv);
    }

    ~SimulatorRanks() override
    {
        // After an error the others may wait for this rank for ever: mpirun ends them when this
        // process ends without leaving MPI.
        if (std::uncaught_exceptions() == 0)
        {
            MpiInterface::Disable();
        }
    }

    std::size_t GetRank() const override
    {
        return MpiInterface::GetSystemId();
    }

    std::size_t GetSize() const override
    {
        return MpiInterface::GetSize();
    }

  protected:
    std::vector<std::string> Gather(const std::string& own) override
    {
        const MPI_Comm all = MpiInterface::GetCommunicator();
        uint64_t length = own.size();
        std::vector<uint64_t> lengths(GetSize());
        MPI_Allgather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, all);
        const uint64_t total = std::accumulate(lengths.begin(), lengths.end(), uint64_t{0});
        if (total > uint64_t(std::numeric_limits<int>::max()))
        {
            throw OdcnError("ranks: results of more than 2 GiB");
        }
        const std::vector<int> counts(lengths.begin(), lengths.end());
        std::vector<int> places(counts.size());
        std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
        std::string bytes(total, '\0');
        MPI_Allgatherv(own.data(),
                       static_cast<int>(length),
                       MPI_CHAR,
                       bytes.data(),
                       counts.data(),
                       places.data(),
                       MPI_CHAR,
                       all);
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            parts.push_back(bytes.substr(places[i], counts[i]));
        }
        return parts;
    }
};

} // namespace

#endif

std::unique_ptr<Ranks>
MakeSimulatorRanks()
{
    return Ranks::Connect(
        []([[maybe_unused]] const std::string& launched) -> std::unique_ptr<Ranks>
        {
#ifdef ODCN_HAVE_NS3_MPI
            return std::make_unique<SimulatorRanks>();
#else
            throw OdcnError(launched + "but this ns-3 was built without its module mpi");
#endif
        });
}

} // namespace ns3::odcn
