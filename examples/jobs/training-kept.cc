// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "training-kept.h"

#include "ns3/odcn-file-digest.h"

#include <bit>
#include <boost/crc.hpp>
#include <fstream>
#include <sstream>
#include <type_traits>

namespace ns3::odcn
{

namespace
{

/// Writes numbers exactly, floating-point numbers as their bits.
class NumberWriter
{
  public:
    /// @param value a number
    template <typename T>
    void Number(const T& value)
    {
        if constexpr (std::is_same_v<T, double>)
        {
            m_text << std::bit_cast<uint64_t>(value) << ' ';
        }
        else
        {
            m_text << value << ' ';
        }
    }

    /// @param list whose length is written
    template <typename T>
    void Length(const std::vector<T>& list)
    {
        Number(list.size());
    }

    /// @return what was written
    std::string GetText() const
    {
        return m_text.str();
    }

  private:
    std::ostringstream m_text; //!< numbers, a blank behind each
};

/// Reads what NumberWriter has written.
class NumberReader
{
  public:
    /// @param text numbers
    explicit NumberReader(const std::string& text)
        : m_text(text),
          m_most(text.size())
    {
    }

    /// @param [out] value a number
    template <typename T>
    void Number(T& value)
    {
        if constexpr (std::is_same_v<T, double>)
        {
            uint64_t bits = 0;
            m_text >> bits;
            value = std::bit_cast<double>(bits);
        }
        else
        {
            m_text >> value;
        }
    }

    /// @param [out] list gets its length
    template <typename T>
    void Length(std::vector<T>& list)
    {
        std::size_t length = 0;
        m_text >> length;
        list.resize(length <= m_most ? length : 0);
    }

    /// @return whether there was a number for all
    bool IsWhole() const
    {
        return !m_text.fail();
    }

  private:
    std::istringstream m_text; //!< numbers
    std::size_t m_most;        //!< no list is longer
};

/// @param numbers reader or writer
/// @param [in,out] time a time
template <typename N>
void
Visit(N& numbers, Time& time)
{
    int64_t steps = time.GetTimeStep();
    numbers.Number(steps);
    time = Time(steps);
}

/// @param numbers reader or writer
/// @param [in,out] times by cause
template <typename N>
void
Visit(N& numbers, TrainingTimes& times)
{
    TrainingTimes seen;
    for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
    {
        const auto cause = static_cast<TrainingTimes::Part>(part);
        Time time = times.Get(cause);
        Visit(numbers, time);
        seen.Add(cause, time);
    }
    times = seen;
}

/// @param numbers reader or writer
/// @param [in,out] path of an iteration
template <typename N>
void
Visit(N& numbers, TrainingPath& path)
{
    std::vector<TrainingStep> steps = path.GetSteps();
    numbers.Length(steps);
    for (TrainingStep& step : steps)
    {
        for (uint32_t* number : {&step.rank, &step.last, &step.operation, &step.messages})
        {
            numbers.Number(*number);
        }
        Visit(numbers, step.begin);
        Visit(numbers, step.end);
        Visit(numbers, step.times);
    }
    const Time begin = steps.empty() ? Time(0) : steps.front().begin;
    path = TrainingPath(std::move(steps), begin);
}

/// @param numbers reader or writer
/// @param [in,out] job what became of a job
template <typename N>
void
Visit(N& numbers, TrainingCluster::Outcome& job)
{
    for (Time* time : {&job.arrival, &job.estimate, &job.start, &job.end})
    {
        Visit(numbers, *time);
    }
    Visit(numbers, job.times);
    numbers.Number(job.messages);
    numbers.Number(job.priority);
    for (uint32_t* count : {&job.failures, &job.preemptions, &job.migrations})
    {
        numbers.Number(*count);
    }
    numbers.Length(job.paths);
    for (TrainingPath& path : job.paths)
    {
        Visit(numbers, path);
    }
}

/// @param numbers reader or writer
/// @param [in,out] record a run
template <typename N>
void
Visit(N& numbers, TrainingRecord& record)
{
    numbers.Number(record.engine);
    numbers.Number(record.hidesCircuits);
    TrainingRecord::Bounds& bounds = record.bounds;
    for (double* number : {&record.power,
                           &record.price,
                           &bounds.cut,
                           &bounds.flow,
                           &bounds.mean,
                           &bounds.makespan,
                           &bounds.ended})
    {
        numbers.Number(*number);
    }
    TrainingRecord::Control& control = record.control;
    for (uint64_t* count : {&control.decisions,
                            &control.requests,
                            &control.reports,
                            &control.commands,
                            &control.packets,
                            &control.bytes})
    {
        numbers.Number(*count);
    }
    numbers.Length(record.jobs);
    record.alone.resize(record.jobs.size());
    for (std::size_t i = 0; i < record.jobs.size(); ++i)
    {
        Visit(numbers, record.jobs[i]);
        Visit(numbers, record.alone[i].cut);
        Visit(numbers, record.alone[i].flow);
    }
}

/// @param text any text
/// @return its CRC-32
uint32_t
GetChecksum(const std::string& text)
{
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return crc.checksum();
}

} // namespace

std::string
DescribeFiles(const std::string& command)
{
    std::string text;
    for (const auto& [path, digest] : GetFileDigests(command))
    {
        text += path + ' ' + digest + ' ';
    }
    return text;
}

void
WriteRecords(std::ostream& os, const std::string& key, const std::vector<TrainingRecord>& records)
{
    os << key << "\n";
    for (TrainingRecord record : records)
    {
        NumberWriter numbers;
        Visit(numbers, record);
        const std::string text = numbers.GetText();
        os << text << GetChecksum(text) << "\n";
    }
}

std::vector<TrainingRecord>
ReadRecords(const std::string& path, const std::string& key)
{
    std::vector<TrainingRecord> records;
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line != key)
    {
        return records;
    }
    while (std::getline(file, line))
    {
        const std::string text = line.substr(0, line.rfind(' ') + 1);
        if (line != text + std::to_string(GetChecksum(text)))
        {
            break;
        }
        NumberReader numbers(text);
        TrainingRecord record;
        Visit(numbers, record);
        if (!numbers.IsWhole())
        {
            break;
        }
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace ns3::odcn
