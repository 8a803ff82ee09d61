// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Meshes: the shipped one, both file formats, paths, and refused files.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/otn-mesh.h"

#include <ctime>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string BAY = std::string(ODCN_DATA_DIR) + "/sf-bay-22-38";

#if ODCN_HAVE_JSON
TEST(OtnMesh, TheShippedOneIsTheSameInBothForms)
{
    const auto csv = OtnMesh::Read(BAY + ".nodes.csv");
    const auto json = OtnMesh::Read(BAY + ".json");
    ASSERT_EQ(csv->GetNSites(), 22);
    ASSERT_EQ(csv->GetNLinks(), 38);
    ASSERT_EQ(csv->GetNFibers(), 76);
    ASSERT_EQ(json->GetNSites(), 22);
    ASSERT_EQ(json->GetNLinks(), 38);
    std::array<int, OTN_AREAS> areas{};
    for (uint32_t i = 0; i < 22; ++i)
    {
        const auto& [id, name, latitude, longitude, area] = csv->GetSite(i);
        const OtnSite& other = json->GetSite(i);
        EXPECT_EQ(id, other.id);
        EXPECT_EQ(name, other.name);
        EXPECT_EQ(latitude, other.latitude);
        EXPECT_EQ(longitude, other.longitude);
        EXPECT_EQ(area, other.area);
        ++areas[static_cast<std::size_t>(area)];
    }
    EXPECT_EQ(areas, (std::array<int, OTN_AREAS>{8, 8, 6}));
    for (uint32_t i = 0; i < 38; ++i)
    {
        EXPECT_EQ(csv->GetLink(i).a, json->GetLink(i).a);
        EXPECT_EQ(csv->GetLink(i).b, json->GetLink(i).b);
        EXPECT_EQ(csv->GetLink(i).km, json->GetLink(i).km);
        EXPECT_EQ(csv->GetLink(i).wavelengths, 40);
    }
    EXPECT_EQ(csv->GetSite(0).name, "San Francisco");
    EXPECT_EQ(csv->GetLink(0).km, 11.115);
}
#endif

TEST(OtnMesh, PathsAreSimpleSortedAndMirrored)
{
    const auto mesh = OtnMesh::Read(BAY + ".nodes.csv", 3);
    for (uint32_t a = 0; a < mesh->GetNSites(); ++a)
    {
        EXPECT_TRUE(mesh->GetPaths(a, a).empty());
        for (uint32_t b = a + 1; b < mesh->GetNSites(); ++b)
        {
            const auto there = mesh->GetPaths(a, b);
            const auto back = mesh->GetPaths(b, a);
            ASSERT_EQ(there.size(), 3);
            ASSERT_EQ(back.size(), 3);
            for (std::size_t k = 0; k < 3; ++k)
            {
                const auto sites = mesh->GetSites(there[k]);
                EXPECT_EQ(sites.front(), a);
                EXPECT_EQ(sites.back(), b);
                EXPECT_EQ(mesh->GetPath(sites), there[k]);
                EXPECT_LE(there[0].size(), there[k].size());
                ASSERT_EQ(back[k].size(), there[k].size());
                double km = 0;
                for (std::size_t i = 0; i < there[k].size(); ++i)
                {
                    EXPECT_EQ(back[k].rbegin()[i], OtnMesh::GetOpposite(there[k][i]));
                    km += mesh->GetLink(there[k][i] / 2).km;
                }
                EXPECT_DOUBLE_EQ(mesh->GetKm(there[k]), km);
            }
        }
    }
    const std::array<uint32_t, 2> apart{0, 21};
    EXPECT_EQ(mesh->FindLink(0, 21), OtnMesh::NO_LINK);
    EXPECT_THROW(mesh->GetPath(apart), OdcnError);
}

TEST(OtnMesh, PathsByLengthAvoidLongLinks)
{
    const OtnMesh mesh({{"a"}, {"b"}, {"c"}}, {{0, 1, 100, 4}, {0, 2, 30, 4}, {2, 1, 30, 4}});
    const auto byLength = mesh.OrderBy(OtnMesh::LENGTH);
    const std::vector<uint32_t> around{0, 2, 1};
    EXPECT_EQ(mesh.GetSites(mesh.GetPaths(0, 1)[0]), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(byLength->GetSites(byLength->GetPaths(0, 1)[0]), around);
    EXPECT_EQ(byLength->GetKm(byLength->GetPaths(1, 0)[0]), 60);
    ASSERT_EQ(byLength->GetPaths(0, 1).size(), 2U);
    EXPECT_EQ(byLength->GetKm(byLength->GetPaths(0, 1)[1]), 100);
    EXPECT_EQ(byLength->GetSites(byLength->FindPaths(0, 1, 1, {false, false, false})[0]), around);
    EXPECT_EQ(byLength->FindPaths(0, 1, 2, {false, true, false}).size(), 1U);
    const auto back = byLength->OrderBy(OtnMesh::HOPS);
    EXPECT_EQ(back->GetSites(back->GetPaths(0, 1)[0]), (std::vector<uint32_t>{0, 1}));
}

TEST(OtnMesh, PathsKeepOffClosedLinks)
{
    const auto mesh = OtnMesh::Read(BAY + ".nodes.csv");
    std::vector<bool> closed(mesh->GetNLinks());
    const OtnPath first = mesh->GetPaths(9, 0)[0];
    ASSERT_EQ(mesh->FindPaths(9, 0, 1, closed).at(0), first);
    closed[first[1] / 2] = true;
    const auto round = mesh->FindPaths(9, 0, 4, closed);
    ASSERT_EQ(round.size(), 4);
    for (const OtnPath& path : round)
    {
        EXPECT_EQ(mesh->GetSites(path).front(), 9);
        EXPECT_EQ(mesh->GetSites(path).back(), 0);
        for (uint32_t fiber : path)
        {
            EXPECT_NE(fiber / 2, first[1] / 2);
        }
    }
}

/// Temporary files of each test.
class OtnMeshFiles : public FolderTest
{
  protected:
    /// @param ending of the file name  @param text contents  @return the file name
    std::string Write(const std::string& ending, const std::string& text) const
    {
        std::ofstream(m_path + ending, std::ios::binary) << text;
        return m_path + ending;
    }

    /// @param file a mesh  @return the error on reading it, without the file name
    std::string Complaint(const std::string& file) const
    {
        return Refuse([&] { OtnMesh::Read(file); });
    }

    /// @param nodes lines after the header  @param links lines after the header  @return error
    std::string Csv(const std::string& nodes, const std::string& links) const
    {
        Write(".links.csv", "src,dst,fibre_km,wavelengths\n" + links);
        return Complaint(Write(".nodes.csv", "id,name,latitude,longitude,area\n" + nodes));
    }
};

const std::string NODES = "a,A,1,2,business\nb,B,1,3,residential\nc,C,2,2,other\n";
const std::string LINKS = "a,b,10,40\nb,c,20.5,80\n";

TEST_F(OtnMeshFiles, ReadCsvColumnsByName)
{
    EXPECT_EQ(Csv(NODES, LINKS), "");
    EXPECT_EQ(Csv("a,A,90.1,2,other\n", LINKS),
              ".nodes.csv:2: found '90.1', expected in column latitude a number from -90 to 90");
    EXPECT_EQ(Csv("a,A,90,-181,other\n", LINKS),
              ".nodes.csv:2: found '-181', expected in column longitude a number from -180 to 180");
    Write(".links.csv", "x,fibre_km,dst,src\n7,3.25,c,a\r\n8,4,b,c");
    const auto mesh =
        OtnMesh::Read(Write(".nodes.csv", "longitude,latitude,id,name\n1,2,a,A\n3,4,b,B\n5,6,c,C"));
    EXPECT_EQ(mesh->GetSite(1).longitude, 3);
    EXPECT_EQ(mesh->GetSite(1).area, OtnArea::OTHER);
    EXPECT_EQ(
        Refuse([&] { mesh->CheckAreas(); }),
        ".nodes.csv: found 'sites without an area', expected the area of each site: business, "
        "residential or other");
    EXPECT_NO_THROW(OtnMesh::Read(BAY + ".nodes.csv")->CheckAreas());
    EXPECT_EQ(mesh->GetLink(0).a, 0);
    EXPECT_EQ(mesh->GetLink(0).b, 2);
    EXPECT_EQ(mesh->GetLink(0).km, 3.25);
    EXPECT_EQ(mesh->GetLink(0).wavelengths, 40);
}

TEST_F(OtnMeshFiles, RefuseBadCsv)
{
    EXPECT_EQ(Csv(NODES + "d,D,2,3,other\n", LINKS),
              ".nodes.csv:5: found 'd', expected a site that links join to site a");
    EXPECT_EQ(Csv(NODES, LINKS + "b,a,7,40\n"),
              ".links.csv:4: found 'b-a', expected each pair of sites at most once; line 2 joins "
              "them already");
    EXPECT_EQ(Csv(NODES, LINKS + "a,x,7,40\n"),
              ".links.csv:4: found 'x', expected in column dst the id of a site");
    EXPECT_EQ(Csv(NODES, LINKS + "a,a,7,40\n"),
              ".links.csv:4: found 'a-a', expected two different sites");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,0.0,40\n"),
              ".links.csv:4: found '0.0', expected a length of 10^-6 to 10^5 km");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,-3,40\n"),
              ".links.csv:4: found '-3', expected a length of 10^-6 to 10^5 km");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,1e-300,40\n"),
              ".links.csv:4: found '1e-300', expected a length of 10^-6 to 10^5 km");
    EXPECT_EQ(Csv(NODES + "d,\x1b[31mD,1,2,other\n", LINKS + "a,d,1,40\n"),
              ".nodes.csv:5: found 'd, ?[31mD', expected an id and a name without control "
              "characters");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,nan,40\n"),
              ".links.csv:4: found 'nan', expected in column fibre_km a number");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,3,-4\n"),
              ".links.csv:4: found '-4', expected in column wavelengths 1 to 128 wavelengths");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,3,0\n"),
              ".links.csv:4: found '0', expected in column wavelengths 1 to 128 wavelengths");
    EXPECT_EQ(Csv(NODES, LINKS + "a,c,3\n"), ".links.csv:4: found 'a,c,3', expected 4 columns");
    EXPECT_EQ(Csv(NODES + "a,X,1,2,other\n", LINKS),
              ".nodes.csv:5: found 'a', expected an id that no other site has");
    EXPECT_EQ(Csv(NODES + "d,D,1,2,port\n", LINKS),
              ".nodes.csv:5: found 'port', expected in column area business, residential or other");
    EXPECT_EQ(Csv(NODES + "d,D,north,2,other\n", LINKS),
              ".nodes.csv:5: found 'north', expected in column latitude a number from -90 to 90");
    EXPECT_EQ(Csv("", ""), ".nodes.csv: found 'no site', expected at least one site");
    Write(".links.csv", "src,dst\n");
    EXPECT_EQ(Complaint(m_path + ".nodes.csv"),
              ".links.csv:1: found 'src,dst', expected a header with a column fibre_km");
}

TEST_F(OtnMeshFiles, MayHavePlacesInAPlaneAndLengthsOfZero)
{
    Write(".links.csv", "src,dst,fibre_km\na,b,300\nb,c,0\n");
    const std::string file =
        Write(".nodes.csv", "id,name,latitude,longitude\na,A,-100,20\nb,B,300,20\nc,C,300,120\n");
    EXPECT_EQ(Complaint(file),
              ".nodes.csv:2: found '-100', expected in column latitude a number from -90 to 90");
    EXPECT_EQ(Complaint(file + "[Places=Plane]"),
              ".links.csv:3: found '0', expected a length of 10^-6 to 10^5 km");
    const auto mesh = OtnMesh::Read(file + "[Places=Plane|Zero=2.5]");
    EXPECT_EQ(mesh->GetLink(0).km, 300);
    EXPECT_EQ(mesh->GetLink(1).km, 2.5);
    // A map has the same shape: 400 by 100.
    EXPECT_EQ(mesh->GetSite(0).latitude, 0);
    EXPECT_EQ(mesh->GetSite(1).latitude, 1);
    EXPECT_EQ(mesh->GetSite(1).longitude, 0);
    EXPECT_EQ(mesh->GetSite(2).longitude, 0.25);
    for (const char* form : {"[Places=plane]", "[Zero=0]", "[Zero=-1]", "[Zero=x]", "[No=1]"})
    {
        EXPECT_TRUE(
            Has(GetRefusal([&] { OtnMesh::Read(file + form); }), "expected Places=Plane or"))
            << form;
    }
    EXPECT_TRUE(
        Has(GetRefusal([&] { OtnMesh::Read(file + "[Zero=1|Zero=2]"); }), "each Attribute once"));
#if ODCN_HAVE_JSON
    const std::string json =
        Write(".json",
              "{\"nodes\": [{\"id\": 1, \"pos\": [31, 398]}, {\"id\": 2, \"pos\": "
              "[482, 20]}], \"edges\": [{\"source\": 1, \"target\": 2, \"dist\": 0}]}");
    EXPECT_EQ(OtnMesh::Read(json + "[Zero=1|Places=Plane]")->GetLink(0).km, 1);
    EXPECT_TRUE(Has(Complaint(json + "[Zero=1]"), "found '[31,398]'"));
#endif
}

#if ODCN_HAVE_JSON
TEST_F(OtnMeshFiles, RefuseBadJson)
{
    const auto complain = [&](const std::string& nodes, const std::string& links)
    {
        return Complaint(Write(".json",
                               "{\"graph\": {\"x\": {}},\n\"nodes\": [\n" + nodes +
                                   "],\n\"links\": [\n" + links + "]}\n"));
    };
    const std::string a = "{\"id\": \"a\", \"pos\": [1, 2]},\n";
    const std::string two = a + "{\"id\": 7,\n \"area\": \"other\"}\n";
    const std::string link = "{\"source\": \"a\",\n \"target\": 7, \"dist\": 1.5}";
    EXPECT_EQ(complain(two, link), "");
    EXPECT_EQ(complain(two, link + ",\n" + link),
              ".json:10: found 'a-7', expected each pair of sites at most once; line 8 joins them "
              "already");
    EXPECT_EQ(complain(two, ""), ".json:4: found '7', expected a site that links join to site a");
    EXPECT_EQ(complain(two, "\n{\"source\": \"a\", \"target\": 8, \"dist\": 1}"),
              ".json:9: found '8', expected the id of a site");
    EXPECT_EQ(complain(two, "{\"source\": \"a\", \"target\": 7}"),
              ".json:8: found 'no 'dist'', expected an object with 'dist'");
    EXPECT_EQ(complain(two, "{\"source\": \"a\", \"target\": 7, \"dist\": 0.0}"),
              ".json:8: found '0.0', expected a length of 10^-6 to 10^5 km");
    EXPECT_EQ(complain(a + "{\"id\": 7, \"name\": \"\\u001b]0;x\\u0007\"}", link),
              ".json:4: found '7, ?]0;x?', expected an id and a name without control characters");
    EXPECT_EQ(complain(two, "{\"source\": \"a\", \"target\": 7, \"dist\": 1, \"wavelengths\": -3}"),
              ".json:8: found '-3', expected 1 to 128 wavelengths");
    EXPECT_EQ(complain(a + "{\"id\": 7, \"pos\": [1]}", link),
              ".json:4: found '[1]', expected [longitude, latitude]");
    EXPECT_EQ(
        complain(a + "{\"id\": 7, \"pos\": [181, 0]}", link),
        ".json:4: found '[181,0]', expected a longitude within 180 and a latitude within 90, or "
        "FILE[Places=Plane]");
    EXPECT_EQ(Complaint(Write(".json", "{\"nodes\": [], \"edges\": [], \"links\": []}")),
              ".json: found 'the lists edges and links', expected one of them");
    EXPECT_EQ(
        Complaint(Write(".json", "{\"directed\": true, \"nodes\": [], \"links\": []}")),
        ".json: found '\"directed\": true', expected an undirected graph, since a link is a fibre "
        "each way");
    EXPECT_EQ(complain(a + "{\"id\": 7,\n", link),
              ".json:5: found 'no JSON from here on', "
              "expected a JSON text");
    EXPECT_EQ(complain(a + "8", link),
              ".json: found 'no such list', expected a list 'nodes' of objects");
    EXPECT_THROW(OtnMesh::Read("mesh.xml"), OdcnError);
    EXPECT_EQ(Complaint(Write(".json", std::string(2000000, '['))),
              ".json:1: found 'deeply nested JSON', expected a mesh");
    std::string large = "[0";
    for (int i = 0; i < 2500000; ++i)
    {
        large += ",\n";
    }
    EXPECT_TRUE(Has(Complaint(Write(".json", large)), "found 'more than 4194304 bytes'"));
}
#endif

TEST(OtnMesh, AFullMeshAndARingAreFast)
{
    constexpr uint32_t SITES = 200;
    std::vector<OtnSite> sites(SITES);
    std::vector<OtnLink> full;
    std::vector<OtnLink> ring;
    for (uint32_t i = 0; i < SITES; ++i)
    {
        sites[i].id = std::to_string(i);
        ring.push_back({i, (i + 1) % SITES, 1});
        for (uint32_t j = 0; j < i; ++j)
        {
            full.push_back({j, i, 1});
        }
    }
    const std::clock_t begin = std::clock();
    EXPECT_EQ(OtnMesh(sites, full).GetPaths(1, 0)[4].size(), 2U);
    EXPECT_EQ(OtnMesh(sites, ring).GetPaths(SITES / 4, 0)[1].size(), SITES / 4 * 3);
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 5); // a minute by a search for each
}

TEST(OtnMesh, RefusesBadNumbers)
{
    const OtnSite a{"a"};
    const OtnSite b{"b"};
    EXPECT_THROW(OtnMesh({}, {}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {{0, 2, 1}}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {{0, 1, 0}}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {{0, 1, 1, 0}}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {{0, 1, 1}, {1, 0, 1}}), OdcnError);
    EXPECT_THROW(OtnMesh({a, a}, {{0, 1, 1}}), OdcnError);
    EXPECT_THROW(OtnMesh({a, b}, {{0, 1, 1}}, 0), OdcnError);
    EXPECT_THROW(OtnMesh(std::vector<OtnSite>(1025), {}), OdcnError);
    EXPECT_EQ(OtnMesh({a, b}, {{0, 1, 1}}).GetPaths(1, 0)[0], OtnPath{1});
    EXPECT_EQ(OtnMesh({a}, {}).GetNFibers(), 0);
}

} // namespace
