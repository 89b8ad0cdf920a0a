#include <seam/exchange/mpi/detail/names.hpp>

#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace seam::mpi {

namespace {

/// The name of an operation of MPI; nullptr for an operation of the user.
char const* known_name(MPI_Op op) {
  std::array<std::pair<MPI_Op, char const*>, 14> const names{{{MPI_SUM, "sum"},
                                                              {MPI_PROD, "product"},
                                                              {MPI_MIN, "minimum"},
                                                              {MPI_MAX, "maximum"},
                                                              {MPI_LAND, "logical and"},
                                                              {MPI_LOR, "logical or"},
                                                              {MPI_LXOR, "logical xor"},
                                                              {MPI_BAND, "bitwise and"},
                                                              {MPI_BOR, "bitwise or"},
                                                              {MPI_BXOR, "bitwise xor"},
                                                              {MPI_MINLOC, "minimum with place"},
                                                              {MPI_MAXLOC, "maximum with place"},
                                                              {MPI_REPLACE, "replacement"},
                                                              {MPI_NO_OP, "nothing"}}};
  for (auto const& [known, name] : names)
    if (known == op)
      return name;
  return nullptr;
}

/// Numbers of the user's operations.
struct kept_names {
  std::mutex access;
  std::map<MPI_Op, std::uint32_t> ops2numbers;
};

kept_names& kept() {
  static kept_names names;
  return names;
}

} // namespace

bool is_named(MPI_Op op) { return known_name(op) != nullptr; }

std::string name_of_op(MPI_Op op) {
  if (char const* const name = known_name(op))
    return name;
  std::scoped_lock const lock(kept().access);
  auto const found = kept().ops2numbers.find(op);
  return found != kept().ops2numbers.end()
             ? fmt::format("operation {:08x} of the user", found->second)
             : "an operation of the user";
}

void keep_name(MPI_Op op, std::string_view name) {
  std::scoped_lock const lock(kept().access);
  kept().ops2numbers[op] = seam::detail::digest().add(name).folded();
}

std::string name_of_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL)
    return "MPI_DATATYPE_NULL";
  std::string name(MPI_MAX_OBJECT_NAME, '\0');
  int length = 0;
  check(MPI_Type_get_name(type, name.data(), &length), "MPI_Type_get_name");
  name.resize(length);
  return name.empty() ? "a derived type" : name;
}

std::array<char, MPI_MAX_PROCESSOR_NAME> processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return name;
}

std::string name_of_thread_level(int level) {
  switch (level) {
  case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
  case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
  case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
  default: return "MPI_THREAD_MULTIPLE";
  }
}

} // namespace seam::mpi
