// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ATOMIC_FILE_H
#define ODCN_ATOMIC_FILE_H

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A file that is created completely or not at all.
 *
 * Output goes to a temporary file in the target's folder; Commit() atomically renames it to the
 * target. Until then, and whenever an error occurs, an existing file of that name stays unchanged,
 * and the destructor removes the temporary file.
 *
 * @code
 *   AtomicFile file("jobs.csv");
 *   file.Stream() << "job,arrival\n";
 *   file.Commit();
 * @endcode
 *
 * The constructor fails if the folder is not writable, so open the outputs before a long run. A
 * target that exists but is not a regular file (/dev/stdout, a pipe) is written directly. Symbolic
 * links are followed.
 */
class AtomicFile
{
  public:
    /**
     * @param path target path, relative to the working folder unless absolute
     * @throw OdcnError when the file cannot be written
     */
    explicit AtomicFile(const std::string& path);

    /// Discards uncommitted output.
    ~AtomicFile();

    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// @return output stream; binary-safe; write errors are reported by Commit()
    std::ostream& Stream()
    {
        return m_stream;
    }

    /**
     * Move the complete file to its target path. To be called once, after the last write.
     * @throw OdcnError when any write failed (for example, on a full disk)
     */
    void Commit();

    /**
     * Move a complete, closed file to its target path, on disk also after a crash of the machine.
     * @param from present path  @param to target path, in the same file system
     * @return whether it succeeded; otherwise errno is set
     */
    static bool Move(const std::string& from, const std::string& to);

    /**
     * @param path target path
     * @return path of a temporary file for it, in its folder; without a number, for one writer
     */
    static std::string GetTemporary(const std::string& path);

    /**
     * Remove the temporary files of killed processes, which are named as by GetTemporary(); those
     * that an AtomicFile is writing stay.
     * @param path target path, or a folder for all targets in it
     */
    static void RemoveTemporaries(const std::string& path);

    /// @return the target path as given
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    /// Writes to an open file, and keeps the cause of the first failure.
    class Buffer : public std::streambuf
    {
      public:
        int file{-1}; //!< file descriptor
        int error{0}; //!< errno of the first failure; 0 without a failure

      protected:
        /// As the base class.
        /// @param c next character
        /// @return eof after a failure
        int_type overflow(int_type c) override;
        /// As the base class.
        /// @return -1 after a failure
        int sync() override;

      private:
        std::array<char, 16384> m_bytes; //!< not written yet
    };

    /// Report a failure. @param error value of errno, or 0  @throw OdcnError always
    [[noreturn]] void Fail(int error) const;

    /// Create, open and lock the temporary file. @throw OdcnError when it cannot be created
    void CreateTemporary();

    /// Remove the temporary file, if any.
    void Discard();

    std::string m_path;      //!< target path as given
    std::string m_target;    //!< target path with symbolic links resolved
    std::string m_temporary; //!< path of the temporary file; empty if there is none
    Buffer m_buffer;         //!< of the open file, which locks the temporary one
    std::ostream m_stream;   //!< stream on m_buffer
};

} // namespace ns3::odcn

#endif /* ODCN_ATOMIC_FILE_H */
