/// AVX2: vector instructions on four words, of two operands.
#pragma once

#include "assembler.hpp"
#include "logic.hpp"

namespace life {

class avx2 : public assembler {
public:
  static constexpr int num_registers = 16, words_of_register = 4;
  static constexpr bool has_lookups = false;

  void load(int to, int offset) { move(0x6f, to, beside[offset + 1]); }
  void store(int of) { move(0x7f, of, to); }
  void copy(int to, int of) { // vmovdqa
    prefix(to, 0, of);
    emit({0x6f, in_register(to, of)});
  }
  void clear(int to) { combine(0xef, to, to, to); }

  /// to = first, second by an operation on bits; ~first where this is a negation.
  void compute(operation what, int to, int first, int second) {
    switch (what) {
    case operation::conjunction: return combine(0xdb, to, first, second);
    case operation::exclusion: return combine(0xdf, to, first, second);
    case operation::disjunction: return combine(0xeb, to, first, second);
    default: combine(0xef, to, first, second);
    }
  }

  /// All bits.
  void fill(int to) { combine(0x76, to, to, to); } // equal to itself

  /// to = cells beside those of `here`, from the word beside it; `scratch` changes.
  void shift_in(bool from_before, int to, int scratch, int here, int word_beside) {
    shift(from_before, scratch, here, 1);
    shift(!from_before, to, word_beside, 63);
    combine(0xeb, to, to, scratch);
  }

private:
  enum { with_66 = 1, with_f3 = 2 };

  void combine(int opcode, int to, int first, int second) {
    prefix(to, first, second);
    emit({opcode, in_register(to, second)});
  }

  void shift(bool is_left, int to, int of, int bits) {
    prefix(0, to, of);
    emit({0x73, in_register(is_left ? 6 : 2, of), bits});
  }

  void move(int opcode, int number, int base) {
    prefix(number, 0, base, with_f3);
    emit_address(opcode, number, base);
  }

  /// Highest bits of register numbers, inverted.
  void prefix(int field, int first, int operand, int kind = with_66) {
    emit({0xc4, (~field >> 3 & 1) << 7 | 1 << 6 | (~operand >> 3 & 1) << 5 | 1,
          (~first & 15) << 3 | 4 | kind});
  }
};

} // namespace life
