#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's ns-3 3.37-2: an option of CommandLine::AddValue() for a number reads as far as a number goes and drops the
# rest without a word. An Attribute given on the same command line refuses what is left over.
#
# Guess before the run: --bytes=1e6 for a uint64_t is a million or an error; --packets=-1 for a uint32_t is an error.
# Seen: --bytes=1e6 is 1, 2.5e9 is 2, 10Mbps is 10, 1,000,000 is 1; --packets=-1 is 4294967295. Exit status 0, no message.
# An Attribute, such as --ns3::ZipfRandomVariable::N=1e6, ends the program with a message.
# For users of odcn: programs of odcn read options by a class of their own, which refuses these in one line; a scenario
# in scratch/ that uses ns-3's CommandLine runs with the first digits. Compare what a program prints with what was typed.
#
# Exits with 0 while this is so. Needs g++; the packages are unpacked, not installed.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder" <<'END'
import sys
import urllib.request

for name in ("libns3-dev", "libns3.37"):
    url = f"http://deb.debian.org/debian/pool/main/n/ns3/{name}_3.37-2_amd64.deb"
    urllib.request.urlretrieve(url, f"{sys.argv[1]}/{name}.deb")
END
for package in "$folder"/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
done
library=$folder/root/usr/lib/x86_64-linux-gnu
cat >"$folder/numbers.cc" <<'END'
#include "ns3/command-line.h"

#include <iostream>

int main(int argc, char* argv[])
{
    uint64_t bytes = 7;
    uint32_t packets = 7;
    ns3::CommandLine cmd;
    cmd.AddValue("bytes", "", bytes);
    cmd.AddValue("packets", "", packets);
    cmd.Parse(argc, argv);
    std::cout << bytes << " " << packets << "\n";
}
END
g++ -std=c++17 -w -I"$folder/root/usr/include/ns3.37" -I"$folder/root/usr/include" "$folder/numbers.cc" \
    -o "$folder/numbers" "$library/libns3-core.so.37" -Wl,--allow-shlib-undefined -Wl,-rpath,"$library"

run() {
    local seen
    seen=$("$folder/numbers" "$1")
    echo "$1: $seen, expected here $2"
    [ "$seen" = "$2" ]
}
run --bytes=1e6 "1 7"
run --bytes=2.5e9 "2 7"
run --bytes=10Mbps "10 7"
run --bytes=1,000,000 "1 7"
run --packets=-1 "7 4294967295"
