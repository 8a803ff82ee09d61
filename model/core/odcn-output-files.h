// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OUTPUT_FILES_H
#define ODCN_OUTPUT_FILES_H

#include "odcn-interruption.h"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class FileLock;

/**
 * @ingroup odcn
 *
 * The output folder of a program and the list of files written to it.
 *
 * The folder is locked: a second process is refused. Temporary files of killed processes are
 * removed. SIGINT, SIGTERM and others are recorded meanwhile (see Interruption), so that no
 * temporary file stays.
 *
 * The file .odcn-manifest in the folder names the program and has a line for each file written,
 * with its checksum. At its end a run calls Finish(), so that no result of an earlier run stays
 * beside its own; a run that only adds files does not.
 */
class OutputFiles
{
  public:
    /// What a run does with files of earlier runs.
    enum class Earlier
    {
        REPLACE, //!< RemoveEarlier() removes those that it has not written itself
        KEEP,    //!< it only adds its own, also to those of other programs
    };

    /**
     * @param folder output folder, created if it does not exist
     * @param earlier what the run does with files of earlier runs
     * @throws OdcnError when the folder cannot be written, another process is writing to it, or a
     * run that replaces files finds results of another program
     */
    explicit OutputFiles(const std::string& folder, Earlier earlier = Earlier::REPLACE);

    /**
     * Name what makes results.
     * @param program this program, noted in the manifest
     * @param command its command line, for WriteProvenance()
     */
    static void SetCommand(const std::string& program, const std::string& command);

    /// @return the command line of SetCommand(); "" if it is not known
    static std::string GetCommand();

    /// @param folder an output folder
    /// @return its folder for what an interrupted run had finished, which the next run removes
    static std::string GetInterrupted(const std::string& folder);

    /// Removes temporary files that were not kept, and the folder if it is new and empty.
    ~OutputFiles();

    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    /// @param name file name  @return its path in the output folder
    std::string Path(const std::string& name) const;

    /// @param name file name  @return temporary path to write it to before Keep()
    std::string Temporary(const std::string& name);

    /**
     * Move a file from Temporary() to Path(); a pcap file is closed first.
     * @param name file name  @param what one-line summary
     * @throws OdcnError when the file could not be written completely; an earlier file stays
     */
    void Keep(const std::string& name, const std::string& what);

    /**
     * Record() and List() a file written to Path().
     * @param name file name
     * @param what one-line summary
     * @throws OdcnError when the manifest cannot be written
     */
    void Written(const std::string& name, const std::string& what);

    /**
     * Add a file written to Path() to the manifest.
     * @param name file name
     * @throws OdcnError when the manifest cannot be written
     */
    void Record(const std::string& name);

    /// Add a line to Print() only.
    /// @param name name of files
    /// @param what one-line summary
    void List(const std::string& name, const std::string& what);

    /**
     * Complete a file written to Path(), and list it.
     * @tparam T AtomicFile or CsvWriter
     * @param file the file
     * @param what one-line summary
     * @throws OdcnError when it could not be written completely
     */
    template <typename T>
    void Commit(T& file, const std::string& what)
    {
        file.Commit();
        Written(std::filesystem::path(file.GetPath()).filename().string(), what);
    }

    /**
     * Remove the files of earlier runs that the manifest lists, this run has not written, and
     * nobody has changed since; those of GetInterrupted(), too. To be called once, after
     * the last file.
     * @param os gets a line that names the files removed, and one with those changed, if any
     * @throws OdcnError when the manifest cannot be written
     */
    void RemoveEarlier(std::ostream& os);

    /// @return names and summaries of the files listed so far
    const std::vector<std::pair<std::string, std::string>>& GetFiles() const
    {
        return m_files;
    }

    /// @param os stream to print the list of files to
    void Print(std::ostream& os) const;

    /**
     * Write provenance.txt: the line "command: " with the command line as typed, and more lines.
     * @param lines each ends with a line feed
     * @param what one-line summary
     * @throws OdcnError when it could not be written completely
     */
    void WriteProvenance(const std::string& lines = "",
                         const std::string& what = "the command as typed");

    /// Print() and RemoveEarlier(), at the end of a run, after WriteProvenance() if the run has
    /// written no provenance yet.
    /// @param os as for both
    /// @throws OdcnError as RemoveEarlier()
    void Finish(std::ostream& os);

  private:
    /// What a manifest says.
    struct Manifest
    {
        std::string program;                          //!< that replaces files; "" if unknown
        std::map<std::string, std::string> checksums; //!< by name of a file
    };

    /// @param folder any
    /// @return its manifest; an empty one if there is none
    /// @throws OdcnError when it cannot be read
    static Manifest ReadManifest(const std::string& folder);

    /// @param folder any
    /// @param manifest of it
    /// @throws OdcnError when the folder holds results of another program
    static void RefuseOthers(const std::string& folder, const Manifest& manifest);

    std::string m_folder;                 //!< output folder
    Earlier m_earlier;                    //!< what is done with files of earlier runs
    bool m_made;                          //!< whether the folder is to be removed if it is empty
    Interruption::Guard m_guard;          //!< records signals
    std::unique_ptr<FileLock> m_lock;     //!< lock of the folder
    std::vector<std::string> m_temporary; //!< temporary paths
    std::vector<std::pair<std::string, std::string>> m_files; //!< name and summary
    std::map<std::string, std::string> m_checksums;           //!< of the files recorded
};

} // namespace ns3::odcn

#endif /* ODCN_OUTPUT_FILES_H */
