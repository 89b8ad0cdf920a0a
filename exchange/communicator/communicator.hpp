/// Communicator: a set of processes, the topology that says which of them exchange messages, and a
/// private context for seam's own messages.
///
///     Communicator world = Communicator::dup(MPI_COMM_WORLD);
///     Communicator ring = make_graph(world, Topology::graph({{left}}, {{right}}));
///     Communicator all = ring.base();            // the same ranks, fully connected again
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace seam {

namespace detail {
class node;
}

/// Owns an MPI communicator. Move-only; operations that are built on it keep it alive.
///
/// seam's own messages travel in a second context of the same processes, so that they never match
/// a message of the user. Errors are returned, never fatal.
/// Threads: queries from any thread; collective members by one thread at a time.
class Communicator {
public:
  Communicator(Communicator&&) noexcept = default;
  Communicator& operator=(Communicator&&) noexcept = default;

  /// A new communicator over the processes of `other`, with the topology that `other` carries: that
  /// of a graph made by seam, or of a copy of it by MPI, with edges that lead nowhere and
  /// structure.
  /// Collective: over `other`.
  static Communicator dup(mpi::comm_view other);

  /// Takes `native` over and frees it in the end. Decodes its topology: an inter-communicator is
  /// bipartite, a distributed graph a graph; a Cartesian communicator only names its processes and
  /// is complete ([Traeff2021] sec. 3).
  /// Collective: over `native`.
  static Communicator from_native(MPI_Comm native);

  /// The communicator that seam keeps with `native`, made when first asked for: for programs that
  /// hold MPI communicators. `native` stays its owner's; the kept communicator ends when `native`
  /// is freed.
  /// Collective: over `native`, the first time; local from then on.
  static Communicator attached_to(MPI_Comm native);

  /// A communicator for messages between two processes that travel in `native` itself, with the
  /// highest of its tags (see partitioned/channel_tags.hpp), since to make a context of their own
  /// would be collective. Its state, with the tags drawn so far, is kept with `native`, which
  /// stays its owner's. Has the topology that `native` carries, and knows the node if
  /// attached_to(native) knows it by then. Local.
  static Communicator borrowed_from(MPI_Comm native);

  /// Makes attached_to(native) return this communicator, where `native` is its MPI handle: returns
  /// `native`, which the caller has to free. Local.
  MPI_Comm give_to_mpi() &&;

  int rank() const;
  int size() const;
  Topology const& topology() const noexcept;

  /// The grid and neighborhood of a graph whose processes all have the same neighborhood on a grid;
  /// nullptr for others. The order and kind of edges is that of topology(). Only copies inherit it.
  std::shared_ptr<cartesian_structure const> const& structure() const noexcept;

  /// A communicator of the same processes and topology in a new context.
  /// Collective: over this communicator.
  Communicator dup() const;

  /// The processes that give the same color, ordered by key and then by rank; nothing for processes
  /// that give MPI_UNDEFINED. The parts of a graph get the subgraphs that their processes induce,
  /// with the order and the weights of the edges; edges that lead nowhere stay. Names are not
  /// inherited.
  /// Collective: over this communicator.
  /// Source: [Traeff2021] sec. 2.4 (also of the next five).
  std::optional<Communicator> split(int color, int key) const;

  /// The processes that share the resource `type` with the caller, such as MPI_COMM_TYPE_SHARED, as
  /// split() makes them; nothing for processes that give MPI_UNDEFINED.
  /// Collective: over this communicator.
  std::optional<Communicator> split_type(int type, int key, MPI_Info info = MPI_INFO_NULL) const;

  /// The processes that share memory with the caller, as split_type() makes them.
  /// Collective: over this communicator.
  Communicator split_shared() const;

  /// A communicator of the processes of `group`, a subgroup of this communicator's group and the
  /// same on all ranks; nothing on other processes.
  /// Collective: over this communicator.
  std::optional<Communicator> create(MPI_Group group) const;

  /// Does as create(), but only `group` calls it. `tag` tells concurrent calls apart.
  /// @throws usage_error  this communicator is bipartite
  /// Collective: over `group`.
  Communicator create_group(MPI_Group group, int tag = 0) const;

  /// Does as create_group() with an MPI communicator and the topology that it carries.
  static Communicator create_group(mpi::comm_view all, MPI_Group group, int tag = 0);

  /// Do as create() and create_group() with the processes or endpoints that are `ranks`, in this
  /// order: the same on all of them. Endpoints have no MPI_Group.
  /// @throws usage_error  a rank is out of range or listed twice
  std::optional<Communicator> create(std::span<int const> ranks) const;
  Communicator create_group(std::span<int const> ranks, int tag = 0) const;

  /// A bipartite communicator of two sides: the processes or endpoints that pass 0, and those that
  /// pass 1, ordered by rank; nothing if all pass the same.
  /// @throws usage_error  this communicator is bipartite, or a side is neither 0 nor 1 (all ranks)
  /// Collective: over this communicator.
  std::optional<Communicator> two_sides(int side) const;

  /// The fully connected communicator of the same processes in the same order; of the caller's own
  /// group if this one is bipartite.
  /// Collective: over this communicator.
  /// Source: [Traeff2021] sec. 2, listing 1 (Comm_base).
  Communicator base() const;

  /// The MPI communicator for calls beside seam; it stays owned by this object.
  mpi::comm_view view() const noexcept;
  operator mpi::comm_view() const noexcept { return view(); }

  /// The context of seam's own messages. Not for messages of users.
  mpi::comm_view context() const noexcept;

  /// Partitioned channels use the tags of context() from here on.
  static constexpr int first_tag_of_channels = 28672;

  /// The first of `count` successive tags in context() for one more persistent operation. Every
  /// rank draws the same tags if all ranks build their operations in the same order, as collective
  /// calls require, and ask for as many. Local.
  int draw_tags(int count) const;

  /// A function that draws a tag in context() for one start of an operation that makes new requests
  /// at each start; never a tag of draw_tags(). Every rank draws the same tags if all ranks start
  /// these operations in the same order. Not to be called once the communicator is gone.
  /// Local.
  /// Threads: any, but see the order.
  std::function<int()> tags_of_starts() const;

  /// A place for a value that upper floors keep with the communicator (kept.hpp). The value ends
  /// before the communicator does.
  /// Local.
  std::shared_ptr<void>& kept_in(int slot) const noexcept;

  /// The processes that share memory with this one, found by the first call.
  /// Collective: over this communicator, the first time; local from then on.
  detail::node const& node() const;

  /// The result of node() if it has been found before, by this communicator or by one of the same
  /// processes that it has been made from; otherwise nullptr. Local.
  detail::node const* known_node() const noexcept;

  /// Counts the calls that its processes have made together, for reports of stalls. Local.
  std::shared_ptr<detail::call_record> const& calls() const noexcept;

  /// Keeps the communicator open as long as the result lives. Local.
  std::shared_ptr<void const> keep_alive() const { return state_; }

  /// True once the program has freed the MPI communicator of borrowed_from(), in which no message
  /// can travel any more; never for others. For objects that may outlive both. Local.
  std::shared_ptr<std::atomic<bool> const> is_gone() const;

  /// Frees both contexts now.
  /// @throws mpi_error  MPI fails to free them
  /// Collective: over this communicator.
  void close();

private:
  struct state;
  explicit Communicator(std::shared_ptr<state> shared) : state_(std::move(shared)) {}
  friend Communicator make_graph(Communicator const&, Topology const&,
                                 std::shared_ptr<cartesian_structure const>);

  static void check_ranks(std::span<int const> ranks, int size, char const* call);
  static Communicator with_subgraph(mpi::comm_view all, Topology const& topology, mpi::comm part);
  static Communicator made_of(MPI_Comm native, mpi::comm owned);
  void attach() const;

  std::shared_ptr<state> state_;
};

/// This process's part of the topology that an MPI communicator carries. Local.
Topology topology_of(mpi::comm_view comm);

/// Returns if make_graph() can make a graph of `topology`. make_graph() begins with this check; it
/// is for callers that read the edges before.
/// @throws usage_error  as make_graph()
/// Collective: over `over`.
void check_graph(Communicator const& over, Topology const& topology);

/// A communicator over the processes of `over`, in the same order, whose structure is `topology`.
///
/// It does not compare the neighborhoods of processes, even where `over` is named:
/// make_named_graph() of mapping/cartesianity.hpp does, so that messages can be combined.
///
/// @param topology   this process's edges; ranks are those of `over`
/// @param structure  grid and neighborhood of a Cartesian graph, or nullptr
/// @throws usage_error  an edge leads to no rank of `over` (nor nowhere), or a weight is negative;
///         in checked mode, an edge is listed only at one end (on all ranks)
/// Collective: over `over`.
/// Source: [Traeff2021] sec. 2: MPI_Dist_graph_create_adjacent is the one way to a graph topology.
Communicator make_graph(Communicator const& over, Topology const& topology,
                        std::shared_ptr<cartesian_structure const> structure = nullptr);

} // namespace seam
