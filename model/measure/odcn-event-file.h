// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EVENT_FILE_H
#define ODCN_EVENT_FILE_H

#include "ns3/odcn-atomic-file.h"

#include <cstdint>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A file of scalars that TensorBoard shows, written completely or not at all.
 *
 * It is a sequence of records, each an Event message of TensorFlow (event.proto) with its length
 * and masked CRC-32C checksums. The time of all events is 0, so that the same values give the same
 * bytes; TensorBoard's axis is the step. TensorBoard shows a run per folder and reads the files
 * whose names contain "tfevents".
 */
class EventFile
{
  public:
    /// @param path target path  @throws OdcnError when the file cannot be written
    explicit EventFile(const std::string& path);

    /**
     * @param tag name of the series, e.g. "entropy"
     * @param step position in the series, e.g. decisions so far
     * @param value value, stored in single precision
     */
    void Add(const std::string& tag, uint64_t step, double value);

    /// Move the complete file to its target path. @throws OdcnError when a write failed
    void Commit();

  private:
    /// @param event encoded Event message  Write it as a record.
    void Write(const std::string& event);

    AtomicFile m_file; //!< output
};

} // namespace ns3::odcn

#endif /* ODCN_EVENT_FILE_H */
