// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-archive.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <caffe2/serialize/inline_container.h>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <pthread.h>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <torch/csrc/jit/serialization/import.h>
#include <vector>

namespace ns3
{
namespace odcn
{

namespace
{

// Limits of a file. The largest networks of odcn's programs stay below a hundredth of each.
constexpr uint64_t MAX_FILE = uint64_t(1) << 29;   //!< Bytes
constexpr uint64_t MAX_PICKLE = uint64_t(1) << 27; //!< Bytes of data.pkl and constants.pkl
constexpr uint64_t MAX_CODE = uint64_t(1) << 20;   //!< Bytes of one source file
constexpr uint64_t MAX_CODES = uint64_t(1) << 24;  //!< Bytes of all source files
constexpr uint64_t MAX_OTHER = uint64_t(1) << 16;  //!< Bytes of any entry besides tensors
constexpr std::size_t MAX_NAME = 255;              //!< Bytes of an entry's name
constexpr std::size_t MAX_ITEMS = 1'000'000;       //!< Objects of a pickle
constexpr double MAX_WEIGHT = 1e7;                 //!< Objects, shared ones counted repeatedly
constexpr int MAX_DEPTH = 100;                     //!< Nesting of objects
constexpr std::size_t MAX_MARKS = 1000; //!< Objects of a pickle that are begun, not ended
constexpr int MAX_BRACKETS = 100;       //!< Nesting of brackets in source
constexpr std::size_t MAX_INDENT = 100; //!< Spaces before a line of source
constexpr std::size_t MAX_CHAIN = 2000; //!< Tokens of one statement of source
constexpr std::size_t STACK = std::size_t(256) << 20; //!< Bytes, of the thread that loads

/// @param path of the file  @param what is wrong with it
[[noreturn]] void
Fail(const std::string& path, const std::string& what)
{
    throw OdcnError(path + ": " + what);
}

/// @param path of the file  @param detail what is wrong with it
[[noreturn]] void
FailDamaged(const std::string& path, const std::string& detail)
{
    Fail(path, "the archive is damaged (" + detail + ")");
}

/// @param in bytes  @return an integer read little-endian from the first sizeof(T)
template <typename T>
T
Get(const char* in)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(in[i])) << (8 * i));
    }
    return value;
}

/// @param bytes any  @return CRC-32 as ZIP has it
uint32_t
Crc32(std::string_view bytes)
{
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

/// @param text any  @param end of a name  @return whether the text ends so
bool
EndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// One file in a ZIP file.
struct Entry
{
    std::size_t name{0};   //!< Where its name begins in the directory
    std::size_t begin{0};  //!< Where its local header begins
    std::size_t data{0};   //!< Where its content begins
    std::size_t packed{0}; //!< Bytes of the content in the file
    std::size_t size{0};   //!< Bytes of the content
    uint32_t crc{0};       //!< CRC-32 of the content
    bool deflated{false};  //!< Whether the content is compressed
};

/// The entries of an archive by name, without the folder that they all are in.
using Directory = std::map<std::string, Entry>;

/**
 * Read the directory of a ZIP file as LibTorch writes it: its last part, without comments, extra
 * fields and encryption, and not split.
 * @param bytes of the file
 * @param path for errors
 * @return the entries; all lie before the directory and none overlaps another
 */
Directory
ReadDirectory(const std::string& bytes, const std::string& path)
{
    constexpr std::string_view LOCAL("PK\3\4");
    constexpr std::string_view CENTRAL("PK\1\2");
    constexpr std::string_view END("PK\5\6");
    constexpr std::string_view END64("PK\6\6");
    constexpr std::string_view LOCATOR("PK\6\7");
    constexpr std::size_t END_SIZE = 22;
    constexpr std::size_t END64_SIZE = 56;
    constexpr std::size_t LOCATOR_SIZE = 20;
    const std::string_view all(bytes);
    const char* const at = bytes.data();
    if (all.substr(0, 8) == "ODCN-NN\n")
    {
        Fail(path, "a checkpoint of the first odcn format, which is no longer read");
    }
    if (all.substr(0, 4) != LOCAL.substr(0, std::max<std::size_t>(1, all.size())))
    {
        Fail(path, "not an odcn checkpoint, nor any other archive of LibTorch");
    }
    const std::size_t end = std::max(all.size(), END_SIZE) - END_SIZE;
    if (all.substr(end, 4) != END || Get<uint16_t>(at + end + 20) != 0)
    {
        Fail(path, "the archive is cut short (no ZIP directory at its end)");
    }
    const auto count = Get<uint16_t>(at + end + 10);
    const auto length = Get<uint32_t>(at + end + 12);
    const auto start = Get<uint32_t>(at + end + 16);
    std::size_t stop = end;
    if (end >= END64_SIZE + LOCATOR_SIZE && all.substr(end - LOCATOR_SIZE, 4) == LOCATOR)
    {
        stop = end - LOCATOR_SIZE - END64_SIZE;
        const char* const end64 = at + stop;
        if (Get<uint64_t>(at + end - LOCATOR_SIZE + 8) != stop || all.substr(stop, 4) != END64 ||
            Get<uint64_t>(end64 + 4) != END64_SIZE - 12 || Get<uint64_t>(end64 + 24) != count ||
            Get<uint64_t>(end64 + 32) != count || Get<uint64_t>(end64 + 40) != length ||
            Get<uint64_t>(end64 + 48) != start)
        {
            FailDamaged(path, "its two ZIP directories differ");
        }
    }
    if (Get<uint32_t>(at + end + 4) != 0 || Get<uint16_t>(at + end + 8) != count || count == 0 ||
        uint64_t(start) + length != stop)
    {
        FailDamaged(path, "its ZIP directory is not where it should be");
    }
    Directory directory;
    std::set<std::string> lower;
    std::vector<std::pair<std::size_t, std::size_t>> extents;
    std::string folder;
    std::size_t p = start;
    for (unsigned i = 0; i < count; ++i)
    {
        // The last three conditions: no extra field and comment, no disk number, no attributes: an
        // entry that is marked as a folder would be read as nothing.
        const bool whole = p + 46 <= stop;
        const std::size_t nameSize = whole ? Get<uint16_t>(at + p + 28) : 0;
        if (!whole || all.substr(p, 4) != CENTRAL || p + 46 + nameSize > stop ||
            nameSize > MAX_NAME || Get<uint32_t>(at + p + 30) != 0 ||
            Get<uint32_t>(at + p + 34) != 0 || Get<uint16_t>(at + p + 38) != 0)
        {
            FailDamaged(path, "its ZIP directory");
        }
        const std::string name(all.substr(p + 46, nameSize));
        const auto flags = Get<uint16_t>(at + p + 8);
        const auto method = Get<uint16_t>(at + p + 10);
        Entry e;
        e.name = p + 46;
        e.crc = Get<uint32_t>(at + p + 16);
        e.packed = Get<uint32_t>(at + p + 20);
        e.size = Get<uint32_t>(at + p + 24);
        e.begin = Get<uint32_t>(at + p + 42);
        e.deflated = method == 8;
        p += 46 + nameSize;
        // The local header repeats the directory; bit 3 of the flags says that it leaves out sizes.
        const char* const local = at + e.begin;
        const bool later = flags & 8;
        if (uint64_t(e.begin) + 30 + nameSize > start || all.substr(e.begin, 4) != LOCAL ||
            Get<uint16_t>(local + 6) != flags || Get<uint16_t>(local + 8) != method ||
            Get<uint16_t>(local + 26) != nameSize || all.substr(e.begin + 30, nameSize) != name)
        {
            FailDamaged(path, "a header of " + std::to_string(i + 1) + ". entry");
        }
        for (std::size_t k = 0; k < 3; ++k)
        {
            const auto here = Get<uint32_t>(local + 14 + 4 * k);
            if (here != Get<uint32_t>(at + p - 46 - nameSize + 16 + 4 * k) && !(later && here == 0))
            {
                FailDamaged(path, "sizes of " + std::to_string(i + 1) + ". entry");
            }
        }
        e.data = e.begin + 30 + nameSize + Get<uint16_t>(local + 28);
        if (uint64_t(e.data) + e.packed > start || (method != 0 && method != 8) ||
            (method == 0 && e.packed != e.size) || (flags & ~0x808) != 0)
        {
            FailDamaged(path, "sizes of " + std::to_string(i + 1) + ". entry");
        }
        extents.emplace_back(e.begin, e.data + e.packed);
        const auto slash = name.find('/');
        folder = i == 0 ? name.substr(0, slash) : folder;
        std::string folded(name);
        std::transform(folded.begin(),
                       folded.end(),
                       folded.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        if (slash == std::string::npos || name.substr(0, slash) != folder || name.back() == '/' ||
            name.find('\0') != std::string::npos || !lower.insert(folded).second)
        {
            FailDamaged(path, "names of its entries");
        }
        directory.emplace(name.substr(slash + 1), e);
    }
    std::sort(extents.begin(), extents.end());
    for (std::size_t i = 1; i < extents.size(); ++i)
    {
        if (extents[i].first < extents[i - 1].second)
        {
            FailDamaged(path, "two entries overlap");
        }
    }
    if (p != stop)
    {
        FailDamaged(path, "its ZIP directory");
    }
    return directory;
}

/**
 * Refuse classes whose attributes LibTorch would read through a null pointer: those with a value
 * but without a type.
 * @param source TorchScript
 * @param path for errors
 * @return whether it is no more than declarations of attributes, as LibTorch writes them for data
 */
bool
CheckClasses(std::string_view source, const std::string& path)
{
    static const std::regex PLAIN(R"(class \w+\(Module\):|)"
                                  R"(  __(parameters|buffers)__ = \[("[^"\\]*", )*\]|)"
                                  R"(  __annotations__ = \[\]|)"
                                  R"(  __annotations__\["[^"\\]*"\] = [\w., \[\]]+|)"
                                  R"(  \w+ : [\w., \[\]]+|)");
    static const std::regex TYPED(R"( +\w+ : .*|)"
                                  R"( +__(annotations|parameters|buffers|attributes)__ = \[.*|)"
                                  R"( +__forward_(pre_)?hooks__ = \[.*|)"
                                  R"( +__annotations__\["[^"\\]*"\] = .*)");
    bool plain = true;
    bool inClass = false;
    while (!source.empty())
    {
        const auto line = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(source.size(), line.size() + 1));
        const bool isShort = line.size() < MAX_OTHER;
        plain = plain && isShort && std::regex_match(line.begin(), line.end(), PLAIN);
        if (line.find("class ") != line.npos)
        {
            inClass = line.find("(Enum)") == line.npos;
        }
        else if (line.find("def ") != line.npos)
        {
            inClass = false;
        }
        else if (inClass && !plain && line.find('=') != line.npos &&
                 !(isShort && std::regex_match(line.begin(), line.end(), TYPED)))
        {
            FailDamaged(path, "its TorchScript source: an attribute without a type");
        }
    }
    return plain;
}

/**
 * Refuse TorchScript source that makes LibTorch's parser recurse deeply, and what LibTorch itself
 * never writes, such as comments.
 * @param source text
 * @param path for errors
 */
void
CheckSource(std::string_view source, const std::string& path)
{
    int brackets = 0;
    std::size_t tokens = 0;
    std::size_t line = 0;
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t i = 0; i < source.size(); ++i)
    {
        const char c = source[i];
        bool fine = true;
        if (c == '"' || c == '\'')
        {
            const std::size_t begin = i;
            for (++i; i < source.size() && source[i] != c; ++i)
            {
                i += source[i] == '\\' ? 1 : 0;
            }
            // Three quotes would begin a text of another kind.
            fine = i > begin + 1 || i + 1 >= source.size() || source[i + 1] != c;
            ++tokens;
        }
        else if (isWord(c))
        {
            const std::size_t begin = i;
            while (i + 1 < source.size() && isWord(source[i + 1]))
            {
                ++i;
            }
            const auto word = source.substr(begin, i + 1 - begin);
            fine = word != "elif";
            ++tokens;
        }
        else if (c == '\n')
        {
            line = i + 1;
            // A line break ends a statement, except in brackets.
            tokens = brackets > 0 ? tokens : 0;
        }
        else if (c != ' ')
        {
            fine = c != '#' && c != '\\' && c != ';' && c != '\r' && c != '\t';
            brackets += c == '(' || c == '[' || c == '{' ? 1 : 0;
            brackets -= (c == ')' || c == ']' || c == '}') && brackets > 0 ? 1 : 0;
            ++tokens;
        }
        else
        {
            fine = i - line < MAX_INDENT || source.find_first_not_of(' ', line) < i;
        }
        if (!fine || brackets > MAX_BRACKETS || tokens > MAX_CHAIN)
        {
            FailDamaged(path, "its TorchScript source is nested too deeply, or was made by hand");
        }
    }
}

/**
 * Walk through a pickle as LibTorch's Unpickler will, and refuse what that would take on trust.
 * Objects are followed only as far as needed to know the extents of all tensors.
 */
class PickleCheck
{
  public:
    /**
     * @param pickle the bytes
     * @param tensors folder of its tensors, "data/"
     * @param directory of the archive
     * @param path for errors
     */
    PickleCheck(std::string_view pickle,
                const std::string& tensors,
                const Directory& directory,
                const std::string& path)
        : m_pickle(pickle),
          m_tensors(tensors),
          m_directory(directory),
          m_path(path)
    {
    }

    /// Check all of it. @return whether the object in it is that of a class
    bool Run()
    {
        Require(Byte() == 0x80 && Byte() == 2, "version");
        while (Step())
        {
        }
        Require(m_at == m_pickle.size() && m_marks.empty() && m_stack.size() == 1, "end");
        return m_stack.back().item->kind == Kind::OBJECT;
    }

  private:
    /// What an object is.
    enum class Kind
    {
        NUMBER,
        OTHER, // None, booleans, and results of functions
        TEXT,
        GLOBAL,
        TUPLE,
        LIST,
        DICTIONARY,
        STORAGE,
        INSTANCE, // of a class, before its state is known
        OBJECT
    };

    /// An object of the pickle.
    struct Item
    {
        Kind kind{Kind::OTHER};
        int64_t number{0};                        //!< Of a number; elements of a storage
        std::string_view text;                    //!< Of a text; name of a global
        std::vector<std::shared_ptr<Item>> items; //!< Of a tuple
        int depth{1};                             //!< Levels of nesting
        double weight{1};                         //!< Objects in it, with itself
        bool open{false};                         //!< Whether it may still be filled
    };

    /// A place on the Unpickler's stack.
    struct Place
    {
        std::shared_ptr<Item> item;
        bool isNew; //!< Whether the object was made here, not recalled from the memo
    };

    /// @param fine what must hold  @param what is damaged otherwise
    void Require(bool fine, const char* what) const
    {
        if (!fine)
        {
            FailDamaged(m_path, std::string("its pickle: ") + what);
        }
    }

    /// @param n bytes  @return the next ones
    std::string_view Take(std::size_t n)
    {
        Require(n <= m_pickle.size() - m_at, "length");
        m_at += n;
        return m_pickle.substr(m_at - n, n);
    }

    /// @return the next byte
    uint8_t Byte()
    {
        return static_cast<uint8_t>(Take(1).front());
    }

    /// @return the next bytes as an integer
    template <typename T>
    T Integer()
    {
        return Get<T>(Take(sizeof(T)).data());
    }

    /// @return the next line
    std::string_view Line()
    {
        const auto end = m_pickle.find('\n', m_at);
        Require(end != std::string_view::npos && end - m_at < 4096, "name");
        const auto line = Take(end - m_at);
        Take(1);
        return line;
    }

    /// @param kind of a new object on the stack  @return it
    Item& Push(Kind kind)
    {
        Require(++m_nItems <= MAX_ITEMS, "too many objects");
        m_stack.push_back({std::make_shared<Item>(), true});
        m_stack.back().item->kind = kind;
        return *m_stack.back().item;
    }

    /// @return how many objects are on the stack above the last mark, or in all
    std::size_t GetFree() const
    {
        return m_stack.size() - (m_marks.empty() ? 0 : m_marks.back());
    }

    /// @return the object on top of the stack, removed
    std::shared_ptr<Item> Pop()
    {
        Require(GetFree() > 0, "stack");
        auto item = m_stack.back().item;
        m_stack.pop_back();
        item->open = false;
        return item;
    }

    /// @return the objects above the last mark, removed
    std::vector<std::shared_ptr<Item>> PopMark()
    {
        Require(!m_marks.empty(), "stack");
        std::vector<std::shared_ptr<Item>> items(GetFree());
        for (auto it = items.rbegin(); it != items.rend(); ++it)
        {
            *it = Pop();
        }
        m_marks.pop_back();
        return items;
    }

    /// @param parent gets a child  @param child that is put into it
    void Add(Item& parent, const Item& child) const
    {
        Require(child.kind != Kind::INSTANCE, "state of an object");
        parent.depth = std::max(parent.depth, child.depth + 1);
        parent.weight += child.weight;
        Require(parent.depth <= MAX_DEPTH, "nested too deeply");
        Require(parent.weight <= MAX_WEIGHT, "too many objects");
    }

    /// @param items become a tuple
    void PushTuple(std::vector<std::shared_ptr<Item>> items)
    {
        auto& tuple = Push(Kind::TUPLE);
        for (const auto& item : items)
        {
            Add(tuple, *item);
        }
        tuple.items = std::move(items);
    }

    /// @param kind of container  @param items are put into the one on top of the stack
    void Fill(Kind kind, const std::vector<std::shared_ptr<Item>>& items)
    {
        // Only where it was made, so that nothing can be put into itself.
        Require(GetFree() > 0 && m_stack.back().isNew && m_stack.back().item->kind == kind,
                "container");
        Require(kind == Kind::LIST || items.size() % 2 == 0, "dictionary");
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            const auto k = items[i]->kind;
            Require(kind == Kind::LIST || i % 2 == 1 || k == Kind::TEXT || k == Kind::NUMBER ||
                        k == Kind::OTHER,
                    "key");
            Add(*m_stack.back().item, *items[i]);
        }
    }

    /// @param slot of the memo that recalls the object on top of the stack
    void Put(std::size_t slot)
    {
        Require(GetFree() > 0 && slot < MAX_ITEMS, "memo");
        Require(m_stack.back().item->kind != Kind::INSTANCE, "state of an object");
        m_memo.resize(std::max(m_memo.size(), slot + 1));
        m_memo[slot] = m_stack.back().item;
    }

    /// @param slot of the memo  Push what it recalls.
    void Recall(std::size_t slot)
    {
        Require(slot < m_memo.size() && m_memo[slot] && !m_memo[slot]->open, "memo");
        Require(++m_nItems <= MAX_ITEMS, "too many objects");
        m_stack.push_back({m_memo[slot], false});
    }

    /// Replace the description of a storage by the storage.
    void Persist()
    {
        static const std::map<std::string_view, int64_t> SIZES{{"torch BFloat16Storage", 2},
                                                               {"torch BoolStorage", 1},
                                                               {"torch ByteStorage", 1},
                                                               {"torch CharStorage", 1},
                                                               {"torch ComplexDoubleStorage", 16},
                                                               {"torch ComplexFloatStorage", 8},
                                                               {"torch DoubleStorage", 8},
                                                               {"torch FloatStorage", 4},
                                                               {"torch HalfStorage", 2},
                                                               {"torch IntStorage", 4},
                                                               {"torch LongStorage", 8},
                                                               {"torch ShortStorage", 2}};
        const auto tuple = Pop();
        const auto& x = tuple->items;
        Require(tuple->kind == Kind::TUPLE && x.size() == 5 && x[0]->text == "storage" &&
                    x[1]->kind == Kind::GLOBAL && SIZES.count(x[1]->text) == 1 &&
                    x[2]->kind == Kind::TEXT && x[3]->kind == Kind::TEXT &&
                    x[4]->kind == Kind::NUMBER,
                "storage");
        if (x[3]->text != "cpu")
        {
            Fail(m_path, "its tensors are not on the CPU; save it from there");
        }
        // LibTorch reads an entry each time that it is named, and takes the size from here.
        const std::string key(x[2]->text);
        const auto entry = m_directory.find(m_tensors + key);
        const auto n = x[4]->number;
        Require(m_read.insert(key).second, "storage named twice");
        Require(n >= 0 && n <= int64_t(MAX_FILE) && entry != m_directory.end() &&
                    uint64_t(n) * SIZES.at(x[1]->text) == entry->second.size,
                "size of a storage");
        Push(Kind::STORAGE).number = n;
    }

    /// @param x arguments of _rebuild_tensor_v2
    void CheckTensor(const std::vector<std::shared_ptr<Item>>& x) const
    {
        Require(x.size() >= 6 && x.size() <= 7 && x[0]->kind == Kind::STORAGE &&
                    x[1]->kind == Kind::NUMBER && x[2]->kind == Kind::TUPLE &&
                    x[3]->kind == Kind::TUPLE && x[4]->kind == Kind::OTHER,
                "tensor");
        const auto& sizes = x[2]->items;
        const auto& strides = x[3]->items;
        Require(sizes.size() == strides.size() && sizes.size() <= 32, "sizes of a tensor");
        // In floating point, so that nothing overflows.
        double last = static_cast<double>(x[1]->number);
        double elements = 1;
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            Require(sizes[i]->kind == Kind::NUMBER && strides[i]->kind == Kind::NUMBER &&
                        sizes[i]->number >= 0 && strides[i]->number >= 0,
                    "sizes of a tensor");
            elements *= static_cast<double>(sizes[i]->number);
            last += static_cast<double>(strides[i]->number) *
                    static_cast<double>(std::max<int64_t>(sizes[i]->number, 1) - 1);
        }
        const auto n = static_cast<double>(x[0]->number);
        Require(x[1]->number >= 0 && elements <= std::max(n, 1e6) &&
                    (elements == 0 ? last <= n : last < n),
                "a tensor exceeds its storage");
    }

    /// Call a function: the result takes the place of it and its arguments.
    void Reduce()
    {
        const auto arguments = Pop();
        const auto function = Pop();
        Require(function->kind == Kind::GLOBAL && arguments->kind == Kind::TUPLE, "function");
        const auto& x = arguments->items;
        const auto name = function->text;
        if (name == "torch._utils _rebuild_tensor_v2")
        {
            CheckTensor(x);
        }
        else if (name == "torch.jit._pickle restore_type_tag")
        {
            Require(x.size() == 2 && x[1]->kind == Kind::TEXT &&
                        (x[0]->kind == Kind::LIST || x[0]->kind == Kind::DICTIONARY),
                    "type");
            CheckSource(x[1]->text, m_path);
        }
        else if (name == "torch.jit._pickle build_intlist" ||
                 name == "torch.jit._pickle build_doublelist" ||
                 name == "torch.jit._pickle build_boollist" ||
                 name == "torch.jit._pickle build_tensorlist")
        {
            Require(x.size() == 1 && x[0]->kind == Kind::LIST, "list");
        }
        else if (name == "torch device")
        {
            Require(x.size() == 1 && x[0]->kind == Kind::TEXT, "device");
        }
        else
        {
            Require(name == "collections OrderedDict" && x.empty(), "function");
        }
        auto& result = Push(Kind::OTHER);
        Add(result, *arguments);
    }

    /// Do one instruction. @return whether it was not the last
    bool Step()
    {
        switch (const uint8_t code = Byte(); code)
        {
        case '.': // STOP
            return false;
        case '(': // MARK
            Require(m_marks.size() < MAX_MARKS, "nested too deeply");
            m_marks.push_back(m_stack.size());
            break;
        case ')': // EMPTY_TUPLE
            PushTuple({});
            break;
        case 0x85: // TUPLE1
        case 0x86: // TUPLE2
        case 0x87: // TUPLE3
        {
            std::vector<std::shared_ptr<Item>> items(code - 0x84);
            for (auto it = items.rbegin(); it != items.rend(); ++it)
            {
                *it = Pop();
            }
            PushTuple(std::move(items));
            break;
        }
        case 't': // TUPLE
            PushTuple(PopMark());
            break;
        case ']': // EMPTY_LIST
            Push(Kind::LIST).open = true;
            break;
        case '}': // EMPTY_DICT
            Push(Kind::DICTIONARY).open = true;
            break;
        case 'a': // APPEND
            Fill(Kind::LIST, {Pop()});
            break;
        case 'e': // APPENDS
            Fill(Kind::LIST, PopMark());
            break;
        case 's': // SETITEM
        {
            auto value = Pop();
            auto key = Pop();
            Fill(Kind::DICTIONARY, {key, value});
            break;
        }
        case 'u': // SETITEMS
            Fill(Kind::DICTIONARY, PopMark());
            break;
        case 'N':  // NONE
        case 0x88: // NEWTRUE
        case 0x89: // NEWFALSE
            Push(Kind::OTHER);
            break;
        case 'K': // BININT1
            Push(Kind::NUMBER).number = Byte();
            break;
        case 'M': // BININT2
            Push(Kind::NUMBER).number = Integer<uint16_t>();
            break;
        case 'J': // BININT
            Push(Kind::NUMBER).number = static_cast<int32_t>(Integer<uint32_t>());
            break;
        case 0x8a: // LONG1
            Require(Byte() == 8, "number");
            Push(Kind::NUMBER).number = static_cast<int64_t>(Integer<uint64_t>());
            break;
        case 'G': // BINFLOAT
            Take(8);
            Push(Kind::OTHER);
            break;
        case 'X': // BINUNICODE
        {
            const auto text = Take(Integer<uint32_t>());
            Push(Kind::TEXT).text = text;
            break;
        }
        case 'c': // GLOBAL, two lines: the module and the name
        {
            const std::size_t begin = m_at;
            Line();
            Line();
            m_globals.push_back(
                std::make_unique<std::string>(m_pickle.substr(begin, m_at - begin)));
            auto& name = *m_globals.back();
            name.pop_back();
            std::replace(name.begin(), name.end(), '\n', ' ');
            Push(Kind::GLOBAL).text = name;
            break;
        }
        case 'q': // BINPUT
            Put(Byte());
            break;
        case 'r': // LONG_BINPUT
            Put(Integer<uint32_t>());
            break;
        case 'h': // BINGET
            Recall(Byte());
            break;
        case 'j': // LONG_BINGET
            Recall(Integer<uint32_t>());
            break;
        case 'Q': // BINPERSID
            Persist();
            break;
        case 'R': // REDUCE
            Reduce();
            break;
        case 0x81: // NEWOBJ
        {
            const auto arguments = Pop();
            const auto type = Pop();
            Require(type->kind == Kind::GLOBAL && type->text.substr(0, 9) == "__torch__" &&
                        arguments->kind == Kind::TUPLE && arguments->items.empty(),
                    "class");
            Push(Kind::INSTANCE);
            break;
        }
        case 'b': // BUILD
        {
            const auto state = Pop();
            Require(Pop()->kind == Kind::INSTANCE, "state of an object");
            Add(Push(Kind::OBJECT), *state);
            break;
        }
        default:
            Require(false, "instruction");
        }
        return true;
    }

  private:
    std::string_view m_pickle;                           //!< The bytes
    const std::string m_tensors;                         //!< Folder
    const Directory& m_directory;                        //!< Of the archive
    const std::string& m_path;                           //!< For errors
    std::size_t m_at{0};                                 //!< Next byte
    std::size_t m_nItems{0};                             //!< Objects so far
    std::vector<Place> m_stack;                          //!< As the Unpickler's
    std::vector<std::size_t> m_marks;                    //!< Likewise
    std::vector<std::shared_ptr<Item>> m_memo;           //!< Likewise
    std::vector<std::unique_ptr<std::string>> m_globals; //!< Their names
    std::set<std::string> m_read;                        //!< Storages
};

/// Bytes in memory, as LibTorch wants to read them.
class Adapter : public caffe2::serialize::ReadAdapterInterface
{
  public:
    /// @param bytes of a file; they must outlive the adapter
    explicit Adapter(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    std::size_t size() const override
    {
        return m_bytes.size();
    }

    std::size_t read(uint64_t at, void* to, std::size_t n, const char*) const override
    {
        const std::size_t begin = std::min<uint64_t>(at, m_bytes.size());
        const std::size_t count = std::min(n, m_bytes.size() - begin);
        std::memcpy(to, m_bytes.data() + begin, count);
        return count;
    }

  private:
    const std::string& m_bytes; //!< Of the file
};

/**
 * Check a file before LibTorch reads it.
 * @param [in,out] bytes of the file; debugging information is hidden, which LibTorch would read
 * unchecked
 * @param path for errors
 * @return whether it holds data alone, without functions
 */
bool
CheckArchive(std::string& bytes, const std::string& path)
{
    if (bytes.size() > MAX_FILE)
    {
        Fail(path, "larger than 512 MiB");
    }
    const auto directory = ReadDirectory(bytes, path);
    for (const auto& [name, entry] : directory)
    {
        const bool tensor =
            name.compare(0, 5, "data/") == 0 || name.compare(0, 10, "constants/") == 0;
        const bool pickle = name == "data.pkl" || name == "constants.pkl";
        const bool code = name.compare(0, 5, "code/") == 0;
        if (entry.size > (tensor   ? MAX_FILE
                          : pickle ? MAX_PICKLE
                          : code   ? MAX_CODE
                                   : MAX_OTHER) ||
            (entry.deflated && !code))
        {
            FailDamaged(path, "size of " + name);
        }
        if (!entry.deflated && Crc32({bytes.data() + entry.data, entry.size}) != entry.crc)
        {
            FailDamaged(path, "checksum of " + name);
        }
    }
    for (const char* name : {"data.pkl", "constants.pkl"})
    {
        if (directory.count(name) == 0)
        {
            Fail(path,
                 std::string("not an odcn checkpoint, nor a TorchScript module (no ") + name +
                     "; torch.save writes other archives than torch.jit.save)");
        }
    }
    if (directory.count("model.json") > 0)
    {
        Fail(path, "an archive of a LibTorch before 1.0, which is not read");
    }
    for (const std::string name : {"data", "constants"})
    {
        const auto& entry = directory.at(name + ".pkl");
        const std::string_view pickle(bytes.data() + entry.data, entry.size);
        const bool object = PickleCheck(pickle, name + "/", directory, path).Run();
        if (object != (name == "data"))
        {
            Fail(path, "not an odcn checkpoint, nor a TorchScript module (no module in it)");
        }
    }
    bool plain = true;
    uint64_t total = 0;
    caffe2::serialize::PyTorchStreamReader reader(std::make_shared<Adapter>(bytes));
    for (const auto& [name, entry] : directory)
    {
        if (name.compare(0, 5, "code/") != 0)
        {
            continue;
        }
        total += entry.size;
        if (total > MAX_CODES)
        {
            FailDamaged(path, "size of its source");
        }
        const auto record = reader.getRecord(name);
        const std::string_view text(static_cast<const char*>(std::get<0>(record).get()),
                                    std::get<1>(record));
        if (text.size() != entry.size || Crc32(text) != entry.crc)
        {
            FailDamaged(path, "checksum of " + name);
        }
        if (EndsWith(name, ".py"))
        {
            CheckSource(text, path);
            plain = CheckClasses(text, path) && plain;
        }
    }
    for (const auto& [name, entry] : directory)
    {
        if (EndsWith(name, ".debug_pkl"))
        {
            const std::size_t last = Get<uint16_t>(bytes.data() + entry.name - 18) - 1;
            bytes[entry.name + last] = '_';
            bytes[entry.begin + 30 + last] = '_';
        }
    }
    return plain;
}

/**
 * LibTorch reads nested objects and source by recursion, so it gets a deep stack.
 * @param body what to do in a thread of its own; its exceptions become OdcnErrors
 * @param path for errors
 */
void
RunOnDeepStack(const std::function<void()>& body, const std::string& path)
{
    struct Task
    {
        const std::function<void()>& body;
        std::exception_ptr error;
    } task{body, nullptr};

    auto run = [](void* argument) -> void*
    {
        auto& t = *static_cast<Task*>(argument);
        try
        {
            t.body();
        }
        catch (...)
        {
            t.error = std::current_exception();
        }
        return nullptr;
    };
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error == 0)
    {
        error = pthread_attr_setstacksize(&attributes, STACK);
        error = error == 0 ? pthread_create(&thread, &attributes, run, &task) : error;
        pthread_attr_destroy(&attributes);
    }
    if (error != 0)
    {
        Fail(path, std::string("no thread to read it: ") + std::strerror(error));
    }
    pthread_join(thread, nullptr);
    try
    {
        if (task.error)
        {
            std::rethrow_exception(task.error);
        }
    }
    catch (const OdcnError&)
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        Fail(path, "not enough memory to read it");
    }
    catch (const std::exception&)
    {
        // LibTorch's own messages have many lines and name its sources.
        Fail(path, "the archive is damaged, or of a LibTorch that this one does not read");
    }
}

} // namespace

std::string
PackArchive(torch::serialize::OutputArchive& archive)
{
    std::ostringstream out;
    archive.save_to(out);
    std::string bytes = std::move(out).str();
    if (bytes.size() > MAX_FILE)
    {
        throw OdcnError("an archive of more than 512 MiB, which could not be read again");
    }
    return bytes;
}

torch::serialize::InputArchive
UnpackArchive(std::string bytes, const std::string& path)
{
    torch::serialize::InputArchive archive;
    RunOnDeepStack(
        [&]
        {
            if (!CheckArchive(bytes, path))
            {
                Fail(path, "not an odcn checkpoint: a TorchScript module with code");
            }
            archive.load_from(bytes.data(), bytes.size());
        },
        path);
    return archive;
}

torch::jit::Module
UnpackModule(std::string bytes, const std::string& path)
{
    torch::jit::Module module;
    RunOnDeepStack(
        [&]
        {
            CheckArchive(bytes, path);
            module = torch::jit::load(std::make_shared<Adapter>(bytes));
            module.eval();
        },
        path);
    return module;
}

bool
HasCode(std::string bytes, const std::string& path)
{
    bool code = false;
    RunOnDeepStack([&] { code = !CheckArchive(bytes, path); }, path);
    return code;
}

std::string
ReadFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        Fail(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    // In parts, since a folder opens like a file and a device may never end.
    std::string bytes;
    std::string part(std::size_t(1) << 16, '\0');
    while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0)
    {
        bytes.append(part, 0, static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > MAX_FILE)
        {
            Fail(path, "larger than 512 MiB");
        }
    }
    if (in.bad())
    {
        Fail(path, "cannot be read");
    }
    return bytes;
}

void
WriteFile(const std::string& path, const std::string& bytes)
{
    OdcnAtomicFile file(path);
    file.Stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.Commit();
}

std::string
ReadText(torch::serialize::InputArchive& archive, const std::string& key, const std::string& path)
{
    c10::IValue value;
    if (!archive.try_read(key, value) || !value.isString())
    {
        Fail(path, "the archive has no text \"" + key + "\"");
    }
    return value.toStringRef();
}

namespace
{

/// @param prefix of a submodule, "policy."  Else as WriteParameters().
void
WriteModule(torch::serialize::OutputArchive& archive,
            const torch::nn::Module& module,
            const std::string& prefix)
{
    auto write = [&](const std::string& name, const torch::Tensor& tensor, bool buffer)
    {
        if (tensor.is_floating_point() && !torch::isfinite(tensor).all().item<bool>())
        {
            throw OdcnError("parameter " + prefix + name + " is not finite");
        }
        // A copy: LibTorch writes the whole storage, of which a tensor may be a part.
        auto copy = tensor.detach().to(torch::kCPU).contiguous().clone();
        copy.set_requires_grad(tensor.requires_grad());
        archive.write(name, copy, buffer);
    };
    for (const auto& parameter : module.named_parameters(false))
    {
        write(parameter.key(), parameter.value(), false);
    }
    for (const auto& buffer : module.named_buffers(false))
    {
        write(buffer.key(), buffer.value(), true);
    }
    for (const auto& child : module.named_children())
    {
        if (child.value()->is_serializable())
        {
            torch::serialize::OutputArchive inner(archive.compilation_unit());
            WriteModule(inner, *child.value(), prefix + child.key() + ".");
            archive.write(child.key(), inner);
        }
    }
}

/// @param prefix of a submodule, "policy."  Else as ReadParameters().
void
ReadModule(torch::serialize::InputArchive& archive,
           torch::nn::Module& module,
           const std::string& prefix,
           const std::string& path)
{
    std::set<std::string> known;
    auto read = [&](const std::string& name, torch::Tensor& to, bool buffer)
    {
        known.insert(name);
        const std::string full = prefix + name;
        torch::Tensor from;
        if (!archive.try_read(name, from, buffer) || !from.defined())
        {
            Fail(path, "no parameter " + full + ", which the network has");
        }
        if (from.sizes() != to.sizes() || from.dtype() != to.dtype() ||
            from.layout() != torch::kStrided || !from.device().is_cpu())
        {
            std::ostringstream text;
            text << "parameter " << full << ": found " << from.dtype() << " " << from.sizes()
                 << ", expected " << to.dtype() << " " << to.sizes();
            Fail(path, text.str());
        }
        if (from.is_floating_point() && !torch::isfinite(from).all().item<bool>())
        {
            Fail(path, "parameter " + full + " is not finite");
        }
        to.copy_(from);
    };
    for (auto& parameter : module.named_parameters(false))
    {
        read(parameter.key(), parameter.value(), false);
    }
    for (auto& buffer : module.named_buffers(false))
    {
        read(buffer.key(), buffer.value(), true);
    }
    for (auto& child : module.named_children())
    {
        known.insert(child.key());
        torch::serialize::InputArchive inner;
        if (archive.try_read(child.key(), inner))
        {
            ReadModule(inner, *child.value(), prefix + child.key() + ".", path);
        }
        else if (!child.value()->parameters().empty() || !child.value()->buffers().empty())
        {
            Fail(path, "no parameters " + prefix + child.key() + ", which the network has");
        }
    }
    for (const auto& key : archive.keys())
    {
        c10::IValue value;
        if (known.count(key) == 0 && archive.try_read(key, value) &&
            (value.isTensor() || value.isModule()))
        {
            Fail(path, "parameter " + prefix + key + ", which the network has not");
        }
    }
}

} // namespace

void
WriteParameters(torch::serialize::OutputArchive& archive, const torch::nn::Module& module)
{
    const torch::NoGradGuard noGradient;
    WriteModule(archive, module, "");
}

void
ReadParameters(torch::serialize::InputArchive& archive,
               torch::nn::Module& module,
               const std::string& path)
{
    const torch::NoGradGuard noGradient;
    try
    {
        ReadModule(archive, module, "", path);
    }
    catch (const c10::Error&)
    {
        FailDamaged(path, "its parameters");
    }
}

} // namespace odcn
} // namespace ns3
