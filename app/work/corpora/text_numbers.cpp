#include "app/work/corpora/text_numbers.h"

#include <utility>

namespace headlight {

TextNumbers::TextNumbers(std::shared_ptr<const Model> model, Query query, StudySettings settings, const std::optional<EffectJob>& effects,
                         StudyTexts texts, ThreadPool& pool, Progress& progress)
    : model_(std::move(model)), query_(std::move(query)), settings_(std::move(settings)), texts_(std::move(texts)) {
  if (effects) {
    effects_.emplace(model_, query_, *effects, pool, progress);
    if (effects->part && is_by_position(*effects->part)) positions_.emplace(query_, open_texts(), settings_.longest);
    if (!effects->needs_other_texts()) return;
    others_.emplace(texts_.file, texts_.format);
    other_z_.emplace(effects_->plan(), query_, *others_, settings_.longest, effects->seed);
  } else if (needs_own_texts(texts_need(settings_.requests, "measures"))) {
    own_.emplace(model_, query_, settings_);
    if (own_->needs_means()) others_.emplace(texts_.file, texts_.format);
  }
}

std::unique_ptr<TextSource> TextNumbers::open_texts() const {
  if (const auto repetition = repetition_of(texts_need(settings_.requests, "measures")))
    return std::make_unique<DrawnTexts>(model_, *repetition, texts_.draws);
  return std::make_unique<CorpusReader>(texts_.file, texts_.format);
}

std::vector<HeadId> TextNumbers::places(const PassingRun& run) const {
  return effects_ ? effects_->places() : heads_of(run);
}

bool TextNumbers::read_more(ThreadPool& pool, Progress& progress) {
  if (positions_) {
    if (positions_->advance(effects_->plan().run(), progress)) return true;
    effects_->take_positions(positions_->most());
    positions_.reset();
  }
  if (!others_) return false;
  if (other_z_ ? other_z_->advance(pool, progress) : own_->read_mean(*others_, texts_.file.string(), pool, progress)) return true;
  if (other_z_) effects_->take_others(other_z_->take());
  other_z_.reset();
  others_.reset();
  return false;
}

TextMeasurer TextNumbers::measure() const {
  if (effects_) {
    return [this](const CorpusText& text, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) {
      return effects_->measure(text, tokens, pool, watch);
    };
  }
  if (own_) {
    return [this](const CorpusText&, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) {
      return own_->measure(tokens, pool, watch);
    };
  }
  return {};
}

}  // namespace headlight
