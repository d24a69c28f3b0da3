// CRC-32C by the instructions that processors have for it; Swift has no word for them.

#ifndef LODE_CHECKSUM_H
#define LODE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has the instructions; constant while the process lives.
bool lode_crc32c_is_available(void);

/// Advances a running CRC-32C, kept complemented, by some bytes.
///
/// To be called only where `lode_crc32c_is_available` says yes.
uint32_t lode_crc32c_advance(uint32_t state, const void *bytes, size_t byteCount);

#endif
