#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/point_to_point/endpoint_memory.hpp>
#include <seam/exchange/point_to_point/window_carrier.hpp>
#include <seam/exchange/point_to_point/window_requests.hpp>
#include <seam/exchange/point_to_point/window_targets.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

namespace seam::detail {
namespace {

/// The bytes of elements one behind the other: where they lie, or packed.
class wire_of {
public:
  explicit wire_of(elements const& values) {
    auto const rows = blocks_of(values);
    if (rows.size() == 1 && rows[0].is_contiguous()) {
      bytes_ = {rows[0].first, static_cast<std::size_t>(rows[0].row_bytes)};
      return;
    }
    packed_.resize(wire_bytes(values));
    std::byte* end = packed_.data();
    for (block const& each : rows)
      end = pack(each, end);
    bytes_ = packed_;
  }

  std::span<std::byte const> bytes() const noexcept { return bytes_; }

private:
  std::vector<std::byte> packed_;
  std::span<std::byte const> bytes_;
};

/// The memory of a rank, as all ranks know it.
struct place_of_memory {
  endpoint_memory* access; ///< in its own process
  std::byte* data;
};

/// All that other ranks may use.
struct opened_parts {
  explicit opened_parts(Communicator const& over)
      : own(mpi::dup(over.context())),
        ranks(*mpi::context_of(own)),
        memory(ranks),
        requests(ranks) {}

  mpi::comm own;
  mpi::context& ranks;
  std::vector<std::byte> allocated;
  endpoint_memory memory;
  window_requests requests;
  std::optional<window_server> server; ///< if there are several processes
};

/// Keeps what other ranks may use until the program ends.
void keep_for_ever(std::unique_ptr<opened_parts> parts) {
  static std::mutex keeping;
  static auto* const all = new std::vector<std::unique_ptr<opened_parts>>;
  std::scoped_lock const lock(keeping);
  all->push_back(std::move(parts));
}

/// A window between endpoints. Accesses of targets in the same process are copies; those of others
/// are requests.
class endpoint_window final : public window_carrier {
public:
  endpoint_window(Communicator const& over, opened_memory const& own, collective_edges const& edges)
      : parts_(std::make_unique<opened_parts>(over)) {
    if (!own.data)
      require_memory(over.context(), static_cast<double>(own.length), "window");
    data_ =
        collectively(over.context(), [&] { return own.data ? *own.data : allocate(own.length); });
    own_process_ = process_of(ranks().rank());
    bool const is_alone = std::ranges::all_of(ranks().members(), [this](auto const& each) {
      return each.process == own_process_;
    });
    if (!is_alone)
      parts_->server.emplace(ranks(), parts_->memory);
    places_ = mpi::allgather(parts_->own,
                             place_of_memory{&parts_->memory, static_cast<std::byte*>(data_)});
    if (!over.topology().is_graph())
      return;
    exposed_.emplace(over, turned(edges));
    done_.emplace(over, edges);
  }

  void* data() const noexcept override { return data_; }

  void begin_epoch(bool is_first) override {
    check("fence");
    parts_->memory.settle();
    if (exposed_)
      exposed_->exchange();
    else if (is_first)
      mpi::barrier(parts_->own);
  }

  void end_epoch(bool /*is_last*/) override {
    if (seam_has_ended())
      return;
    check("fence");
    parts_->requests.finish();
    if (done_)
      done_->exchange();
    else
      mpi::barrier(parts_->own);
    parts_->memory.settle();
  }

  void lock(int target, lock_kind kind) override {
    check("lock");
    if (!is_here(target))
      return parts_->requests.lock(target, kind);
    endpoint_memory& there = *places_[target].access;
    there.ask(ranks().rank(), kind);
    for (patience wait; !there.is_held_by(ranks().rank()); wait.pause())
      ranks().progress();
  }

  void unlock(int target) override {
    if (seam_has_ended())
      return;
    check("unlock");
    if (is_here(target))
      places_[target].access->give_back(ranks().rank());
    else
      parts_->requests.unlock(target);
  }

  void put(window_access const& access) override {
    check("put to");
    write(access, {});
  }

  void get(window_access const& access) override {
    check("get from");
    auto const there = rows_there(access);
    if (!is_here(access.target))
      return parts_->requests.read(access.target, there, access.here);
    std::vector<std::byte> wire(wire_bytes(access.there));
    places_[access.target].access->read(there, wire.data());
    std::byte const* next = wire.data();
    for (block const& rows : blocks_of(access.here))
      next = unpack(next, rows);
  }

  void accumulate(window_access const& access, MPI_Op op) override {
    check("accumulate at");
    if (op != MPI_NO_OP)
      write(access, accumulation_of(op, access.there));
  }

  void free() override {
    mpi::barrier(parts_->own);
    if (parts_->server)
      parts_->server->finish();
  }

  void abandon() noexcept override { keep_for_ever(std::move(parts_)); }

private:
  mpi::context& ranks() const noexcept { return parts_->ranks; }
  int process_of(int rank) const { return ranks().members()[rank].process; }
  bool is_here(int rank) const { return process_of(rank) == own_process_; }

  void* allocate(std::int64_t length) {
    parts_->allocated.resize(length);
    return parts_->allocated.data();
  }

  /// Refuses threads of other endpoints, and throws the error of an access by another rank.
  void check(char const* call) const {
    ranks().check_thread(call);
    if (parts_->server)
      parts_->server->rethrow();
  }

  /// The rows that an access touches, in the process of its target.
  std::vector<block> rows_there(window_access const& access) const {
    if (access.there.count == 0)
      return {};
    return blocks_of({places_[access.target].data + access.at * access.unit, access.there.count,
                      access.there.type});
  }

  void write(window_access const& access, accumulation const& how) {
    wire_of const wire(access.here);
    auto const there = rows_there(access);
    if (is_here(access.target))
      places_[access.target].access->write(there, wire.bytes().data(), combiner_of(how));
    else
      parts_->requests.write(access.target, there, wire.bytes(), how);
  }

  std::unique_ptr<opened_parts> parts_;
  void* data_ = nullptr;
  int own_process_ = 0;
  std::vector<place_of_memory> places_;          ///< by rank
  std::optional<neighbor_signs> exposed_, done_; ///< on a graph
};

} // namespace

std::unique_ptr<window_carrier> make_endpoint_window(
    Communicator const& over, opened_memory const& own, collective_edges const& edges) {
  return std::make_unique<endpoint_window>(over, own, edges);
}

} // namespace seam::detail
