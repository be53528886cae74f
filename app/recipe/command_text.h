// The command line that makes a figure again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/recipe/sweep.h"
#include "engine/figure/files/write_figure.h"

namespace headlight {

/// `headlight export …` with an option for everything that is not as usual, to be typed into a shell where the model is found by its name.
/// Where the figure has parts that no option sets, or its text is long: the command that makes it from its own file, which holds them.
/// `document`: of the figure's runs (recipe.h), the figure's own is subject 1.
std::string command_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                       const FigureOutput& output, const std::optional<Sweep>& sweep = {});

/// The same without `-o FILE`; nullopt where no options can say it.
std::optional<std::string> options_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request,
                                      const FigureFile& file, const FigureOutput& output, const std::optional<Sweep>& sweep = {});

/// The same for every text of a file (`--texts`), without the file and the folder: each of `requests` written as each of `files`. The texts of
/// the document do not matter, and no request shows a part that is of one text. nullopt also where the figures are of different heads in a way
/// that one command has no words for.
std::optional<std::string> batch_options_of(const Document& document, const Snapshot& snapshot, std::span<const FigureRequest> requests,
                                            std::span<const FigureFile* const> files, const FigureOutput& output);

/// An argument as a POSIX shell reads it: in quotation marks where it has to be.
std::string shell_quoted(std::string_view argument);

}  // namespace headlight
