#include "ringlab/reference/transport/threads.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/thread_mail.hpp"

namespace ringlab {
namespace {

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<detail::ThreadMail> mail, int rank)
      : mail_(std::move(mail)), rank_(rank) {
    mail_->join(rank_);
  }
  ~ThreadCommunicator() override { mail_->leave(rank_); }
  ThreadCommunicator(const ThreadCommunicator&) = delete;
  ThreadCommunicator& operator=(const ThreadCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return mail_->size(); }
  Ticket begin(int hop, std::vector<Send> sends, std::vector<Receive> receives) override {
    return mail_->begin(rank_, hop, std::move(sends), std::move(receives));
  }
  GroupTiming wait(Ticket ticket) override { return mail_->wait(rank_, ticket); }
  void abort(const std::string& why) noexcept override { mail_->abort(rank_, why); }
  void barrier() override { mail_->barrier(rank_); }

 private:
  std::shared_ptr<detail::ThreadMail> mail_;
  int rank_;
};

constexpr int kMaxRanks = 1024;  // threads: far beyond use, far below what a process can hold

}  // namespace

ThreadWorld::ThreadWorld(int ranks, TransportOptions options) {
  if (ranks < 1 || ranks > kMaxRanks) {
    throw InputError("ranks", std::to_string(ranks),
                     "give a number from 1 to " + std::to_string(kMaxRanks));
  }
  detail::check_options(options);
  mail_ = std::make_shared<detail::ThreadMail>(ranks, options);
}

int ThreadWorld::size() const {
  return mail_->size();
}

std::unique_ptr<Communicator> ThreadWorld::communicator(int rank) {
  return std::make_unique<ThreadCommunicator>(mail_, rank);
}

void run_ranks(int ranks, const TransportOptions& options,
               const std::function<void(Communicator&)>& body) {
  ThreadWorld world(ranks, options);
  // All ends are made here, so that no rank is found missing before its thread starts.
  std::vector<std::unique_ptr<Communicator>> ends;
  for (int rank = 0; rank < ranks; ++rank) ends.push_back(world.communicator(rank));

  std::mutex mutex;
  std::exception_ptr first;
  const auto live = [&](std::unique_ptr<Communicator>& end) {
    std::string why;
    try {
      body(*end);
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      why = error.what();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      why = "an exception of unknown type";
    }
    if (!why.empty()) end->abort(why);
    end.reset();
  };
  std::vector<std::thread> threads;
  try {
    for (auto& end : ends) threads.emplace_back([&live, &end] { live(end); });
  } catch (...) {  // no more threads to be had
    {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
    for (std::size_t rank = threads.size(); rank < ends.size(); ++rank)
      ends[rank]->abort("no thread");
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace ringlab
