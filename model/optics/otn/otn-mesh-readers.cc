// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-mesh-origin.h"
#include "otn-mesh.h"

#include "ns3/odcn-object-text.h"
#include "ns3/odcn-row-reader.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#if ODCN_HAVE_JSON
#include <nlohmann/json.hpp>
#endif

namespace ns3::odcn
{

namespace
{

const std::string AREAS = "business, residential or other";
const std::string WAVELENGTHS = "1 to " + std::to_string(OtnMesh::MAX_WAVELENGTHS) + " wavelengths";
const std::string KNOWN_SITE = "the id of a site";

/// Coordinates in a plane.
constexpr NumberRange PLANE{-1e12, 1e12};

/// @param sites all sites  @return the index of each site by its id
std::map<std::string, uint32_t, std::less<>>
IndexSites(const std::vector<OtnSite>& sites)
{
    std::map<std::string, uint32_t, std::less<>> index;
    for (uint32_t i = 0; i < sites.size(); ++i)
    {
        index.emplace(sites[i].id, i);
    }
    return index;
}

/// @param index of sites  @param id of a site  @return its index, no value for an unknown id
std::optional<uint32_t>
FindSite(const std::map<std::string, uint32_t, std::less<>>& index, std::string_view id)
{
    const auto found = index.find(id);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

/**
 * @param km length of a link in the file
 * @param form of the file
 * @return the length
 */
double
GetLength(double km, const OtnMeshForm& form)
{
    return km == 0 && form.zeroKm > 0 ? form.zeroKm : km;
}

/// Draw a plane as a degree each way at the equator, where a map has no distortion.
/// @param [in,out] sites with places in the plane
void
FitPlane(std::vector<OtnSite>& sites)
{
    if (sites.empty())
    {
        return;
    }
    const auto span = [&](double OtnSite::*axis)
    {
        const auto [least, most] = std::minmax_element(sites.begin(),
                                                       sites.end(),
                                                       [axis](const OtnSite& a, const OtnSite& b)
                                                       { return a.*axis < b.*axis; });
        return std::pair((*least).*axis, (*most).*axis);
    };
    const auto [west, east] = span(&OtnSite::longitude);
    const auto [south, north] = span(&OtnSite::latitude);
    const double extent = std::max({east - west, north - south, 1e-300});
    for (OtnSite& site : sites)
    {
        site.longitude = (site.longitude - west) / extent;
        site.latitude = (site.latitude - south) / extent;
    }
}

#if ODCN_HAVE_JSON
using nlohmann::json;

/// Largest size of a JSON file, bytes.
constexpr std::size_t MAX_SIZE = 4 * 1024 * 1024;
/// Deepest nesting of a JSON file; that of a mesh is 4, other members may have more.
constexpr int MAX_DEPTH = 16;

/// @param text number of wavelengths of a link  @return the number; no value if not valid
std::optional<uint32_t>
ParseWavelengths(std::string_view text)
{
    const auto count = ParseCount(text);
    return count && *count >= 1 && *count <= OtnMesh::MAX_WAVELENGTHS
               ? std::optional<uint32_t>(static_cast<uint32_t>(*count))
               : std::nullopt;
}

/// Iterator over the characters of a text that counts lines.
struct LineCounter
{
    using iterator_category = std::input_iterator_tag; //!< required of an iterator
    using value_type = char;                           //!< required of an iterator
    using difference_type = std::ptrdiff_t;            //!< required of an iterator
    using pointer = const char*;                       //!< required of an iterator
    using reference = const char&;                     //!< required of an iterator

    const char* at{nullptr}; //!< current character
    uint64_t* line{nullptr}; //!< number of the current line

    /// @return the current character
    reference operator*() const
    {
        return *at;
    }

    /// @return this, advanced by one
    LineCounter& operator++()
    {
        *line += *at == '\n' ? 1 : 0;
        ++at;
        return *this;
    }

    /// @param o other  @return whether both are at the same character
    bool operator==(const LineCounter& o) const
    {
        return at == o.at;
    }
};

/// A JSON file, and the line numbers at which the objects in its lists begin.
struct JsonFile
{
    std::string file;                                   //!< name of the file
    json root;                                          //!< parsed content
    std::map<std::string, std::vector<uint64_t>> lines; //!< by list: line of each object

    /// @param name of the file
    explicit JsonFile(const std::string& name)
        : file(name)
    {
        TextReader reader(name);
        std::string text;
        while (reader.NextLine())
        {
            text += reader.GetLine();
            text += '\n';
            if (text.size() > MAX_SIZE)
            {
                reader.Refuse("more than " + std::to_string(MAX_SIZE) + " bytes", "a mesh");
            }
        }
        uint64_t line = 1;
        std::string key;
        const auto note = [&](int depth, json::parse_event_t event, json& parsed)
        {
            if (depth > MAX_DEPTH)
            {
                throw OdcnError::InFile(name, line, "deeply nested JSON", "a mesh");
            }
            if (event == json::parse_event_t::key && depth == 1)
            {
                key = parsed.get<std::string>();
            }
            else if (event == json::parse_event_t::object_start && depth == 2)
            {
                lines[key].push_back(line);
            }
            return true;
        };
        try
        {
            root = json::parse(LineCounter{text.data(), &line},
                               LineCounter{text.data() + text.size(), &line},
                               note);
        }
        catch (const json::exception&)
        {
            throw OdcnError::InFile(name, line, "no JSON from here on", "a JSON text");
        }
    }

    /// @throws OdcnError when links may go one way only
    void RefuseDirected() const
    {
        if (root.is_object() && root.value("directed", json()) == true)
        {
            throw OdcnError::InFile(file,
                                    0,
                                    "\"directed\": true",
                                    "an undirected graph, since a link is a fibre each way");
        }
    }

    /// @param names accepted names of a list  @return the name in use
    std::string FindList(const std::vector<std::string>& names) const
    {
        const auto has = [&](const std::string& name)
        { return root.is_object() && root.contains(name); };
        if (std::count_if(names.begin(), names.end(), has) > 1)
        {
            throw OdcnError::InFile(file,
                                    0,
                                    "the lists " + names[0] + " and " + names[1],
                                    "one of them");
        }
        for (const std::string& name : names)
        {
            if (root.is_object() && root.contains(name) && root[name].is_array())
            {
                // Line numbers are recorded for lists of objects only.
                const json& list = root[name];
                const bool objects =
                    std::all_of(list.begin(), list.end(), [](auto& o) { return o.is_object(); });
                if (objects)
                {
                    return name;
                }
            }
        }
        throw OdcnError::InFile(file, 0, "no such list", "a list '" + names[0] + "' of objects");
    }
};

/// One object in a list of a JSON file.
struct JsonEntry
{
    const JsonFile& from; //!< the file
    const json& object;   //!< the entry
    uint64_t line;        //!< line at which the entry begins

    /// @param value found  @param expected what would be valid
    [[noreturn]] void Refuse(const std::string& value, const std::string& expected) const
    {
        throw OdcnError::InFile(from.file, line, value, expected);
    }

    /// @param key of a member  @return its value as text; empty without such a member
    std::string GetText(const std::string& key) const
    {
        const auto found = object.find(key);
        if (found == object.end())
        {
            return {};
        }
        return found->is_string() ? found->get<std::string>() : found->dump();
    }

    /// @param key of a required member  @return its value as text
    std::string NeedText(const std::string& key) const
    {
        std::string text = GetText(key);
        if (text.empty())
        {
            Refuse("no '" + key + "'", "an object with '" + key + "'");
        }
        return text;
    }

    /**
     * @tparam T a type of value
     * @param key of a member
     * @param value its parsed value, no value when it is not valid
     * @param expected what would be valid
     * @return the value
     */
    template <typename T>
    T Need(const std::string& key, const std::optional<T>& value, const std::string& expected) const
    {
        if (!value)
        {
            Refuse(GetText(key), expected);
        }
        return *value;
    }
};

#endif // ODCN_HAVE_JSON

} // namespace

std::shared_ptr<const OtnMesh>
OtnMesh::ReadCsv(const std::string& sitesFile,
                 const std::string& linksFile,
                 uint32_t paths,
                 const OtnMeshForm& form)
{
    Origin origin;
    origin.sitesFile = sitesFile;
    origin.linksFile = linksFile;
    std::vector<OtnSite> sites;
    RowReader nodes(sitesFile);
    nodes.ReadHeader({{"id"}, {"name"}, {"latitude"}, {"longitude"}, {"area", true}});
    origin.hasAreas = nodes.Has(4);
    while (nodes.NextRow())
    {
        nodes.CheckWidth();
        OtnSite& site = sites.emplace_back();
        site.id = nodes[0];
        site.name = nodes[1];
        site.latitude = nodes.Number(2, form.plane ? PLANE : NumberRange{-90, 90});
        site.longitude = nodes.Number(3, form.plane ? PLANE : NumberRange{-180, 180});
        if (origin.hasAreas)
        {
            const auto area = FindOtnArea(nodes[4]);
            if (!area)
            {
                nodes.RefuseField(4, AREAS);
            }
            site.area = *area;
        }
        origin.siteLines.push_back(nodes.GetLineNumber());
    }

    if (form.plane)
    {
        FitPlane(sites);
    }
    const auto index = IndexSites(sites);
    std::vector<OtnLink> links;
    RowReader rows(linksFile);
    rows.ReadHeader({{"src"}, {"dst"}, {"fibre_km"}, {"wavelengths", true}});
    while (rows.NextRow())
    {
        rows.CheckWidth();
        OtnLink& link = links.emplace_back();
        for (const std::size_t end : {0, 1})
        {
            const auto site = FindSite(index, rows[end]);
            if (!site)
            {
                rows.RefuseField(end, KNOWN_SITE);
            }
            (end == 0 ? link.a : link.b) = *site;
        }
        link.km = GetLength(rows.Number(2), form);
        if (rows.Has(3))
        {
            link.wavelengths =
                static_cast<uint32_t>(rows.Count(3, 1, MAX_WAVELENGTHS, WAVELENGTHS.c_str()));
        }
        origin.linkLines.push_back(rows.GetLineNumber());
        origin.linkTexts.emplace_back(rows[2]);
    }
    return Make(std::move(sites), std::move(links), paths, origin);
}

#if ODCN_HAVE_JSON
std::shared_ptr<const OtnMesh>
OtnMesh::ReadJson(const std::string& file, uint32_t paths, const OtnMeshForm& form)
{
    const JsonFile text(file);
    text.RefuseDirected();
    Origin origin;
    origin.sitesFile = file;
    origin.linksFile = file;

    std::string list = text.FindList({"nodes"});
    std::vector<OtnSite> sites;
    for (const json& object : text.root[list])
    {
        const JsonEntry entry{text, object, text.lines.at(list)[sites.size()]};
        OtnSite site;
        site.id = entry.NeedText("id");
        site.name = object.contains("name") ? entry.NeedText("name") : site.id;
        if (object.contains("area"))
        {
            origin.hasAreas = true;
            site.area = entry.Need("area", FindOtnArea(entry.GetText("area")), AREAS);
        }
        if (const auto pos = object.find("pos"); pos != object.end())
        {
            if (!pos->is_array() || pos->size() != 2 || !(*pos)[0].is_number() ||
                !(*pos)[1].is_number())
            {
                entry.Refuse(pos->dump(), "[longitude, latitude]");
            }
            site.longitude = (*pos)[0].get<double>();
            site.latitude = (*pos)[1].get<double>();
            const bool isIn =
                form.plane ? std::abs(site.longitude) <= PLANE.greatest &&
                                 std::abs(site.latitude) <= PLANE.greatest
                           : std::abs(site.longitude) <= 180 && std::abs(site.latitude) <= 90;
            if (!isIn)
            {
                entry.Refuse(pos->dump(),
                             form.plane ? "coordinates within 10^12"
                                        : "a longitude within 180 and a latitude within 90, or "
                                          "FILE[Places=Plane]");
            }
        }
        sites.push_back(std::move(site));
        origin.siteLines.push_back(entry.line);
    }

    if (form.plane)
    {
        FitPlane(sites);
    }
    const auto index = IndexSites(sites);
    list = text.FindList({"edges", "links"});
    std::vector<OtnLink> links;
    for (const json& object : text.root[list])
    {
        const JsonEntry entry{text, object, text.lines.at(list)[links.size()]};
        OtnLink link;
        link.a = entry.Need("source", FindSite(index, entry.NeedText("source")), KNOWN_SITE);
        link.b = entry.Need("target", FindSite(index, entry.NeedText("target")), KNOWN_SITE);
        link.km =
            GetLength(entry.Need("dist", ParseFinite(entry.NeedText("dist")), "a length in km"),
                      form);
        if (object.contains("wavelengths"))
        {
            link.wavelengths = entry.Need("wavelengths",
                                          ParseWavelengths(entry.GetText("wavelengths")),
                                          WAVELENGTHS);
        }
        links.push_back(link);
        origin.linkLines.push_back(entry.line);
        origin.linkTexts.push_back(entry.GetText("dist"));
    }
    return Make(std::move(sites), std::move(links), paths, origin);
}
#else
std::shared_ptr<const OtnMesh>
OtnMesh::ReadJson(const std::string& file, uint32_t, const OtnMeshForm&)
{
    throw OdcnError(file + ": a mesh in JSON, and odcn was built without nlohmann-json");
}
#endif

std::shared_ptr<const OtnMesh>
OtnMesh::Read(const std::string& file, uint32_t paths)
{
    OtnMeshForm form;
    std::string name = file;
    if (file.ends_with(']'))
    {
        auto [path, settings] = ObjectText::Parse("mesh", file);
        name = path;
        for (const auto& [key, value] : settings)
        {
            const auto number = ParseFinite(value);
            const bool isPlaces = key == "Places" && (value == "Plane" || value == "Degrees");
            const bool isZero = key == "Zero" && number && *number >= 1e-6 && *number <= MAX_KM;
            if (!isPlaces && !isZero)
            {
                throw OdcnError::InOption("mesh",
                                          key + "=" + value,
                                          "Places=Plane or Places=Degrees, or Zero=KM, the length "
                                          "of links of length 0");
            }
            form.plane = isPlaces ? value == "Plane" : form.plane;
            form.zeroKm = isZero ? *number : form.zeroKm;
        }
    }
    const std::string nodes = ".nodes.csv";
    if (name.ends_with(".json"))
    {
        return ReadJson(name, paths, form);
    }
    if (name.ends_with(nodes))
    {
        return ReadCsv(name,
                       name.substr(0, name.size() - nodes.size()) + ".links.csv",
                       paths,
                       form);
    }
    throw OdcnError::InOption("mesh", file, "the name of a file X.json or X.nodes.csv");
}

} // namespace ns3::odcn
