#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's libns3-dev 3.37-2: its file for pkg-config, ns3-stats.pc, tells the linker to take
# /usr/lib/x86_64-linux-gnu/libsqlite3.so by its path, which is a file of libsqlite3-dev. The package depends on
# libns3.37 and g++ alone.
#
# Guess before the run: what "pkg-config --libs" names is there when the package is installed.
# Seen: "/usr/bin/ld: cannot find /usr/lib/x86_64-linux-gnu/libsqlite3.so" for each program that uses ns-3's module stats,
# or a library that requires it, as odcn does, until libsqlite3-dev is installed. Programs that are built by CMake, with
# ns-3's own files for it, are linked without.
# For users of odcn: apt install libsqlite3-dev before pkg-config is used.
#
# Exits with 0 while this is so. The package is unpacked, not installed.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder/ns3.deb" <<'END'
import sys
import urllib.request

urllib.request.urlretrieve("http://deb.debian.org/debian/pool/main/n/ns3/libns3-dev_3.37-2_amd64.deb", sys.argv[1])
END
dpkg-deb -x "$folder/ns3.deb" "$folder/root"
depends=$(dpkg-deb -f "$folder/ns3.deb" Depends)
libraries=$(sed -n 's/^Libs: //p' "$folder/root/usr/lib/x86_64-linux-gnu/pkgconfig/ns3-stats.pc")
echo "Depends: $depends"
echo "Libs of ns3-stats.pc: $libraries"
[ "$depends" = "libns3.37 (= 3.37-2), g++" ] && [[ $libraries == *" /usr/lib/x86_64-linux-gnu/libsqlite3.so"* ]]
