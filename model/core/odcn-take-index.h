// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TAKE_INDEX_H
#define ODCN_TAKE_INDEX_H

#include <vector>

namespace ns3::odcn
{

/**
 * Take an element of a list that only grows, whose elements are used again.
 * @tparam C a std::vector or std::deque
 * @tparam I type of an index
 * @param [in,out] elements by index; gets one more if all are in use
 * @param [in,out] unused indices of elements that are not in use
 * @return index of an element, which has the values of its last use
 */
template <typename C, typename I>
I
TakeIndex(C& elements, std::vector<I>& unused)
{
    if (unused.empty())
    {
        elements.emplace_back();
        return static_cast<I>(elements.size() - 1);
    }
    const I index = unused.back();
    unused.pop_back();
    return index;
}

} // namespace ns3::odcn

#endif /* ODCN_TAKE_INDEX_H */
