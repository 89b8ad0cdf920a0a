// The collectives of the C interface, and messages along edges: section 2 of the paper.
#include <seam/c/orthogonal.h>
#include <seam/exchange/mpi/large_count.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/framework/c/degrees.hpp>
#include <seam/framework/c/errors.hpp>
#include <seam/framework/c/partitioned_request.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace seam;
using detail::guarded;
using detail::in_degree;
using detail::out_degree;

/// Refuses null lists of blocks.
void check_lists(int degree, std::initializer_list<void const*> lists) {
  if (degree > 0 && std::ranges::count(lists, nullptr) > 0)
    refuse(MPI_ERR_ARG,
           fmt::format("collective: no list for {} blocks (expected an array)", degree));
}

/// Refuses MPI_IN_PLACE as the address that displacements refer to.
void check_base(int degree, void const* base) {
  if (degree > 0 && base == MPI_IN_PLACE)
    refuse(MPI_ERR_BUFFER,
           "collective: MPI_IN_PLACE where it has no meaning (expected an address)");
}

/// The blocks of a v-form, with displacements in elements.
std::vector<elements> blocks_of_v(int degree, void const* base, int const* counts,
                                  int const* displacements, MPI_Datatype type) {
  check_lists(degree, {counts, displacements});
  check_base(degree, base);
  std::vector<elements> blocks;
  blocks.reserve(degree);
  for (int e = 0; e < degree; ++e) {
    elements const source{base, counts[e], type};
    detail::check_memory("collective", source); // checks the base: a block need not begin there
    blocks.push_back(source);
  }
  std::int64_t const extent = degree > 0 ? extent_of(type) : 0;
  for (int e = 0; e < degree; ++e)
    blocks[e].data = static_cast<std::byte const*>(base) + displacements[e] * extent;
  return blocks;
}

/// The blocks of a w-form, with displacements in bytes.
std::vector<elements> blocks_of_w(int degree, void const* base, int const* counts,
                                  MPI_Aint const* displacements, MPI_Datatype const* types) {
  check_lists(degree, {counts, displacements, types});
  check_base(degree, base);
  std::vector<elements> blocks;
  blocks.reserve(degree);
  for (int e = 0; e < degree; ++e)
    blocks.push_back({static_cast<std::byte const*>(base) + displacements[e], counts[e], types[e]});
  return blocks;
}

/// The number of blocks in the v-forms at this process: that of the root's edges. If there is no
/// such root, the plan refuses it on all ranks.
int blocks_at_root(Communicator const& over, int root, int degree) {
  bool const bipartite = over.topology().is_bipartite();
  return root == (bipartite ? MPI_ROOT : over.rank()) ? degree : 0;
}

/// The blocks that this process sends in an alltoall; none if it has them in place.
int blocks_sent(Communicator const& over, void const* sendbuf) {
  return sendbuf == MPI_IN_PLACE ? 0 : out_degree(over);
}

/// Displacements of MPI_Alltoallw as those of the collective; none where there are none.
std::vector<MPI_Aint> widened(int const* displacements, int count) {
  return displacements == nullptr ? std::vector<MPI_Aint>()
                                  : std::vector<MPI_Aint>(displacements, displacements + count);
}

std::vector<int> counts_of(Communicator const& over, int const* counts) {
  check_lists(over.size(), {counts});
  return {counts, counts + over.size()};
}

// The blocking, the nonblocking and the persistent form.

/// A collective that stands for wrong arguments. The call refuses it like any other, so that in
/// checked mode all ranks throw.
collective refused(usage_error const& why) {
  auto const mistake = std::make_shared<usage_error const>(why);
  collective made("collective");
  made.define = [=](collective_definition& definition) {
    definition.plan = [=](detail::collective_edges const&) -> detail::schedule {
      throw usage_error(*mistake);
    };
    definition.check = [=](detail::call_arguments const&) { throw usage_error(*mistake); };
  };
  return made;
}

template <class Make>
collective made(Communicator const& over, Make const& make) {
  try {
    return make(over);
  } catch (usage_error const& mistake) {
    return refused(mistake);
  }
}

/// Makes the collective of a call that returns a request, as made() does.
template <class Make>
collective made_for(Seam_Request const* request, Communicator const& over, Make const& make) {
  if (request == nullptr)
    return refused(usage_error("collective: no place for the request (expected an address)", false,
                               MPI_ERR_ARG));
  return made(over, make);
}

/// A nonblocking collective in flight, or a persistent one, active or not.
class collective_request final : public detail::c_request {
public:
  collective_request(MPI_Comm native, char const* name, in_flight begun)
      : c_request(native), name_(name), flying_(std::move(begun)) {
    is_active = true;
  }
  collective_request(MPI_Comm native, char const* name, operation kept)
      : c_request(native), name_(name), kept_(std::move(kept)) {}

  void start() override {
    if (!kept_)
      refuse(MPI_ERR_REQUEST, fmt::format("start: {}, whose request is not persistent (expected "
                                          "one of an _init call)",
                                          name_));
    flying_.emplace(kept_->start());
  }
  bool is_in_flight() const override { return flying_.has_value(); }
  bool test() override {
    bool const is_done = !flying_ || flying_->test();
    if (is_done)
      flying_.reset();
    return is_done;
  }
  void wait() override {
    if (flying_)
      flying_->wait();
    flying_.reset();
  }
  void close() override {} // the end of an in_flight waits
  std::string name() const override { return name_; }
  bool is_persistent() const noexcept override { return kept_.has_value(); }

private:
  char const* name_;
  std::optional<operation> kept_;
  std::optional<in_flight> flying_;
};

template <class Made>
void give(Seam_Request* request, MPI_Comm comm, collective const& call, Made made) {
  *request =
      detail::add_request(std::make_unique<collective_request>(comm, call.name, std::move(made)));
}

template <class Make>
int run_now(MPI_Comm comm, Make const& make) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    run(over, made(over, make));
  });
}

template <class Make>
int start_nonblocking(MPI_Comm comm, Seam_Request* request, Make const& make) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    collective const call = made_for(request, over, make);
    give(request, comm, call, start(over, call));
  });
}

template <class Make>
int make_persistent(MPI_Comm comm, Seam_Request* request, Make const& make) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    collective const call = made_for(request, over, make);
    give(request, comm, call, prepare(over, call));
  });
}

} // namespace

extern "C" {

int Seam_Send(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return guarded(comm, [&] { send(comm, topology_of(comm), {buffer, count, type}, dest, tag); });
}

int Seam_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Status* status) {
  return guarded(comm, [&] {
    auto const got = receive(comm, topology_of(comm), {buffer, count, type}, source, tag);
    if (status == MPI_STATUS_IGNORE)
      return;
    status->MPI_SOURCE = got.source;
    status->MPI_TAG = got.tag;
    mpi::check(mpi::set_bytes(*status, got.bytes), "MPI_Status_set_elements_x");
  });
}

int Seam_Start(Seam_Request* request) { return MPIX_Start(request); }

int Seam_Test(Seam_Request* request, int* flag) {
  return MPIX_Test(request, flag, MPI_STATUS_IGNORE);
}

int Seam_Wait(Seam_Request* request) { return MPIX_Wait(request, MPI_STATUS_IGNORE); }

int Seam_Request_free(Seam_Request* request) {
  bool const is_null = request != nullptr && *request == SEAM_REQUEST_NULL;
  return is_null ? MPI_SUCCESS : MPIX_Request_free(request);
}

int Seam_Barrier(MPI_Comm comm) {
  return run_now(comm, [](Communicator const&) { return barrier(); });
}
int Seam_Ibarrier(MPI_Comm comm, Seam_Request* request) {
  return start_nonblocking(comm, request, [](Communicator const&) { return barrier(); });
}
int Seam_Barrier_init(MPI_Comm comm, Seam_Request* request) {
  return make_persistent(comm, request, [](Communicator const&) { return barrier(); });
}

// Defines the blocking, the nonblocking and the persistent form of one collective, which `make` makes
// of the parameters and `over`.
#define SEAM_UNPACK(...) __VA_ARGS__
#define SEAM_MAKE(make) [=]([[maybe_unused]] Communicator const& over) { return SEAM_UNPACK make; }
#define SEAM_FORMS(Blocking, Nonblocking, Persistent, parameters, make)                            \
  int Blocking(SEAM_UNPACK parameters, MPI_Comm comm) { return run_now(comm, SEAM_MAKE(make)); }   \
  int Nonblocking(SEAM_UNPACK parameters, MPI_Comm comm, Seam_Request* request) {                  \
    return start_nonblocking(comm, request, SEAM_MAKE(make));                                      \
  }                                                                                                \
  int Persistent(SEAM_UNPACK parameters, MPI_Comm comm, Seam_Request* request) {                   \
    return make_persistent(comm, request, SEAM_MAKE(make));                                        \
  }

SEAM_FORMS(Seam_Bcast, Seam_Ibcast, Seam_Bcast_init,
           (void* buffer, int count, MPI_Datatype type, int root),
           (bcast(elements{buffer, count, type}, root)))
SEAM_FORMS(
    Seam_Gather, Seam_Igather, Seam_Gather_init,
    (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
     MPI_Datatype recvtype, int root),
    (gather(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype}, root)))
SEAM_FORMS(Seam_Gatherv, Seam_Igatherv, Seam_Gatherv_init,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, int const* displs, MPI_Datatype recvtype, int root),
           (gatherw(elements{sendbuf, sendcount, sendtype},
                    blocks_of_v(blocks_at_root(over, root, in_degree(over)), recvbuf, recvcounts,
                                displs, recvtype),
                    root)))
SEAM_FORMS(
    Seam_Scatter, Seam_Iscatter, Seam_Scatter_init,
    (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
     MPI_Datatype recvtype, int root),
    (scatter(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype}, root)))
SEAM_FORMS(Seam_Scatterv, Seam_Iscatterv, Seam_Scatterv_init,
           (void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype,
            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root),
           (scatterw(blocks_of_v(blocks_at_root(over, root, out_degree(over)), sendbuf, sendcounts,
                                 displs, sendtype),
                     elements{recvbuf, recvcount, recvtype}, root)))
SEAM_FORMS(
    Seam_Allgather, Seam_Iallgather, Seam_Allgather_init,
    (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
     MPI_Datatype recvtype),
    (allgather(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype})))
SEAM_FORMS(Seam_Allgatherv, Seam_Iallgatherv, Seam_Allgatherv_init,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, int const* displs, MPI_Datatype recvtype),
           (allgatherw(elements{sendbuf, sendcount, sendtype},
                       blocks_of_v(in_degree(over), recvbuf, recvcounts, displs, recvtype))))
SEAM_FORMS(Seam_Allgatherw, Seam_Iallgatherw, Seam_Allgatherw_init,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, MPI_Aint const* displs, MPI_Datatype const* recvtypes),
           (allgatherw(elements{sendbuf, sendcount, sendtype},
                       blocks_of_w(in_degree(over), recvbuf, recvcounts, displs, recvtypes))))
SEAM_FORMS(
    Seam_Alltoall, Seam_Ialltoall, Seam_Alltoall_init,
    (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
     MPI_Datatype recvtype),
    (alltoall(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype})))
SEAM_FORMS(
    Seam_Alltoallv, Seam_Ialltoallv, Seam_Alltoallv_init,
    (void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype,
     void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype recvtype),
    (alltoallw(blocks_of_v(blocks_sent(over, sendbuf), sendbuf, sendcounts, sdispls, sendtype),
               blocks_of_v(in_degree(over), recvbuf, recvcounts, rdispls, recvtype))))
SEAM_FORMS(
    Seam_Alltoallw, Seam_Ialltoallw, Seam_Alltoallw_init,
    (void const* sendbuf, int const* sendcounts, MPI_Aint const* sdispls,
     MPI_Datatype const* sendtypes, void* recvbuf, int const* recvcounts, MPI_Aint const* rdispls,
     MPI_Datatype const* recvtypes),
    (alltoallw(blocks_of_w(blocks_sent(over, sendbuf), sendbuf, sendcounts, sdispls, sendtypes),
               blocks_of_w(in_degree(over), recvbuf, recvcounts, rdispls, recvtypes))))
SEAM_FORMS(Seam_Alltoallw_int, Seam_Ialltoallw_int, Seam_Alltoallw_init_int,
           (void const* sendbuf, int const* sendcounts, int const* sdispls,
            MPI_Datatype const* sendtypes, void* recvbuf, int const* recvcounts, int const* rdispls,
            MPI_Datatype const* recvtypes),
           (alltoallw(blocks_of_w(blocks_sent(over, sendbuf), sendbuf, sendcounts,
                                  widened(sdispls, blocks_sent(over, sendbuf)).data(), sendtypes),
                      blocks_of_w(in_degree(over), recvbuf, recvcounts,
                                  widened(rdispls, in_degree(over)).data(), recvtypes))))
SEAM_FORMS(Seam_Reduce, Seam_Ireduce, Seam_Reduce_init,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root),
           (reduce(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op, root)))
SEAM_FORMS(Seam_Allreduce, Seam_Iallreduce, Seam_Allreduce_init,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (allreduce(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op)))
SEAM_FORMS(
    Seam_Reduce_scatter, Seam_Ireduce_scatter, Seam_Reduce_scatter_init,
    (void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype type, MPI_Op op),
    (reduce_scatter({sendbuf, 0, type}, {recvbuf, 0, type}, counts_of(over, recvcounts), op)))
SEAM_FORMS(
    Seam_Reduce_scatter_block, Seam_Ireduce_scatter_block, Seam_Reduce_scatter_block_init,
    (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
    (reduce_scatter_block(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op)))
SEAM_FORMS(Seam_Scan, Seam_Iscan, Seam_Scan_init,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (scan(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op)))
SEAM_FORMS(Seam_Exscan, Seam_Iexscan, Seam_Exscan_init,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (exscan(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op)))
#undef SEAM_FORMS
#undef SEAM_MAKE
#undef SEAM_UNPACK

} // extern "C"
