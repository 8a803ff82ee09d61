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
 * The output folder of a program and the list of files written to it.
 */
class OutputFiles
{
  public:
    /**
     * @param folder output folder, created if it does not exist
     * @throws OdcnError when the folder cannot be written
     */
    explicit OutputFiles(const std::string& folder);

    /// Removes temporary files that were not kept.
    ~OutputFiles();

    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    /// @param name file name  @return its path in the output folder
    std::string Path(const std::string& name) const;

    /// @param name file name  @return temporary path to write it to before Keep()
    std::string Temporary(const std::string& name);

    /// Move a file from Temporary() to Path(). @param name file name  @param what one-line summary
    void Keep(const std::string& name, const std::string& what);

    /// List a file written to Path(). @param name file name  @param what one-line summary
    void Written(const std::string& name, const std::string& what);

    /// @param os stream to print the list of files to
    void Print(std::ostream& os) const;

  private:
    std::string m_folder;                                     //!< output folder
    std::vector<std::string> m_temporary;                     //!< temporary paths
    std::vector<std::pair<std::string, std::string>> m_files; //!< name and summary
};

} // namespace ns3::odcn

#endif /* ODCN_OUTPUT_FILES_H */
