#include <seam/exchange/partitioned/channel.hpp>

#include <seam/exchange/partitioned/aggregation.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/partitioned/wire.hpp>
#include <seam/exchange/transport/message/repeated_send.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <span>

namespace seam::detail {
namespace {

/// The content of announcements, of which the length alone is of interest.
constexpr std::array<std::byte, most_messages> no_content{};

/// The sender's end of a channel whose partitions travel in messages.
///
/// Marking partitions is one atomic operation, or one before they are packed and one after. A
/// thread that then finds a message complete claims and sends it. The first thread that finds all
/// partitions ready, or one that shall not wait for the others, decides for the epoch.
class message_sending_end final : public part {
public:
  message_sending_end(Communicator const& over, channel_end const& end, std::optional<int> messages)
      : name_(end.name),
        alike_(end.alike),
        context_(over.context()),
        peer_(end.peer),
        wire_(end.buffer),
        packed_(wire_.is_direct() ? 0 : end.buffer.partitions),
        ready_(end.buffer.partitions),
        policy_(end.buffer.partitions, messages, end.sending),
        channel_(goes_nowhere()
                     ? drawn_channel{}
                     : draw_channel(over, end.name.c_str(), end.peer, policy_.num_messages())),
        layout_{end.buffer.partitions,
                goes_nowhere() ? policy_.num_messages() : std::max(channel_.num_messages, 1)},
        claimed_(layout_.messages) {
    if (goes_nowhere()) {
      has_met_ = true;
      return;
    }
    meeting_ = std::make_unique<meeting>(over, end.peer, end.tag, channel_.tags,
                                         end_description{wire_.bytes(), wire_.partitions()});
    add_message(0, wire_.bytes(), meeting_->tags().whole());
    for (int k = 0; splits() && k < layout_.messages; ++k)
      add_message(begin_of(k), begin_of(k + 1) - begin_of(k), meeting_->tags().message(k));
  }

  ~message_sending_end() override {
    if (!mpi::is_running())
      return;
    if (announced_ != MPI_REQUEST_NULL)
      MPI_Wait(&announced_, MPI_STATUS_IGNORE); // a short message needs no receiver
    if (!goes_nowhere() && (!has_met_ || prepared_ != MPI_REQUEST_NULL))
      keep_for_ever(context_, std::move(channel_));
    if (prepared_ != MPI_REQUEST_NULL) {
      MPI_Cancel(&prepared_);
      MPI_Wait(&prepared_, MPI_STATUS_IGNORE);
    }
  }

  int num_leaving() const override { return ready_.size(); }

  void start() override {
    policy_.begin();
    packed_.clear();
    ready_.clear();
    claimed_.clear();
    sent_.store(0, std::memory_order_relaxed);
    way_.store(way::undecided);
    complete_.store(false);
    if (ready_.size() == 0)
      leave_together();
  }

  int ready(int first, int last) override {
    if (!wire_.is_direct()) {
      if (int const repeated = packed_.set(first, last); repeated >= 0)
        return repeated; // nothing has changed
      wire_.pack(first, last);
    }
    if (int const repeated = ready_.set(first, last); repeated >= 0)
      return repeated;
    if (first < last && !goes_nowhere())
      leave(first, last);
    return -1;
  }

  bool test() override {
    if (complete_.load(std::memory_order_acquire) && has_met_.load(std::memory_order_relaxed))
      return true;
    std::unique_lock const alone(progress_, std::try_to_lock);
    if (!alone.owns_lock())
      return false;
    if (!has_met_.load(std::memory_order_relaxed))
      meet();
    if (complete_.load(std::memory_order_acquire))
      return true;
    bool const done = goes_nowhere() ? ready_.are_all_set() : advance();
    complete_.store(done, std::memory_order_release);
    return done;
  }

  bool make_progress() override { return !test() || !has_met_; }

  bool have_met() override {
    std::scoped_lock const alone(progress_);
    return meet();
  }

  bool prepare() override {
    if (goes_nowhere())
      return true;
    std::scoped_lock const alone(progress_);
    if (!meet())
      return false;
    if (prepared_ == MPI_REQUEST_NULL)
      prepared_ = mpi::start_receive(context_, {}, peer_, meeting_->tags().prepared());
    int done = 0;
    mpi::check(MPI_Test(&prepared_, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

  std::vector<int> not_ready() const override { return ready_.unset(); }

private:
  /// How the partitions of an epoch leave.
  enum class way { undecided, together, apart };

  bool goes_nowhere() const noexcept { return peer_ == MPI_PROC_NULL; }

  /// True if the epoch may be split: there are several messages, and a length tells how many.
  bool splits() const noexcept { return layout_.messages > 1 && wire_.bytes() > 0; }

  /// The announcement of `messages` messages has this length, below that of a whole epoch. [bytes]
  int announcing_length() const noexcept {
    return layout_.messages == layout_.partitions ? 0 : layout_.messages;
  }

  std::int64_t begin_of(int message) const noexcept {
    return layout_.first_of(message) * wire_.partition_bytes();
  }

  void add_message(std::int64_t begin, std::int64_t bytes, int tag) {
    messages_.emplace_back(context_, wire_.data() + (bytes == 0 ? 0 : begin), bytes, peer_, tag,
                           requests_.add());
  }

  void leave(int first, int last) {
    policy_.note_ready();
    if (way_.load() == way::undecided) {
      if (ready_.are_all_set())
        return leave_together();
      if (policy_.expects_all_together())
        return; // a thread that splits the epoch from now on sees the marks
    }
    if (!splits())
      return;
    int const from = layout_.message_of(first), to = layout_.message_of(last - 1);
    for (int k = from; k <= to; ++k)
      if (ready_.are_all_set(layout_.first_of(k), layout_.first_of(k + 1)))
        leave_apart(k);
  }

  void leave_together() {
    way before = way::undecided;
    if (goes_nowhere())
      return;
    if (way_.compare_exchange_strong(before, way::together))
      send_whole();
    else if (before == way::apart)
      send_all_complete();
  }

  void send_whole() {
    if (!policy_.is_one_of_several())
      return send(0);
    auto const begin = aggregation::clock::now();
    send(0);
    policy_.note_sending_whole(aggregation::clock::now() - begin);
  }

  /// Sends message k, which is complete, unless it is to wait for the others.
  void leave_apart(int k) {
    if (way_.load() == way::undecided && !policy_.expects_all_together())
      split();
    if (way_.load() == way::apart)
      claim_and_send(k);
  }

  void split() {
    way before = way::undecided;
    if (!way_.compare_exchange_strong(before, way::apart))
      return;
    auto const begin = aggregation::clock::now();
    announced_ = mpi::start_send(context_, std::span(no_content).first(announcing_length()), peer_,
                                 meeting_->tags().whole());
    policy_.note_sending(aggregation::clock::now() - begin);
    sent_.fetch_add(1, std::memory_order_acq_rel);
  }

  void claim_and_send(int k) {
    if (claimed_.set(k, k + 1) >= 0)
      return;
    auto const begin = aggregation::clock::now();
    send(k + 1);
    policy_.note_sending(aggregation::clock::now() - begin);
  }

  void send_all_complete() {
    for (int k = 0; k < layout_.messages; ++k)
      if (ready_.are_all_set(layout_.first_of(k), layout_.first_of(k + 1)))
        claim_and_send(k);
  }

  void send(int message) {
    if (ready_.are_all_set())
      policy_.note_all_ready();
    messages_[message].start(requests_.at(message));
    sent_.fetch_add(1, std::memory_order_acq_rel);
  }

  /// Sends partitions that have waited long enough for the others.
  void stop_waiting() {
    if (!splits() || way_.load() != way::undecided || !policy_.has_waited_too_long())
      return;
    split();
    if (way_.load() == way::apart)
      send_all_complete();
  }

  bool has_sent_all() const noexcept {
    switch (way_.load()) {
    case way::together: return sent_.load(std::memory_order_acquire) == 1;
    case way::apart: return sent_.load(std::memory_order_acquire) == layout_.messages + 1;
    case way::undecided: break;
    }
    return false;
  }

  bool meet() {
    if (goes_nowhere() || has_met_.load(std::memory_order_relaxed))
      return true;
    if (!meeting_->test())
      return false;
    meeting_->check_match(name_, alike_);
    has_met_.store(true, std::memory_order_relaxed);
    return true;
  }

  bool advance() {
    if (!has_sent_all()) {
      stop_waiting();
      make_mpi_progress();
      return false;
    }
    int done = 0;
    MPI_Request* const first =
        way_.load(std::memory_order_relaxed) == way::together ? requests_.at(0) : &announced_;
    mpi::check(MPI_Test(first, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0 && has_met_.load(std::memory_order_relaxed) &&
           (first != &announced_ || requests_.test_all());
  }

  /// Makes a call in which the MPI library moves messages.
  void make_mpi_progress() {
    static_cast<void>(mpi::look_for_message(context_, peer_, meeting_->tags().whole()));
  }

  std::string name_;
  bool alike_;
  mpi::comm_view context_;
  int peer_;
  partition_wire wire_;
  marks packed_; ///< partitions that a thread packs or has packed; of size 0 if none are packed
  marks ready_;
  aggregation policy_;
  drawn_channel channel_;
  message_layout layout_;
  marks claimed_;
  std::unique_ptr<meeting> meeting_;
  std::vector<repeated_send> messages_; ///< the whole epoch; then those of a split epoch
  mpi::requests requests_;              ///< [messages_]
  MPI_Request announced_ = MPI_REQUEST_NULL, prepared_ = MPI_REQUEST_NULL;

  std::atomic<way> way_ = way::undecided;
  std::atomic<int> sent_ = 0;
  std::atomic<bool> complete_ = true, has_met_ = false;
  std::mutex progress_;
};

} // namespace

std::unique_ptr<part> make_message_sending_end(Communicator const& over, channel_end const& end,
                                               std::optional<int> messages) {
  return std::make_unique<message_sending_end>(over, end, messages);
}

} // namespace seam::detail
