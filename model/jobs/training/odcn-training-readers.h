// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_READERS_H
#define ODCN_TRAINING_READERS_H

/**
 * @file
 * The readers behind TrainingJob::Read(), one a format. Each throws OdcnError in one line with file
 * and line, or file, message and byte.
 */

#include "odcn-training-job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/// Largest number of ranks of a job that is read.
constexpr uint32_t MAX_TRAINING_RANKS = 1'000'000;

/// Longest operation that is read, in nanoseconds.
constexpr uint64_t MAX_TRAINING_NANOSECONDS = 1'000'000'000'000'000;

/// Most bytes of an operation that is read: Collective::Make() takes no more.
constexpr uint64_t MAX_TRAINING_BYTES = uint64_t{1} << 53;

/**
 * @param path a file, or the prefix of a trace
 * @return the prefix of PREFIX.RANK.et if it is a Chakra trace
 */
std::optional<std::string> FindChakraPrefix(const std::string& path);

/**
 * @param prefix of PREFIX.RANK.et
 * @param options how to read it
 * @param [in,out] report what was read and left out
 * @return the job, which was not checked
 */
TrainingJob ReadChakraTrace(const std::string& prefix,
                            const TrainingReadOptions& options,
                            TrainingReadReport& report);

/**
 * @param path AICB or SimAI text
 * @param options how to read it
 * @param [in,out] report what was read and left out
 * @return the job, which was not checked
 */
TrainingJob ReadAicbText(const std::string& path,
                         const TrainingReadOptions& options,
                         TrainingReadReport& report);

/**
 * @param path GOAL text
 * @param options how to read it
 * @param [in,out] report what was read and left out
 * @return the job, which was not checked
 */
TrainingJob ReadGoalText(const std::string& path,
                         const TrainingReadOptions& options,
                         TrainingReadReport& report);

/**
 * @param path CSV of one's own
 * @param options how to read it
 * @param [in,out] report what was read and left out
 * @return the job, which was not checked
 */
TrainingJob ReadTrainingCsv(const std::string& path,
                            const TrainingReadOptions& options,
                            TrainingReadReport& report);

/// @param text words between spaces and tabs
/// @return views of them
std::vector<std::string_view> SplitWords(std::string_view text);

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_READERS_H */
