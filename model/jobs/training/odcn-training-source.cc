// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-source.h"

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>

namespace ns3::odcn
{

void
TrainingReadReport::Add(const std::string& what, uint64_t count)
{
    for (auto& [word, sum] : m_counts)
    {
        if (word == what)
        {
            sum += count;
            return;
        }
    }
    m_counts.emplace_back(what, count);
}

uint64_t
TrainingReadReport::Get(const std::string& what) const
{
    for (const auto& [word, sum] : m_counts)
    {
        if (word == what)
        {
            return sum;
        }
    }
    return 0;
}

std::string
TrainingReadReport::ToString() const
{
    std::string text;
    for (const auto& [word, sum] : m_counts)
    {
        if (sum > 0)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(sum) + " " + word;
        }
    }
    return text;
}

std::vector<std::string_view>
SplitWords(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t\v\f\r";
    std::vector<std::string_view> words;
    for (std::size_t begin = text.find_first_not_of(BLANKS); begin != std::string_view::npos;)
    {
        const std::size_t end = std::min(text.find_first_of(BLANKS, begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(BLANKS, end);
    }
    return words;
}

TrainingJob
TrainingJob::Read(const std::string& path,
                  const TrainingReadOptions& options,
                  TrainingReadReport* report)
{
    TrainingReadReport ignored;
    TrainingReadReport& counts = report ? *report : ignored;
    if (options.ranks > MAX_TRAINING_RANKS)
    {
        throw OdcnError::InOption("ranks",
                                  std::to_string(options.ranks),
                                  "at most " + std::to_string(MAX_TRAINING_RANKS));
    }
    const auto read = [&]()
    {
        if (const auto prefix = FindChakraPrefix(path))
        {
            return ReadChakraTrace(*prefix, options, counts);
        }
        TextReader reader(path);
        while (reader.NextLine())
        {
            const std::string_view line = reader.GetLine();
            const auto words = SplitWords(line);
            if (words.empty())
            {
                continue;
            }
            const std::string_view first = words.front();
            // Only GOAL has such comments.
            if (first == "num_ranks" || first.starts_with("//") || first.starts_with("/*"))
            {
                return ReadGoalText(path, options, counts);
            }
            if (first == "MICRO" || first == "HYBRID_TRANSFORMER_FWD_IN_BCKWD")
            {
                return ReadAicbText(path, options, counts);
            }
            if (first.front() == '#')
            {
                continue;
            }
            if (line.find(',') != std::string_view::npos)
            {
                return ReadTrainingCsv(path, options, counts);
            }
            reader.Refuse(first,
                          "num_ranks (GOAL), HYBRID_TRANSFORMER_FWD_IN_BCKWD or MICRO (AICB), "
                          "names of columns (CSV), or a file PREFIX.RANK.et (Chakra)");
        }
        throw OdcnError(path + ": found no line, expected a training job");
    };
    TrainingJob job = read();
    counts.Add("ranks", job.GetNRanks());
    counts.Add("programs", job.GetPrograms().size());
    job.Check();
    return job;
}

} // namespace ns3::odcn
