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

/// The blocks of a v-form, with displacements in elements.
buffers blocks_of_v(int degree, void const* base, int const* partitions, MPI_Count const* counts,
                    MPI_Aint const* displacements, MPI_Datatype type) {
  check_arrays(degree, {partitions, counts, displacements});
  buffers blocks;
  for (int e = 0; e < degree; ++e)
    blocks.push_back({base == MPI_IN_PLACE ? base
                                           : static_cast<std::byte const*>(base) +
                                                 displacements[e] * extent_of(type),
                      partitions[e], counts[e], type});
  return blocks;
}

/// The blocks of a w-form, with displacements in bytes.
buffers blocks_of_w(int degree, void const* base, int const* partitions, MPI_Count const* counts,
                    MPI_Aint const* displacements, MPI_Datatype const* types) {
  check_arrays(degree, {partitions, counts, displacements, types});
  buffers blocks;
  for (int e = 0; e < degree; ++e)
    blocks.push_back({static_cast<std::byte const*>(base) + displacements[e], partitions[e],
                      counts[e], types[e]});
  return blocks;
}

/// The blocks of MPI_IN_PLACE, which has no further arguments.
buffers blocks_in_place(int degree) {
  return buffers(degree, partitioned_buffer{MPI_IN_PLACE, 0, 0, MPI_BYTE});
}

/// Returns the blocks that `make` makes. If it fails on one rank, all ranks throw its error.
template <class Make>
buffers blocks_of_all(Communicator const& over, Make make) {
  return collectively(over.context(), make);
}

partitioned_operation make_allgatherv(Communicator const& over, partitioned_settings const& how,
                                      partitioned_buffer const& send, void* recvbuf,
                                      int const* recvparts, MPI_Count const* recvcounts,
                                      MPI_Aint const* displs, MPI_Datatype recvtype) {
  auto const receives = blocks_of_all(over, [&] {
    return blocks_of_v(in_degree(over), recvbuf, recvparts, recvcounts, displs, recvtype);
  });
  return pallgatherw_init(over, send, receives, how);
}

/// The send arguments, or the receive arguments, of an alltoallv or alltoallw.
struct v_side {
  void const* base;
  int const* partitions;
  MPI_Count const* counts;
  MPI_Aint const* displacements;
  MPI_Datatype type;

  buffers blocks(int degree) const {
    if (base == MPI_IN_PLACE)
      return blocks_in_place(degree);
    return blocks_of_v(degree, base, partitions, counts, displacements, type);
  }
};

struct w_side {
  void const* base;
  int const* partitions;
  MPI_Count const* counts;
  MPI_Aint const* displacements;
  MPI_Datatype const* types;

  buffers blocks(int degree) const {
    if (base == MPI_IN_PLACE)
      return blocks_in_place(degree);
    return blocks_of_w(degree, base, partitions, counts, displacements, types);
  }
};

template <class Side>
partitioned_operation make_alltoallw(Communicator const& over, partitioned_settings const& how,
                                     Side const& send, Side const& receive) {
  auto const sends = blocks_of_all(over, [&] { return send.blocks(out_degree(over)); });
  auto const receives = blocks_of_all(over, [&] { return receive.blocks(in_degree(over)); });
  return palltoallw_init(over, sends, receives, how);
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
    auto const receives = blocks_of_all(over, [=, &over] {
      auto const blocks = edges_to_root(detail::edges_of(over), root).at_root.size();
      return blocks_of_v(blocks, recvbuf, recvparts, recvcounts, displs, recvtype);
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
    auto const sends = blocks_of_all(over, [=, &over] {
      auto const blocks = edges_from_root(detail::edges_of(over), root).at_root.size();
      return blocks_of_v(blocks, sendbuf, sendparts, sendcounts, displs, sendtype);
    });
    return pscatterw_init(over, sends, {recvbuf, recvparts, recvcount, recvtype}, root, how);
  });
}

int MPIX_Pscatterw_init(void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
                        MPI_Aint const displs[], MPI_Datatype const sendtypes[], void* recvbuf,
                        int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const& how) {
    auto const sends = blocks_of_all(over, [=, &over] {
      auto const blocks = edges_from_root(detail::edges_of(over), root).at_root.size();
      return blocks_of_w(blocks, sendbuf, sendparts, sendcounts, displs, sendtypes);
    });
    return pscatterw_init(over, sends, {recvbuf, recvparts, recvcount, recvtype}, root, how);
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
                (make_allgatherv(over, how, {sendbuf, sendparts, sendcount, sendtype}, recvbuf,
                                 recvparts, recvcounts, displs, recvtype)))
SEAM_BOTH_NAMES(MPIX_Palltoall_init, MPIX_Pneighbor_alltoall_init,
                (void const* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype),
                (palltoall_init(over, {sendbuf, sendparts, sendcount, sendtype},
                                {recvbuf, recvparts, recvcount, recvtype}, how)))
SEAM_BOTH_NAMES(
    MPIX_Palltoallv_init, MPIX_Pneighbor_alltoallv_init,
    (void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
     MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
     MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype),
    (make_alltoallw(over, how, v_side{sendbuf, sendparts, sendcounts, sdispls, sendtype},
                    v_side{recvbuf, recvparts, recvcounts, rdispls, recvtype})))
SEAM_BOTH_NAMES(
    MPIX_Palltoallw_init, MPIX_Pneighbor_alltoallw_init,
    (void const* sendbuf, int const sendparts[], MPI_Count const sendcounts[],
     MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, int const recvparts[],
     MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[]),
    (make_alltoallw(over, how, w_side{sendbuf, sendparts, sendcounts, sdispls, sendtypes},
                    w_side{recvbuf, recvparts, recvcounts, rdispls, recvtypes})))

int MPIX_Preduce_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    return preduce_init(over, {sendbuf, partitions, count, datatype},
                        {recvbuf, partitions, count, datatype}, op, root);
  });
}

int MPIX_Pallreduce_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                         MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    return pallreduce_init(over, {sendbuf, partitions, count, datatype},
                           {recvbuf, partitions, count, datatype}, op);
  });
}

int MPIX_Preduce_scatter_block_init(void const* sendbuf, void* recvbuf, int partitions,
                                    MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    return preduce_scatter_block_init(over, {sendbuf, partitions, recvcount, datatype},
                                      {recvbuf, partitions, recvcount, datatype}, op);
  });
}

int MPIX_Preduce_scatter_init(void const* sendbuf, void* recvbuf, int const partitions[],
                              MPI_Count const recvcounts[], MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Info info, MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    int const own = over.rank();
    auto const sends = blocks_of_all(over, [&] {
      check_arrays(own + 1, {partitions, recvcounts});
      std::vector<MPI_Aint> places{0};
      for (int r = 0; r < over.size(); ++r)
        places.push_back(places.back() + partitions[r] * recvcounts[r]);
      return blocks_of_v(over.size(), sendbuf, partitions, recvcounts, places.data(), datatype);
    });
    return preduce_scatter_init(over, sends, {recvbuf, partitions[own], recvcounts[own], datatype},
                                op);
  });
}

int MPIX_Pscan_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                    MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    return pscan_init(over, {sendbuf, partitions, count, datatype},
                      {recvbuf, partitions, count, datatype}, op);
  });
}

int MPIX_Pexscan_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request) {
  return init(comm, info, request, [=](auto const& over, auto const&) {
    return pexscan_init(over, {sendbuf, partitions, count, datatype},
                        {recvbuf, partitions, count, datatype}, op);
  });
}
