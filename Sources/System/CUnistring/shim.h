#pragma once

#include <stddef.h>
#include <stdint.h>
#include <uninorm.h>  // Unicode normalisation
#include <unictype.h>  // Unicode scripts

/// NFKC of UTF-8. UNINORM_NFKC is the address of a variable in a macro, which Swift cannot import.
static inline uint8_t *gradecast_nfkc(const uint8_t *text, size_t count, size_t *result_count) {
    return u8_normalize(UNINORM_NFKC, text, count, NULL, result_count);
}

/// NFKD of UTF-8, likewise.
static inline uint8_t *gradecast_nfkd(const uint8_t *text, size_t count, size_t *result_count) {
    return u8_normalize(UNINORM_NFKD, text, count, NULL, result_count);
}

/// The name of a code point's script, such as "Latin"; NULL for one that has none. It lives as long as the library.
static inline const char *gradecast_script(uint32_t scalar) {
    const uc_script_t *script = uc_script(scalar);
    return script == NULL ? NULL : script->name;
}
