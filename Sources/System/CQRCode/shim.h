#pragma once

#include <qrencode.h>  // symbols of QR codes
