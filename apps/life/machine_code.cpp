#include "machine_code.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include "avx2.hpp"
#include "avx512.hpp"
#include "column_compiler.hpp"
#include "lookups.hpp"
#include "row_logic.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace life {
namespace {

bool has(instructions set) {
  if (set == instructions::avx2)
    return __builtin_cpu_supports("avx2") != 0;
  return __builtin_cpu_supports("avx512f") != 0 &&
         (set == instructions::avx512 || __builtin_cpu_supports("avx512vbmi2") != 0);
}

/// The cheapest program of a rule in operations that there are instructions for.
template <class Instructions>
logic program_of(rule const& game) {
  if constexpr (Instructions::has_lookups)
    return in_lookups(row_logic(game,
                                [](logic const& made) { return num_lookups(in_lookups(made)); }));
  else
    return row_logic(game, [](logic const& made) { return static_cast<int>(made.steps().size()); });
}

template <class Instructions>
std::optional<std::vector<std::uint8_t>> compile(rule const& game) {
  logic const program = program_of<Instructions>(game);
  return column_compiler<Instructions>(program).compile();
}

std::optional<std::vector<std::uint8_t>> compile(rule const& game, instructions set) {
  switch (set) {
  case instructions::avx512_vbmi2: return compile<avx512<true>>(game);
  case instructions::avx512: return compile<avx512<false>>(game);
  default: return compile<avx2>(game);
  }
}

} // namespace

std::shared_ptr<machine_code const> machine_code::of(rule const& game, instructions set) {
  if (!has(set))
    return nullptr;
  auto const bytes = compile(game, set);
  if (!bytes)
    return nullptr;
  int const num_words =
      set == instructions::avx2 ? avx2::words_of_register : avx512<true>::words_of_register;
  std::shared_ptr<machine_code const> made(new machine_code(*bytes, num_words));
  return made->memory_ != nullptr ? made : nullptr;
}

machine_code::machine_code(std::span<std::uint8_t const> bytes, int num_words)
    : length_(bytes.size()), num_words_(num_words) {
  void* const memory =
      ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  std::ranges::copy(bytes, static_cast<std::uint8_t*>(memory));
  if (::mprotect(memory, length_, PROT_READ | PROT_EXEC) == 0)
    memory_ = memory;
  else
    ::munmap(memory, length_);
}

machine_code::~machine_code() {
  if (memory_ != nullptr)
    ::munmap(memory_, length_);
}

void machine_code::advance_column(word const* from, word* to, std::int64_t num_rows,
                                  std::int64_t stride) const {
  constexpr std::int64_t bytes_of_word = sizeof(word);
  word const* const above = from - stride;
  column_arguments const arguments{.before = above - 1,
                                   .here = above,
                                   .behind = above + 1,
                                   .to = to - 2 * stride,
                                   .stride = stride * bytes_of_word,
                                   .end = (num_rows + 2) * stride * bytes_of_word};
  reinterpret_cast<void (*)(column_arguments const*)>(memory_)(&arguments);
}

} // namespace life

#else

namespace life {

std::shared_ptr<machine_code const> machine_code::of(rule const&, instructions) { return nullptr; }
machine_code::~machine_code() = default;
void machine_code::advance_column(word const*, word*, std::int64_t, std::int64_t) const {}

} // namespace life

#endif
