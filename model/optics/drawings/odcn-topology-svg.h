// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TOPOLOGY_SVG_H
#define ODCN_TOPOLOGY_SVG_H

#include "odcn-topology-drawing.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Writes a TopologyDrawing as SVG, part by part, so that an animation can put its own elements
 * between them. Positions and lengths in the file are pixels, 72 an inch.
 * @ingroup odcn
 */
class TopologySvg
{
  public:
    /// A position in the file.
    struct Point
    {
        double x; //!< to the right, pixels
        double y; //!< downwards, pixels
    };

    /// A row of the legend.
    struct LegendRow
    {
        std::string hue;   //!< colour of the symbol, "#rrggbb"
        char symbol;       //!< 'o' circle, 's' square, 'd' diamond, '-' line, ' ' none
        std::string text;  //!< what it stands for
        bool bold{false};  //!< whether it is a heading
        double width{2.5}; //!< of a line, pixels
    };

    /**
     * Arrange the nodes and place their names.
     * @param drawing the drawing
     */
    explicit TopologySvg(TopologyDrawing& drawing);

    /**
     * @param place index of a node
     * @return where its centre is
     */
    Point GetCentre(uint32_t place) const
    {
        return m_centres.at(place);
    }

    /**
     * @param place index of a node
     * @return half of its width and of its height, pixels
     */
    Point GetHalf(uint32_t place) const
    {
        return m_halves.at(place);
    }

    /// @return the upper left corner of what is drawn
    Point GetCorner() const
    {
        return {m_extent.left, m_extent.top};
    }

    /// @return size of the text, pixels
    double GetFont() const
    {
        return m_font;
    }

    /**
     * Write the opening element, the background and the title.
     * @param os the file
     * @param legend rows of the legend, which needs room
     */
    void Begin(std::ostream& os, const std::vector<LegendRow>& legend) const;

    /**
     * Write the links.
     * @param os the file
     * @param circuits whether circuits, and fibres to optical switches, are among them
     */
    void WriteLines(std::ostream& os, bool circuits = true) const;

    /**
     * Write all nodes with their names.
     * @param os the file
     */
    void WriteNodes(std::ostream& os) const;

    /**
     * Write the legend below.
     * @param os the file
     * @param legend its rows
     */
    void WriteLegend(std::ostream& os, const std::vector<LegendRow>& legend) const;

    /**
     * Write the closing element.
     * @param os the file
     */
    static void End(std::ostream& os);

    /// @return the legend of the drawing: kinds of nodes, links, circuits and loads
    std::vector<LegendRow> MakeLegend() const;

    /**
     * @param value a number
     * @return it with two decimals, never -0.00
     */
    static std::string Format(double value);

  private:
    /// A rectangle.
    struct Box
    {
        double left;   //!< pixels
        double top;    //!< pixels
        double right;  //!< pixels
        double bottom; //!< pixels
    };

    /// The name of a node of a map, which stands beside it.
    struct Name
    {
        Point at;           //!< of its anchor, on the base line
        const char* anchor; //!< "start", "middle" or "end"
        Box box;            //!< that it covers
    };

    /**
     * @param place index of a node
     * @return what its symbol covers
     */
    Box GetBox(uint32_t place) const;

    /// Find what nodes and names cover.
    void Measure();

    /// Make room in the picture. @param box for this
    void Widen(const Box& box);

    /**
     * @param a a rectangle
     * @param b another
     * @return area that both cover
     */
    static double GetOverlap(const Box& a, const Box& b);

    /// Rows and columns of a legend.
    struct LegendGrid
    {
        std::size_t rows{0};    //!< of each column but the last
        std::size_t columns{1}; //!< side by side
        double width{0};        //!< of a column, pixels
    };

    /**
     * @param legend its rows, which fill one column after the other
     * @return the columns that fit below the drawing
     */
    LegendGrid ArrangeLegend(const std::vector<LegendRow>& legend) const;

    /**
     * @param width room for a line, pixels
     * @return lines of the title
     */
    std::vector<std::string> WrapTitle(double width) const;

    /// Set the positions of the nodes. @param scale pixels of an inch
    void SetScale(double scale);

    /// @return whether a node with its name in it covers part of another node
    bool Touch() const;

    /**
     * Set the positions of the nodes of a map, and choose a place for each name.
     * @param scale pixels of an inch
     * @return area in which names overlap each other or nodes
     */
    double PlaceNames(double scale);

    /**
     * Choose the place of a name that covers least of nodes and of other names.
     * @param index of the node
     * @return area that it covers of others
     */
    double PlaceName(uint32_t index);

    /**
     * @param index of a node
     * @param choice which of the places beside it
     * @return its name there
     */
    Name GetName(uint32_t index, uint32_t choice) const;

    /**
     * @param text some text
     * @return its width, estimated, pixels
     */
    double GetWidth(const std::string& text) const;

    /// @return whether names stand beside their nodes
    bool IsMap() const;

    /// @return whether a node has its name in the picture @param place index of the node
    bool IsNamed(uint32_t place) const;

    /// Write a link. @param os the file  @param line the link
    void WriteLine(std::ostream& os, const TopologyDrawing::Line& line) const;

    /// Write a node. @param os the file  @param place index of the node
    void WriteNode(std::ostream& os, uint32_t place) const;

    TopologyDrawing& m_drawing;   //!< what is drawn
    double m_font;                //!< size of the text, pixels
    bool m_hostsNamed;            //!< whether hosts have their names
    Box m_extent{};               //!< of nodes and names
    std::vector<Point> m_centres; //!< of the nodes
    std::vector<Point> m_halves;  //!< half of their widths and heights
    std::vector<Name> m_names;    //!< of the nodes of a map
};

} // namespace ns3::odcn

#endif /* ODCN_TOPOLOGY_SVG_H */
