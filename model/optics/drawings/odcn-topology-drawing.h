// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TOPOLOGY_DRAWING_H
#define ODCN_TOPOLOGY_DRAWING_H

#include "ns3/node-container.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-output-files.h"
#include "ns3/otn-mesh.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

class Node;

namespace odcn
{

class OcsFabric;
class PacketNetwork;
class RddcFabric;

/**
 * @ingroup odcn
 *
 * A picture of a network: nodes placed in the plane and the links between them, in the DOT language
 * of Graphviz. The same network gives the same bytes.
 *
 * @code
 *   TopologyDrawing drawing;
 *   drawing.AddFabric(*fabric); // circuits as they are now
 *   drawing.Write(files, "fabric.dot"); // neato -n2 -Tsvg fabric.dot -o fabric.svg
 * @endcode
 *
 * Electrical networks are drawn in tiers above their hosts, racks of an optical fabric on a ring,
 * so that circuits are chords, and a mesh as a map. Parallel links are drawn as one.
 */
class TopologyDrawing
{
  public:
    /// What a node is.
    enum class Kind : uint8_t
    {
        HOST,           //!< server or GPU
        RACK_SWITCH,    //!< ToR switch
        PACKET_SWITCH,  //!< any other packet switch
        OPTICAL_SWITCH, //!< optical circuit switch
        GATEWAY,        //!< switch that lightpaths lead to
        BUSINESS,       //!< site in a business area
        RESIDENTIAL,    //!< site in a residential area
        SITE,           //!< any other site
    };

    /// Plane of a link that is not a circuit.
    static constexpr uint32_t NO_PLANE = UINT32_MAX;

    /// A node.
    struct Place
    {
        std::string label;                                     //!< name
        Kind kind{Kind::HOST};                                 //!< what it is
        Ptr<ns3::Node> node{};                                 //!< its node in ns-3, or null
        double x{0};                                           //!< to the right, inches
        double y{0};                                           //!< upwards, inches
        double load{std::numeric_limits<double>::quiet_NaN()}; //!< share in use; NaN if unknown
    };

    /// Links between two nodes that are alike.
    struct Line
    {
        uint32_t a;                      //!< index of a node
        uint32_t b;                      //!< index of another node
        uint32_t plane{NO_PLANE};        //!< of a circuit: its optical switch
        double rate{0};                  //!< of each, in @p unit; 0 if unknown
        std::string unit;                //!< "bit/s", or what a link consists of
        bool routed{true};               //!< whether SetDemand() may use it
        std::array<uint32_t, 2> count{}; //!< number from a to b, and from b to a
        std::array<double, 2> traffic{}; //!< offered from a to b and from b to a, in @p unit
    };

    /// @param title shown above the picture
    void SetTitle(const std::string& title)
    {
        m_title = title;
    }

    /// @param show whether links bear their rates; otherwise a tooltip has them
    void SetLabels(bool show);

    /// @param place a node  @return its index
    uint32_t AddPlace(const Place& place);

    /**
     * Add a link, or a circuit.
     * @param line ends, rate and kind  @param both whether it is used in both directions
     */
    void AddLine(const Line& line, bool both = true);

    /**
     * Add nodes and the links between their devices and to nodes that were added before: any
     * network of ns-3, the fat tree of a centre among them. Names are those of ns3::Names, if any.
     * @param nodes the nodes; those that were added before are left out
     */
    void AddNodes(const NodeContainer& nodes);

    /// Add an electrical network. @param network it
    void AddNetwork(const PacketNetwork& network);

    /// Add an optical fabric with the circuits that its ToR switches use now. @param fabric it
    void AddFabric(const OcsFabric& fabric);

    /// Add a resource-disaggregated data centre. @param fabric it
    void AddFabric(const RddcFabric& fabric);

    /// Add a mesh as a map. @param mesh sites and links
    void AddMesh(const OtnMesh& mesh);

    /**
     * Offer traffic to the links: each pair takes its shortest paths by hops, split evenly at each
     * node over the next links. Pairs without a path offer nothing.
     * @param places index of the node of each rack or site
     * @param demand in the unit of the links
     */
    void SetDemand(const std::vector<uint32_t>& places, const DemandMatrix& demand);

    /// Set the load of a link. @param line its index, in the order of AddLine()  @param share in
    /// use
    void SetUse(uint32_t line, double share);

    /// @return indices of the nodes of a kind @param kind the kind
    std::vector<uint32_t> FindPlaces(Kind kind) const;

    /// Place the nodes, unless that has been done since the last was added.
    void Arrange();

    /// @return the nodes; mutable, for their loads and, after Arrange(), positions
    std::vector<Place>& GetPlaces()
    {
        return m_places;
    }

    /// @return the links
    const std::vector<Line>& GetLines() const
    {
        return m_lines;
    }

    /// @param kind of a node
    /// @return its colour, "#rrggbb"
    static const char* GetHue(Kind kind);

    /// @param plane of a circuit  @return its colour, "#rrggbb"
    static const char* GetHue(uint32_t plane);

    /// @param os gets the picture in DOT, with positions for `neato -n2`
    void WriteDot(std::ostream& os);

    /// Write the picture in DOT.
    /// @param files output folder
    /// @param name of the file
    void Write(OutputFiles& files, const std::string& name);

  private:
    /// How nodes are placed.
    enum class Layout : uint8_t
    {
        TIERS, //!< by hops from the hosts
        RING,  //!< racks on a ring
        MAP,   //!< as given
    };

    /// @return share of its rate that a link is offered; NaN if unknown @param line the link
    double GetLoad(const Line& line) const;

    /// @param line a link  @return its rate as text
    static std::string GetRate(const Line& line);

    /// @return hops from the nearest host, or the other way for a node without one
    std::vector<uint32_t> FindTiers() const;

    /// Place nodes in tiers. @param tiers of the nodes
    void ArrangeTiers(const std::vector<uint32_t>& tiers);

    /// Place racks on a ring. @param tiers of the nodes
    void ArrangeRing(const std::vector<uint32_t>& tiers);

    /// @param os gets the node in DOT
    /// @param index of the node
    /// @param hostsNamed whether hosts have their names
    void WriteNode(std::ostream& os, std::size_t index, bool hostsNamed) const;

    /// @param os gets the link in DOT
    /// @param line the link
    void WriteLine(std::ostream& os, const Line& line) const;

    /// @return rows of the legend in the HTML of DOT
    std::string MakeLegend() const;

    std::string m_title;                   //!< title
    bool m_labels{false};                  //!< see SetLabels()
    bool m_loaded{false};                  //!< whether links have loads
    bool m_arranged{false};                //!< see Arrange()
    Layout m_layout{Layout::TIERS};        //!< how nodes are placed
    std::vector<Place> m_places;           //!< nodes
    std::vector<Line> m_lines;             //!< links
    std::map<uint32_t, uint32_t> m_byNode; //!< index by id of the node in ns-3
    std::map<Kind, uint32_t> m_numbers;    //!< nodes of a kind so far
    /// Index of a link by lower end, upper end, plane, unit and rate.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string, double>, uint32_t> m_byEnds;
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_TOPOLOGY_DRAWING_H */
