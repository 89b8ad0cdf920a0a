/// Communicator: a set of processes, the topology that says who may talk to whom, and a private
/// context for seam's own messages.
///
///     Communicator world = Communicator::dup(MPI_COMM_WORLD);
///     Communicator ring = make_graph(world, Topology::graph({{left}}, {{right}}));
///     Communicator all = ring.base();            // the same ranks, fully connected again
#pragma once

#include <seam/exchange/communicator/cartesian_structure.hpp>
#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace seam {

class node;

/// Owns an MPI communicator. Move-only; what is built on it keeps it alive.
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
  /// structure. Collective: over other.
  static Communicator dup(mpi::comm_view other);

  /// Takes `native` over and frees it in the end. Decodes its topology: an inter-communicator is
  /// bipartite, a distributed graph a graph; a Cartesian communicator only names its processes and
  /// is complete ([Traeff2021] sec. 3). Collective: over native.
  static Communicator from_native(MPI_Comm native);

  /// The communicator that seam keeps with `native`, made when first asked for: for programs that
  /// hold MPI communicators. `native` stays its owner's, and takes what is kept along when it is
  /// freed. Collective: over native, the first time; local from then on.
  static Communicator attached_to(MPI_Comm native);

  /// A communicator for messages between two processes that travel in `native` itself, with the
  /// highest of its tags (see partitioned/channel_tags.hpp): a context of their own would involve
  /// all. What is drawn from it is kept with
  /// `native`, which stays its owner's. Has the topology that `native` carries, and knows the node
  /// if attached_to(native) does by then. Local.
  static Communicator borrowed_from(MPI_Comm native);

  /// Makes attached_to(native) return this communicator, of which `native` is the view: it gives
  /// `native` to the caller to free. Local.
  MPI_Comm give_to_mpi() &&;

  int rank() const;
  int size() const;
  Topology const& topology() const noexcept;

  /// What is known of a graph whose processes all have the same neighborhood on a grid; nullptr of
  /// others. The order and kind of edges is that of topology(). Inherited by copies alone.
  std::shared_ptr<cartesian_structure const> const& structure() const noexcept;

  /// The same processes and topology in a new context. Collective: over this communicator.
  Communicator dup() const;

  /// The processes that give the same color, ordered by key and then by rank; nothing for those
  /// that give MPI_UNDEFINED. Of a graph each part gets the subgraph that its processes induce,
  /// with the order and the weights of the edges; those that lead nowhere stay. Names are not
  /// inherited. Collective: over this communicator. Source: [Traeff2021] sec. 2.4 (also of the next
  /// five).
  std::optional<Communicator> split(int color, int key) const;

  /// The processes that share with the caller what `type` says, such as MPI_COMM_TYPE_SHARED, as
  /// split() does; nothing for those that give MPI_UNDEFINED. Collective: over this communicator.
  std::optional<Communicator> split_type(int type, int key, MPI_Info info = MPI_INFO_NULL) const;

  /// The processes that share memory with the caller, as split_type() does. Collective.
  Communicator split_shared() const;

  /// The processes of `group`, a subgroup of this communicator's and the same on all ranks; nothing
  /// for the others. Collective: over this communicator.
  std::optional<Communicator> create(MPI_Group group) const;

  /// The same, called by the processes of `group` alone. `tag` tells concurrent calls apart.
  /// @throws usage_error  this communicator is bipartite
  /// Collective: over `group`.
  Communicator create_group(MPI_Group group, int tag = 0) const;

  /// The same of an MPI communicator, with the topology that it carries.
  static Communicator create_group(mpi::comm_view all, MPI_Group group, int tag = 0);

  /// The fully connected communicator of the same processes in the same order; of the caller's own
  /// group if this one is bipartite. Collective: over this communicator.
  /// Source: [Traeff2021] sec. 2, listing 1 (Comm_base).
  Communicator base() const;

  /// The MPI communicator for calls beside seam; it stays owned by this object.
  mpi::comm_view view() const noexcept;
  operator mpi::comm_view() const noexcept { return view(); }

  /// The context of seam's own messages. Not for users' traffic.
  mpi::comm_view context() const noexcept;

  /// Tags of context() from here on are those of partitioned channels.
  static constexpr int first_tag_of_channels = 28672;

  /// The first of `count` successive tags in context() for one more persistent operation. Every
  /// rank draws the same ones if all build their operations in the same order, which their being
  /// collective demands, and ask for as many. Local.
  int draw_tags(int count) const;

  /// What draws a tag in context() for one start of an operation that makes its requests anew;
  /// never one of draw_tags(). Every rank draws the same ones if all start these operations in the
  /// same order. Not to be called once the communicator is gone. Local. Threads: any, but see the
  /// order.
  std::function<int()> tags_of_starts() const;

  /// A place for a value that upper floors keep with the communicator (kept.hpp); it ends before
  /// the communicator does. Local.
  std::shared_ptr<void>& kept_in(int slot) const noexcept;

  /// The processes that share memory with this one, as they are found when first asked for.
  /// Collective: over this communicator, the first time; local from then on.
  seam::node const& node() const;

  /// The same if somebody has asked for it before, of this communicator or of one that it has been
  /// made from with the same processes; otherwise nullptr. Local.
  seam::node const* known_node() const noexcept;

  /// How often its processes have called together, for reports of stalls. Local.
  std::shared_ptr<call_record> const& calls() const noexcept;

  /// Keeps the communicator open as long as the result lives, for what is built on it. Local.
  std::shared_ptr<void const> keep_alive() const { return state_; }

  /// True from the time on at which the program has freed the MPI communicator of borrowed_from(),
  /// in which nothing can travel any more; never of others. For what may outlive both. Local.
  std::shared_ptr<std::atomic<bool> const> is_gone() const;

  /// Frees both contexts now; throws mpi_error. Collective: over this communicator.
  void close();

private:
  struct state;
  explicit Communicator(std::shared_ptr<state> shared) : state_(std::move(shared)) {}
  friend Communicator make_graph(Communicator const&, Topology const&,
                                 std::shared_ptr<cartesian_structure const>);

  static Communicator with_subgraph(mpi::comm_view all, Topology const& topology, mpi::comm part);
  void attach() const;
  void check_edges_of_all() const;

  std::shared_ptr<state> state_;
};

/// The topology that an MPI communicator carries, this process's part of it. Local.
Topology topology_of(mpi::comm_view comm);

/// Returns if make_graph() can make a graph of `topology`. What it begins with itself; for those
/// who look at the edges before.
/// @throws usage_error  as make_graph()
/// Collective: over `over`.
void check_graph(Communicator const& over, Topology const& topology);

/// A communicator over the processes of `over`, in the same order, whose structure is `topology`.
///
/// Whether all processes have the same neighborhood is not looked at, also where `over` is named:
/// make_named_graph() of mapping/cartesianity.hpp finds out, so that messages can be combined.
///
/// @param topology  this process's edges; ranks are those of `over`
/// @throws usage_error  an edge leads to no rank of `over` (nor nowhere), or a weight is negative;
///         in checked mode, an edge is listed at one end alone (on all ranks)
/// @param structure  what mapping knows of a Cartesian graph, or nullptr
/// Collective: over `over`.
/// Source: [Traeff2021] sec. 2: MPI_Dist_graph_create_adjacent is the one way to a graph topology.
Communicator make_graph(Communicator const& over, Topology const& topology,
                        std::shared_ptr<cartesian_structure const> structure = nullptr);

} // namespace seam
