#pragma once

#include <stddef.h>
#include <stdint.h>
#include <uninorm.h>  // Unicode normalisation

/// NFKC of UTF-8. UNINORM_NFKC is the address of a variable in a macro, which Swift cannot import.
static inline uint8_t *gradecast_nfkc(const uint8_t *text, size_t count, size_t *result_count) {
    return u8_normalize(UNINORM_NFKC, text, count, NULL, result_count);
}
