#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's ns-3 3.37-2: a PointToPointNetDevice carries more than its DataRate. Each packet takes a whole number of
# nanoseconds, the resolution of Time unless it is set; what is rounded off is not kept for the next packet.
#
# Guess before the run: a thousand packets back to back take their bytes by the rate, to within one rounding; a link is
# never faster than its rate.
# Seen: packets of 66 bytes, 1.32 ns each at 400 Gb/s, take 1 ns: 528 Gb/s. 105.6 Gb/s at 100 Gb/s; packets of 258
# bytes 412.8 at 400 and 688 at 800 Gb/s. Packets of 1,500 bytes have the rate, and so have all after
# Time::SetResolution(Time::PS).
# For users of odcn: its programs and its Python package compute in picoseconds; a scenario of one's own calls
# Time::SetResolution(Time::PS) first.
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
cat >"$folder/link.cc" <<'END'
#include "ns3/drop-tail-queue.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <string>

using namespace ns3;

constexpr uint32_t HEADER = 2; // bytes of PPP

int main(int argc, char* argv[])
{
    if (argc > 3)
    {
        Time::SetResolution(Time::PS);
    }
    auto channel = CreateObject<PointToPointChannel>();
    Ptr<PointToPointNetDevice> devices[2];
    for (auto& device : devices)
    {
        device = CreateObject<PointToPointNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetDataRate(DataRate(argv[1]));
        device->SetQueue(CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize", StringValue("1000p")));
        CreateObject<Node>()->AddDevice(device);
        device->Attach(channel);
    }
    uint64_t bytes = 0;
    Time last;
    NetDevice::ReceiveCallback receive(
        [&](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
            bytes += packet->GetSize() + HEADER;
            last = Simulator::Now();
            return true;
        });
    devices[1]->SetReceiveCallback(receive);
    for (int i = 0; i < 1000; ++i)
    {
        devices[0]->Send(Create<Packet>(std::stoul(argv[2]) - HEADER), devices[1]->GetAddress(), 0x0800);
    }
    Simulator::Run();
    std::cout << bytes << " bytes " << last.GetNanoSeconds() << " ns\n";
}
END
g++ -std=c++17 -w -I"$folder/root/usr/include/ns3.37" -I"$folder/root/usr/include" "$folder/link.cc" -o "$folder/link" \
    "$library"/libns3-{point-to-point,network,core}.so.37 -Wl,--allow-shlib-undefined -Wl,-rpath,"$library"
export LD_LIBRARY_PATH=$library

run() {
    local expected=$1 seen
    shift
    seen=$("$folder/link" "$@")
    echo "$*: $seen, expected here $expected"
    [ "$seen" = "$expected" ]
}
run "66000 bytes 5000 ns" 100Gbps 66
run "66000 bytes 1000 ns" 400Gbps 66
run "258000 bytes 5000 ns" 400Gbps 258
run "258000 bytes 3000 ns" 800Gbps 258
run "1500000 bytes 30000 ns" 400Gbps 1500
run "66000 bytes 1320 ns" 400Gbps 66 picoseconds
