// Contexts of endpoints are found by their handles, as long as these are not freed.
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <support/catch.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

using namespace seam;

namespace {

/// A context whose only endpoint exchanges no messages.
class silent_context final : public mpi::context {
public:
  std::vector<mpi::endpoint_place> const& members() const noexcept override { return none_; }
  std::vector<mpi::endpoint_place> const& peers() const noexcept override { return none_; }
  bool is_bipartite() const noexcept override { return false; }
  void send(mpi::transfer& message) override { message.finish(); }
  void receive(mpi::transfer& /*into*/) override {}
  bool cancel(mpi::transfer& /*receive*/) override { return true; }
  std::optional<mpi::arrived_message> look(int /*source*/, int /*tag*/) override { return {}; }
  std::unique_ptr<mpi::taken_message> take(int /*source*/, int /*tag*/) override { return {}; }
  void progress() override {}
  void check_thread(char const* /*call*/) const override {}
  int node() const noexcept override { return 0; }
  mpi::comm dup(mpi::comm_view /*own*/) override { return {}; }
  mpi::comm split(int /*color*/, int /*key*/) override { return {}; }
  mpi::comm part(std::vector<int> const& /*ranks*/, int /*tag*/) override { return {}; }
  mpi::comm two_sides(int /*side*/) override { return {}; }
  mpi::comm both_sides() override { return {}; }

private:
  std::vector<mpi::endpoint_place> none_;
};

} // namespace

TEST_CASE("communicators of processes have no context") {
  CHECK(mpi::context_of(MPI_COMM_WORLD) == nullptr);
  auto const handle = mpi::handle_of(std::make_shared<silent_context>());
  CHECK(mpi::context_of(MPI_COMM_WORLD) == nullptr);
  CHECK(mpi::context_of(MPI_COMM_SELF) == nullptr);
  CHECK(mpi::context_of(MPI_COMM_NULL) == nullptr);
}

TEST_CASE("each handle has its context, in every thread") {
  std::vector<std::shared_ptr<silent_context>> contexts;
  std::vector<mpi::comm> handles;
  for (int k = 0; k < 40; ++k) {
    contexts.push_back(std::make_shared<silent_context>());
    handles.push_back(mpi::handle_of(contexts.back()));
  }
  std::atomic<int> num_wrong = 0;
  auto const look = [&] {
    for (int repeat = 0; repeat < 3; ++repeat)
      for (int k = 0; k < 40; ++k)
        num_wrong +=
            mpi::context_of(handles.at(std::size_t(k))) != contexts.at(std::size_t(k)).get();
  };
  look();
  std::thread(look).join();
  CHECK(num_wrong == 0);
}

TEST_CASE("a context lives as long as its handle, and no later one is taken for it") {
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto first = std::make_shared<silent_context>();
    std::weak_ptr<silent_context> const known = first;
    auto handle = mpi::handle_of(std::move(first));
    CHECK(mpi::context_of(handle) == known.lock().get());
    CHECK_FALSE(known.expired());
    handle.close();
    CHECK(known.expired());
    // MPI may give the freed handle out again.
    auto const second = std::make_shared<silent_context>();
    auto const other = mpi::handle_of(second);
    CHECK(mpi::context_of(other) == second.get());
    auto const plain = mpi::dup(MPI_COMM_SELF);
    CHECK(mpi::context_of(plain) == nullptr);
  }
}

TEST_CASE("a transfer tells its end once, after it is done") {
  struct told_transfer : mpi::transfer {
    int num_told = 0;
  } message;
  message.when_done = [](mpi::transfer& ended) {
    auto& own = static_cast<told_transfer&>(ended);
    own.num_told += own.is_done() ? 1 : 100;
  };
  CHECK_FALSE(message.is_done());
  for (int epoch = 1; epoch <= 3; ++epoch) {
    message.finish();
    CHECK(message.is_done());
    CHECK(message.num_told == epoch);
    message.restart();
    CHECK_FALSE(message.is_done());
  }
}
