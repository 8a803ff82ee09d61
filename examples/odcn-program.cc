// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Linked into every program of this folder. ns-3 reads NS_GLOBAL_VALUE while its libraries are set
 * up, before main(), and aborts the program at a number that is none. This runs before it.
 * OdcnCommandLine checks everything else.
 */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#ifdef __linux__
namespace
{

/// @param environment NAME=VALUE, ..., and a null pointer
void
CheckGlobalNumbers(int /* argc */, char** /* argv */, char** environment)
{
    constexpr const char* VARIABLE = "NS_GLOBAL_VALUE=";
    while (*environment && std::strncmp(*environment, VARIABLE, std::strlen(VARIABLE)) != 0)
    {
        ++environment;
    }
    const char* item = *environment ? *environment + std::strlen(VARIABLE) : "";
    for (; *item; item += *item == ';')
    {
        for (const char* name : {"RngRun", "RngSeed"})
        {
            const std::size_t length = std::strlen(name);
            const char* value = item + length + 1;
            if (std::strncmp(item, name, length) == 0 && item[length] == '=' &&
                std::strspn(value, "0123456789") != std::strcspn(value, ";"))
            {
                std::fprintf(stderr,
                             "error: NS_GLOBAL_VALUE: %s: found '%.*s', expected a whole number\n",
                             name,
                             static_cast<int>(std::strcspn(value, ";")),
                             value);
                std::_Exit(EXIT_FAILURE);
            }
        }
        item += std::strcspn(item, ";");
    }
}

/// ELF runs what is in this section before the libraries' initialization.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*g_first)(int, char**, char**) = CheckGlobalNumbers;

} // namespace
#endif
