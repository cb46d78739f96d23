#include "ringlab/reference/transport/mpi.hpp"

#include <utility>

#include "ringlab/reference/transport/detail/mpi_engine.hpp"

namespace ringlab {
namespace {

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(std::shared_ptr<detail::MpiWorld> world) : world_(std::move(world)) {}
  ~MpiCommunicator() override { world_->leave(); }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return world_->rank(); }
  int size() const override { return world_->size(); }
  Ticket begin(int hop, std::vector<Send> sends, std::vector<Receive> receives) override {
    return world_->begin(hop, std::move(sends), std::move(receives));
  }
  GroupTiming wait(Ticket ticket) override { return world_->wait(ticket); }
  void abort(const std::string& why) noexcept override { world_->abort(why); }
  void barrier() override { world_->barrier(); }

 private:
  std::shared_ptr<detail::MpiWorld> world_;
};

}  // namespace

MpiSession::MpiSession(LastWords last_words)
    : engine_(std::make_unique<detail::MpiEngine>(last_words == LastWords::on_sigterm)) {}
MpiSession::~MpiSession() = default;

int MpiSession::rank() const {
  return engine_->rank();
}
int MpiSession::size() const {
  return engine_->size();
}

std::unique_ptr<Communicator> MpiSession::communicator(TransportOptions options) {
  return std::make_unique<MpiCommunicator>(engine_->make_world(options));
}

bool MpiSession::first_to_tell() {
  return engine_->place().first_to_tell();
}
void MpiSession::end_job(int status) noexcept {
  engine_->end_job(status);
}

}  // namespace ringlab
