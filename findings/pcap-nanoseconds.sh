#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# tcpdump 4.99.3 with libpcap 1.10.3 (Debian 12), scapy 2.6.1 and dpkt 1.9.8 (PyPI): a copy of a pcap file with
# nanoseconds has microseconds. "tcpdump -r FILE -w COPY EXPRESSION" cuts the digits, rdpcap() and wrpcap() of scapy and
# Reader and Writer of dpkt round them; none says so. The field usec of scapy's RawPcapReader has nanoseconds.
#
# Guess before the run: a copy has the times of its source, as that of tshark has; usec is microseconds.
# Seen: of five packets at 1,000, 1,121, 1,242, 1,999 and 2,000 ns after the second, the copy of tcpdump has four at
# 1,000 ns, those of scapy and dpkt have three; usec is 1000, 1121, ...
# For users of odcn, whose pcap files have nanoseconds: tcpdump takes --nano, in reading and in copying; wrpcap() takes
# nano=True, Writer takes nano=True.
#
# Exits with 0 while this is so. The packages of Debian are unpacked, not installed.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q scapy==2.6.1 dpkt==1.9.8
python3 - "$folder" <<'END'
import sys
import urllib.request

POOL = "http://deb.debian.org/debian/pool/main/"
for package in ("t/tcpdump/tcpdump_4.99.3-1_amd64.deb", "libp/libpcap/libpcap0.8_1.10.3-1_amd64.deb"):
    urllib.request.urlretrieve(POOL + package, f"{sys.argv[1]}/{package.split('/')[-1]}")
END
for package in "$folder"/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
done

# Five UDP packets without data.
python3 - "$folder/nano.pcap" <<'END'
import struct
import sys

with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
    for nanoseconds in (1000, 1121, 1242, 1999, 2000):
        packet = bytes(12) + b"\x08\x00"
        packet += struct.pack(">BBHHHBBHII", 0x45, 0, 28, 0, 0, 64, 17, 0, 0x0A000001, 0x0A000002)
        packet += struct.pack(">HHHH", 5000, 6000, 8, 0)
        file.write(struct.pack("<IIII", 1, nanoseconds, len(packet), len(packet)) + packet)
END

export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu
tcpdump="$folder/root/usr/bin/tcpdump -Z $(id -un)"
$tcpdump -r "$folder/nano.pcap" -w "$folder/tcpdump.pcap" udp 2>"$folder/said"
$tcpdump --nano -r "$folder/nano.pcap" -w "$folder/tcpdump-nano.pcap" udp 2>>"$folder/said"
cat "$folder/said"
"$folder/venv/bin/python" - "$folder" <<'END'
import struct
import sys

import dpkt
from scapy.all import RawPcapReader, rdpcap, wrpcap

folder = sys.argv[1]
source = f"{folder}/nano.pcap"
wrpcap(f"{folder}/scapy.pcap", rdpcap(source))
with open(source, "rb") as read, open(f"{folder}/dpkt.pcap", "wb") as written:
    writer = dpkt.pcap.Writer(written)
    for time, packet in dpkt.pcap.Reader(read):
        writer.writepkt(packet, time)
    writer.close()


def nanoseconds(name):
    data = open(f"{folder}/{name}.pcap", "rb").read()
    unit = {0xA1B2C3D4: 1000, 0xA1B23C4D: 1}[struct.unpack_from("<I", data)[0]]
    seen, at = [], 24
    while at < len(data):
        _, fraction, length, _ = struct.unpack_from("<IIII", data, at)
        seen.append(fraction * unit)
        at += 16 + length
    return seen


seen = {name: nanoseconds(name) for name in ("nano", "tcpdump-nano", "tcpdump", "scapy", "dpkt")}
seen["usec"] = [packet.usec for _, packet in RawPcapReader(source)]
for name, times in seen.items():
    print(name, times)
exact = [1000, 1121, 1242, 1999, 2000]
rounded = [1000, 1000, 1000, 2000, 2000]
sys.exit(
    seen
    != {
        "nano": exact,
        "tcpdump-nano": exact,
        "tcpdump": [1000, 1000, 1000, 1000, 2000],
        "scapy": rounded,
        "dpkt": rounded,
        "usec": exact,
    }
)
END
