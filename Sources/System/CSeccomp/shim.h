// Filters for system calls. Each line says what it is for.
#pragma once

#include <seccomp.h>  // the filter, by the library that its makers keep

// Macros with arguments, which Swift does not see.
static inline unsigned cseccomp_refuse(unsigned number) { return SCMP_ACT_ERRNO(number); }

// A condition on one argument of a call: equal to a value, in all 64 bits.
static inline struct scmp_arg_cmp cseccomp_equals(unsigned argument, unsigned long long value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value};
}

// A condition on one argument of a call: equal to a value in the bits of a mask.
static inline struct scmp_arg_cmp cseccomp_matches(unsigned argument, unsigned long long mask, unsigned long long value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}
