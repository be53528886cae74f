// Documents that the program saves automatically, below the state folder:
//
//   documents/2026-11-22T16-25-55.123Z/                              a document, named by when it was first kept
//     2026-11-22T16-31-02.007Z.headlight.json                        its generations, each named by when it was written (UTC)
//     lock                                                           held by the instance of the program that works on it
//
// Each generation is a plain document (document.h). Thread contract: none of its own; whoever writes holds the document's lock.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// For each document: the two newest, and an earlier one: the newest that was kSettled old when the newest was written, so that a burst of
/// quick edits does not push out what was there before it.
inline constexpr std::size_t kGenerations = 3;
inline constexpr std::chrono::minutes kSettled{10};
/// Beyond this many, the documents that were written longest ago are dropped.
inline constexpr std::size_t kKeptDocuments = 50;

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;
WallTime wall_time();  ///< now
/// "2026-11-22 17:25", in the time zone of the machine.
std::string date_text(WallTime time);

struct Generation {
  std::filesystem::path path;
  WallTime written;
};

struct KeptDocument {
  std::filesystem::path folder;
  std::vector<Generation> generations;  ///< newest first
};

/// Newest first; those without a generation are left out, and so is what cannot be read. Throws nothing but std::bad_alloc.
std::vector<KeptDocument> list_kept_documents(const std::filesystem::path& state_folder);
/// The generations of one. Throws nothing but std::bad_alloc.
KeptDocument find_kept_document(const std::filesystem::path& folder);

/// Whether a path has the form of a generation's: the program keeps it, and no person named it.
bool is_generation(const std::filesystem::path& path);

/// A new folder for a document. Throws Error (write).
std::filesystem::path make_kept_document(const std::filesystem::path& state_folder, WallTime now);
/// Writes the newest generation, and drops the one that is too many. Throws Error (write).
void add_generation(const std::filesystem::path& folder, std::string_view text, WallTime now);
/// Drops what is beyond kKeptDocuments, but never a document whose lock is held, by this process or another.
void drop_oldest_documents(const std::filesystem::path& state_folder);

std::filesystem::path kept_documents_folder(const std::filesystem::path& state_folder);
/// Where the lock of a document is.
std::filesystem::path lock_of(const std::filesystem::path& folder);

}  // namespace headlight
