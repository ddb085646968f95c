#pragma once

// ICU's names carry its version by macros, which Swift cannot import: what is used has a function here.

#include <stdbool.h>
#include <stdint.h>
#include <unicode/ucal.h>  // calendars and time zones

/// Whether ICU's table of time zones has the name, in UTF-16. It also has names of its own, such as `BST` for Dhaka.
static inline bool gradecast_has_zone(const uint16_t *name, int32_t count) {
    UChar canonical[128];
    UBool is_system = false;
    UErrorCode status = U_ZERO_ERROR;
    ucal_getCanonicalTimeZoneID((const UChar *)name, count, canonical, 128, &is_system, &status);
    return U_SUCCESS(status) && is_system;
}

/// How far a zone's clocks are ahead of UTC at a moment in milliseconds since 1970, in milliseconds. Returns false if the
/// zone is unknown or memory is short.
static inline bool gradecast_offset(const uint16_t *name, int32_t count, double moment, int32_t *result) {
    UErrorCode status = U_ZERO_ERROR;
    UCalendar *calendar = ucal_open((const UChar *)name, count, "en", UCAL_GREGORIAN, &status);
    if (U_FAILURE(status)) return false;
    ucal_setMillis(calendar, moment, &status);
    *result = ucal_get(calendar, UCAL_ZONE_OFFSET, &status) + ucal_get(calendar, UCAL_DST_OFFSET, &status);
    ucal_close(calendar);
    return U_SUCCESS(status);
}

/// The first moment after `from` at which the clocks of a zone show an hour, both in milliseconds since 1970. Returns
/// false if the zone is unknown or memory is short. Where the clocks skip the hour that day, ICU takes the moment that
/// lies as long after midnight.
static inline bool gradecast_next_hour(
    const uint16_t *name, int32_t count, int32_t hour, double from, double *result
) {
    UErrorCode status = U_ZERO_ERROR;
    UCalendar *calendar = ucal_open((const UChar *)name, count, "en", UCAL_GREGORIAN, &status);
    if (U_FAILURE(status)) return false;
    ucal_setMillis(calendar, from, &status);
    ucal_set(calendar, UCAL_HOUR_OF_DAY, hour);
    ucal_set(calendar, UCAL_MINUTE, 0);
    ucal_set(calendar, UCAL_SECOND, 0);
    ucal_set(calendar, UCAL_MILLISECOND, 0);
    *result = ucal_getMillis(calendar, &status);
    if (U_SUCCESS(status) && *result <= from) {
        ucal_add(calendar, UCAL_DATE, 1, &status);
        *result = ucal_getMillis(calendar, &status);
    }
    ucal_close(calendar);
    return U_SUCCESS(status);
}
