#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The launcher on a system where no Debian package is installed: what it would install for a target. Wrong
# words. What did not run of the tests. Two launchers at once. Completion.
#
# Usage: launcher-test.sh LAUNCHER

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
unset NS3_ROOT ODCN_PYTHON
mkdir bin
ln -s /bin/true bin/dpkg-query # it knows no package
export PATH=$work/bin:$PATH

# lacks PACKAGES OTHERS ARGUMENT ...: the error names all PACKAGES and none of OTHERS
lacks()
{
    local packages=$1 others=$2 name
    shift 2
    "$program" --no-install "$@" >out 2>err && complain "$* with nothing installed"
    grep -q '^error: nothing was installed' err || { complain "$*: no error"; cat err; }
    for name in $packages; do
        grep -qw -- "$name" err || { complain "$* without $name"; cat err; }
    done
    for name in $others; do
        grep -qw -- "$name" err && { complain "$* with $name"; cat err; }
    done
}

lacks "libns3-dev libboost-dev" "libtorch-dev libgtest-dev libbenchmark-dev" run rotor-first
lacks "libns3-dev" "libtorch-dev libgtest-dev libbenchmark-dev" run odcn-drl-scheduling -- --help
lacks "libtorch-dev" "libgtest-dev libbenchmark-dev libprotobuf-dev" run odcn-control-plane
lacks "libprotobuf-dev protobuf-compiler" "libgtest-dev libbenchmark-dev" run training-jobs
lacks "libgtest-dev libprotobuf-dev" "libtorch-dev libbenchmark-dev" build odcn-gtest
lacks "libgtest-dev libtorch-dev" "libbenchmark-dev" build rotor-first odcn-agent-gtest
lacks "libgtest-dev libtorch-dev libbenchmark-dev nlohmann-json3-dev" "" test
lacks "libgtest-dev" "libtorch-dev libbenchmark-dev nlohmann-json3-dev libprotobuf-dev" configure -- -DODCN_PARTS=optics

# A folder of its own with all packages, a CMake that makes two programs, and a ninja that works until there is a file "go".
mkdir -p clone/examples all
cp "$program" clone/ns3
cp "${program%/*}/examples/CMakeLists.txt" clone/examples
echo 0.0.1 >clone/VERSION
cat >all/dpkg-query <<'END_OF_SH'
#!/bin/sh
shift 3
printf 'installed %s\n' "$@"
END_OF_SH
cat >all/cmake <<'END_OF_SH'
#!/bin/sh
mkdir -p build/bin
touch build/build.ninja
echo configured >>configurations
printf 'ocs-first\nown-rule\nrotor-first\n' >build/programs.txt
printf '#!/bin/sh\necho runs\nsleep 2\n' >build/bin/rotor-first
printf '#!/bin/sh\necho decides\n' >build/bin/own-rule
chmod +x build/bin/*
printf 'CMAKE_BUILD_TYPE:STRING=Debug\nCMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$PWD" >build/CMakeCache.txt
END_OF_SH
cat >all/ninja <<'END_OF_SH'
#!/bin/sh
case "$* " in
    *"-n "*) echo "[1/1] work" ;;
    *"-t query odcn-gtest "*) ;;
    *"-t query odcn-base-"*) [ -e parts ] || exit 1 ;;
    *"-t query "*) exit 1 ;;
    *"-t targets "*) printf 'lib/libodcn.so: LINK\nbin/odcn-gtest: LINK\n' ;;
    *)
        echo begin >>log
        until [ -e go ]; do sleep 0.05; done
        case "$*" in
            *" odcn-base-core") until [ -e "$TORCH/installed" ]; do sleep 0.05; done && sleep 0.3 ;;
        esac
        echo end >>log
        ;;
esac
END_OF_SH
chmod +x all/*
stubs=$work/all:$PATH

# launch ARGUMENT ...: the launcher of the clone, what it says in out and err
launch()
{
    (cd clone && PATH=$stubs exec ./ns3 "$@") >out 2>err
}

# errs LAST-LINE ARGUMENT ...: the launcher refuses with this as the last line
errs()
{
    local line=$1
    shift
    launch "$@" && complain "accepted: $*"
    [ "$(tail -n 1 err)" = "error: $line" ] || { complain "$*: another message"; cat err; }
}
touch clone/go
launch configure -d debug || { complain "configure"; cat err; }
errs "there is no program 'ocs-fist'; did you mean ocs-first?" run ocs-fist
errs "there is no program 'zzz'" run zzz
errs "there is no target 'nosuch': ./ns3 show targets lists them" build nosuch
errs "there is no target 'odcn-gtset': ./ns3 show targets lists them; did you mean odcn-gtest?" build odcn-gtset
launch build odcn-gtest rotor-first || { complain "build"; cat err; }
errs "there is no verb 'fubar'; see ./ns3 --help" fubar
[ "$(wc -l <err)" -eq 1 ] || complain "fubar: not one line"
errs "there is no verb 'biuld'; see ./ns3 --help; did you mean build?" biuld
errs "show: found 'tragets', expected targets, profile or version" show tragets
launch show profile
[ "$(cat out)" = "Build profile: debug" ] || { complain "show profile"; cat out err; }
launch show version
grep -qx 'odcn: 0.0.1.*' out || { complain "show version"; cat out err; }

# Tests: without what only they need it goes on, and says so. Before the summary of ctest, which stays last, there
# is a reason for each that did not run.
cat >all/ctest <<'END_OF_SH'
#!/bin/sh
mkdir -p Testing/Temporary
cat >Testing/Temporary/LastTest.log <<'END'
1/4 Testing: plot
1/4 Test: plot
"plot" start time: now
Output:
----------------------------------------------------------
a line
skipped: python3-matplotlib is not installed
<end of output>
2/4 Testing: rotor
2/4 Test: rotor
Output:
----------------------------------------------------------
skipped: of another test
<end of output>
3/4 Testing: TorchSetup
3/4 Test: TorchSetup
Output:
----------------------------------------------------------
[ RUN      ] TorchSetup.PicksKernels
/somewhere/setup-test.cc:39: Skipped
not OpenBLAS
[  SKIPPED ] TorchSetup.PicksKernels (0 ms)
<end of output>
4/4 Testing: install
4/4 Test: install
Output:
----------------------------------------------------------
not tested: pkg-config
not tested: NumPy
<end of output>
END
printf 'Test project\n%s tests passed, 1 tests failed out of 4\n\nThe following tests did not run:\n' 75%
printf '\t  1 - plot (Skipped)\n\t 3 - TorchSetup (Skipped)\n\t 4 - install (Skipped)\n'
echo "Errors while running CTest" >&2
exit 8
END_OF_SH
chmod +x all/ctest
launch --no-install test
[ $? -eq 8 ] || complain "the status of ctest is lost"
cat >expected <<'END'
Test project
odcn: 1 of 4 tests ran; 3 did not, or in part:
  plot: python3-matplotlib is not installed
  TorchSetup: not OpenBLAS
  install: pkg-config; NumPy

75% tests passed, 1 tests failed out of 4

The following tests did not run:
	  1 - plot (Skipped)
	 3 - TorchSetup (Skipped)
	 4 - install (Skipped)
Errors while running CTest
END
diff expected <(grep -v '^\[1/1\]' out) || complain "what did not run"
grep -q '^odcn: no Gymnasium and Stable-Baselines3: nothing was installed (--no-install); their tests are skipped' err ||
    { complain "no word of a virtual environment"; cat err; }
# With all but what only tests need.
cat >some-query <<'END_OF_SH'
#!/bin/sh
shift 3
printf 'installed %s\n' "$@" | grep -v pandas
END_OF_SH
chmod +x some-query
mv all/dpkg-query all-query
mv some-query all/dpkg-query
launch --no-install test
[ $? -eq 8 ] || complain "tests need what only some of them need"
grep -q '^odcn: nothing was installed (--no-install); to do it by hand: .*python3-pandas$' err &&
    grep -qx 'odcn: the tests that need these packages are skipped' err || { complain "packages of tests"; cat err; }
mv all-query all/dpkg-query

# The second of two waits, and says so; --no-wait refuses; what builds nothing does not care.
rm -f clone/log clone/go
(cd clone && PATH=$stubs ./ns3 build rotor-first >first 2>&1) &
until [ -e clone/log ]; do sleep 0.05; done
errs "$work/clone/build is in use by $(cat clone/build/in-use) (--no-wait)" --no-wait build
[[ $(cat clone/build/in-use) =~ ^process\ [0-9]+,\ ./ns3\ build,\ since\ [-0-9]{10}\ [:0-9]{8}$ ]] || complain "who: $(cat clone/build/in-use)"
launch run --no-build rotor-first || { complain "run --no-build beside a build"; cat err; }
(cd clone && PATH=$stubs ./ns3 build rotor-first >second 2>&1) &
second=$!
until [ -s clone/second ]; do sleep 0.05; done
[ "$(cat clone/log)" = begin ] || complain "both build: $(cat clone/log)"
touch clone/go
wait $second || complain "the second build"
[ "$(wc -l <clone/second)" -eq 1 ] || { complain "the second does not say in one line that it waits"; cat clone/second; }
grep -q "^odcn: $work/clone/build is in use by process .*; waiting for it$" clone/second ||
    { complain "another line"; cat clone/second; }
[ "$(paste -sd' ' clone/log)" = "begin end begin end" ] || complain "two at once: $(cat clone/log)"
# A program that was built leaves build/ to others.
(cd clone && PATH=$stubs ./ns3 run rotor-first >program 2>&1) &
until grep -qs runs clone/program; do sleep 0.05; done
launch --no-wait build rotor-first || { complain "a build beside a program"; cat err; }
wait

# LibTorch is installed while the rest is compiled, which is then configured and compiled again.
cat >without-torch <<'END_OF_SH'
#!/bin/sh
shift 3
if [ -e "$TORCH/installed" ]; then printf 'installed %s\n' "$@"; else printf 'installed %s\n' "$@" | grep -v torch; fi
END_OF_SH
cat >all/apt-get <<'END_OF_SH'
#!/bin/sh
[ "$1" = install ] || exit 0
n=0
until [ -e "$TORCH/clone/log" ]; do
    sleep 0.05
    n=$((n + 1))
    [ $n -lt 200 ] || { echo "nobody compiles"; exit 1; }
done
[ -z "${BROKEN:-}" ] || { echo "no such package"; exit 1; }
echo "Need to get 250 MB of archives."
touch "$TORCH/installed"
echo installed >>"$TORCH/clone/log"
END_OF_SH
printf '#!/bin/sh\n[ "$1" = -v ] || exec "$@"\n' >all/sudo
chmod +x without-torch all/apt-get all/sudo
mv all/dpkg-query all-query
mv without-torch all/dpkg-query
export TORCH=$work
rm -f clone/log clone/configurations
BROKEN=yes launch run own-rule && complain "it runs although LibTorch could not be installed"
tail -n 1 err | grep -q '^error: apt-get could not install: libtorch-dev$' || { complain "LibTorch cannot be installed"; cat err; }
rm -f clone/log clone/configurations
launch run own-rule || { complain "run while LibTorch is installed"; cat err; }
[ "$(cat out)" = decides ] || { complain "the program does not run"; cat out err; }
grep -qx 'Need to get 250 MB of archives.' err || { complain "what was loaded"; cat err; }
[ "$(sort clone/log | uniq -c | xargs)" = "2 begin 2 end 1 installed" ] && [ "$(tail -n 1 clone/log)" = end ] ||
    { complain "not compiled before and after: $(paste -sd' ' clone/log)"; }
[ "$(tail -n 1 clone/configurations)" = configured ] || complain "not configured"
launch run own-rule || complain "run with LibTorch"
grep -q 'Need to get' err && complain "installed again"
# Once it is there, its files do not wait for the other parts.
rm -f clone/log "$TORCH/installed"
touch clone/parts
launch run own-rule || { complain "run while LibTorch is installed, in parts"; cat err; }
[ "$(paste -sd' ' clone/log)" = "begin installed end begin end" ] ||
    complain "other parts are compiled before: $(paste -sd' ' clone/log)"
rm clone/parts
mv all-query all/dpkg-query

# Completion in bash, of a folder with one program that is built.
mkdir -p build/bin
printf 'odcn-drl-scheduling\nrotor-first\nscratch/mine\n' >build/programs.txt
printf '#!/bin/sh\nprintf "Options:\\n    --loads:   x [66]\\n    --policies: y\\n    --library: z\\n"\n' >build/bin/odcn-drl-scheduling
chmod +x build/bin/odcn-drl-scheduling
compopt() { :; } # bash has it while it completes only
# shellcheck source=data/ns3-completion.bash
. "${program%/*}/data/ns3-completion.bash"
# completes LINE WORDS: at the end of LINE there are these WORDS
completes()
{
    COMP_LINE=$1
    COMP_POINT=${#1}
    read -ra COMP_WORDS <<<"$1"
    [[ $1 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _odcn_complete
    [ "${COMPREPLY[*]}" = "$2" ] || complain "'$1' is completed by '${COMPREPLY[*]}'"
}
completes "./ns3 r" "run"
completes "./ns3 run odcn-d" "odcn-drl-scheduling"
completes "./ns3 build " "odcn-drl-scheduling rotor-first scratch/mine"
completes "./ns3 run odcn-drl-scheduling -- --l" "--loads= --library="
completes './ns3 run "odcn-drl-scheduling --loads=66 --po' "--policies="
completes "./ns3 run rotor-first -- --po" ""

conclude
