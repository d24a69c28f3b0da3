#include "checksum.h"

#include <string.h>

#if defined(__x86_64__)

#include <nmmintrin.h>

bool lode_crc32c_is_available(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2")))
uint32_t lode_crc32c_advance(uint32_t state, const void *bytes, size_t byteCount) {
  const unsigned char *next = bytes;
  uint64_t crc = state;
  for (; byteCount >= 8; byteCount -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = _mm_crc32_u64(crc, word);
  }
  uint32_t rest = (uint32_t)crc;
  if (byteCount >= 4) {
    uint32_t word;
    memcpy(&word, next, 4);
    rest = _mm_crc32_u32(rest, word);
    byteCount -= 4;
    next += 4;
  }
  for (; byteCount > 0; byteCount--, next++) rest = _mm_crc32_u8(rest, *next);
  return rest;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <arm_acle.h>
#include <sys/auxv.h>

// HWCAP_CRC32 of the kernel's <asm/hwcap.h>.
bool lode_crc32c_is_available(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }

__attribute__((target("crc")))
uint32_t lode_crc32c_advance(uint32_t state, const void *bytes, size_t byteCount) {
  const unsigned char *next = bytes;
  for (; byteCount >= 8; byteCount -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    state = __crc32cd(state, word);
  }
  for (; byteCount > 0; byteCount--, next++) state = __crc32cb(state, *next);
  return state;
}

#else

bool lode_crc32c_is_available(void) { return false; }

uint32_t lode_crc32c_advance(uint32_t state, const void *bytes, size_t byteCount) {
  (void)bytes;
  (void)byteCount;
  return state;
}

#endif
