// Messages between endpoints in the C interface: nonblocking, prepared, and found by probes.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>
#include <seam/exchange/mpi/large_count.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/point_to_point/endpoint_message.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/framework/c/errors.hpp>
#include <seam/framework/c/partitioned_request.hpp>

#include <fmt/format.h>

#include <memory>
#include <span>

/// A message that a matched probe has found.
struct Seam_Message_s {
  std::shared_ptr<seam::mpi::context> ranks; ///< nullptr: a message between processes
  std::unique_ptr<seam::mpi::taken_message> taken;
  MPI_Message native = MPI_MESSAGE_NULL;
};

namespace {

using namespace seam;
using detail::context_for;
using detail::endpoint_message;
using detail::guarded;
using detail::require_address;

void check_peer(char const* call, mpi::context const& ranks, int peer, bool may_be_any) {
  int const end = static_cast<int>(std::ssize(ranks.peers()));
  bool const is_special = peer == MPI_PROC_NULL || (may_be_any && peer == MPI_ANY_SOURCE);
  if (!is_special && (peer < 0 || peer >= end))
    refuse(MPI_ERR_RANK, fmt::format("{}: rank {} (expected 0 to {})", call, peer, end - 1));
}

/// Refuses a rank that messages to it along the edges of a graph cannot reach ([Traeff2021] sec. 2).
void check_destination(char const* call, MPI_Comm comm, int peer) {
  if (Topology const topology = topology_of(comm); topology.is_graph())
    require_neighbor(mpi::comm_view(comm).rank(), topology.destinations(), peer,
                     fmt::format("{} to", call).c_str());
}

/// Refuses a rank from which no message can come along the edges of a graph.
void check_source(char const* call, MPI_Comm comm, int peer) {
  if (peer == MPI_ANY_SOURCE)
    return;
  if (Topology const topology = topology_of(comm); topology.is_graph())
    require_neighbor(mpi::comm_view(comm).rank(), topology.sources(), peer,
                     fmt::format("{} from", call).c_str());
}

void check_tag(char const* call, int tag, bool may_be_any) {
  bool const is_any = may_be_any && tag == MPI_ANY_TAG;
  if (!is_any && (tag < 0 || tag >= mpi::end_of_tags))
    refuse(MPI_ERR_TAG,
           fmt::format("{}: tag {} (expected 0 to {})", call, tag, mpi::end_of_tags - 1));
}

/// The memory of elements that lie one behind the other.
std::span<std::byte> bytes_of(char const* call, void const* buffer, int count, MPI_Datatype type) {
  if (count < 0)
    refuse(MPI_ERR_COUNT, fmt::format("{}: {} elements (expected 0 or more)", call, count));
  if (count == 0)
    return {};
  auto const blocks = blocks_of({buffer, count, type});
  if (blocks.size() > 1 || (blocks.size() == 1 && !blocks.front().is_contiguous()))
    refuse(MPI_ERR_TYPE, fmt::format("{}: elements with gaps (expected elements one behind the "
                                     "other, or Seam_Send and Seam_Recv)",
                                     call));
  if (blocks.empty())
    return {};
  return std::span(blocks.front().first, blocks.front().bytes());
}

void write(MPI_Status* status, mpi::arrived_message const& message) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = message.source;
  status->MPI_TAG = message.tag;
  status->MPI_ERROR = MPI_SUCCESS;
  mpi::set_bytes(*status, message.bytes);
  MPI_Status_set_cancelled(status, 0);
}

/// The request of a message that is started again and again.
class message_request final : public detail::c_request {
public:
  using direction = endpoint_message::direction;

  message_request(MPI_Comm native, mpi::context& ranks, direction way, elements const& values,
                  int peer, int with_tag)
      : c_request(native), way_(way), what_(ranks, way, values, peer, with_tag) {
    what_.count_on(detail::call_record::unknown(), call_of(way));
  }

  void start() override {
    what_.start();
    is_in_flight_ = true;
  }
  bool is_in_flight() const override { return is_in_flight_; }
  bool test() override {
    bool const is_done = what_.test();
    if (is_done)
      end();
    return is_done;
  }
  void wait() override {
    what_.wait();
    end();
  }
  void cancel() override {
    if (!what_.cancel())
      return;
    is_in_flight_ = false;
    is_cancelled = true;
    source = MPI_ANY_SOURCE;
    tag = MPI_ANY_TAG;
    bytes = 0;
  }
  void close() override {
    if (is_in_flight_ && !what_.cancel())
      wait();
  }
  std::string name() const override { return call_of(way_); }

private:
  static char const* call_of(direction way) {
    return way == direction::send ? "Seam_Send_init" : "Seam_Recv_init";
  }

  /// Notes what the status says.
  void end() {
    is_in_flight_ = false;
    if (way_ == direction::send || is_cancelled)
      return;
    auto const [from, with, length] = what_.received();
    source = from;
    tag = with;
    bytes = length;
  }

  direction way_;
  endpoint_message what_;
  std::atomic<bool> is_in_flight_ = false;
};

using prepared_call = message_request::direction;

/// Makes the request of a message between endpoints, or refuses its arguments.
void prepare(char const* call, mpi::context& ranks, prepared_call way, elements const& values,
             int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  bool const is_receive = way == prepared_call::receive;
  check_peer(call, ranks, peer, is_receive);
  check_tag(call, tag, is_receive);
  if (values.count < 0)
    refuse(MPI_ERR_COUNT, fmt::format("{}: {} elements (expected 0 or more)", call, values.count));
  *request =
      detail::add_request(std::make_unique<message_request>(comm, ranks, way, values, peer, tag));
}

/// The message that a probe has found, which is received now and nowhere else.
std::unique_ptr<Seam_Message_s> take(char const* call, Seam_Message* message) {
  require_address(call, message, "a message");
  if (*message == SEAM_MESSAGE_NULL)
    refuse(MPI_ERR_ARG, fmt::format("{}: SEAM_MESSAGE_NULL (expected a message that a probe has "
                                    "found)",
                                    call));
  return std::unique_ptr<Seam_Message_s>(std::exchange(*message, SEAM_MESSAGE_NULL));
}

/// Looks once for a message between processes.
Seam_Message look_between_processes(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  auto found = std::make_unique<Seam_Message_s>();
  int flag = 0;
  mpi::check(MPI_Improbe(source, tag, comm, &flag, &found->native, status), "MPI_Improbe");
  return flag != 0 ? found.release() : SEAM_MESSAGE_NULL;
}

/// Looks once for a message between endpoints.
Seam_Message look_between_endpoints(mpi::context& ranks, int source, int tag, MPI_Status* status) {
  auto taken = detail::take_message(ranks, source, tag);
  if (taken == nullptr)
    return SEAM_MESSAGE_NULL;
  write(status, taken->message());
  return std::make_unique<Seam_Message_s>(Seam_Message_s{ranks.shared_from_this(), std::move(taken),
                                                         MPI_MESSAGE_NULL})
      .release();
}

} // namespace

extern "C" {

int Seam_Isend(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Isend";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    check_destination(call, comm, dest);
    if (ranks == nullptr)
      return mpi::check(MPI_Isend(buffer, count, type, dest, tag, comm, request), "MPI_Isend");
    check_peer(call, *ranks, dest, false);
    check_tag(call, tag, false);
    *request = mpi::start_send(*ranks, bytes_of(call, buffer, count, type), dest, tag, false,
                               mpi::completed_by::own_threads);
  });
}

int Seam_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Irecv";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    check_source(call, comm, source);
    if (ranks == nullptr)
      return mpi::check(MPI_Irecv(buffer, count, type, source, tag, comm, request), "MPI_Irecv");
    check_peer(call, *ranks, source, true);
    check_tag(call, tag, true);
    *request = mpi::start_receive(*ranks, bytes_of(call, buffer, count, type), source, tag,
                                  mpi::completed_by::own_threads);
  });
}

int Seam_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Iprobe";
    require_address(call, flag, "a flag");
    mpi::context* const ranks = context_for(call, comm);
    check_source(call, comm, source);
    if (ranks == nullptr)
      return mpi::check(MPI_Iprobe(source, tag, comm, flag, status), "MPI_Iprobe");
    check_peer(call, *ranks, source, true);
    check_tag(call, tag, true);
    auto const found = mpi::look_for_message(*ranks, source, tag);
    *flag = found ? 1 : 0;
    if (found)
      write(status, *found);
  });
}

int Seam_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  int found = 0;
  for (detail::patience wait;; wait.pause()) {
    int const code = Seam_Iprobe(source, tag, comm, &found, status);
    if (code != MPI_SUCCESS || found != 0)
      return code;
  }
}

int Seam_Send_init(void const* buffer, int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Send_init";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    check_destination(call, comm, dest);
    if (ranks == nullptr)
      return mpi::check(MPI_Send_init(buffer, count, type, dest, tag, comm, request),
                        "MPI_Send_init");
    prepare(call, *ranks, prepared_call::send, {buffer, count, type}, dest, tag, comm, request);
  });
}

int Seam_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Recv_init";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    check_source(call, comm, source);
    if (ranks == nullptr)
      return mpi::check(MPI_Recv_init(buffer, count, type, source, tag, comm, request),
                        "MPI_Recv_init");
    prepare(call, *ranks, prepared_call::receive, {buffer, count, type}, source, tag, comm,
            request);
  });
}

int Seam_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status* status) {
  MPI_Request both[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int code = Seam_Recv_init(recvbuf, recvcount, recvtype, source, recvtag, comm, &both[0]);
  if (code == MPI_SUCCESS)
    code = Seam_Send_init(sendbuf, sendcount, sendtype, dest, sendtag, comm, &both[1]);
  if (code == MPI_SUCCESS)
    code = MPIX_Startall(2, both);
  if (code == MPI_SUCCESS)
    code = MPIX_Wait(&both[0], status);
  if (code == MPI_SUCCESS)
    code = MPIX_Wait(&both[1], MPI_STATUS_IGNORE);
  for (MPI_Request& each : both)
    if (each != MPI_REQUEST_NULL)
      MPIX_Request_free(&each);
  return code;
}

int Seam_Improbe(int source, int tag, MPI_Comm comm, int* flag, Seam_Message* message,
                 MPI_Status* status) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Improbe";
    require_address(call, flag, "a flag");
    require_address(call, message, "a message");
    mpi::context* const ranks = context_for(call, comm);
    check_source(call, comm, source);
    if (ranks == nullptr) {
      *message = look_between_processes(source, tag, comm, status);
    } else {
      check_peer(call, *ranks, source, true);
      check_tag(call, tag, true);
      *message = look_between_endpoints(*ranks, source, tag, status);
    }
    *flag = *message != SEAM_MESSAGE_NULL ? 1 : 0;
  });
}

int Seam_Mprobe(int source, int tag, MPI_Comm comm, Seam_Message* message, MPI_Status* status) {
  int found = 0;
  for (detail::patience wait;; wait.pause()) {
    int const code = Seam_Improbe(source, tag, comm, &found, message, status);
    if (code != MPI_SUCCESS || found != 0)
      return code;
  }
}

int Seam_Imrecv(void* buffer, int count, MPI_Datatype type, Seam_Message* message,
                MPI_Request* request) {
  return guarded(MPI_COMM_NULL, [&] {
    constexpr char const* call = "Seam_Imrecv";
    require_address(call, request, "a request");
    auto const found = take(call, message);
    if (found->taken == nullptr)
      return mpi::check(MPI_Imrecv(buffer, count, type, &found->native, request), "MPI_Imrecv");
    found->ranks->check_thread(call);
    *request = mpi::start_receive(*found->ranks, *found->taken, bytes_of(call, buffer, count, type),
                                  mpi::completed_by::own_threads);
  });
}

int Seam_Mrecv(void* buffer, int count, MPI_Datatype type, Seam_Message* message,
               MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int const code = Seam_Imrecv(buffer, count, type, message, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, status) : code;
}

} // extern "C"
