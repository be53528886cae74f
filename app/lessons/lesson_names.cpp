// The names that a lesson may use. Tests compare them with those of the window.
#include <array>

#include "app/lessons/lesson.h"

namespace headlight {
namespace {

constexpr std::array kLessonViews{
    LessonName{"overview", "all heads as small maps"},
    LessonName{"head", "one head's map"},
    LessonName{"inside", "one row's computation, step by step"},
    LessonName{"links", "weights as lines between words"},
    LessonName{"flow", "several heads as one map"},
    LessonName{"compare", "pinned heads side by side"},
    LessonName{"measures", "all heads in a table"},
    LessonName{"output", "what the model expects, and what heads do to it"},
    LessonName{"lab", "a small experiment"},
};
constexpr std::array kLessonStages{
    LessonName{"weights", "after the softmax"},
    LessonName{"scores", "q · k"},
    LessonName{"scaled", "÷ √d_head"},
    LessonName{"mask", "which pairs are allowed"},
    LessonName{"masked", "scores that are left"},
    LessonName{"value_weights", "weight · ‖v‖"},
    LessonName{"z", "the head's output"},
};
constexpr std::array kLessonLabs{
    LessonName{"attempts", "Three attempts"},       LessonName{"mask_fills", "Mask conventions"},
    LessonName{"scaling", "Why divide by √d"},      LessonName{"dropout", "Dropout"},
    LessonName{"head_cost", "What heads cost"},     LessonName{"toy_run", "Toy run"},
    LessonName{"concatenation", "Concatenation"},   LessonName{"circuits", "Circuits"},
    LessonName{"effective", "Effective attention"}, LessonName{"whole_layer", "The whole layer"},
};
constexpr std::array kLessonPages{
    LessonName{"predictions", "the likeliest next words"},
    LessonName{"parts", "what a logit is made of"},
    LessonName{"heads", "each head switched off"},
    LessonName{"layers", "every layer's guess"},
};
constexpr std::array kTouchables{
    LessonName{"sentence", "type another sentence"},
    LessonName{"row", "click another word, to hold its row"},
    LessonName{"head", "look at another head (ctrl + arrows)"},
    LessonName{"mask", "paint or type a mask", "Mask"},
    LessonName{"head-count", "choose another number of heads", "Heads"},
    LessonName{"score", "change how scores are made", "Score"},
    LessonName{"block", "leave out parts of the layer", "Block"},
    LessonName{"switch-off", "switch heads off", "Heads"},
    LessonName{"sandbox", "build another sandbox", "Sandbox"},
    LessonName{"lab", "change the settings of the lab"},
};

}  // namespace

std::span<const LessonName> lesson_views() {
  return kLessonViews;
}
std::span<const LessonName> lesson_stages() {
  return kLessonStages;
}
std::span<const LessonName> lesson_labs() {
  return kLessonLabs;
}
std::span<const LessonName> lesson_pages() {
  return kLessonPages;
}
std::span<const LessonName> touchables() {
  return kTouchables;
}

}  // namespace headlight
