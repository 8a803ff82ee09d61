// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CHECKPOINT_H
#define ODCN_CHECKPOINT_H

#include "odcn-network.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A network in one self-describing file: which network it is, for which problem, where it comes
 * from, and its parameters. With more arrays and counters it also holds the state of a training
 * that is to be resumed.
 *
 * The file is, all little-endian: 8 bytes "ODCN-NN" and a newline; uint32 version (1); uint32
 * length of the header; uint64 number of floats; uint32 CRC-32 (IEEE) of all that follows; the
 * header as JSON; the floats, IEEE single precision, array after array as the header lists them.
 */
struct OdcnCheckpoint
{
    /// Name of the array that every checkpoint has.
    static constexpr const char* PARAMETERS = "parameters";

    std::string networkType;                              //!< TypeId name
    std::map<std::string, std::string> networkAttributes; //!< Value by name
    std::vector<uint32_t> observationShape;               //!< Of the problem trained on
    uint32_t nActions{0};                                 //!< Of the problem trained on
    std::vector<uint32_t> signature;                      //!< Of the network; empty: not told
    std::map<std::string, std::string> provenance;        //!< Command, seed, score, ... for people
    std::map<std::string, uint64_t> counters;             //!< Of a training
    std::map<std::string, double> numbers;                //!< Of a training
    std::map<std::string, std::vector<float>> arrays;     //!< Floats by name

    /// @param network built  @return a checkpoint of it, without provenance
    static OdcnCheckpoint Of(const OdcnNetwork& network);

    /**
     * @param path the file
     * @return what it holds, checked
     * @throws OdcnError when it cannot be read, is none, is cut short or is damaged
     */
    static OdcnCheckpoint Load(const std::string& path);

    /**
     * Write whole or not at all: an earlier file stays untouched when anything fails.
     * @param path the file
     * @throws OdcnError when it cannot be written
     */
    void Save(const std::string& path) const;

    /**
     * Build a network as stored, for a problem of the given size.
     * @param path named in errors
     * @param shape of the problem's observations
     * @param actions of the problem
     * @param graph of the problem's observations, or null
     * @return with the stored parameters
     * @throws OdcnError when the network is unknown, or is made for another size
     */
    Ptr<OdcnNetwork> MakeNetwork(const std::string& path,
                                 const std::vector<uint32_t>& shape,
                                 uint32_t actions,
                                 const OdcnGraphObservation* graph = nullptr) const;
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_CHECKPOINT_H */
