// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ATOMIC_FILE_H
#define ODCN_ATOMIC_FILE_H

#include <fstream>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A file that appears whole or not at all.
 *
 * What is written goes to a temporary file beside the target; Commit() puts it in the target's
 * place in one step. Until then, and whenever anything fails, an earlier file of that name stays
 * as it was, and the destructor removes the temporary file.
 *
 * @code
 *   AtomicFile file("jobs.csv");
 *   file.Stream() << "job,arrival\n";
 *   file.Commit();
 * @endcode
 *
 * The constructor already fails where the folder cannot be written, so open the outputs before a
 * long run. A target that exists but is not a regular file (/dev/stdout, a pipe) is written
 * directly. A symbolic link is followed.
 */
class AtomicFile
{
  public:
    /**
     * @param path target; relative to the working folder unless absolute
     * @throw OdcnError when nothing can be written there
     */
    explicit AtomicFile(const std::string& path);

    /// Drop what was not committed.
    ~AtomicFile();

    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// @return where to write; binary-safe, and a write error is kept until Commit()
    std::ostream& Stream();

    /**
     * Put the file in its place. To be called once, after the last write.
     * @throw OdcnError when any write failed (a full disk, for one)
     */
    void Commit();

    /**
     * Remove the temporary files of processes that were killed. Only where no process writes the
     * target now.
     * @param path target
     */
    static void RemoveTemporaries(const std::string& path);

    /// @return the target as it was given
    const std::string& GetPath() const;

  private:
    /// A file buffer that remembers why its first failed write failed.
    class Buffer : public std::filebuf
    {
      public:
        int error{0}; //!< errno of the first failure, 0 while there is none

      protected:
        int_type overflow(int_type c) override;
        std::streamsize xsputn(const char* text, std::streamsize count) override;
        int sync() override;
    };

    /// @param error value of errno, or 0  @throw OdcnError always
    [[noreturn]] void Fail(int error) const;

    /// Remove the temporary file, if there is one.
    void Discard();

    std::string m_path;      //!< target as it was given
    std::string m_target;    //!< target with symbolic links followed
    std::string m_temporary; //!< file being written; empty when writing directly or done
    Buffer m_buffer;         //!< the open file
    std::ostream m_stream;   //!< what writes into the buffer
};

} // namespace ns3::odcn

#endif /* ODCN_ATOMIC_FILE_H */
