// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PCAP_TRACE_H
#define ODCN_PCAP_TRACE_H

#include "ns3/pcap-file-wrapper.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A pcap file whose write errors are reported. ns-3 ignores them, so that a full disk would leave
 * a file that lacks packets.
 */
class PcapTrace : public PcapFileWrapper
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    ~PcapTrace() override;

    /**
     * Create the file.
     * @param path path of the file  @param dataLinkType data link type of libpcap
     * @throws OdcnError when it cannot be created
     */
    void Begin(const std::string& path, uint32_t dataLinkType);

    /**
     * Close a pcap file after the last packet; packets that follow are not written.
     * @param path path as in Begin(); a file that is not open is left alone
     * @throws OdcnError when any write failed, for example on a full disk
     */
    static void Finish(const std::string& path);

    /// Finish() all pcap files that are open. @throws OdcnError as Finish()
    static void FinishAll();

  private:
    std::string m_path; //!< path of the file
};

} // namespace ns3::odcn

#endif /* ODCN_PCAP_TRACE_H */
