// libexpat 2.5: XML from others' servers.
#pragma once

#include <expat.h>
