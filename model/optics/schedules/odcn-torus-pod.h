// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORUS_POD_H
#define ODCN_TORUS_POD_H

#include "odcn-torus.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Cubes of chips that a bank of optical switches joins to tori, as in TPU v4 (Jouppi et al., ISCA
 * 2023): 64 cubes of 4 x 4 x 4 chips and 48 switches of 136 ports.
 *
 * Links between chips of a cube are electrical. Each of the 6 faces of a cube has one optical link
 * for each of its chips. Switch s = d Side^2 + f joins the links of dimension d at place f of
 * the face: port 2c is that of cube c in direction +, port 2c + 1 that in direction -. A circuit
 * carries both ways. So any cubes form a slice, wherever they are, and a slice of one cube in a
 * dimension is closed by a circuit of the cube to itself.
 *
 * Cubes = free + used + failed. Slices asked for = allocated + refused, and allocated = active +
 * freed + interrupted. All or nothing: a slice has all its cubes and circuits, or none.
 */
class TorusPod : public Object
{
  public:
    /// Cubes by state.
    struct CubeCounts
    {
        uint32_t free{0};   //!< in no slice
        uint32_t used{0};   //!< in slices
        uint32_t failed{0}; //!< in no slice, not to be used
    };

    /// Slices so far.
    struct SliceCounts
    {
        uint64_t allocated{0};   //!< by Allocate()
        uint64_t refused{0};     //!< for want of free cubes
        uint64_t active{0};      //!< allocated now
        uint64_t freed{0};       //!< by Free()
        uint64_t interrupted{0}; //!< ended by the failure of a cube
        uint64_t swapped{0};     //!< failed cubes of slices that a free one has replaced
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Set up the pod without slices. All other methods need it.
     * @throws OdcnError when there are fewer switches than links of a cube in + directions, or the
     * cubes take more ports than a switch has
     */
    void Build();

    /// @return number of cubes
    uint32_t GetNCubes() const
    {
        return static_cast<uint32_t>(m_states.size());
    }

    /// @return number of chips of a cube
    uint32_t GetNChips() const
    {
        return m_side * m_side * m_side;
    }

    /// @return number of switches with circuits: 3 Side^2
    uint32_t GetNSwitches() const
    {
        return 3 * m_side * m_side;
    }

    /**
     * Allocate a slice: the free cubes of lowest numbers, and its circuits.
     * @param torus of chips; sides are multiples of those of a cube
     * @return number of the slice; none if too few cubes are free
     * @throws OdcnError when the pod can never have such a slice
     */
    std::optional<uint64_t> Allocate(const Torus& torus);

    /**
     * End a slice.
     * @param slice its number
     * @throws OdcnError when there is none such now
     */
    void Free(uint64_t slice);

    /**
     * A cube fails. If it is in a slice, a free cube takes its place; without one the slice ends.
     * Nothing happens to a cube that has failed before.
     * @param cube its number
     * @return the cube in its place, if any
     * @throws OdcnError when there is no such cube
     */
    std::optional<uint32_t> Fail(uint32_t cube);

    /**
     * A cube that has failed is free again. Nothing happens to others.
     * @param cube its number
     * @throws OdcnError when there is no such cube
     */
    void Repair(uint32_t cube);

    /// @return numbers of active slices
    std::vector<uint64_t> GetSlices() const;

    /// @param slice number of an active slice
    /// @return its torus of chips
    /// @throws OdcnError when there is none such
    const Torus& GetTorus(uint64_t slice) const;

    /// @param slice number of an active slice
    /// @param node of its torus
    /// @return the chip there: cube x GetNChips() + x + Side (y + Side z)
    /// @throws OdcnError when there is none such
    uint32_t GetChip(uint64_t slice, uint32_t node) const;

    /// @param index of a switch
    /// @return its circuits: for each port the other one, NO_RACK for none
    const Matching& GetCircuits(uint32_t index) const;

    /**
     * Follow a link, within its cube or through a switch.
     * @param chip its number
     * @param direction 2d for + and 2d + 1 for - of dimension d
     * @return the chip at the other end; none where there is no circuit
     */
    std::optional<uint32_t> FollowLink(uint32_t chip, uint32_t direction) const;

    /// @return cubes by state
    CubeCounts CountCubes() const;

    /// @return slices so far
    const SliceCounts& CountSlices() const
    {
        return m_counts;
    }

    /// @return circuits set up so far, of all switches
    uint64_t GetNSetUp() const
    {
        return m_setUp;
    }

    /// Signature of Circuits.
    /// @param index of a switch
    /// @param circuits see GetCircuits()
    typedef void (*CircuitsTracedCallback)(uint32_t index, const Matching& circuits);
    /// Signature of Interrupted. @param slice its number
    typedef void (*SliceTracedCallback)(uint64_t slice);

  private:
    /// State of a cube.
    enum class State : uint8_t
    {
        FREE,   //!< in no slice
        USED,   //!< in a slice
        FAILED, //!< in no slice, not to be used
    };

    /// A slice.
    struct Slice
    {
        Torus chips;                 //!< as asked for
        Torus torus;                 //!< of cubes
        std::vector<uint32_t> cubes; //!< by node of that torus
    };

    /// @param text what was found and expected, after "TorusPod: "
    [[noreturn]] static void Refuse(const std::string& text);
    /// @param cube to check
    void CheckCube(uint32_t cube) const;
    /// @param slice its number
    /// @return the slice
    const Slice& Find(uint64_t slice) const;
    /// Connect two ports of all switches of a dimension.
    /// @param dimension 0 to 2
    /// @param a a port
    /// @param b another port
    void Connect(uint32_t dimension, uint32_t a, uint32_t b);
    /// Remove all circuits of a cube.
    /// @param cube its number
    void Disconnect(uint32_t cube);
    /// End a slice, whose used cubes become free.
    /// @param slice its number
    void End(uint64_t slice);
    /// Report the circuits of all switches.
    void Report();

    uint32_t m_cubes;                   //!< Cubes
    uint32_t m_side;                    //!< Side
    uint32_t m_switches;                //!< Switches
    uint32_t m_ports;                   //!< Ports
    uint32_t m_spares;                  //!< Spares
    std::vector<State> m_states;        //!< of cubes
    std::vector<Matching> m_circuits;   //!< by dimension, which all its switches have
    std::map<uint64_t, Slice> m_slices; //!< by number
    SliceCounts m_counts;               //!< see CountSlices()
    uint64_t m_setUp{0};                //!< see GetNSetUp()
    TracedCallback<uint32_t, const Matching&> m_circuitsTrace; //!< trace source Circuits
    TracedCallback<uint64_t> m_interruptedTrace;               //!< trace source Interrupted
};

/**
 * @ingroup odcn
 *
 * The static circuits of slices of a TorusPod: its chips are racks, by their numbers, and uplink d
 * leads to the neighbour in direction d, as in TorusSchedule. Chips of different slices are not
 * connected.
 */
class TorusPodSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Directions, and so uplinks, of a chip.
    static constexpr uint32_t DIRECTIONS = 6;

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::string m_pod;    //!< Pod
    std::string m_slices; //!< Slices
};

} // namespace ns3::odcn

#endif /* ODCN_TORUS_POD_H */
