#include "tilelab/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab {
namespace {

// Pieces per thread: enough that a slow piece does not leave the other threads idle at the end.
constexpr std::int64_t kPiecesPerThread = 4;

thread_local bool inside_loop = false;

class InsideLoop {
 public:
  InsideLoop() { inside_loop = true; }
  ~InsideLoop() { inside_loop = false; }
  InsideLoop(const InsideLoop&) = delete;
  InsideLoop& operator=(const InsideLoop&) = delete;
};

// One parallel_for call. Threads take pieces by index; the caller waits until every helper has let go.
class Loop {
 public:
  Loop(std::int64_t count, std::int64_t piece, FunctionRef<void(std::int64_t, std::int64_t)> body)
      : count_(count), piece_(piece), body_(body) {}

  void run_pieces() {
    const InsideLoop guard;
    for (;;) {
      const std::int64_t begin = next_.fetch_add(piece_, std::memory_order_relaxed);
      if (begin >= count_) return;
      try {
        body_(begin, std::min(begin + piece_, count_));
      } catch (...) {
        const std::lock_guard lock(error_mutex_);
        if (!error_ || begin < error_begin_) {
          error_ = std::current_exception();
          error_begin_ = begin;
        }
        next_.store(count_, std::memory_order_relaxed);
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::int64_t count_;
  std::int64_t piece_;
  FunctionRef<void(std::int64_t, std::int64_t)> body_;
  std::atomic<std::int64_t> next_{0};
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::int64_t error_begin_ = 0;
};

// Sleeping threads that help whoever asks. A request is a loop and the number of helpers it may still get.
class Pool {
 public:
  // Lends up to `helpers` threads to `loop`, works along, and returns when nobody touches `loop` any more.
  void run(Loop& loop, int helpers) {
    Request request{&loop, helpers, 0};
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { serve(); });
      requests_.push_back(&request);
    }
    wake_.notify_all();
    loop.run_pieces();
    std::unique_lock lock(mutex_);
    std::erase(requests_, &request);
    done_.wait(lock, [&] { return request.busy == 0; });
  }

  Pool() = default;
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  struct Request {
    Loop* loop;
    int wanted;
    int busy;
  };

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
      if (stopping_) return;
      Request* request = requests_.front();
      ++request->busy;
      if (--request->wanted == 0) requests_.pop_front();
      lock.unlock();
      request->loop->run_pieces();
      lock.lock();
      // No piece is left, so nobody else needs to join.
      std::erase(requests_, request);
      if (--request->busy == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::deque<Request*> requests_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

long process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<long>(getpid());
#else
  return 0;
#endif
}

// A forked child inherits the pool's memory but not its threads, so it makes a pool of its own.
// Pools are never destroyed: joining threads while the process exits can hang.
Pool& shared_pool() {
  struct Owner {
    long process;
    Pool pool;
  };
  static std::atomic<Owner*> current{nullptr};
  const long process = process_id();
  Owner* owner = current.load(std::memory_order_acquire);
  while (owner == nullptr || owner->process != process) {
    Owner* fresh = new Owner{process, {}};
    if (current.compare_exchange_strong(owner, fresh, std::memory_order_acq_rel)) return fresh->pool;
    delete fresh;
  }
  return owner->pool;
}

}  // namespace

int resolve_threads(int threads) {
  require(threads >= 0, "threads", "must be 0 (all cores) or a positive number", threads);
  if (threads != 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::int64_t count, std::int64_t grain, int threads,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body) {
  require(count >= 0, "count", "must not be negative", count);
  require(grain >= 1, "grain", "must be at least 1", grain);
  const std::int64_t groups = ceil_div(count, grain);
  const std::int64_t workers = std::min<std::int64_t>(resolve_threads(threads), groups);
  if (workers <= 1 || inside_loop) {
    if (count > 0) body(0, count);
    return;
  }
  const std::int64_t piece = ceil_div(groups, workers * kPiecesPerThread) * grain;
  Loop loop(count, piece, body);
  shared_pool().run(loop, static_cast<int>(workers) - 1);
  loop.rethrow();
}

}  // namespace tilelab
