// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CHAKRA_STREAM_H
#define ODCN_CHAKRA_STREAM_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A file of zlib.
struct gzFile_s;

namespace ns3::odcn
{

/// The messages of a Chakra trace's file, plain or gzip: a length of at most 5 bytes, then as many
/// bytes, again and again.
class ChakraStream
{
  public:
    /**
     * @param path file name
     * @throws OdcnError when it cannot be read
     */
    explicit ChakraStream(const std::string& path);

    ~ChakraStream();

    ChakraStream(const ChakraStream&) = delete;
    ChakraStream& operator=(const ChakraStream&) = delete;

    /**
     * @param [out] message gets the next message
     * @return false at the end of the file
     * @throws OdcnError when the file ends within it
     */
    bool Next(std::string& message);

    /**
     * @param value what was found
     * @param expected what is valid
     * @param id of the node; nullptr if it is not known
     * @throws OdcnError always, with file, message and byte
     */
    [[noreturn]] void Refuse(const std::string& value,
                             const std::string& expected,
                             const uint64_t* id = nullptr) const;

    /// @return file name
    const std::string& GetPath() const
    {
        return m_path;
    }

    /// @param text of a file
    /// @return its first 80 characters, with ? for those that are not printed
    static std::string MakePrintable(const std::string& text);

  private:
    /// @return whether there are more bytes
    bool Fill();

    /// @param bytes number of bytes taken
    void Skip(std::size_t bytes);

    /// @throws OdcnError when the file ends because it cannot be read further
    void CheckEnd() const;

    std::string m_path;             //!< file name
    gzFile_s* m_file{nullptr};      //!< the file, compressed or not
    bool m_isGzip{false};           //!< whether it is compressed
    int64_t m_size{0};              //!< of the file
    uint32_t m_unpacked{0};         //!< uncompressed size modulo 2^32, by its end
    std::vector<uint8_t> m_buffer;  //!< what was read at once
    const uint8_t* m_data{nullptr}; //!< bytes at hand
    std::size_t m_left{0};          //!< their number
    int64_t m_position{0};          //!< in uncompressed bytes
    int64_t m_begin{0};             //!< of the message
    uint64_t m_number{0};           //!< of the message, from 1
};

} // namespace ns3::odcn

#endif /* ODCN_CHAKRA_STREAM_H */
