#pragma once

#include <argon2.h>  // the password hash
