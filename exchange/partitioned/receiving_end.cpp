#include <seam/exchange/partitioned/arrivals.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/transport/node/looks.hpp>

#include <atomic>
#include <mutex>

namespace seam::detail {
namespace {

/// Takes partitions from the memory of the sender.
class shared_arrivals final : public arrivals {
public:
  explicit shared_arrivals(met_channel const& channel)
      : context_(channel.context),
        lane_(channel.met.other()->lane, channel.met.other()->partitions, channel.wire,
              channel.arrived) {}

  void start() override { lane_.start(); }
  void take(int partition) override { lane_.take(partition); }

  bool take_all() override {
    bool const complete = lane_.take_all();
    if (!complete)
      looks_.add(context_);
    return complete;
  }

  void prepare() override { lane_.prepare(); }

private:
  mpi::comm_view context_;
  receiving_lane lane_;
  vain_looks looks_;
};

/// The receiver's end of a channel; the sender tells it how partitions travel.
class receiving_end final : public part {
public:
  receiving_end(Communicator const& over, channel_end const& end)
      : name_(end.name),
        alike_(end.alike),
        context_(over.context()),
        peer_(end.peer),
        wire_(end.buffer),
        arrived_(end.buffer.partitions) {
    if (comes_from_nowhere())
      return;
    meeting_ = std::make_unique<meeting>(over, end.peer, end.tag,
                                         end_description{wire_.bytes(), wire_.partitions()});
    meeting_->test();
  }

  int num_arriving() const override { return arrived_.size(); }

  void start() override {
    std::scoped_lock const alone(progress_.mutex());
    arrived_.clear();
    ++epoch_;
    progress_.begin(comes_from_nowhere());
    if (!comes_from_nowhere())
      follow_sender();
  }

  bool has_arrived(int partition) override {
    if (comes_from_nowhere() || arrived_.is_set(partition))
      return true;
    if (arrivals* const partitions = arrivals_.load(std::memory_order_acquire))
      partitions->take(partition);
    if (!arrived_.is_set(partition))
      test();
    return arrived_.is_set(partition);
  }

  bool test() override {
    return progress_.test([this] {
      if (followed_ != epoch_)
        meeting_->check_match(name_, alike_);
      return follow_sender() && arrivals_.load()->take_all();
    });
  }

  bool make_progress() override {
    if (!test())
      return true;
    std::unique_lock const alone(progress_.mutex(), std::try_to_lock);
    return !comes_from_nowhere() && (!alone.owns_lock() || !meeting_->test());
  }

  bool have_met() override {
    std::scoped_lock const alone(progress_.mutex());
    if (comes_from_nowhere())
      return true;
    bool const met = meeting_->test();
    meeting_->check_match(name_, alike_);
    return met;
  }

  bool prepare() override {
    if (comes_from_nowhere())
      return true;
    std::scoped_lock const alone(progress_.mutex());
    meeting_->check_match(name_, alike_);
    if (!follow_sender())
      return false;
    arrivals_.load()->prepare();
    return true;
  }

  std::vector<int> not_arrived() const override { return arrived_.unset(); }

private:
  bool comes_from_nowhere() const noexcept { return peer_ == MPI_PROC_NULL; }

  /// Starts the arrivals of this epoch; returns false if the sender is unknown or does not fit.
  bool follow_sender() {
    if (followed_ == epoch_)
      return true;
    if (!meeting_->test() || meeting_->mismatch(name_, alike_))
      return false;
    if (made_ == nullptr) {
      met_channel const channel{context_, peer_, *meeting_, wire_, arrived_};
      bool const by_messages = meeting_->other()->lane.num_slots == shown_lane::none;
      made_ =
          by_messages ? make_message_arrivals(channel) : std::make_unique<shared_arrivals>(channel);
    }
    made_->start();
    followed_ = epoch_;
    arrivals_.store(made_.get(), std::memory_order_release);
    return true;
  }

  std::string name_;
  bool alike_;
  mpi::comm_view context_;
  int peer_;
  partition_wire wire_;
  marks arrived_;
  std::unique_ptr<meeting> meeting_;
  std::unique_ptr<arrivals> made_;
  std::atomic<arrivals*> arrivals_ = nullptr; ///< made_, once any thread may use it
  int epoch_ = 0, followed_ = 0;
  epoch_progress progress_;
};

} // namespace

std::unique_ptr<part> make_receiving_end(Communicator const& over, channel_end const& end) {
  return std::make_unique<receiving_end>(over, end);
}

} // namespace seam::detail
