#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/partitioned/aggregation.hpp>
#include <seam/exchange/partitioned/arrivals.hpp>
#include <seam/exchange/transport/message/repeated_send.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <algorithm>
#include <vector>

namespace seam::detail {
namespace {

/// Expects the whole epoch first, or an announcement: a message of another length, which says how
/// many messages will follow.
class message_arrivals final : public arrivals {
public:
  explicit message_arrivals(met_channel const& channel)
      : channel_(channel), missing_(channel.wire.partitions()) {
    add_request(whole_, whole_receive_, 0, channel.wire.bytes(), channel.met.tags().whole());
  }

  ~message_arrivals() override {
    if (mpi::is_running() && prepared_ != MPI_REQUEST_NULL)
      MPI_Wait(&prepared_, MPI_STATUS_IGNORE);
  }

  void start() override {
    whole_receive_.front().start(whole_.at(0));
    stage_ = stage::whole;
  }

  bool take_all() override {
    if (stage_ == stage::whole)
      take_first();
    if (stage_ == stage::apart)
      take_messages();
    return stage_ == stage::complete;
  }

  void prepare() override {
    if (prepared_ != MPI_REQUEST_NULL)
      mpi::check(MPI_Wait(&prepared_, MPI_STATUS_IGNORE), "MPI_Wait");
    prepared_ =
        mpi::start_send(channel_.context, {}, channel_.peer, channel_.met.tags().prepared());
  }

private:
  /// The state of an epoch.
  enum class stage { whole, apart, complete };

  void add_request(mpi::requests& requests, std::vector<repeated_receive>& receives,
                   std::int64_t begin, std::int64_t bytes, int tag) {
    receives.emplace_back(channel_.context, channel_.wire.data() + (bytes == 0 ? 0 : begin), bytes,
                          channel_.peer, tag, requests.add());
  }

  void take_first() {
    int done = 0;
    MPI_Status status;
    mpi::check(MPI_Test(whole_.at(0), &done, &status), "MPI_Test");
    if (done == 0)
      return;
    std::int64_t const bytes = mpi::bytes_of(status);
    if (bytes == channel_.wire.bytes()) {
      note(0, channel_.wire.partitions());
      stage_ = stage::complete;
    } else
      expect_messages(static_cast<int>(bytes));
  }

  void expect_messages(int announced) {
    int const partitions = channel_.met.other()->partitions;
    message_layout const layout{partitions, announced == 0 ? partitions : announced};
    if (layout != layout_)
      make_messages(layout);
    std::ranges::copy(messages_of_, missing_.begin());
    left_ = layout_.messages;
    for (int k = 0; k < messages_.size(); ++k)
      message_receives_[k].start(messages_.at(k));
    stage_ = stage::apart;
  }

  void make_messages(message_layout const& layout) {
    layout_ = layout;
    messages_ = {};
    message_receives_.clear();
    finished_.resize(layout.messages);
    messages_of_.assign(missing_.size(), 0);
    for (int k = 0; k < layout.messages; ++k) {
      add_request(messages_, message_receives_, begin_of(k), begin_of(k + 1) - begin_of(k),
                  channel_.met.tags().message(k));
      auto const [first, last] = partitions_of(k);
      for (int p = first; p < last; ++p)
        ++messages_of_[p];
    }
  }

  std::int64_t begin_of(int message) const noexcept {
    return channel_.wire.bytes() / layout_.partitions * layout_.first_of(message);
  }

  partition_wire::partition_range partitions_of(int message) const noexcept {
    return channel_.wire.partitions_in(begin_of(message), begin_of(message + 1));
  }

  void take_messages() {
    int count = 0;
    mpi::check(MPI_Testsome(messages_.size(), messages_.at(0), &count, finished_.data(),
                            MPI_STATUSES_IGNORE),
               "MPI_Testsome");
    for (int i = 0; i < (count == MPI_UNDEFINED ? 0 : count); ++i)
      take_message(finished_[i]);
    if (left_ == 0)
      stage_ = stage::complete;
  }

  void take_message(int k) {
    --left_;
    auto const [first, last] = partitions_of(k);
    for (int p = first; p < last; ++p)
      if (--missing_[p] == 0)
        note(p, p + 1);
  }

  void note(int first, int last) {
    for (int p = first; p < last; ++p)
      channel_.wire.unpack(p);
    channel_.arrived.set(first, last);
  }

  met_channel channel_;
  std::vector<repeated_receive> whole_receive_, message_receives_; ///< [whole_], [messages_]
  mpi::requests whole_, messages_;
  MPI_Request prepared_ = MPI_REQUEST_NULL;

  message_layout layout_;        ///< of `messages_`
  std::vector<int> messages_of_; ///< [partitions] number of messages with bytes of the partition
  std::vector<int> missing_;     ///< [partitions] those of them that have not come in this epoch
  std::vector<int> finished_;
  int left_ = 0;
  stage stage_ = stage::complete;
};

} // namespace

std::unique_ptr<arrivals> make_message_arrivals(met_channel const& channel) {
  return std::make_unique<message_arrivals>(channel);
}

} // namespace seam::detail
