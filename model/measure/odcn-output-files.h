// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OUTPUT_FILES_H
#define ODCN_OUTPUT_FILES_H

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The folder of a program's results and the list of what was written there.
 */
class OutputFiles
{
  public:
    /**
     * @param folder created if need be
     * @throws OdcnError when it cannot be written
     */
    explicit OutputFiles(const std::string& folder);

    /// Removes what was begun and not kept.
    ~OutputFiles();

    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    /// @param name a file's  @return where it belongs
    std::string Path(const std::string& name) const;

    /// @param name a file's  @return where to write it first
    std::string Temporary(const std::string& name);

    /// Put a file written at Temporary() in its place. @param name its  @param what it is
    void Keep(const std::string& name, const std::string& what);

    /// Note a file. @param name its  @param what it is
    void Written(const std::string& name, const std::string& what);

    /// @param os where to list the files
    void Print(std::ostream& os) const;

  private:
    std::string m_folder;                                     //!< where
    std::vector<std::string> m_temporary;                     //!< begun
    std::vector<std::pair<std::string, std::string>> m_files; //!< name and meaning
};

} // namespace ns3::odcn

#endif /* ODCN_OUTPUT_FILES_H */
