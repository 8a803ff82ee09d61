// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_MESH_ORIGIN_H
#define OTN_MESH_ORIGIN_H

#include "otn-mesh.h"

#include "ns3/odcn-error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Where the parts of a mesh stand in its files, for error messages.
struct OtnMesh::Origin
{
    std::string sitesFile;              //!< name of the file of sites; empty without a file
    std::string linksFile;              //!< name of the file of links; empty without a file
    bool hasAreas{false};               //!< whether the file has areas of sites
    std::vector<uint64_t> siteLines;    //!< line number of each site
    std::vector<uint64_t> linkLines;    //!< line number of each link
    std::vector<std::string> linkTexts; //!< length of each link, as in the file

    /// @param value found  @param expected what would be valid  @return an error about all sites
    OdcnError OfSites(const std::string& value, const std::string& expected) const
    {
        return sitesFile.empty() ? OdcnError::InOption("sites of a mesh", value, expected)
                                 : OdcnError::InFile(sitesFile, 0, value, expected);
    }

    /// @param i a site  @param value found  @param expected what would be valid  @return an error
    /// about it
    OdcnError OfSite(std::size_t i, const std::string& value, const std::string& expected) const
    {
        return sitesFile.empty() ? OdcnError::InOption("site " + std::to_string(i), value, expected)
                                 : OdcnError::InFile(sitesFile, siteLines[i], value, expected);
    }

    /// @param i a link  @param value found  @param expected what would be valid  @return an error
    /// about it
    OdcnError OfLink(std::size_t i, const std::string& value, const std::string& expected) const
    {
        return linksFile.empty() ? OdcnError::InOption("link " + std::to_string(i), value, expected)
                                 : OdcnError::InFile(linksFile, linkLines[i], value, expected);
    }

    /// @param i a link  @return its name in an error message
    std::string NameLink(std::size_t i) const
    {
        return linksFile.empty() ? "link " + std::to_string(i)
                                 : "line " + std::to_string(linkLines[i]);
    }

    /// @param i index of a link  @param link the link  @return its length as in the file
    std::string LengthText(std::size_t i, const OtnLink& link) const
    {
        return linkTexts.empty() ? std::to_string(link.km) : linkTexts[i];
    }
};

} // namespace ns3::odcn

#endif /* OTN_MESH_ORIGIN_H */
