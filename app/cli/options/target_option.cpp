#include "app/cli/options/target_option.h"

namespace headlight {

CLI::Option* add_target(CLI::App& command, std::optional<Target>& target, const std::string& more) {
  const std::string help = more +
                           ": logit:A-B@POS, prob:A@POS, loss, loss@FIRST-LAST, kl or all-right.\n"
                           "A token is a word, one in quotes where it holds a blank, - or @, or #ID; POS counts from 0 and is the\n"
                           "position that predicts, by default the last one or the first mask";
  const auto read = [&target](const std::string& text) { target = parse_target(text); };
  return command.add_option_function<std::string>("--target", read, help)->type_name("TARGET");
}

}  // namespace headlight
