// What Swift cannot import from sqlite3.h. Each line says what it is for.
#pragma once

#include <sqlite3.h>

// A variadic function; every option used here takes one switch.
static inline int csqlite_switch(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

// A variadic function. SQLite would count all memory it uses, under one lock for all threads; nobody reads that count.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Macros that are expressions: the two ways a row can be a duplicate (a unique index, a primary key).
static const int csqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int csqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
