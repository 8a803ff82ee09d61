// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-order.h"

#include <numeric>

namespace ns3::odcn
{

MessageOrder::MessageOrder(uint32_t messages, const After& after)
    : m_messages(messages)
{
    m_nFree = messages;
    for (uint32_t i = 0; i < messages && m_nFree > 0; ++i)
    {
        m_nFree = after(i).empty() ? messages : 0;
    }
    if (m_nFree == messages)
    {
        return;
    }
    m_first.assign(std::size_t(messages) + 1, 0);
    m_waits.reserve(messages);
    for (uint32_t i = 0; i < messages; ++i)
    {
        const auto before = after(i);
        m_waits.push_back(static_cast<uint32_t>(before.size()));
        for (const uint32_t j : before)
        {
            ++m_first[j];
        }
        if (before.empty())
        {
            m_ready.push_back(i);
        }
    }
    std::exclusive_scan(m_first.begin(), m_first.end(), m_first.begin(), 0U);
    m_next.resize(m_first.back());
    std::vector<uint32_t> at = m_first;
    for (uint32_t i = 0; i < messages; ++i)
    {
        for (const uint32_t j : after(i))
        {
            m_next[at[j]++] = i;
        }
    }
}

uint32_t
MessageOrder::TakeReady()
{
    if (m_free < m_nFree)
    {
        return m_free++;
    }
    const uint32_t index = m_ready.front();
    m_ready.pop_front();
    return index;
}

void
MessageOrder::SetReceived(uint32_t index)
{
    ++m_received;
    if (m_first.empty())
    {
        return;
    }
    for (uint32_t i = m_first[index]; i < m_first[index + 1]; ++i)
    {
        if (--m_waits[m_next[i]] == 0)
        {
            m_ready.push_back(m_next[i]);
        }
    }
}

} // namespace ns3::odcn
