#include <seam/exchange/partitioned/lane.hpp>

#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <algorithm>
#include <memory>
#include <new>

namespace seam::detail {
namespace {

/// The rank in MPI_COMM_WORLD of a peer on this node, or node::elsewhere.
int reader_of(Communicator const& over, int peer) {
  if (!shared_memory_is_on() || peer == MPI_PROC_NULL)
    return node::elsewhere;
  node const* const on_node = over.known_node();
  if (on_node == nullptr || on_node->is_alone())
    return known_on_node(over, peer);
  int const local = on_node->local_rank(peer);
  return local == node::elsewhere ? node::elsewhere : on_node->memory().world_rank(local);
}

/// Number of slots that the partitions of an end need; empty if they are sent by MPI.
std::optional<std::uint64_t> num_slots(Communicator const& over, channel_end const& end) {
  partitioned_buffer const& buffer = end.buffer;
  std::int64_t const bytes = wire_bytes(buffer.all());
  int const reader = reader_of(over, end.peer);
  if (reader == node::elsewhere || bytes == 0)
    return std::nullopt;
  if (bytes <= longest_short_epoch)
    return places_of_short_epochs;
  if (!is_dense(buffer.type))
    return 1;
  if (place_of(static_cast<std::byte const*>(buffer.data), bytes, reader))
    return 0;
  return bytes <= longest_packed ? std::optional<std::uint64_t>(1) : std::nullopt;
}

/// Where the parts of a lane lie in its memory. [bytes]
struct lane_layout {
  std::int64_t words, marks, slots, bytes;
};

lane_layout lay_out(channel_end const& end, std::uint64_t slots) {
  layout memory;
  std::int64_t const slot = in_whole_lines(wire_bytes(end.buffer.all()));
  return {memory.reserve(sizeof(sending_lane::words)),
          memory.reserve(end.buffer.partitions * std::int64_t{sizeof(shared_word)}),
          memory.reserve(static_cast<std::int64_t>(slots) * slot), memory.bytes()};
}

/// The link of a lane whose words and slots, or lent partitions, a process finds there.
link_end link_of(sending_lane::words& words, std::byte* data, std::uint64_t slots,
                 std::int64_t epoch_bytes) {
  return {.slots = data,
          .slot_bytes = in_whole_lines(epoch_bytes),
          .slot_places = places(std::max<std::uint64_t>(slots, 1)),
          .taken = &words.taken,
          .is_lent = slots == 0};
}

} // namespace

std::int64_t lane_bytes(Communicator const& over, channel_end const& end) {
  auto const slots = num_slots(over, end);
  return slots ? lay_out(end, *slots).bytes : 0;
}

std::shared_ptr<std::byte> take_lane(Communicator const& over, channel_end const& end) {
  std::int64_t const bytes = lane_bytes(over, end);
  return bytes > 0 ? take_shared_with(reader_of(over, end.peer), bytes) : nullptr;
}

sending_lane::sending_lane(Communicator const& over, channel_end const& end)
    : memory_(end.memory),
      wire_(end.buffer),
      words_(new(memory_.get()) words),
      shown_{.num_slots = static_cast<std::int64_t>(*num_slots(over, end))},
      packed_(shown_.num_slots > 0 ? end.buffer.partitions : 0) {
  auto const slots = static_cast<std::uint64_t>(shown_.num_slots);
  lane_layout const parts = lay_out(end, slots);
  marks_ = reinterpret_cast<shared_word*>(memory_.get() + parts.marks);
  std::uninitialized_value_construct_n(marks_, end.buffer.partitions);
  std::byte* const data = slots > 0 ? memory_.get() + parts.slots : wire_.data();
  static_cast<link_end&>(link_) = link_of(*words_, data, slots, wire_.bytes());
  int const reader = reader_of(over, end.peer);
  auto const place = [reader](std::byte const* at) { return *place_of(at, 1, reader); };
  shown_.words = place(memory_.get());
  shown_.data = place(data);
}

/// Frees the memory when the receiver has taken the last epoch.
sending_lane::~sending_lane() {
  shared_word const& taken = words_->taken;
  free_when(std::move(memory_), [&taken, last = epoch_] { return taken.load() == last; });
}

int sending_lane::mark(int first, int last) {
  return link_.is_lent ? mark_lent(first, last) : mark_packed(first, last);
}

/// A second call for a partition is refused before the first has packed, and changes nothing.
int sending_lane::mark_packed(int first, int last) {
  if (int const repeated = packed_.set(first, last); repeated >= 0)
    return repeated;
  std::byte* const slot = link_.slot_in(epoch_);
  for (int p = first; p < last; ++p) {
    wire_.pack_to(p, slot + p * wire_.partition_bytes());
    marks_[p].store(epoch_, std::memory_order_release);
  }
  return -1;
}

int sending_lane::mark_lent(int first, int last) {
  if (last - first > 1)
    for (int p = first; p < last; ++p)
      if (is_marked(p))
        return p;
  for (int p = first; p < last; ++p)
    if (marks_[p].exchange(epoch_, std::memory_order_acq_rel) == epoch_)
      return p;
  return -1;
}

bool sending_lane::have_left() noexcept {
  while (num_marked_ < wire_.partitions() && is_marked(num_marked_))
    ++num_marked_;
  return num_marked_ == wire_.partitions() &&
         link_.has_taken(link_.slot_places.needed_behind(epoch_));
}

std::vector<int> sending_lane::not_marked() const {
  std::vector<int> partitions;
  for (int p = 0; p < wire_.partitions(); ++p)
    if (!is_marked(p))
      partitions.push_back(p);
  return partitions;
}

receiving_lane::receiving_lane(shown_lane const& sender, int sender_partitions,
                               partition_wire const& into, marks& arrived)
    : into_(into),
      arrived_(arrived),
      claimed_(into.partitions()),
      words_(reinterpret_cast<sending_lane::words*>(address_of(sender.words))),
      marks_(reinterpret_cast<shared_word const*>(words_ + 1)),
      link_{link_of(*words_, address_of(sender.data), static_cast<std::uint64_t>(sender.num_slots),
                    into.bytes())},
      sender_partition_bytes_(into.bytes() / sender_partitions) {}

void receiving_lane::start() {
  ++epoch_;
  claimed_.clear();
  first_left_ = 0;
  left_.begin(into_.partitions());
  complete_.store(false);
}

/// Marks of later epochs count, too: the sender may be ahead.
bool receiving_lane::is_there(int partition) const noexcept {
  std::int64_t const begin = partition * into_.partition_bytes();
  auto const first = begin / sender_partition_bytes_;
  auto const last = (begin + into_.partition_bytes() - 1) / sender_partition_bytes_;
  return std::all_of(marks_ + first, marks_ + last + 1, [this](shared_word const& mark) {
    return mark.load(std::memory_order_acquire) >= epoch_;
  });
}

void receiving_lane::take(int partition) {
  if (!is_there(partition) || claimed_.set(partition, partition + 1) >= 0)
    return;
  into_.unpack_from(partition, link_.slot_in(epoch_) + partition * into_.partition_bytes());
  arrived_.set(partition, partition + 1);
  if (left_.take() > 0)
    return;
  link_.note_taken(epoch_);
  complete_.store(true, std::memory_order_release); // after it this thread touches nothing
}

bool receiving_lane::take_all() {
  while (first_left_ < into_.partitions() && arrived_.is_set(first_left_))
    ++first_left_;
  for (int p = first_left_; p < into_.partitions(); ++p)
    if (!arrived_.is_set(p))
      take(p);
  return complete_.load(std::memory_order_acquire);
}

} // namespace seam::detail
