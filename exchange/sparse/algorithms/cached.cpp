#include <seam/exchange/sparse/algorithms/cached.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

#include <algorithm>

namespace seam::detail {

namespace {

/// An edge is forgotten after this many exchanges in a row without a message.
constexpr int most_absences = 4;

} // namespace

void cached::expect_frames() {
  for (edge& incoming : in_)
    incoming.arrival =
        mpi::start_receive(over_, incoming.carried->all(), incoming.rank, tags::frame);
  num_taken_ = 0;
}

bool cached::is_among(std::vector<edge> const& edges, int rank) {
  return std::ranges::binary_search(edges, rank, {}, &edge::rank);
}

void cached::find_new_ranks(std::span<parcel const> out) {
  to_new_ranks_.clear();
  for (parcel const& message : out)
    if (!is_among(out_, message.to))
      to_new_ranks_.push_back(message);
}

void cached::send_frame(edge& along, parcel const* message) {
  frame& carried = *along.carried;
  carried.bytes = message == nullptr ? frame::no_message : std::ssize(message->bytes);
  carried.has_news = to_new_ranks_.empty() ? 0 : 1;
  along.count_absence(message == nullptr);
  std::int64_t length = sizeof carried - sizeof carried.text;
  if (message != nullptr && carried.holds_text()) {
    std::ranges::copy(message->bytes, carried.text);
    length += std::ssize(message->bytes);
  }
  messages_.add(mpi::start_send(over_, carried.all().first(length), along.rank, tags::frame));
  if (!carried.holds_text())
    messages_.add(mpi::start_send(over_, message->bytes, along.rank, tags::body));
}

void cached::send_along_edges(std::span<parcel const> out) {
  auto next = out.begin();
  for (edge& outgoing : out_) {
    while (next != out.end() && next->to < outgoing.rank)
      ++next;
    bool const is_used = next != out.end() && next->to == outgoing.rank;
    send_frame(outgoing, is_used ? &*next : nullptr);
  }
}

void cached::take_frame(edge& along, inbox& in) {
  frame const& carried = *along.carried;
  if (along.rank == any_news_.previous())
    any_news_.hear(carried.has_news != 0);
  bool const is_absent = carried.bytes == frame::no_message;
  along.count_absence(is_absent);
  if (is_absent)
    return;
  std::span<std::byte> const into = in.add(along.rank, carried.bytes);
  if (carried.holds_text())
    std::copy_n(carried.text, into.size(), into.begin());
  else
    messages_.add(mpi::start_receive(over_, into, along.rank, tags::body));
}

bool cached::take_frames(inbox& in) {
  for (; num_taken_ < std::ssize(in_); ++num_taken_) {
    edge& next = in_[num_taken_];
    int has_arrived = 0;
    mpi::check(MPI_Test(&next.arrival, &has_arrived, MPI_STATUS_IGNORE), "MPI_Test");
    if (has_arrived == 0)
      return false;
    take_frame(next, in);
  }
  return true;
}

void cached::deliver_news(inbox& in) {
  std::int64_t const num_known = std::ssize(in.messages());
  news_->run(to_new_ranks_, in);
  for (incoming_message const& message : in.messages().subspan(num_known))
    in_.emplace_back(message.source());
  for (parcel const& message : to_new_ranks_)
    out_.emplace_back(message.to);
  std::ranges::sort(in_, {}, &edge::rank);
  std::ranges::sort(out_, {}, &edge::rank);
}

void cached::run(std::span<parcel const> out, inbox& in) {
  find_new_ranks(out);
  expect_frames();
  send_along_edges(out);
  any_news_.start(!to_new_ranks_.empty(),
                  {is_among(out_, any_news_.next()), is_among(in_, any_news_.previous())});
  for (patience wait;; wait.pause()) {
    bool const has_all = take_frames(in);
    if (any_news_.test() && has_all && messages_.test())
      break;
  }
  if (any_news_.any())
    deliver_news(in);
  auto const is_forgotten = [](edge const& known) { return known.absences >= most_absences; };
  std::erase_if(in_, is_forgotten);
  std::erase_if(out_, is_forgotten);
}

} // namespace seam::detail
