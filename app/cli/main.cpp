// SPDX-License-Identifier: MIT
#include "cli.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    const int status = opscape::runCli(argc, argv);
    if (status == 0)
        return 0;
    // Where a person did not wait for a library to be loaded, the end of the program must not wait for it either.
    std::fflush(nullptr);
    std::quick_exit(status);
}
