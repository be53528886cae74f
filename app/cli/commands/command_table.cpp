#include <array>

#include "app/cli/commands/commands.h"
#include "app/cli/lessons/lesson_command.h"

namespace headlight {

std::span<const CommandRow> all_commands() {
  static constexpr std::array kCommands{
      CommandRow{"export", "Write a figure, or its numbers, to a file",
                 R"(headlight export -m sandbox -t "The cat sat on the mat" --figure grid -o heads.png
  headlight export -m story-gpt --texts sentences.txt --figures heatmap,grid --layer 1 -o sentences/)",
                 add_export},
      CommandRow{"verify", "Make an exported figure again and say whether it is equal; exit status 7 if it differs",
                 R"(headlight export -m sandbox -t "The cat sat on the mat" -o cat.png && headlight verify cat.png)", add_verify},
      CommandRow{"trace", "Run a model and write attention maps, hidden states and logits",
                 R"(headlight trace -m sandbox -t "The cat sat on the mat" --include scores,q,k -o trace.safetensors)", add_trace},
      CommandRow{
          "attend",
          "Compute one multi-head attention on tensors of a file, as your own code would; exit status 7 if attention, output,\nscores or z "
          "in the file differ",
          "headlight attend --write-example toy.safetensors && headlight attend toy.safetensors -o attended.safetensors", add_attend},
      CommandRow{"tokenize", "Print ids, tokens and offsets (in code points) of a text as JSON",
                 R"(headlight tokenize -m sandbox -t "The cat sat on the mat")", add_tokenize},
      CommandRow{"predict", "Print the likeliest tokens that a language model expects",
                 R"(headlight predict -m story-gpt -t "The horse that the sailors follow" --top 5)", add_predict},
      CommandRow{"heads", "Measure all heads of a model on a text, or on a file of texts",
                 R"(headlight heads -m story-gpt -t "Anna thanked the sailors because they helped her."
  headlight heads -m story-gpt --texts sentences.txt --measures induction,previous-token --top 5 -o heads.jsonl)",
                 add_heads},
      CommandRow{"importance",
                 "Find what each head does to a number of the output: switched off, averaged, resampled, gated\nor with another map",
                 R"(headlight importance -m story-gpt -t "The girls that the boy follows" --target logit:are-is)", add_importance},
      CommandRow{"attribute", "Split a logit, or the difference of two, into what every part of the model adds to it",
                 R"(headlight attribute -m story-gpt -t "The horse that the sailors follow" --target logit:is-are
  headlight attribute -m story-gpt -t "The horse that the sailors follow" --cell 2.1:6,2)",
                 add_attribute},
      CommandRow{
          "patch", "Patch one text's run with another's, place by place, and see where the prediction comes back",
          R"(headlight patch -m story-gpt -t "The horses that the sailor follows" --from "The horse that the sailors follow" --target logit:is-are)",
          add_patch},
      CommandRow{"prune", "Switch heads off one after another, least important first, and follow a number of the output",
                 R"(headlight prune -m story-gpt -t "The horse that the sailors follow is tired." --target loss)", add_prune},
      CommandRow{
          "circuits",
          "Show what a head does by its matrices alone: which tokens look for which, which they make likelier, and which\nheads it reads "
          "from",
          "headlight circuits -m story-gpt --head 1.2 --top 5", add_circuits},
      CommandRow{"merge", "Join what the shards of `heads`, `importance` or `patch` found, to the bit what one run would have found",
                 "headlight merge part-1 part-2 part-3 -o heads.csv", add_merge},
      CommandRow{"save", "Write a document without opening the window",
                 R"(headlight save -m sandbox -t "The cat sat on the mat" --mask causal+window:3 --pin 0.1 -o cat.headlight.json
  headlight save -m sandbox -t "The cat sat" --and -t "A dog ran" --pin 0.1 --pin 2:0.1 -o two.headlight.json)",
                 add_save},
      CommandRow{"inspect", "Describe a file or folder and check that it is intact (exit status 3 if not)", "headlight inspect story-gpt",
                 add_inspect},
      CommandRow{"lesson", "List the lessons, or play them without a window and print what each step shows; exit status 3 for a broken one",
                 "headlight lesson list",
                 [](CLI::App& command, Action& action, const OpenWindow& /*open_window*/) { add_lesson(command, action); }},
      CommandRow{"models", "List the models that -m can name, or download one", "headlight models list", add_models},
      CommandRow{"bench", "Time what a person waits for, and print a table", "headlight bench --rounds 1", add_bench},
      CommandRow{"gui", "Open the window", "headlight gui --size 1600x1000", add_gui},
  };
  return kCommands;
}

}  // namespace headlight
