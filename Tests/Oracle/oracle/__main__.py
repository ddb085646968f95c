"""`python -m oracle generate --scheme S --count N --seed K` writes lines of `{"request", "expected"}`;
`python -m oracle evaluate` reads requests, one a line, and writes what each must give."""

import argparse
import sys

from .evaluate import SCHEMES, evaluate
from .generate import requests
from .wire import dumps, loads


def main():
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", help="random records with what they must give")
    generate.add_argument("--scheme", choices=list(SCHEMES), required=True)
    generate.add_argument("--count", type=int, default=1000)
    generate.add_argument("--seed", default="1")
    generate.add_argument("--spoilt", type=float, default=0.1, help="share of records with faults")
    commands.add_parser("evaluate", help="requests from standard input")
    chosen = parser.parse_args()
    if chosen.command == "evaluate":
        for line in sys.stdin:
            print(dumps(evaluate(loads(line))))
        return
    for request in requests(chosen.scheme, chosen.count, chosen.seed, chosen.spoilt):
        print(dumps({"request": request, "expected": evaluate(request)}))


if __name__ == "__main__":
    main()
