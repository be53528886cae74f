#include "app/gui/window/end_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

#include "engine/core/parallel.h"

namespace headlight {
namespace {

constexpr std::array kSignals{SIGTERM, SIGHUP, SIGINT};

/// nohup and shells start programs with signals ignored.
bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Ends the program by a signal, so that a shell or a session manager sees that its signal was obeyed.
void die_of(int signal) {
  sigset_t only = {};
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  std::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

EndSignals::EndSignals() {
  ::sigemptyset(&taken_);
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) ::sigaddset(&taken_, signal);
  }
  ::sigaddset(&taken_, SIGUSR2);  // ends the thread
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  try {
    thread_ = start_thread([this] { run(); });
  } catch (...) {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    throw;
  }
}

EndSignals::~EndSignals() {
  is_stopping_ = true;
  ::pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void EndSignals::listen(std::function<void()> on_signal) {
  const Lock lock(mutex_);
  on_signal_ = std::move(on_signal);
}

void EndSignals::stop_listening() {
  listen({});
}

void EndSignals::run() {
  for (;;) {
    int signal = 0;
    if (::sigwait(&taken_, &signal) != 0 || is_stopping_) return;
    if (signal == SIGUSR2) continue;
    const Lock lock(mutex_);
    if (!on_signal_ || received_ != 0) die_of(signal);
    received_ = signal;
    on_signal_();
  }
}

void EndSignals::end_as_asked() const {
  if (received_ != 0) die_of(received_);
}

}  // namespace headlight
