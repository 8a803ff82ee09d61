// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-archive.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-text.h"

#include <boost/crc.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <torch/script.h>

namespace ns3::odcn
{

namespace
{

constexpr std::size_t MAX_FILE = std::size_t(512) << 20; //!< Largest size of a file, bytes
constexpr std::size_t MAX_ENTRY = std::size_t(1) << 20;  //!< Largest size of the text, bytes
constexpr const char* TEXT = "odcn";                     //!< Name of the attribute
constexpr const char* RECORD = "odcn.json";              //!< Name of the record with the same text

/// @param path of the file  @param what problem that was found
[[noreturn]] void
Fail(const std::string& path, const std::string& what)
{
    throw OdcnError(path + ": " + what);
}

/// @param bytes of a file  @param at offset  @return an integer, little-endian; 0 beyond the end
template <typename T>
T
Get(std::string_view bytes, std::size_t at)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T) && at + i < bytes.size(); ++i)
    {
        value |=
            static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i));
    }
    return value;
}

/**
 * The records of a ZIP file as LibTorch writes it: in one folder, without a comment.
 * @param bytes of the file
 * @param path for errors
 * @return content by name, without the folder
 */
std::map<std::string, std::string_view>
ReadRecords(std::string_view bytes, const std::string& path)
{
    constexpr std::size_t END = 22;
    constexpr std::size_t CENTRAL = 46;
    constexpr std::size_t LOCAL = 30;
    if (bytes.substr(0, 4) != "PK\3\4")
    {
        Fail(path, "not an odcn checkpoint");
    }
    if (bytes.size() < END || bytes.substr(bytes.size() - END, 4) != "PK\5\6")
    {
        Fail(path, "the file is cut short");
    }
    const std::size_t end = bytes.size() - END;
    const std::size_t count = Get<uint16_t>(bytes, end + 10);
    std::size_t p = Get<uint32_t>(bytes, end + 16);
    const std::size_t start = p;
    std::map<std::string, std::string_view> records;
    std::size_t total = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::size_t nameSize = Get<uint16_t>(bytes, p + 28);
        const std::size_t size = Get<uint32_t>(bytes, p + 20);
        const bool stored = Get<uint16_t>(bytes, p + 10) == 0;
        const std::size_t local = Get<uint32_t>(bytes, p + 42);
        const std::size_t data =
            local + LOCAL + Get<uint16_t>(bytes, local + 26) + Get<uint16_t>(bytes, local + 28);
        if (p + CENTRAL + nameSize > end || bytes.substr(p, 4) != "PK\1\2" ||
            (stored && Get<uint32_t>(bytes, p + 24) != size) || local >= start ||
            bytes.substr(local, 4) != "PK\3\4" || data > start || size > start - data)
        {
            Fail(path, "the file is damaged");
        }
        // The checksums of overlapping records could take hours.
        total += size;
        if (total > bytes.size())
        {
            Fail(path, "the file is damaged");
        }
        const std::string_view content = bytes.substr(data, size);
        boost::crc_32_type crc;
        crc.process_bytes(content.data(), content.size());
        const std::string_view name = bytes.substr(p + CENTRAL, nameSize);
        const std::size_t slash = name.find('/');
        // LibTorch compresses source code, which is not read here.
        if ((stored && crc.checksum() != Get<uint32_t>(bytes, p + 16)) ||
            slash == std::string_view::npos ||
            !records.emplace(name.substr(slash + 1), stored ? content : std::string_view()).second)
        {
            Fail(path, "the file is damaged");
        }
        p += CENTRAL + nameSize + Get<uint16_t>(bytes, p + 30) + Get<uint16_t>(bytes, p + 32);
    }
    return records;
}

/// Modules of LibTorch by the path of names that leads to them, created on first use.
class ModuleTree
{
  public:
    ModuleTree()
    {
        m_modules.emplace("", Make());
    }

    /// @param name with dots between modules  @param tensor of that name
    void Add(const std::string& name, const torch::Tensor& tensor)
    {
        const auto dot = name.rfind('.');
        auto& module = Find(dot == std::string::npos ? "" : name.substr(0, dot));
        module.register_parameter(name.substr(dot + 1), tensor, false);
    }

    /// @return the root module
    torch::jit::Module& GetRoot()
    {
        return m_modules.at("");
    }

  private:
    /// @return a new module with its own class
    torch::jit::Module Make()
    {
        const auto number = std::to_string(m_modules.size());
        return torch::jit::Module(c10::QualifiedName("__torch__.odcn.Module" + number), m_unit);
    }

    /// @param path names with dots between them  @return the module
    torch::jit::Module& Find(const std::string& path)
    {
        if (const auto found = m_modules.find(path); found != m_modules.end())
        {
            return found->second;
        }
        const auto dot = path.rfind('.');
        auto& parent = Find(dot == std::string::npos ? "" : path.substr(0, dot));
        auto module = Make();
        parent.register_module(path.substr(dot + 1), module);
        return m_modules.emplace(path, module).first->second;
    }

    std::shared_ptr<torch::jit::CompilationUnit> m_unit{
        std::make_shared<torch::jit::CompilationUnit>()}; //!< Of the classes
    std::map<std::string, torch::jit::Module> m_modules;  //!< By path
};

/**
 * Call a function for each parameter and buffer of a module, those of a module before those of its
 * submodules.
 * @param prefix of names
 * @param module whose tensors are visited
 * @param body called with name and tensor
 */
template <typename F>
void
ForEachTensor(const std::string& prefix, const torch::nn::Module& module, F body)
{
    for (const auto& item : module.named_parameters(false))
    {
        body(prefix + item.key(), item.value());
    }
    for (const auto& item : module.named_buffers(false))
    {
        body(prefix + item.key(), item.value());
    }
    for (const auto& item : module.named_children())
    {
        ForEachTensor(prefix + item.key() + ".", *item.value(), body);
    }
}

} // namespace

std::string
ReadFile(const std::string& path)
{
    RequireFile(path);
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        Fail(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    // In parts, since a device may never end.
    std::string bytes;
    std::string part(std::size_t{1} << 16, '\0');
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
    AtomicFile file(path);
    file.Stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.Commit();
}

void
Archive::Add(const std::string& name, const torch::Tensor& tensor)
{
    // A copy, since LibTorch writes a storage shared by two tensors only once.
    tensors.emplace_back(name, tensor.detach().clone(at::MemoryFormat::Contiguous));
}

const torch::Tensor&
Archive::Get(const std::string& name, const std::string& path) const
{
    for (const auto& [known, tensor] : tensors)
    {
        if (known == name)
        {
            return tensor;
        }
    }
    Fail(path, "lacks " + name);
}

std::vector<float>
Archive::GetFloats(const std::string& name, std::size_t size, const std::string& path) const
{
    const auto& tensor = Get(name, path);
    if (tensor.scalar_type() != torch::kFloat32 || tensor.numel() != static_cast<int64_t>(size))
    {
        Fail(path, name + " has another size");
    }
    if (!torch::isfinite(tensor).all().item<bool>())
    {
        Fail(path, name + " is not finite");
    }
    return {tensor.data_ptr<float>(), tensor.data_ptr<float>() + size};
}

void
Archive::AddAll(const std::string& prefix, const Archive& other)
{
    for (const auto& [name, tensor] : other.tensors)
    {
        tensors.emplace_back(prefix + name, tensor);
    }
}

Archive
Archive::Select(const std::string& prefix) const
{
    Archive some;
    for (const auto& [name, tensor] : tensors)
    {
        if (name.compare(0, prefix.size(), prefix) == 0)
        {
            some.tensors.emplace_back(name.substr(prefix.size()), tensor);
        }
    }
    return some;
}

void
Archive::AddModule(const std::string& prefix, const torch::nn::Module& module)
{
    ForEachTensor(prefix,
                  module,
                  [&](const std::string& name, const torch::Tensor& tensor) { Add(name, tensor); });
}

void
Archive::CopyTo(const std::string& prefix, torch::nn::Module& module, const std::string& path) const
{
    const torch::NoGradGuard noGradients;
    std::size_t count = 0;
    const auto check = [&](const std::string& name, const torch::Tensor& tensor)
    {
        const auto& stored = Get(name, path);
        if (stored.sizes() != tensor.sizes() || stored.scalar_type() != tensor.scalar_type())
        {
            Fail(path, name + " has another size than in this network");
        }
        if (!torch::isfinite(stored).all().item<bool>())
        {
            Fail(path, name + " is not finite");
        }
        ++count;
    };
    ForEachTensor(prefix, module, check);
    for (const auto& [name, tensor] : tensors)
    {
        count -= name.compare(0, prefix.size(), prefix) == 0 ? 1 : 0;
    }
    if (count != 0)
    {
        Fail(path, "has parameters that this network lacks");
    }
    ForEachTensor(prefix,
                  module,
                  [&](const std::string& name, torch::Tensor tensor)
                  { tensor.copy_(Get(name, path)); });
}

std::string
Archive::Pack() const
{
    auto json = ParseOrderedJson(text);
    auto& list = json["tensors"] = nlohmann::ordered_json::array();
    ModuleTree tree;
    for (const auto& [name, tensor] : tensors)
    {
        tree.Add(name, tensor);
        list.push_back({{"name", name},
                        {"type", tensor.scalar_type() == torch::kUInt8 ? "uint8" : "float"},
                        {"sizes", tensor.sizes().vec()}});
    }
    const std::string whole = FormatOrderedJson(json, 1);
    tree.GetRoot().register_attribute(TEXT, c10::StringType::get(), whole);
    std::ostringstream bytes;
    tree.GetRoot().save(bytes, {{RECORD, whole}});
    // The list must be in the order of LibTorch's records: check by reading the file back.
    const auto back = Unpack(bytes.str(), "the archive just written");
    for (std::size_t i = 0; i < tensors.size(); ++i)
    {
        if (!torch::equal(back.tensors[i].second, tensors[i].second) &&
            torch::isfinite(tensors[i].second).all().item<bool>())
        {
            throw OdcnError("LibTorch wrote tensor " + tensors[i].first + " in another place");
        }
    }
    return bytes.str();
}

Archive
Archive::Unpack(const std::string& bytes, const std::string& path)
{
    const auto records = ReadRecords(bytes, path);
    const auto found = records.find(std::string("extra/") + RECORD);
    Archive archive;
    archive.isForeign = found == records.end() && records.count("data.pkl") > 0;
    if (archive.isForeign)
    {
        return archive;
    }
    if (found == records.end() || found->second.size() > MAX_ENTRY)
    {
        Fail(path, "not an odcn checkpoint: it has no text \"odcn.json\"");
    }
    try
    {
        auto json = ParseFlatJson(found->second, path, "an odcn checkpoint");
        std::size_t number = 0;
        for (const auto& item : json.at("tensors"))
        {
            std::vector<int64_t> sizes;
            for (const auto& size : item.at("sizes"))
            {
                // get<int64_t>() would convert any number, also 1e300; get_ref() throws.
                sizes.push_back(size.is_number_integer() ? size.get<int64_t>()
                                                         : size.get_ref<const int64_t&>());
            }
            const bool isByte = item.at("type") == "uint8";
            if (!isByte && item.at("type") != "float")
            {
                Fail(path, "not an odcn checkpoint: its text is not what odcn writes");
            }
            const auto record = records.find("data/" + std::to_string(number++));
            const std::string_view data =
                record == records.end() ? std::string_view() : record->second;
            // The sizes must match the data; computed without overflow.
            auto left = static_cast<int64_t>(data.size()) / (isByte ? 1 : 4);
            int64_t floats = 1;
            for (const int64_t size : sizes)
            {
                if (size < 0 || (size > 0 && floats > left / size))
                {
                    Fail(path, "the file is damaged");
                }
                floats *= size;
            }
            if (record == records.end() ||
                data.size() != static_cast<std::size_t>(floats) * (isByte ? 1 : 4))
            {
                Fail(path, "the file is damaged");
            }
            auto tensor = torch::empty(sizes, isByte ? torch::kUInt8 : torch::kFloat32);
            std::memcpy(tensor.data_ptr(), data.data(), data.size());
            archive.tensors.emplace_back(item.at("name").get<std::string>(), tensor);
        }
        json.erase("tensors");
        archive.text = FormatJson(json);
    }
    catch (const nlohmann::json::exception&)
    {
        Fail(path, "not an odcn checkpoint: its text is not what odcn writes");
    }
    catch (const OdcnError&)
    {
        throw;
    }
    catch (const std::exception&) // c10::Error, std::bad_alloc
    {
        Fail(path, "the file is damaged");
    }
    return archive;
}

} // namespace ns3::odcn
