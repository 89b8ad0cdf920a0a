#include <seam/exchange/point_to_point/window_requests.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/schedule/pack.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace seam::detail {
namespace {

/// In an order that is the same in all processes.
std::vector<MPI_Op> const& operations() {
  static std::vector<MPI_Op> const all{MPI_SUM,  MPI_PROD, MPI_MIN,    MPI_MAX,
                                       MPI_LAND, MPI_LOR,  MPI_LXOR,   MPI_BAND,
                                       MPI_BOR,  MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  return all;
}

/// MPI's types of C and C++ without gaps.
std::vector<MPI_Datatype> const& types() {
  static std::vector<MPI_Datatype> const all{MPI_DOUBLE,
                                             MPI_FLOAT,
                                             MPI_LONG_DOUBLE,
                                             MPI_INT,
                                             MPI_LONG,
                                             MPI_LONG_LONG,
                                             MPI_SHORT,
                                             MPI_SIGNED_CHAR,
                                             MPI_UNSIGNED,
                                             MPI_UNSIGNED_LONG,
                                             MPI_UNSIGNED_LONG_LONG,
                                             MPI_UNSIGNED_SHORT,
                                             MPI_UNSIGNED_CHAR,
                                             MPI_BYTE,
                                             MPI_INT8_T,
                                             MPI_INT16_T,
                                             MPI_INT32_T,
                                             MPI_INT64_T,
                                             MPI_UINT8_T,
                                             MPI_UINT16_T,
                                             MPI_UINT32_T,
                                             MPI_UINT64_T,
                                             MPI_AINT,
                                             MPI_OFFSET,
                                             MPI_COUNT,
                                             MPI_C_BOOL,
                                             MPI_CXX_BOOL,
                                             MPI_C_FLOAT_COMPLEX,
                                             MPI_C_DOUBLE_COMPLEX,
                                             MPI_C_LONG_DOUBLE_COMPLEX,
                                             MPI_CXX_FLOAT_COMPLEX,
                                             MPI_CXX_DOUBLE_COMPLEX,
                                             MPI_CXX_LONG_DOUBLE_COMPLEX,
                                             MPI_2INT,
                                             MPI_FLOAT_INT};
  return all;
}

/// The place of `wanted` in `all`; their number if it is not there.
template <class T>
int place_in(std::vector<T> const& all, T wanted) {
  return static_cast<int>(std::ranges::find(all, wanted) - all.begin());
}

} // namespace

accumulation accumulation_of(MPI_Op op, elements const& values) {
  if (op == MPI_REPLACE)
    return {};
  check_op("accumulate", op, values);
  accumulation const found{place_in(operations(), op), place_in(types(), values.type)};
  if (found.type == std::ssize(types()))
    refuse(
        MPI_ERR_TYPE,
        fmt::format("accumulate: {} between endpoints (expected a type of MPI's own without gaps)",
                    mpi::name_of_type(values.type)));
  return found;
}

combiner combiner_of(accumulation const& how) {
  if (how.op < 0)
    return nullptr;
  return combiner_of(operations()[how.op], types()[how.type]);
}

namespace {

enum class asked : int { write, read, lock, unlock, answer };

/// The head of a request. The places follow, and behind them the bytes of a write.
struct request_head {
  asked what;
  lock_kind kind{};   ///< of a lock
  accumulation how{}; ///< of a write
  std::int64_t num_places = 0, num_bytes = 0;
};

std::vector<std::byte> request(request_head const& head, std::span<block const> places = {},
                               std::span<std::byte const> bytes = {}) {
  std::vector<std::byte> all;
  all.reserve(sizeof(head) + places.size_bytes() + bytes.size());
  for (auto const part : {std::as_bytes(std::span(&head, 1)), std::as_bytes(places), bytes})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::int64_t bytes_of(std::span<block const> places) {
  std::int64_t bytes = 0;
  for (block const& rows : places)
    bytes += rows.bytes();
  return bytes;
}

} // namespace

void window_requests::write(int target, std::span<block const> there,
                            std::span<std::byte const> wire, accumulation const& how) {
  post(target, request({.what = asked::write,
                        .how = how,
                        .num_places = std::ssize(there),
                        .num_bytes = std::ssize(wire)},
                       there, wire));
}

void window_requests::read(int target, std::span<block const> there, elements const& into) {
  awaited_content& awaited = awaited_.emplace_back();
  awaited.places = blocks_of(into);
  awaited.message.bytes = bytes_of(there);
  awaited.message.peer = target;
  awaited.message.tag = tag_of_contents;
  if (awaited.places.size() == 1 && awaited.places[0].is_contiguous()) {
    awaited.message.data = std::exchange(awaited.places, {})[0].first;
  } else {
    awaited.bytes.resize(awaited.message.bytes);
    awaited.message.data = awaited.bytes.data();
  }
  over_.receive(awaited.message);
  post(target,
       request({.what = asked::read, .num_places = std::ssize(there), .num_bytes = bytes_of(there)},
               there));
}

void window_requests::lock(int target, lock_kind kind) {
  post(target, request({.what = asked::lock, .kind = kind}));
  receive(over_, {}, target, tag_of_grants);
}

void window_requests::unlock(int target) {
  post(target, request({.what = asked::unlock}));
  wait_for_answer(target);
  targets_.erase(target);
  complete();
}

void window_requests::finish() {
  for (int const target : targets_)
    post(target, request({.what = asked::answer}));
  for (int const target : std::exchange(targets_, {}))
    wait_for_answer(target);
  complete();
}

void window_requests::post(int target, std::vector<std::byte> bytes) {
  std::erase_if(sent_, [](sent_request const& each) { return each.message.is_done(); });
  sent_request& made = sent_.emplace_back();
  made.bytes = std::move(bytes);
  made.message.data = made.bytes.data();
  made.message.bytes = std::ssize(made.bytes);
  made.message.peer = target;
  made.message.tag = tag_of_requests;
  over_.send(made.message);
  targets_.insert(target);
}

void window_requests::wait_for_answer(int target) { receive(over_, {}, target, tag_of_answers); }

/// Waits for messages that have been carried out, but for those of other locked targets.
void window_requests::complete() {
  std::erase_if(awaited_, [this](awaited_content& each) {
    if (targets_.contains(each.message.peer) && !each.message.is_done())
      return false;
    wait_for(over_, each.message);
    std::byte const* wire = each.bytes.data();
    for (block const& rows : each.places)
      wire = unpack(wire, rows);
    return true;
  });
  std::erase_if(sent_, [this](sent_request& each) {
    if (targets_.contains(each.message.peer) && !each.message.is_done())
      return false;
    wait_for(over_, each.message);
    return true;
  });
}

window_server::window_server(mpi::context& over, endpoint_memory& of) : over_(over), memory_(of) {
  add_to_progress(*this);
  start_progress_thread();
}

bool window_server::make_progress() noexcept {
  if (failure_.is_set())
    return false;
  try {
    serve();
  } catch (...) {
    failure_.keep();
    return false;
  }
  return true;
}

void window_server::serve() {
  std::erase_if(leaving_, [](content const& each) { return each.message.is_done(); });
  while (arriving_ || take()) {
    if (!arriving_->is_done())
      return;
    int const origin = arriving_->peer;
    arriving_.reset();
    carry_out(origin);
  }
}

/// Begins to receive a request; false if there is none.
bool window_server::take() {
  auto const taken = over_.take(mpi::any_source, tag_of_requests);
  if (taken == nullptr)
    return false;
  request_.resize(taken->message().bytes);
  arriving_.emplace(std::span(request_), taken->message().source, tag_of_requests);
  taken->receive(*arriving_);
  return true;
}

void window_server::carry_out(int origin) {
  request_head head{};
  std::memcpy(&head, request_.data(), sizeof(head));
  std::vector<block> places(head.num_places);
  std::byte const* next = request_.data() + sizeof(head);
  if (!places.empty())
    std::memcpy(places.data(), next, places.size() * sizeof(block));
  next += places.size() * sizeof(block);
  switch (head.what) {
  case asked::write: return memory_.write(places, next, combiner_of(head.how));
  case asked::read: return answer_get(origin, places, head.num_bytes);
  case asked::lock: return memory_.ask(origin, head.kind);
  case asked::unlock: memory_.give_back(origin); break;
  case asked::answer: break;
  }
  send(over_, {}, origin, tag_of_answers);
}

void window_server::answer_get(int origin, std::span<block const> places, std::int64_t bytes) {
  content& answer = leaving_.emplace_back();
  answer.bytes.resize(bytes);
  memory_.read(places, answer.bytes.data());
  answer.message.data = answer.bytes.data();
  answer.message.bytes = bytes;
  answer.message.peer = origin;
  answer.message.tag = tag_of_contents;
  over_.send(answer.message);
}

void window_server::finish() {
  for (content& each : leaving_)
    wait_for(over_, each.message);
}

} // namespace seam::detail
