// Does not compile with clang, and that is its test: a guarded variable is read without its mutex.
#include "engine/core/guarded.h"

namespace headlight {

struct Counter {
  Mutex mutex;
  int count HEADLIGHT_GUARDED_BY(mutex) = 0;
};

int read_at_the_wrong_moment(Counter& counter) {
  { const Lock lock(counter.mutex); }
  return counter.count;
}

}  // namespace headlight
