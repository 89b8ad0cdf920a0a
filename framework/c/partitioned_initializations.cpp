#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/framework/c/degrees.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace seam;
using detail::guarded;
using detail::in_degree;
using detail::out_degree;

using buffers = std::vector<partitioned_buffer>;

/// The value of `key`, empty if there is none.
std::optional<std::string> value_of(MPI_Info info, char const* key) {
  std::array<char, 64> value{};
  int found = 0;
  if (info == MPI_INFO_NULL)
    return std::nullopt;
#if MPI_VERSION >= 4
  int length = value.size();
  mpi::check(MPI_Info_get_string(info, key, &length, value.data(), &found), "MPI_Info_get_string");
#else
  mpi::check(MPI_Info_get(info, key, value.size() - 1, value.data(), &found), "MPI_Info_get");
#endif
  return found != 0 ? std::optional<std::string>(value.data()) : std::nullopt;
}

bool is_asserted(MPI_Info info, char const* key) {
  auto const value = value_of(info, key).value_or("false");
  if (value != "true" && value != "false")
    refuse(fmt::format("info: {} is '{}' (expected true or false)", key, value));
  return value == "true";
}

std::optional<int> messages_of(MPI_Info info) {
  auto const value = value_of(info, SEAM_PARTITION_MESSAGES);
  if (!value)
    return std::nullopt;
  char* end = nullptr;
  long const number = std::strtol(value->c_str(), &end, 10);
  if (end == value->c_str() || *end != '\0')
    refuse(fmt::format("info: {} is '{}' (expected a number)", SEAM_PARTITION_MESSAGES, *value));
  if (number < 1)
    refuse(fmt::format("info: {} is '{}' (expected 1 or more)", SEAM_PARTITION_MESSAGES, *value));
  return mpi::narrow(number, SEAM_PARTITION_MESSAGES);
}

partitioned_settings settings_of(MPI_Info info) {
  return {.messages = messages_of(info),
          .root_partitions_are_unknown = is_asserted(info, MPIX_PBCAST_ROOT_PART_UNKNOWN),
          .leaves_are_alike = is_asserted(info, MPIX_PBCAST_LEAVES_ALL_PART_SAME),
          .pairs_are_alike = is_asserted(info, MPIX_EACH_PARTITION_PAIR_SAME),
          .senders_are_alike = is_asserted(info, MPIX_ALL_SEND_PARTITIONS_SAME),
          .receivers_are_alike = is_asserted(info, MPIX_ALL_RECV_PARTITIONS_SAME)};
}

/// Refuses null arguments that all initializations have.
void check_handles(MPI_Comm comm, MPIX_Request const* request) {
  if (comm == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, "partitioned: MPI_COMM_NULL (expected a communicator)");
  if (request == nullptr)
    refuse(MPI_ERR_ARG, "partitioned: a null pointer (expected the address of a request)");
}

/// Makes a request of the operation that make_operation() returns.
template <class Make>
int init_request(MPI_Comm comm, MPIX_Request* request, Make make_operation) {
  if (request != nullptr)
    *request = MPIX_REQUEST_NULL;
  return guarded(comm, [&] {
    check_handles(comm, request);
    *request = detail::add_request(
        std::make_unique<detail::c_partitioned_request>(comm, make_operation()));
  });
}

/// Makes a request of the operation that `make` returns for the communicator and the settings.
template <class Make>
int init(MPI_Comm comm, MPI_Info info, MPIX_Request* request, Make make) {
  return init_request(comm, request, [&] {
    Communicator const over = Communicator::attached_to(comm);
    auto const how = collectively(over.context(), [=] { return settings_of(info); });
    return make(over, how);
  });
}

/// Makes a request of an operation between two processes, as init() does.
template <class Make>
int init_between_two(MPI_Comm comm, MPI_Info info, MPIX_Request* request, Make make) {
  return init_request(comm, request,
                      [&] { return make(Communicator::borrowed_from(comm), settings_of(info)); });
}

/// Makes a request of an operation along the edges of a graph, as init() does.
template <class Make>
int init_on_graph(char const* call, MPI_Comm comm, MPI_Info info, MPIX_Request* request,
                  Make make) {
  return init(comm, info, request, [&](Communicator const& over, partitioned_settings const& how) {
    if (!over.topology().is_graph())
      throw usage_error(fmt::format("{}: the communicator is no graph (expected one of "
                                    "MPI_Dist_graph_create_adjacent) [{}]",
                                    call, where()),
                        true);
    return make(over, how);
  });
}

/// Refuses null arrays of counts and displacements, if there are blocks.
void check_arrays(int degree, std::initializer_list<void const*> arrays) {
  if (degree > 0 && std::ranges::find(arrays, nullptr) != arrays.end())
    refuse(MPI_ERR_ARG,
           fmt::format("partitioned: a null pointer (expected an array that says how {} "
                       "blocks lie)",
                       degree));
}

/// The arguments for the blocks that are sent, or received: those of a v-form, which have one type and
/// displacements in elements, or of a w-form, which have a type each and displacements in bytes.
template <class Types>
struct side {
  static constexpr bool has_list = !std::is_same_v<Types, MPI_Datatype>;

  void const* base;
  int const* partitions;
  MPI_Count const* counts;
  MPI_Aint const* displacements;
  Types types;

  buffers blocks(int degree) const {
    check_arrays(degree, {partitions, counts, displacements});
    if constexpr (has_list)
      check_arrays(degree, {types});
    buffers blocks;
    for (int e = 0; e < degree; ++e)
      blocks.push_back({address(e), partitions[e], counts[e], type(e)});
    return blocks;
  }

  /// Those of an alltoall, where MPI_IN_PLACE has no further arguments.
  buffers blocks_or_in_place(int degree) const {
    return base == MPI_IN_PLACE ? buffers(degree, partitioned_buffer{base, 0, 0, MPI_BYTE})
                                : blocks(degree);
  }

private:
  MPI_Datatype type(int e) const {
    if constexpr (has_list)
      return types[e];
    else
      return types;
  }
  void const* address(int e) const {
    std::int64_t const unit = has_list ? 1 : extent_of(type(e));
    return base == MPI_IN_PLACE ? base
                                : static_cast<std::byte const*>(base) + displacements[e] * unit;
  }
};

template <class Types>
side(void const*, int const*, MPI_Count const*, MPI_Aint const*, Types) -> side<Types>;

template <class Side>
partitioned_operation make_alltoallw(Communicator const& over, partitioned_settings const& how,
                                     Side const& send, Side const& receive) {
  // If blocks cannot be made on one rank, all ranks throw its error.
  auto const sends =
      collectively(over.context(), [&] { return send.blocks_or_in_place(out_degree(over)); });
  auto const receives =
      collectively(over.context(), [&] { return receive.blocks_or_in_place(in_degree(over)); });
  return palltoallw_init(over, sends, receives, how);
}

template <class Types>
partitioned_operation make_allgatherw(Communicator const& over, partitioned_settings const& how,
                                      partitioned_buffer const& send, side<Types> const& receive) {
  return pallgatherw_init(
      over, send, collectively(over.context(), [&] { return receive.blocks(in_degree(over)); }),
      how);
}

template <class Types>
partitioned_operation make_scatterw(Communicator const& over, partitioned_settings const& how,
                                    side<Types> const& send, partitioned_buffer const& receive,
                                    int root) {
  auto const sends = collectively(over.context(), [&] {
    return send.blocks(
        static_cast<int>(edges_from_root(detail::edges_of(over), root).at_root.size()));
  });
  return pscatterw_init(over, sends, receive, root, how);
}

} // namespace

int MPIX_Psend_init(void const* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init_between_two(comm, info, request, [=](auto const& over, auto const& how) {
    return psend_init(over, {buf, partitions, count, datatype}, dest, tag, how);
  });
}

int MPIX_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  partitioned_buffer const room{buf, partitions, count, datatype};
  int const code = init_between_two(comm, info, request, [=](auto const& over, auto const&) {
    return precv_init(over, room, source, tag);
  });
  if (code != MPI_SUCCESS)
    return code;
  detail::c_request& made = *detail::find_request(*request);
  made.source = source;
  made.tag = source == MPI_PROC_NULL ? MPI_ANY_TAG : tag;
  made.bytes = source == MPI_PROC_NULL ? 0 : wire_bytes(room.all());
  return MPI_SUCCESS;
}

int MPIX_Pbcast_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int root,
                     MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    return pbcast_init(over, {buf, partitions, count, datatype}, root, how);
  });
}

int MPIX_Pgather_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                      MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                      MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    return pgather_init(over, {sendbuf, sendparts, sendcount, sendtype},
                        {recvbuf, recvparts, recvcount, recvtype}, root, how);
  });
}

int MPIX_Pgatherv_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
                       MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype,
                       int root, MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    auto const receives = collectively(over.context(), [=, &over] {
      auto const blocks = edges_to_root(detail::edges_of(over), root).at_root.size();
      return side{recvbuf, recvparts, recvcounts, displs, recvtype}.blocks(
          static_cast<int>(blocks));
    });
    return pgatherw_init(over, {sendbuf, sendparts, sendcount, sendtype}, receives, root, how);
  });
}

int MPIX_Pscatter_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                       MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    return pscatter_init(over, {sendbuf, sendparts, sendcount, sendtype},
                         {recvbuf, recvparts, recvcount, recvtype}, root, how);
  });
}

int MPIX_Pscatterv_init(void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
                        MPI_Aint const displs[], MPI_Datatype sendtype, void* recvbuf,
                        int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    return make_scatterw(over, how, side{sendbuf, sendparts, sendcounts, displs, sendtype},
                         {recvbuf, recvparts, recvcount, recvtype}, root);
  });
}

int MPIX_Pscatterw_init(void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
                        MPI_Aint const displs[], MPI_Datatype const sendtypes[], void* recvbuf,
                        int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    return make_scatterw(over, how, side{sendbuf, sendparts, sendcounts, displs, sendtypes},
                         {recvbuf, recvparts, recvcount, recvtype}, root);
  });
}

// Defines an operation under its own name, and under that of neighbor collectives.
#define SEAM_UNPACK(...) __VA_ARGS__
#define SEAM_BOTH_NAMES(Complete, Neighbors, parameters, make)                                     \
  int Complete(SEAM_UNPACK parameters, MPI_Comm comm, MPI_Info info, MPIX_Request* request) {      \
    return init(comm, info, request,                                                               \
                [=](auto const& over, auto const& how) { return SEAM_UNPACK make; });              \
  }                                                                                                \
  int Neighbors(SEAM_UNPACK parameters, MPI_Comm comm, MPI_Info info, MPIX_Request* request) {     \
    return init_on_graph(#Neighbors, comm, info, request,                                          \
                         [=](auto const& over, auto const& how) { return SEAM_UNPACK make; });     \
  }

SEAM_BOTH_NAMES(MPIX_Pallgather_init, MPIX_Pneighbor_allgather_init,
                (void const* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype),
                (pallgather_init(over, {sendbuf, sendparts, sendcount, sendtype},
                                 {recvbuf, recvparts, recvcount, recvtype}, how)))
SEAM_BOTH_NAMES(MPIX_Pallgatherv_init, MPIX_Pneighbor_allgatherv_init,
                (void const* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int const recvparts[], MPI_Count const recvcounts[],
                 MPI_Aint const displs[], MPI_Datatype recvtype),
                (make_allgatherw(over, how, {sendbuf, sendparts, sendcount, sendtype},
                                 side{recvbuf, recvparts, recvcounts, displs, recvtype})))
SEAM_BOTH_NAMES(MPIX_Palltoall_init, MPIX_Pneighbor_alltoall_init,
                (void const* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype),
                (palltoall_init(over, {sendbuf, sendparts, sendcount, sendtype},
                                {recvbuf, recvparts, recvcount, recvtype}, how)))
SEAM_BOTH_NAMES(MPIX_Palltoallv_init, MPIX_Pneighbor_alltoallv_init,
                (void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
                 MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf,
                 int const recvparts[], MPI_Count const recvcounts[], MPI_Aint const rdispls[],
                 MPI_Datatype recvtype),
                (make_alltoallw(over, how, side{sendbuf, sendparts, sendcounts, sdispls, sendtype},
                                side{recvbuf, recvparts, recvcounts, rdispls, recvtype})))
SEAM_BOTH_NAMES(MPIX_Palltoallw_init, MPIX_Pneighbor_alltoallw_init,
                (void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
                 MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf,
                 int const recvparts[], MPI_Count const recvcounts[], MPI_Aint const rdispls[],
                 MPI_Datatype const recvtypes[]),
                (make_alltoallw(over, how, side{sendbuf, sendparts, sendcounts, sdispls, sendtypes},
                                side{recvbuf, recvparts, recvcounts, rdispls, recvtypes})))

int MPIX_Preduce_scatter_init(void const* sendbuf, void* recvbuf, int const partitions[],
                              MPI_Count const recvcounts[], MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    int const own = over.rank();
    auto const sends = collectively(over.context(), [&] {
      check_arrays(own + 1, {partitions, recvcounts});
      std::vector<MPI_Aint> places{0};
      for (int r = 0; r < over.size(); ++r)
        places.push_back(places.back() + partitions[r] * recvcounts[r]);
      return side{sendbuf, partitions, recvcounts, places.data(), datatype}.blocks(over.size());
    });
    return preduce_scatter_init(over, sends, {recvbuf, partitions[own], recvcounts[own], datatype},
                                op);
  });
}

// Defines a reduction of partitions of equal length; `further` are a root, or nothing.
#define SEAM_REDUCTION(Name, operation, root_parameter, further)                                   \
  int Name(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,                    \
           MPI_Datatype datatype, MPI_Op op, SEAM_UNPACK root_parameter MPI_Comm comm,             \
           MPI_Info info, MPIX_Request* request) {                                                 \
    return init(comm, info, request, [=](auto const& over, auto const&) {                          \
      return operation(over, {sendbuf, partitions, count, datatype},                               \
                       {recvbuf, partitions, count, datatype}, op SEAM_UNPACK further);            \
    });                                                                                            \
  }

SEAM_REDUCTION(MPIX_Preduce_init, preduce_init, (int root, ), (, root))
SEAM_REDUCTION(MPIX_Pallreduce_init, pallreduce_init, (), ())
SEAM_REDUCTION(MPIX_Preduce_scatter_block_init, preduce_scatter_block_init, (), ())
SEAM_REDUCTION(MPIX_Pscan_init, pscan_init, (), ())
SEAM_REDUCTION(MPIX_Pexscan_init, pexscan_init, (), ())
