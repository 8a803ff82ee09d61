#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's ns-3 3.37-2: a random variable whose text is made a default by Config::SetDefault(), or by an option
# --ns3::TYPE::ATTRIBUTE of CommandLine, is one object that all objects share. The same text in NS_ATTRIBUTE_DEFAULT, in
# an ObjectFactory, in SetAttribute() or as the default of the TypeId makes a variable for each object.
#
# Guess before the run: a text is read for each object that is made, whichever way it comes, so that each has a variable
# and a stream of its own.
# Seen: of two error models with streams 1 and 2, the first draws 0.703 and the second 0.692; with Config::SetDefault()
# or the option both have one variable, the first draws 0.692, which is the other's, and the second what comes next.
# For users of odcn: options of its programs and arguments of its Python package make an object for each, and each job
# of a TrainingCluster has a copy; a scenario of one's own sets such an Attribute by a factory or on each object.
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
cat >"$folder/shared.cc" <<'END'
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <iomanip>
#include <iostream>
#include <string>

using namespace ns3;

Ptr<Object> Get(const Ptr<Object>& object, const std::string& name)
{
    PointerValue value;
    object->GetAttribute(name, value);
    return value.Get<Object>();
}

int main(int, char* argv[])
{
    const std::string way = argv[1];
    const StringValue text("ns3::UniformRandomVariable[Max=1]");
    if (way == "default")
    {
        Config::SetDefault("ns3::RateErrorModel::RanVar", text);
    }
    if (way == "option")
    {
        CommandLine().Parse({"program", "--ns3::RateErrorModel::RanVar=" + text.Get()});
    }
    ObjectFactory factory("ns3::RateErrorModel");
    if (way == "factory")
    {
        factory.Set("RanVar", text);
    }
    const auto first = factory.Create<RateErrorModel>();
    const auto second = factory.Create<RateErrorModel>();
    if (way == "each")
    {
        first->SetAttribute("RanVar", text);
        second->SetAttribute("RanVar", text);
    }
    first->AssignStreams(1);
    second->AssignStreams(2);
    const auto draw = [](const Ptr<RateErrorModel>& model)
    { return DynamicCast<RandomVariableStream>(Get(model, "RanVar"))->GetValue(); };
    std::cout << (Get(first, "RanVar") == Get(second, "RanVar") ? "same" : "different") << std::fixed
              << std::setprecision(3) << " " << draw(first);
    std::cout << " " << draw(second) << "\n";
}
END
g++ -std=c++17 -w -I"$folder/root/usr/include/ns3.37" -I"$folder/root/usr/include" "$folder/shared.cc" -o "$folder/shared" \
    "$library"/libns3-{network,core}.so.37 -Wl,--allow-shlib-undefined -Wl,-rpath,"$library"
export LD_LIBRARY_PATH=$library

run() {
    local way=$1 expected=$2 seen
    seen=$("$folder/shared" "$way")
    echo "$way: $seen, expected here $expected"
    [ "$seen" = "$expected" ]
}
run type "different 0.703 0.692"
run each "different 0.703 0.692"
run factory "different 0.703 0.692"
NS_ATTRIBUTE_DEFAULT="ns3::RateErrorModel::RanVar=ns3::UniformRandomVariable[Max=1]" run environment "different 0.703 0.692"
run default "same 0.692 0.784"
run option "same 0.692 0.784"
