// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-mesh-origin.h"
#include "otn-mesh.h"

#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{
namespace odcn
{

namespace
{

using nlohmann::json;

/// @param angle in degrees  @param most its largest size  @return it, nothing if it is larger
std::optional<double>
GetDegrees(double angle, double most)
{
    return std::abs(angle) <= most ? std::optional(angle) : std::nullopt;
}

/// The wavelengths of a link as a file tells them. @param text a number  @return it, nothing if bad
std::optional<uint32_t>
ParseWavelengths(std::string_view text)
{
    const auto count = ParseCount(text);
    return count && *count >= 1 && *count <= OtnMesh::MAX_WAVELENGTHS
               ? std::optional<uint32_t>(static_cast<uint32_t>(*count))
               : std::nullopt;
}

const std::string AREAS = "business, residential or other";
const std::string WAVELENGTHS = "1 to " + std::to_string(OtnMesh::MAX_WAVELENGTHS) + " wavelengths";
const std::string KNOWN_SITE = "the id of a site";

/// A CSV file whose columns are found by the names in its first line.
class Columns
{
  public:
    /**
     * @param file its name
     * @param needed names of columns that must be there
     */
    Columns(const std::string& file, const std::vector<std::string>& needed)
        : m_reader(file)
    {
        if (m_reader.NextLine())
        {
            m_header = m_reader.GetLine();
        }
        SplitText(m_header, ',', m_names);
        for (const std::string& name : needed)
        {
            if (!Has(name))
            {
                m_reader.Refuse(m_header, "a header line with a column '" + name + "'");
            }
        }
    }

    /// @return false at the end of the file
    bool NextLine()
    {
        if (!m_reader.NextLine())
        {
            return false;
        }
        SplitText(m_reader.GetLine(), ',', m_fields);
        if (m_fields.size() != m_names.size())
        {
            m_reader.Refuse(m_reader.GetLine(), std::to_string(m_names.size()) + " columns");
        }
        return true;
    }

    /// @param name of a column  @return whether the file has it
    bool Has(std::string_view name) const
    {
        return std::find(m_names.begin(), m_names.end(), name) != m_names.end();
    }

    /// @param name of a column that is there  @return its field in this line
    std::string_view Get(std::string_view name) const
    {
        return m_fields[std::find(m_names.begin(), m_names.end(), name) - m_names.begin()];
    }

    /**
     * @tparam T a type of value
     * @param name of a column
     * @param value what its field says, nothing when that is bad
     * @param expected what would do
     * @return the value
     */
    template <typename T>
    T Need(std::string_view name, const std::optional<T>& value, const std::string& expected) const
    {
        if (!value)
        {
            m_reader.Refuse(Get(name), expected);
        }
        return *value;
    }

    /// @param name of a column  @return its field as a number
    double GetNumber(std::string_view name) const
    {
        return Need(name, ParseFinite(Get(name)), "a number");
    }

    /// @return number of the current line
    uint64_t GetLineNumber() const
    {
        return m_reader.GetLineNumber();
    }

  private:
    OdcnTextReader m_reader;                //!< the file
    std::string m_header;                   //!< its first line
    std::vector<std::string_view> m_names;  //!< of the columns
    std::vector<std::string_view> m_fields; //!< of the current line
};

/// Sites by id. @param sites all of them  @return the index of each
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

/// @param index of sites  @param id one  @return its index, nothing when no site has it
std::optional<uint32_t>
FindSite(const std::map<std::string, uint32_t, std::less<>>& index, std::string_view id)
{
    const auto found = index.find(id);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

/// Walks over a text and counts its lines.
struct LineCounter
{
    using iterator_category = std::input_iterator_tag; //!< as the standard library asks
    using value_type = char;                           //!< as the standard library asks
    using difference_type = std::ptrdiff_t;            //!< as the standard library asks
    using pointer = const char*;                       //!< as the standard library asks
    using reference = const char&;                     //!< as the standard library asks

    const char* at{nullptr}; //!< where it stands
    uint64_t* line{nullptr}; //!< the line that was reached

    /// @return the character there
    reference operator*() const
    {
        return *at;
    }

    /// @return this, one further
    LineCounter& operator++()
    {
        *line += *at == '\n' ? 1 : 0;
        ++at;
        return *this;
    }

    /// @param o other  @return whether both stand at the same place
    bool operator==(const LineCounter& o) const
    {
        return at == o.at;
    }
};

/// A JSON text, and the lines where the objects of its lists begin.
struct JsonFile
{
    std::string file;                                   //!< its name
    json root;                                          //!< what it says
    std::map<std::string, std::vector<uint64_t>> lines; //!< of the objects in a list

    /// @param name of the file
    explicit JsonFile(const std::string& name)
        : file(name)
    {
        OdcnTextReader reader(name);
        std::string text;
        while (reader.NextLine())
        {
            text += reader.GetLine();
            text += '\n';
        }
        uint64_t line = 1;
        std::string key;
        const auto note = [&](int depth, json::parse_event_t event, json& parsed)
        {
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

    /// @param names a list may have  @return the one that the text has
    std::string FindList(const std::vector<std::string>& names) const
    {
        for (const std::string& name : names)
        {
            if (root.is_object() && root.contains(name) && root[name].is_array())
            {
                // Only then is there a line for each.
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
    uint64_t line;        //!< where it begins

    /// @param value found  @param expected what would do
    [[noreturn]] void Refuse(const std::string& value, const std::string& expected) const
    {
        throw OdcnError::InFile(from.file, line, value, expected);
    }

    /// @param key of a member  @return it as text; empty when it is not there
    std::string GetText(const std::string& key) const
    {
        const auto found = object.find(key);
        if (found == object.end())
        {
            return {};
        }
        return found->is_string() ? found->get<std::string>() : found->dump();
    }

    /// @param key of a member  @return it as text
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
     * @param value what it says, nothing when that is bad
     * @param expected what would do
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

} // namespace

std::shared_ptr<const OtnMesh>
OtnMesh::ReadCsv(const std::string& sitesFile, const std::string& linksFile, uint32_t paths)
{
    Origin origin;
    origin.sitesFile = sitesFile;
    origin.linksFile = linksFile;
    std::vector<OtnSite> sites;
    Columns nodes(sitesFile, {"id", "name", "latitude", "longitude"});
    while (nodes.NextLine())
    {
        OtnSite site;
        site.id = nodes.Get("id");
        site.name = nodes.Get("name");
        site.latitude = nodes.Need("latitude",
                                   GetDegrees(nodes.GetNumber("latitude"), 90),
                                   "a latitude from -90 to 90");
        site.longitude = nodes.Need("longitude",
                                    GetDegrees(nodes.GetNumber("longitude"), 180),
                                    "a longitude from -180 to 180");
        if (nodes.Has("area"))
        {
            site.area = nodes.Need("area", FindOtnArea(nodes.Get("area")), AREAS);
        }
        sites.push_back(std::move(site));
        origin.siteLines.push_back(nodes.GetLineNumber());
    }

    const auto index = IndexSites(sites);
    std::vector<OtnLink> links;
    Columns rows(linksFile, {"src", "dst", "fibre_km"});
    while (rows.NextLine())
    {
        OtnLink link;
        link.a = rows.Need("src", FindSite(index, rows.Get("src")), KNOWN_SITE);
        link.b = rows.Need("dst", FindSite(index, rows.Get("dst")), KNOWN_SITE);
        link.km = rows.GetNumber("fibre_km");
        if (rows.Has("wavelengths"))
        {
            link.wavelengths =
                rows.Need("wavelengths", ParseWavelengths(rows.Get("wavelengths")), WAVELENGTHS);
        }
        links.push_back(link);
        origin.linkLines.push_back(rows.GetLineNumber());
        origin.linkTexts.emplace_back(rows.Get("fibre_km"));
    }
    return Make(std::move(sites), std::move(links), paths, origin);
}

std::shared_ptr<const OtnMesh>
OtnMesh::ReadJson(const std::string& file, uint32_t paths)
{
    const JsonFile text(file);
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
            if (!GetDegrees(site.longitude, 180) || !GetDegrees(site.latitude, 90))
            {
                entry.Refuse(pos->dump(), "a longitude within 180 and a latitude within 90");
            }
        }
        sites.push_back(std::move(site));
        origin.siteLines.push_back(entry.line);
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
        link.km = entry.Need("dist", ParseFinite(entry.NeedText("dist")), "a length in km");
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

std::shared_ptr<const OtnMesh>
OtnMesh::Read(const std::string& file, uint32_t paths)
{
    const std::string nodes = ".nodes.csv";
    if (file.ends_with(".json"))
    {
        return ReadJson(file, paths);
    }
    if (file.ends_with(nodes))
    {
        return ReadCsv(file, file.substr(0, file.size() - nodes.size()) + ".links.csv", paths);
    }
    throw OdcnError::InOption("mesh", file, "the name of a file X.json or X.nodes.csv");
}

} // namespace odcn
} // namespace ns3
