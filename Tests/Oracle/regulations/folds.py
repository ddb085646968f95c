"""Formulas over many entries: which ones, in which order, and what they come to."""

import itertools
import statistics
from fractions import Fraction

from .names import place_of
from .node import CURRENT, LEAVES, folded, node_at, quotient


class Folds:
    """The folds of a judge, who knows the value of a formula in a scope of entries."""

    def fold(self, parts, scope, run):
        kind, of, entries, weight, complete = parts
        found = self.entries(entries, scope, run)
        if kind == "count":
            return Fraction(len(found))
        if kind != "sum":
            found = [node for node in found if node.average != LEAVES]
        values = [self.value(of, (*scope, node), run) for node in found]
        weights = [self.value(weight, (*scope, node), run) if weight else Fraction(1) for node in found]
        if (complete or kind == "sum") and None in values:
            return None
        known = [pair for pair in zip(values, weights, strict=True) if None not in pair]
        if kind == "sum":
            return sum((value * weight for value, weight in known), Fraction(0))
        if kind == "mean":
            total = sum(weight for _, weight in known)
            return None if total == 0 else sum(value * weight for value, weight in known) / total
        values = [value for value, _ in known]
        return {"median": statistics.median, "least": min, "greatest": max}[kind](values) if values else None

    def ratio(self, parts, scope, run):
        above, below, entries, complete = parts
        found = self.entries(entries, scope, run, ratio=(above, below))
        known = self.pairs(above, below, found, scope, run)
        if complete and any(node.average != LEAVES and node not in known for node in found):
            return None
        return quotient(known.values())

    def pairs(self, above, below, found, scope, run):
        """Both sides of a ratio for the entries of which both are known."""
        values = {
            node: (self.value(above, (*scope, node), run), self.value(below, (*scope, node), run)) for node in found
        }
        return {node: pair for node, pair in values.items() if None not in pair}

    # -- entries

    def entries(self, entries, scope, run, ratio=None):
        """The entries that a fold or a quantifier goes over, clause by clause."""
        _, kind, owner, clauses = entries
        places = tuple(node.kind for node in scope)
        place = place_of(self.document, owner or self.document.kinds[kind].parent, places)
        if owner == places[-1] or (owner is None and self.document.kinds[kind].parent == places[-1]):
            place = 0, 0
        around = node_at(scope, *place) if place else scope[-1]
        found = list(around.inside(kind))
        for clause in clauses:
            found = getattr(self, CLAUSES[clause[0]])(found, clause, scope, run, ratio)
        return found

    def where(self, found, clause, scope, run, ratio):
        return [node for node in found if self.value(clause[1], (*scope, node), run) is True]

    def best(self, found, clause, scope, run, ratio):
        """As many as are asked for, those with the best keys; one without a first key does not compete, and stays."""
        count = self.value(clause[1], scope, run)
        competing = self.competing(found, clause[2], scope, run)
        kept = self.ranked(competing, clause[2], scope, run)[: int(count or 0)]
        return [node for node in found if node in kept or node not in competing]

    def one_per(self, found, clause, scope, run, ratio):
        """Of those that share a key the best; one without a key of its own, or without a first rank, is no attempt."""
        groups, free = {}, []
        for node in found:
            key = self.value(clause[1], (*scope, node), CURRENT)
            key = folded(key) if isinstance(key, str) else key
            rank = self.value(clause[2][0], (*scope, node), CURRENT)
            if key in (None, "") or rank is None:
                free.append(node)
            else:
                groups.setdefault(key, []).append(node)
        winners = [self.ranked(group, clause[2], scope, CURRENT)[0] for group in groups.values()]
        return self.kept_of(found, winners + free)

    def without(self, found, clause, scope, run, ratio):
        """All but the worst or the best; in a ratio those without which it is highest, or lowest."""
        _, end, count, keys, spared = clause
        count = self.value(count, scope, run)
        count = 0 if count is None else int(count)
        movable = [node for node in found if not (spared and self.value(("name", None, spared), (*scope, node), run))]
        if keys is not None:
            ranked = self.ranked(self.competing(movable, keys, scope, run), keys, scope, run)
            gone = (ranked[::-1] if end == "worst" else ranked)[:count]
            return [node for node in found if node not in gone]
        known = self.pairs(*ratio, found, scope, run)
        movable = [node for node in movable if node in known]
        return self.extreme(known, movable, min(count, max(len(movable) - 1, 0)), end)

    def extreme(self, known, movable, count, end):
        """What is left of a ratio's entries once so many have gone: every way is tried."""
        choices = itertools.combinations(movable, count)
        ways = [[node for node in known if node not in gone] for gone in choices]
        ways = [way for way in ways if quotient(known[node] for node in way) is not None] or ways
        if len(ways) == 1:
            return ways[0]
        return (max if end == "worst" else min)(ways, key=lambda way: quotient(known[node] for node in way) or 0)

    def competing(self, found, keys, scope, run):
        """Those whose first key is known."""
        return [node for node in found if self.value(keys[0], (*scope, node), run) is not None]

    def kept_of(self, found, kept):
        return [node for node in found if node in kept]

    def ranked(self, found, keys, scope, run):
        """Entries by their keys, best first; equals by their identifiers, the greater one being the better."""

        def rank(node):
            inner = (*scope, node)
            return [self.rank(key, inner, run) for key in keys], node.id

        return sorted(found, key=rank, reverse=True)

    def rank(self, key, scope, run):
        """A key as something that is greater where it is better; what is not known is the worst."""
        value = self.value(key, scope, run)
        if value is None:
            return (0, Fraction(0))
        worst, best = self.scale_of([name for name, _ in self.unit(key, scope) or ()])
        return (1, -value if worst is not None and worst > best else value)


CLAUSES = {"where": "where", "best": "best", "one per": "one_per", "without": "without"}
