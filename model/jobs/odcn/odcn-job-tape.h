// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_TAPE_H
#define ODCN_JOB_TAPE_H

#include "odcn-job.h"

#include "ns3/odcn-error.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A source of jobs that others can read ahead without changing what it gives: the later jobs of
 * OdcnScheduling::Branch().
 */
class OdcnJobTape : public OdcnJobSource
{
  public:
    /// @param source of the jobs
    explicit OdcnJobTape(Ptr<OdcnJobSource> source)
        : m_source(source)
    {
    }

    /// @param [out] job the next job
    /// @return whether there is one
    bool Next(OdcnJob& job) override
    {
        if (!Has(m_given))
        {
            return false;
        }
        job = std::move(m_ahead.front());
        m_ahead.pop_front();
        ++m_given;
        return true;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_ahead.clear();
        return m_source->AssignStreams(stream);
    }

    /// @return a source of the jobs that are given next, for as long as none of them is given
    Ptr<OdcnJobSource> CreateReader()
    {
        return CreateObject<Reader>(Ptr<OdcnJobTape>(this));
    }

  private:
    /// Reads the jobs of a tape.
    class Reader : public OdcnJobSource
    {
      public:
        /// @param tape to be read
        explicit Reader(Ptr<OdcnJobTape> tape)
            : m_tape(tape),
              m_next(tape->m_given)
        {
        }

        /// @param [out] job the next job
        /// @return whether there is one
        /// @throws OdcnError when the tape has gone on
        bool Next(OdcnJob& job) override
        {
            if (m_next < m_tape->m_given)
            {
                throw OdcnError("a copy of Branch() must be used before the original goes on");
            }
            if (!m_tape->Has(m_next))
            {
                return false;
            }
            job = m_tape->m_ahead[m_next++ - m_tape->m_given];
            return true;
        }

        int64_t AssignStreams(int64_t /* stream */) override
        {
            return 0;
        }

      private:
        Ptr<OdcnJobTape> m_tape; //!< is read
        uint64_t m_next;         //!< number of the next job
    };

    /// @param number of a job that has not been given
    /// @return whether there is one
    bool Has(uint64_t number)
    {
        while (number - m_given >= m_ahead.size())
        {
            OdcnJob job;
            if (!m_source->Next(job))
            {
                return false;
            }
            m_ahead.push_back(std::move(job));
        }
        return true;
    }

    Ptr<OdcnJobSource> m_source; //!< of the jobs
    std::deque<OdcnJob> m_ahead; //!< drawn and not yet given
    uint64_t m_given{0};         //!< number of jobs given
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_TAPE_H */
