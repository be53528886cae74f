#include "app/work/compute/worker.h"

#include <algorithm>
#include <utility>

#include "app/work/compute/worker_state.h"

namespace headlight {
namespace {

/// What is longer than allowed by no more is not asked for again: a few words more, another edit, a machine with more to do.
constexpr double kAlsoAllowed = 1.5;

}  // namespace

Worker::Worker(int threads, std::function<void()> on_change) : state_(std::make_unique<State>(threads, std::move(on_change))) {
  state_->thread = start_thread([state = state_.get()] { state->run(); });
}

Worker::~Worker() {
  {
    const Lock lock(state_->mutex);
    state_->is_stopping = true;
    state_->is_cancelled = true;
  }
  state_->work_arrived.notify_all();
  state_->thread.join();
}

std::uint64_t Worker::request(Query query, bool is_gesture, bool rereads) {
  State& state = *state_;
  const Lock lock(state.mutex);
  const std::uint64_t generation = ++state.status.requested;
  state.status.asked.reset();
  if (std::exchange(state.was_beside_cancelled, false) || query == state.last_requested) state.beside.retry();
  state.last_requested = query;
  state.is_keeping_stale = true;
  state.is_rereading |= rereads;
  state.interrupt_what_can_wait();
  if (const PictureBeside kept = state.beside.find(query); kept.snapshot) {
    state.exchange_with(kept.snapshot);
  } else {
    state.slot = State::Job{generation, std::move(query)};
    const bool is_in_the_way = state.running == State::Running::picture || state.running == State::Running::maps;
    if (is_in_the_way && !is_gesture) state.is_cancelled = true;
  }
  state.work_arrived.notify_all();
  return generation;
}

void Worker::ask_above(double seconds) {
  const Lock lock(state_->mutex);
  state_->unasked = seconds;
}

void Worker::allow_cost() {
  Query query;
  {
    const Lock lock(state_->mutex);
    if (!state_->status.asked) return;
    state_->unasked = std::max(state_->unasked, kAlsoAllowed * state_->status.asked->seconds);
    query = state_->last_requested;
  }
  request(std::move(query), false);
}

void Worker::cancel() {
  State& state = *state_;
  state.desk.cancel_all();
  const Lock lock(state.mutex);
  state.slot.reset();
  state.wanted.clear();
  while (const Query* next = state.beside.next()) {
    state.beside.refuse(Query(*next), "cancelled");
    state.was_beside_cancelled = true;
  }
  state.is_cancelled = true;
  if (state.running != State::Running::picture) state.status.finished = state.status.requested;
}

std::shared_ptr<const Snapshot> Worker::snapshot() const {
  const Lock lock(state_->mutex);
  return state_->snapshot;
}

std::shared_ptr<const Snapshot> Worker::part() const {
  const Lock lock(state_->mutex);
  return state_->part;
}

WorkerStatus Worker::status() const {
  const State& state = *state_;
  const Lock lock(state.mutex);
  WorkerStatus status = state.status;
  status.is_busy = state.running == State::Running::picture || state.slot;
  status.is_busy_beside = state.running == State::Running::beside;
  if (state.running == State::Running::picture || status.is_busy_beside) {
    status.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - state.started).count();
  }
  status.study = state.desk.running();
  if (std::optional<ErrorDetail> problem = state.desk.problem()) {
    status.error_message = Error(*problem).message();
    status.error = std::move(problem);
  }
  return status;
}

bool Worker::is_idle() const {
  const State& state = *state_;
  const Lock lock(state.mutex);
  return !state.slot && state.running == State::Running::nothing && state.wanted.empty() && state.beside.next() == nullptr &&
         state.desk.is_idle();
}

void Worker::keep_beside(std::vector<Query> queries) {
  State& state = *state_;
  const Lock lock(state.mutex);
  BesidePictures::Snapshots let_go = state.beside.want(std::move(queries), state.snapshot);
  state.is_keeping_stale = true;
  const Query* const next = state.beside.next();
  if (state.running == State::Running::beside && (next == nullptr || *next != state.computing_beside)) state.is_cancelled = true;
  if (next != nullptr) state.desk.hold();
  if (!let_go.empty()) {
    std::move(let_go.begin(), let_go.end(), std::back_inserter(state.retired));
    state.drop_stale_wanted();
    state.has_news = true;
  }
  state.work_arrived.notify_all();
}

PictureBeside Worker::beside(const Query& query) const {
  const Lock lock(state_->mutex);
  return state_->beside.find(query);
}

std::shared_ptr<const HeadMaps> Worker::maps(const std::shared_ptr<const Snapshot>& snapshot, HeadId head) {
  if (!snapshot || !snapshot->contains(head)) return nullptr;
  State& state = *state_;
  const Lock lock(state.mutex);
  const bool is_beside = snapshot != state.snapshot && state.beside.holds(snapshot);
  (is_beside ? state.watched_beside : state.watched).add(head);
  if (state.cache.contains(*snapshot, head)) return state.cache.find(*snapshot, head);
  const State::WantedMaps asked{snapshot, head};
  if (state.making != asked && std::find(state.wanted.begin(), state.wanted.end(), asked) == state.wanted.end()) {
    state.wanted.push_back(asked);
    state.interrupt_what_can_wait();
    state.work_arrived.notify_all();
  }
  return nullptr;
}

MapCacheUse Worker::map_cache_use() const {
  const Lock lock(state_->mutex);
  return {state_->cache.size(), state_->cache.bytes(), state_->cache.budget(), state_->cache.made()};
}

Desk& Worker::desk() {
  return state_->desk;
}

}  // namespace headlight
