#include "engine/formats/file_kind.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

struct Row {
  std::string_view magic;  // compared without regard to the case of letters
  FileKind kind;
};

constexpr std::string_view kConvert = "Convert it with safetensors.torch.save_file in Python.";
constexpr std::string_view kErrorPage = "Download it again: what was saved is the server's answer, not the file.";

constexpr std::array<Row, 22> kRows = {{
    {"version https://git-lfs", {"a Git LFS pointer", "Run `git lfs pull` in the folder: the weights themselves were not downloaded."}},
    {"<!doctype html", {"an HTML page", kErrorPage}},
    {"<html", {"an HTML page", kErrorPage}},
    {"<?xml", {"an XML page", kErrorPage}},
    {"{", {"JSON text", "Download it again: an error message or an index was saved in its place."}},
    {"[", {"JSON text", "Download it again: an error message or an index was saved in its place."}},
    {"GGUF", {"a GGUF file", "Use the model's safetensors file instead."}},
    {"\x93NUMPY", {"a NumPy .npy array", "Write it with safetensors.numpy.save_file in Python."}},
    {"PK\x03\x04", {"a zip archive, as PyTorch's .bin and .pt and NumPy's .npz files are", kConvert}},
    {"PK\x05\x06", {"an empty zip archive", kConvert}},
    {"\x80\x02", {"a Python pickle, as old PyTorch files are", kConvert}},
    {"\x80\x03", {"a Python pickle", kConvert}},
    {"\x80\x04", {"a Python pickle", kConvert}},
    {"\x80\x05", {"a Python pickle", kConvert}},
    {"cnumpy.", {"a Python pickle of its first form, as text", kConvert}},
    {"ccopy_reg\n", {"a Python pickle of its first form, as text", kConvert}},
    {"(lp0\n", {"a Python pickle of its first form, as text", kConvert}},
    {"(dp0\n", {"a Python pickle of its first form, as text", kConvert}},
    {"\x1f\x8b", {"a gzip file", "Unpack it with gunzip."}},
    {"\x28\xb5\x2f\xfd", {"a zstd file", "Unpack it with unzstd."}},
    {"\x89HDF", {"an HDF5 file, as Keras writes them", "Use the model's safetensors file instead."}},
    {"%PDF", {"a PDF document", "Choose the weights of a model."}},
}};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

bool starts_with(std::string_view bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text;
}

std::string ending_of(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

std::optional<FileKind> recognize_kind(std::string_view first_bytes) {
  // Text may start with a byte order mark and blanks.
  std::string_view text = first_bytes;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const Row& row : kRows) {
    if (starts_with(first_bytes, row.magic) || starts_with(text, row.magic)) return row.kind;
  }
  return std::nullopt;
}

}  // namespace headlight
