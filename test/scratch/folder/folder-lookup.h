// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FOLDER_LOOKUP_H
#define FOLDER_LOOKUP_H

#include <string>

/**
 * @param name any
 * @return whether a class with this TypeId name is loaded
 */
bool IsTypeId(const std::string& name);

#endif // FOLDER_LOOKUP_H
