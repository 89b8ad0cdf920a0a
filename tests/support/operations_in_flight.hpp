/// Operations of all kinds for tests that have several in flight. Each fills its buffers for a
/// turn, starts, is tested or waited for, and checks the data that has arrived.
#pragma once

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/stencil/ghosts/halo.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seam::testing {

using values = std::vector<std::int64_t>;
/// The value that `rank` sends along its edge `e` in a turn of an operation.
inline std::int64_t sent_value(int rank, std::size_t e, int turn) {
  return 1000000 * std::int64_t(rank + 1) + 1000 * std::int64_t(e) + turn;
}

/// An operation that can be in flight: it is started, waited for or tested, and then right or
/// wrong.
class subject {
public:
  subject() = default;
  subject(subject const&) = delete;
  subject& operator=(subject const&) = delete;
  virtual ~subject() = default;

  virtual void start(int turn) = 0;
  virtual bool test() = 0;
  virtual void wait() = 0;
  virtual bool is_right() const = 0;
};

/// A subject whose start returns an in_flight of seam.
class flying_subject : public subject {
public:
  void start(int turn) final {
    turn_ = turn;
    fill();
    flying_.emplace(begin());
  }
  bool test() final { return flying_->test(); }
  void wait() final {
    flying_->wait();
    flying_.reset();
  }

protected:
  virtual void fill() = 0;
  virtual in_flight begin() = 0;

  int turn_ = 0;

private:
  std::optional<in_flight> flying_;
};

/// An alltoall or allgather among neighbors, started or prepared.
class neighbor_exchange final : public flying_subject {
public:
  neighbor_exchange(Communicator const& torus, bool has_own_blocks, bool is_prepared)
      : torus_(torus),
        own_blocks_(has_own_blocks),
        out_(has_own_blocks ? edges().size() : 1),
        in_(edges().size()) {
    if (is_prepared)
      prepared_.emplace(prepare(torus, call()));
  }

  bool is_right() const override {
    for (std::size_t e = 0; e < in_.size(); ++e)
      if (in_[e] != sent_value(edges()[e].rank, own_blocks_ ? e : 0, turn_))
        return false;
    return true;
  }

private:
  std::span<edge const> edges() const { return torus_.topology().sources(); }
  collective call() { return own_blocks_ ? alltoall(out_, in_) : allgather(out_, in_); }

  void fill() override {
    for (std::size_t e = 0; e < out_.size(); ++e)
      out_[e] = sent_value(torus_.rank(), e, turn_);
    std::ranges::fill(in_, 0);
  }
  in_flight begin() override {
    return prepared_ ? prepared_->start() : seam::start(torus_, call());
  }

  Communicator const& torus_;
  bool own_blocks_;
  values out_, in_;
  std::optional<operation> prepared_;
};

/// A prepared scan, exscan or allreduce of 1 + rank + turn.
class running_sum final : public flying_subject {
public:
  enum class kind { scan, exscan, allreduce };

  running_sum(Communicator const& all, kind which)
      : which_(which), rank_(all.rank()), size_(all.size()), sum_(prepare(all, call())) {}

  bool is_right() const override {
    int const last = which_ == kind::allreduce ? size_ : which_ == kind::scan ? rank_ + 1 : rank_;
    std::int64_t sum = 0;
    for (int rank = 0; rank < last; ++rank)
      sum += 1 + rank + turn_;
    return in_[0] == sum || last == 0;
  }

private:
  collective call() {
    switch (which_) {
    case kind::scan: return scan(out_, in_, std::plus<>());
    case kind::exscan: return exscan(out_, in_, std::plus<>());
    case kind::allreduce: break;
    }
    return allreduce(out_, in_, std::plus<>());
  }

  void fill() override { out_[0] = 1 + rank_ + turn_, in_[0] = 0; }
  in_flight begin() override { return sum_.start(); }

  kind which_;
  int rank_, size_;
  values out_ = values(1), in_ = values(1);
  operation sum_;
};

/// The halo of a field on a grid without borders, whose cells hold the turn and their number.
class ghost_exchange final : public flying_subject {
public:
  explicit ghost_exchange(Grid<2> const& grid)
      : grid_(grid), u_(grid.field<std::int64_t>("u")), halo_(make_halo(u_)) {}

  bool is_right() const override {
    bool right = true;
    auto const cells = u_.view();
    for_each_cell(cells.local(), [&](cell_index<2> const& at) {
      right = right && cells[at] == number_of(at) + turn_;
    });
    return right;
  }

private:
  std::int64_t number_of(cell_index<2> at) const {
    for (std::size_t a = 0; a < 2; ++a)
      at[a] = (at[a] + grid_.owned().lo[a] + grid_.cells()[a]) % grid_.cells()[a];
    return 1000 * (at[0] * grid_.cells()[1] + at[1]);
  }

  void fill() override {
    auto const cells = u_.view();
    for_each_cell(cells.local(), [&](cell_index<2> const& at) { cells[at] = -1; });
    for_each_cell(u_.owned(), [&](cell_index<2> const& at) { cells[at] = number_of(at) + turn_; });
  }
  in_flight begin() override { return halo_.start(); }

  Grid<2> const& grid_;
  mutable Field<std::int64_t, 2> u_;
  Halo halo_;
};

/// A partitioned alltoall among all ranks, whose partitions are marked at its start.
class partitioned_exchange final : public subject {
public:
  explicit partitioned_exchange(Communicator const& all)
      : rank_(all.rank()),
        out_(std::size_t(all.size()) * partitions),
        in_(out_.size()),
        turned_(palltoall_init(all, {out_.data(), partitions, 1, MPI_INT64_T},
                               {in_.data(), partitions, 1, MPI_INT64_T})) {}

  void start(int turn) override {
    turn_ = turn;
    for (std::size_t k = 0; k < out_.size(); ++k)
      out_[k] = sent_value(rank_, k, turn);
    turned_.start();
    turned_.ready_range(0, static_cast<int>(out_.size()) - 1);
  }
  bool test() override { return turned_.test(); }
  void wait() override { turned_.wait(); }

  bool is_right() const override {
    for (std::size_t k = 0; k < in_.size(); ++k)
      if (in_[k] != sent_value(static_cast<int>(k) / partitions,
                               std::size_t(rank_) * partitions + k % partitions, turn_))
        return false;
    return true;
  }

private:
  static constexpr int partitions = 3;

  int rank_, turn_ = 0;
  values out_, in_;
  partitioned_operation turned_;
};

} // namespace seam::testing
