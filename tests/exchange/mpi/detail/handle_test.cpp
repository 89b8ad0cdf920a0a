// Handles of MPI's objects, and the check of MPI's calls: MPI itself says what has been freed.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

#include <support/catch.hpp>

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

using namespace seam;

namespace {

int count_freed(MPI_Comm, int, void* value, void*) {
  ++*static_cast<int*>(value);
  return MPI_SUCCESS;
}

/// Copies of MPI_COMM_WORLD that MPI counts when they are freed.
class counted_comms {
public:
  counted_comms() {
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_freed, &keyval_, nullptr),
               "MPI_Comm_create_keyval");
  }
  ~counted_comms() { MPI_Comm_free_keyval(&keyval_); }

  mpi::comm make() {
    mpi::comm made;
    mpi::check(MPI_Comm_dup(MPI_COMM_WORLD, made.receive()), "MPI_Comm_dup");
    mpi::check(MPI_Comm_set_attr(made.native(), keyval_, &num_freed), "MPI_Comm_set_attr");
    return made;
  }

  int num_freed = 0;

private:
  int keyval_ = MPI_KEYVAL_INVALID;
};

} // namespace

TEST_CASE("a handle frees its object once, at its end") {
  counted_comms all;
  {
    mpi::comm const owner = all.make();
    CHECK(owner.is_open());
    CHECK(all.num_freed == 0);
  }
  CHECK(all.num_freed == 1);
}

TEST_CASE("the object moves with its handle") {
  counted_comms all;
  {
    mpi::comm first = all.make();
    MPI_Comm const native = first.native();
    mpi::comm second = std::move(first);
    CHECK(second.native() == native);
    mpi::comm third;
    third = std::move(second);
    CHECK(third.native() == native);
    CHECK(all.num_freed == 0);
  }
  CHECK(all.num_freed == 1);
}

TEST_CASE("a handle that another one is assigned to frees its object at the end of that one") {
  counted_comms all;
  mpi::comm kept = all.make();
  {
    mpi::comm other = all.make();
    kept = std::move(other);
  }
  CHECK(all.num_freed == 1);
  kept.close();
  CHECK(all.num_freed == 2);
}

TEST_CASE("a handle can be closed twice, and gives its object away") {
  counted_comms all;
  mpi::comm closed = all.make();
  closed.close();
  CHECK_FALSE(closed.is_open());
  closed.close();
  CHECK(all.num_freed == 1);

  MPI_Comm native = MPI_COMM_NULL;
  {
    mpi::comm owner = all.make();
    native = owner.release();
    CHECK_FALSE(owner.is_open());
  }
  CHECK(all.num_freed == 1);
  auto taken = mpi::comm::from_native(native);
  taken.close();
  CHECK(all.num_freed == 2);
}

TEST_CASE("a failed call throws its name, and MPI's class and text") {
  CHECK_NOTHROW(mpi::check(MPI_SUCCESS, "MPI_Some_call"));
  for (int const error_class : {MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_TRUNCATE}) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error_class, text, &length);
    try {
      mpi::check(error_class, "MPI_Some_call");
      FAIL("no exception");
    } catch (mpi_error const& thrown) {
      CHECK(thrown.error_class() == error_class);
      CHECK(std::string(thrown.what()).find("MPI_Some_call") != std::string::npos);
      CHECK(std::string(thrown.what()).find(std::string(text, length)) != std::string::npos);
    }
  }
}

TEST_CASE("a count beyond MPI's integers is refused by its name") {
  std::int64_t const largest = std::numeric_limits<int>::max();
  CHECK(mpi::narrow(largest, "bytes of a message") == largest);
  CHECK(mpi::narrow(0, "bytes of a message") == 0);
  for (std::int64_t const beyond : {largest + 1, std::int64_t{1} << 32, std::int64_t{-1}})
    try {
      mpi::narrow(beyond, "bytes of a message");
      FAIL("no exception for " << beyond);
    } catch (usage_error const& thrown) {
      CHECK(std::string(thrown.what()).find("bytes of a message") != std::string::npos);
      CHECK(std::string(thrown.what()).find(std::to_string(beyond)) != std::string::npos);
    }
}
