/// AVX-512: vector instructions on eight words, with any function of three operands.
#pragma once

#include "assembler.hpp"
#include "logic.hpp"

namespace life {

/// @param HasDoubleShifts  the processor shifts bits from one word into another (VBMI2)
template <bool HasDoubleShifts>
class avx512 : public assembler {
public:
  static constexpr int num_registers = 32, words_of_register = 8;
  static constexpr bool has_lookups = true;

  void load(int to, int offset) { move(0x6f, to, beside[offset + 1]); }
  void store(int of) { move(0x7f, of, to); }
  void copy(int to, int of) { combine(0x6f, to, 0, of); } // vmovdqa64
  void clear(int to) { combine(0xef, to, to, to); }       // vpxorq

  /// to = lookup of to, second and third.
  void look_up(int table, int to, int second, int third) { // vpternlogq
    combine(0x25, to, second, third, map_0f3a);
    emit({table});
  }

  /// to = cells beside those of `here`, from the word beside it; `scratch` changes.
  ///
  /// Double shifts whose operand lies in memory took Zen 5 three times as long, so it is in a
  /// register.
  void shift_in(bool from_before, int to, int scratch, int here, int word_beside) {
    if constexpr (HasDoubleShifts) {
      combine(from_before ? 0x71 : 0x73, to, here, word_beside, map_0f3a); // vpshldq, vpshrdq
      emit({1});
    } else {
      shift(from_before, scratch, here, 1);
      shift(!from_before, to, word_beside, 63);
      combine(0xeb, to, to, scratch); // vporq
    }
  }

private:
  enum { map_0f = 1, map_0f3a = 3 };
  enum { with_66 = 1, with_f3 = 2 };

  void combine(int opcode, int to, int first, int second, int map = map_0f) {
    prefix(to, first, second, map, with_66);
    emit({opcode, in_register(to, second)});
  }

  void shift(bool is_left, int to, int of, int bits) {
    prefix(0, to, of, map_0f, with_66);
    emit({0x73, in_register(is_left ? 6 : 2, of), bits});
  }

  void move(int opcode, int number, int base) {
    prefix(number, 0, base, map_0f, with_f3);
    emit_address(opcode, number, base);
  }

  /// The prefix of instructions on 64 bytes: the two highest bits of register numbers, inverted.
  void prefix(int field, int first, int operand, int map, int kind) {
    auto const bit = [](int number, int digit) { return ~number >> digit & 1; };
    emit({0x62,
          bit(field, 3) << 7 | bit(operand, 4) << 6 | bit(operand, 3) << 5 | bit(field, 4) << 4 |
              map,
          0x80 | (~first & 15) << 3 | 4 | kind, 0x40 | bit(first, 4) << 3});
  }
};

} // namespace life
