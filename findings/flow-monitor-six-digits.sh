#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's ns-3 3.37-2: FlowMonitor::SerializeToXmlFile() writes times with six digits, beside counters that are exact.
#
# Guess before the run: the times of a flow are exact to the nanosecond, as those of GetFlowStats() are.
# Seen: a flow from 12,345,678,901 to 12,345,878,725 ns, 199,824 ns long, is from +1.23457e+10ns to +1.23459e+10ns in the
# file, 200,000 ns; one of 10,824 ns lasts 0. Rates and completion times of short flows that are computed from
# the file, as by the scripts that ns-3 brings, are wrong by up to 100 us after ten seconds, 10 ms after 1,000 s.
# For users of odcn: flow-monitor.xml of odcn's programs has fifteen digits (FlowReport). A scenario with FlowMonitorHelper
# gives SerializeToXmlStream() a stream after precision(15).
#
# Exits with 0 while this is so. Needs g++ and the library of SQLite, which python3 brings; the packages are unpacked,
# not installed.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder" <<'END'
import sys
import urllib.request

packages = {
    "libns3-dev": "n/ns3/libns3-dev_3.37-2_amd64.deb",
    "libns3.37": "n/ns3/libns3.37_3.37-2_amd64.deb",
    "libgsl27": "g/gsl/libgsl27_2.7.1+dfsg-5+deb12u1_amd64.deb",
    "libgslcblas0": "g/gsl/libgslcblas0_2.7.1+dfsg-5+deb12u1_amd64.deb",
}
for name, path in packages.items():
    urllib.request.urlretrieve("http://deb.debian.org/debian/pool/main/" + path, f"{sys.argv[1]}/{name}.deb")
END
for package in "$folder"/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
done
library=$folder/root/usr/lib/x86_64-linux-gnu
cat >"$folder/flow.cc" <<'END'
#include "ns3/applications-module.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <iostream>
#include <string>

using namespace ns3;

int main(int, char* argv[])
{
    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    link.SetChannelAttribute("Delay", StringValue("1us"));
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    UdpServerHelper(5000).Install(nodes.Get(1));
    UdpClientHelper client(addresses.GetAddress(1), 5000);
    client.SetAttribute("MaxPackets", UintegerValue(std::stoul(argv[2])));
    client.SetAttribute("Interval", TimeValue(NanoSeconds(std::stoul(argv[3]))));
    client.SetAttribute("PacketSize", UintegerValue(1000));
    client.Install(nodes.Get(0)).Start(NanoSeconds(12345678901));
    FlowMonitorHelper helper;
    const auto monitor = helper.InstallAll();
    Simulator::Stop(Seconds(13));
    Simulator::Run();
    const auto& flow = monitor->GetFlowStats().at(1);
    std::cout << flow.timeFirstTxPacket.GetNanoSeconds() << " " << flow.timeLastRxPacket.GetNanoSeconds() << "\n";
    monitor->SerializeToXmlFile(argv[1], false, false);
    std::ofstream exact(std::string(argv[1]) + ".exact");
    exact.precision(15);
    monitor->SerializeToXmlStream(exact, 0, false, false);
}
END
g++ -std=c++17 -w -I"$folder/root/usr/include/ns3.37" -I"$folder/root/usr/include" "$folder/flow.cc" -o "$folder/flow" \
    "$library"/libns3-{applications,flow-monitor,internet,point-to-point,network,core}.so.37 \
    -Wl,--allow-shlib-undefined -Wl,-rpath,"$library"
export LD_LIBRARY_PATH=$library

# FILE: first sent and last received of flow 1
times() {
    sed -n 's/.*<Flow flowId="1" timeFirstTxPacket="+\([^"]*\)".* timeLastRxPacket="+\([^"]*\)".*/\1 \2/p' "$1"
}

run() {
    local ends
    ends=$("$folder/flow" "$folder/flows.xml" "$1" "$2")
    echo "$1 packets, one each $2 ns: $ends ns; in the file $(times "$folder/flows.xml"), expected here $4"
    [ "$ends" = "$3" ] && [ "$(times "$folder/flows.xml")" = "$4" ]
    [ "$(times "$folder/flows.xml.exact")" = "${3// /ns }ns" ]
}
run 100 2000 "12345678901 12345878725" "1.23457e+10ns 1.23459e+10ns"
run 10 1000 "12345678901 12345689725" "1.23457e+10ns 1.23457e+10ns"
