#include <seam/exchange/partitioned/channel.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/partitioned/requests.hpp>

#include <mutex>

namespace seam {
namespace {

/// The receiver's end: first expects the whole epoch, or a message of another length that says how
/// many there will be.
class receiving_end final : public part {
public:
  receiving_end(Communicator const& over, channel_end const& what)
      : name_(what.name),
        alike_(what.alike),
        context_(over.context()),
        peer_(what.peer),
        wire_(what.buffer),
        arrived_(what.buffer.partitions),
        missing_(static_cast<std::size_t>(what.buffer.partitions)) {
    if (comes_from_nowhere())
      return;
    meeting_ = std::make_unique<meeting>(over, meeting::end::receiver, what.peer, what.meeting_tag,
                                         end_description{wire_.bytes(), wire_.partitions()});
    meeting_->test();
  }

  ~receiving_end() override {
    if (!mpi::is_running() || prepared_ == MPI_REQUEST_NULL)
      return;
    MPI_Wait(&prepared_, MPI_STATUS_IGNORE);
  }

  int num_arriving() const override { return arrived_.size(); }

  void start() override {
    std::scoped_lock const alone(progress_);
    arrived_.clear();
    stage_ = comes_from_nowhere() ? stage::complete : stage::unmet;
    complete_.store(comes_from_nowhere());
    if (!comes_from_nowhere())
      expect_whole();
  }

  bool has_arrived(int partition) override {
    if (comes_from_nowhere() || arrived_.is_set(partition))
      return true;
    test();
    return arrived_.is_set(partition);
  }

  bool test() override {
    if (complete_.load(std::memory_order_acquire))
      return true;
    std::unique_lock const alone(progress_, std::try_to_lock);
    if (!alone.owns_lock())
      return false;
    if (complete_.load(std::memory_order_acquire))
      return true;
    check_match();
    bool const done = advance();
    complete_.store(done, std::memory_order_release);
    return done;
  }

  bool attend() noexcept override {
    try {
      if (!test())
        return true;
      std::unique_lock const alone(progress_, std::try_to_lock);
      return !comes_from_nowhere() && (!alone.owns_lock() || !meeting_->test());
    } catch (std::exception const&) {
      return false; // the user's next call meets the same error
    }
  }

  bool have_met() override {
    std::scoped_lock const alone(progress_);
    if (comes_from_nowhere())
      return true;
    bool const met = meeting_->test();
    check_match();
    return met;
  }

  bool prepare() override {
    if (comes_from_nowhere())
      return true;
    std::scoped_lock const alone(progress_);
    check_match();
    if (stage_ == stage::unmet)
      expect_whole();
    if (stage_ == stage::unmet)
      return false;
    if (prepared_ != MPI_REQUEST_NULL)
      mpi::check(MPI_Wait(&prepared_, MPI_STATUS_IGNORE), "MPI_Wait");
    mpi::check(MPI_Isend(nullptr, 0, MPI_BYTE, peer_, meeting_->tags().prepared(),
                         context_.native(), &prepared_),
               "MPI_Isend");
    return true;
  }

  std::vector<int> not_arrived() const override { return arrived_.unset(); }

private:
  /// How far an epoch has come.
  enum class stage { unmet, whole, apart, complete };

  bool comes_from_nowhere() const noexcept { return peer_ == MPI_PROC_NULL; }

  /// If the sender is known, and sends what fits.
  void expect_whole() {
    if (!meeting_->test() || meeting_->mismatch(name_, alike_))
      return;
    if (whole_.size() == 0)
      add_request(whole_, 0, wire_.bytes(), meeting_->tags().whole());
    whole_.start(0);
    stage_ = stage::whole;
  }

  void add_request(request_list& to, std::int64_t begin, std::int64_t bytes, int tag) {
    auto const& size = sizes_.emplace_back(bytes);
    mpi::check(MPI_Recv_init(wire_.data() + (bytes == 0 ? 0 : begin), size.count(), size.type(),
                             peer_, tag, context_.native(), &to.add()),
               "MPI_Recv_init");
  }

  bool advance() {
    if (stage_ == stage::unmet)
      expect_whole();
    if (stage_ == stage::whole)
      take_first();
    if (stage_ == stage::apart)
      take_messages();
    return stage_ == stage::complete;
  }

  void take_first() {
    int done = 0;
    MPI_Status status;
    mpi::check(MPI_Test(whole_.at(0), &done, &status), "MPI_Test");
    if (done == 0)
      return;
    MPI_Count bytes = 0;
    mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
    if (bytes == wire_.bytes()) {
      take(0, arrived_.size());
      stage_ = stage::complete;
    } else
      expect_messages(static_cast<int>(bytes));
  }

  void expect_messages(int announced) {
    int const partitions = meeting_->other()->partitions;
    message_layout const layout{partitions, announced == 0 ? partitions : announced};
    if (layout != layout_)
      make_messages(layout);
    std::ranges::copy(messages_of_, missing_.begin());
    left_ = layout_.messages;
    messages_.start_all();
    stage_ = stage::apart;
  }

  void make_messages(message_layout const& layout) {
    layout_ = layout;
    messages_ = {};
    finished_.resize(static_cast<std::size_t>(layout.messages));
    messages_of_.assign(missing_.size(), 0);
    for (int k = 0; k < layout.messages; ++k) {
      add_request(messages_, begin_of(k), begin_of(k + 1) - begin_of(k),
                  meeting_->tags().message(k));
      auto const [first, last] = partitions_of(k);
      for (int p = first; p < last; ++p)
        ++messages_of_[static_cast<std::size_t>(p)];
    }
  }

  std::int64_t begin_of(int message) const noexcept {
    return wire_.bytes() / layout_.partitions * layout_.first_of(message);
  }

  partition_wire::partition_range partitions_of(int message) const noexcept {
    return wire_.partitions_in(begin_of(message), begin_of(message + 1));
  }

  void take_messages() {
    int count = 0;
    mpi::check(MPI_Testsome(messages_.size(), messages_.at(0), &count, finished_.data(),
                            MPI_STATUSES_IGNORE),
               "MPI_Testsome");
    for (int i = 0; i < (count == MPI_UNDEFINED ? 0 : count); ++i)
      take_message(finished_[static_cast<std::size_t>(i)]);
    if (left_ == 0)
      stage_ = stage::complete;
  }

  void take_message(int k) {
    --left_;
    auto const [first, last] = partitions_of(k);
    for (int p = first; p < last; ++p)
      if (--missing_[static_cast<std::size_t>(p)] == 0)
        take(p, p + 1);
  }

  void take(int first, int last) {
    for (int p = first; p < last; ++p)
      wire_.unpack(p);
    arrived_.set(first, last);
  }

  void check_match() const {
    if (auto const mismatch = meeting_->mismatch(name_, alike_))
      refuse(*mismatch);
  }

  std::string name_;
  bool alike_;
  mpi::comm_view context_;
  int peer_;
  partition_wire wire_;
  marks arrived_;
  std::unique_ptr<meeting> meeting_;
  std::vector<mpi::large_count> sizes_; ///< of the requests: types of huge messages live as long
  request_list whole_, messages_;
  MPI_Request prepared_ = MPI_REQUEST_NULL;

  message_layout layout_;        ///< of messages_
  std::vector<int> messages_of_; ///< [partitions] that hold bytes of it
  std::vector<int> missing_;     ///< [partitions] of these, in this epoch
  std::vector<int> finished_;
  int left_ = 0;
  stage stage_ = stage::complete;
  std::atomic<bool> complete_ = true;
  std::mutex progress_;
};

} // namespace

std::unique_ptr<part> make_receiving_end(Communicator const& over, channel_end const& what) {
  return std::make_unique<receiving_end>(over, what);
}

} // namespace seam
