// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FUZZ_REPLAY_H
#define ODCN_FUZZ_REPLAY_H

/**
 * @file
 * Runs a fuzz target without libFuzzer: on its seeds, and on seeded mutations of them.
 */

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace ns3::odcn
{

/// @param target name of a target  @return its seeds, the files of a folder
inline std::vector<std::string>
FuzzSeeds(const std::string& target)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(ODCN_DATA_DIR "/../test/data/fuzz/" + target))
    {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> seeds;
    for (const auto& path : paths)
    {
        std::ifstream in(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return seeds;
}

/**
 * @param text an input  @param random source of randomness
 * @return the input with one part replaced, repeated, removed, or cut off
 */
inline std::string
FuzzMutate(std::string text, std::mt19937_64& random)
{
    static const std::array<const char*, 24> WORDS{
        "",           "0", "-1", "1e300", "-1e300", "nan", "inf", "18446744073709551616",
        "4294967296", ",", "\n", "\"",    "{",      "[",   "]",   "|",
        ":",          "=", "/",  "-",     "\r",     "\t",  " ",   "\x1b"};
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const std::size_t at = below(text.size() + 1);
    switch (below(6))
    {
    case 0: // another byte
        text.replace(at, 1, 1, static_cast<char>(random()));
        break;
    case 1: // a word instead of up to 8 bytes
        text.replace(at, below(9), WORDS[below(WORDS.size())]);
        break;
    case 2: // a word instead of a whole number or name
    {
        const std::string separators = " ,:|=/[]{}\n";
        const auto begin = text.find_first_not_of(separators, at);
        if (begin != std::string::npos)
        {
            const auto end = std::min(text.find_first_of(separators, begin), text.size());
            text.replace(begin, end - begin, WORDS[below(WORDS.size())]);
        }
        break;
    }
    case 3: // a part again elsewhere
        text.insert(below(text.size() + 1), text.substr(at, below(64)));
        break;
    case 4:
        text.erase(at, below(64));
        break;
    default:
        text.resize(at);
    }
    return text;
}

/// @return number of mutations of each target: the environment variable ODCN_MUTATIONS, or 1000
inline std::size_t
FuzzMutations()
{
    const char* text = std::getenv("ODCN_MUTATIONS");
    return text ? std::strtoull(text, nullptr, 10) : 1000;
}

/**
 * Run a target on its seeds and on FuzzMutations() mutations. An exception, a run of more than 5 s
 * of processor time, or more than 1 GiB of memory is a failure.
 * @param target the target  @param name its name
 */
inline void
FuzzReplay(void (*target)(const std::string&), const std::string& name)
{
    const auto seeds = FuzzSeeds(name);
    ASSERT_FALSE(seeds.empty());
    const std::size_t mutations = FuzzMutations();
    constexpr int64_t MOST_KIB = 1 << 20;
    std::mt19937_64 random(1);
    const auto memory = []()
    {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return int64_t{usage.ru_maxrss};
    };
    const int64_t before = memory();
    for (std::size_t i = 0; i < seeds.size() + mutations; ++i)
    {
        std::string input = seeds[i % seeds.size()];
        for (std::size_t k = i < seeds.size() ? 0 : 1 + random() % 4; k > 0; --k)
        {
            input = FuzzMutate(std::move(input), random);
        }
        const auto begin = std::clock();
        try
        {
            target(input);
        }
        catch (const std::exception& error)
        {
            ADD_FAILURE() << error.what() << ", input " << i << ":\n" << input.substr(0, 2000);
        }
        ASSERT_LT(std::clock() - begin, 5 * CLOCKS_PER_SEC) << input.substr(0, 2000);
        ASSERT_LT(memory() - before, MOST_KIB) << input.substr(0, 2000);
    }
}

} // namespace ns3::odcn

#endif /* ODCN_FUZZ_REPLAY_H */
