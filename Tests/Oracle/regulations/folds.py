"""Formulas over many entries: which ones, in which order, and what they come to."""

import itertools
import statistics
from fractions import Fraction
from math import floor

from .names import place_of
from .node import CEILING, CURRENT, LEAVES, folded, is_set, node_at, quotient, set_grade


class Missing:
    """A grade that is expected of an entry that is not there."""

    def __init__(self, grade):
        self.grade = grade


class Folds:
    """The folds of a judge, who knows the value of a formula in a scope of entries."""

    def fold(self, parts, scope, run):
        kind, of, entries, weight, complete = parts
        if entries[3] and entries[3][-1][0] == "best of":
            return self.best_of(of, entries, complete, scope, run)
        if any(clause[0] == "expecting" for clause in entries[3]):
            return self.expected(kind, of, entries, complete, scope, run)
        found = self.entries(entries, scope, run)
        if found is None:
            return None
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
        if kind == "mode":
            worst, best = (
                self.scale_of([name for name, _ in self.unit(of, (*scope, *found[:1])) or ()])
                if found
                else (None, None)
            )
            sign = -1 if worst is not None and worst > best else 1
            return max(statistics.multimode(values), key=lambda value: sign * value) if values else None
        return {"median": statistics.median, "least": min, "greatest": max}[kind](values) if values else None

    def best_of(self, of, entries, complete, scope, run):
        """The mean of the best, weighted by an amount of each, of the last by what is still needed of it."""
        *_, (_, limit, amount, keys) = entries[3]
        found = self.entries((*entries[:3], entries[3][:-1]), scope, run)
        found = [node for node in found if node.average != LEAVES]
        if complete and any(self.value(of, (*scope, node), run) is None for node in found):
            return None
        left = self.value(limit, scope, run) or 0
        total = weights = Fraction(0)
        for node in self.ranked(self.competing(found, keys, scope, run), keys, scope, run):
            value, own = (self.value(part, (*scope, node), run) for part in (of, amount))
            if value is None or own is None:
                continue
            taken = max(Fraction(0), min(own, left))
            left -= taken
            total += value * taken
            weights += taken
        return None if weights == 0 else total / weights

    def expected(self, kind, of, entries, complete, scope, run):
        """A mean or a sum of so many: those that are not there are missing grades, the worst but at the ceiling."""
        clauses = entries[3]
        place = next(place for place, clause in enumerate(clauses) if clause[0] == "expecting")
        found = self.entries((*entries[:3], clauses[:place]), scope, run)
        if not found:
            return None
        if complete and any(node.average != LEAVES and self.value(of, (*scope, node), run) is None for node in found):
            return None
        wanted = self.value(clauses[place][1], scope, run)
        count = min(floor(wanted), 1000) if wanted is not None else 0
        kinds = (*(node.kind for node in scope), entries[1])
        worst, best = self.scale_of([name for name, _ in self.units.of(of, kinds)])
        standing = scope[-1].standing
        grade = set_grade(standing, worst, best) if is_set(standing) else best if run == CEILING else worst
        members = found + [Missing(grade) for _ in range(count - len(found))]
        for clause in clauses[place + 1 :]:
            members = self.chosen_of(members, clause, best < worst, scope, run)
        values = [
            (one, one.grade if isinstance(one, Missing) else self.value(of, (*scope, one), run)) for one in members
        ]
        if kind == "sum":
            return (
                None if any(value is None for _, value in values) else sum((value for _, value in values), Fraction(0))
            )
        known = [
            value for one, value in values if value is not None and (isinstance(one, Missing) or one.average != LEAVES)
        ]
        return sum(known) / len(known) if known else None

    def chosen_of(self, members, clause, falls, scope, run):
        """Those that a clause leaves, of entries and missing grades, which rank behind an entry that is as good."""
        word, *parts = clause
        end, count, keys, spared = ("best", *parts) if word == "best" else parts
        count = self.value(count, scope, run)
        count = max(0, floor(count)) if count is not None else 0

        def is_spared(one):
            return bool(spared) and self.value(("name", None, spared), (*scope, one), run) is True

        def rank(one):
            if isinstance(one, Missing):
                return (1, -one.grade if falls else one.grade), 0, [], ""
            inner = (*scope, one)
            first, *others = [self.rank(key, inner, run) for key in keys]
            return first, 1, others, one.id

        there = [one for one in members if not isinstance(one, Missing)]
        competing = [one for one in self.competing(there, keys, scope, run) if not is_spared(one)]
        made = [one for one in members if isinstance(one, Missing)]
        ranked = sorted(competing + made, key=rank, reverse=True)
        if word == "best":
            gone = ranked[count:]
        else:
            gone = (ranked[::-1] if end == "worst" else ranked)[:count]
        return [one for one in members if not any(one is other for other in gone)]

    def ratio(self, parts, scope, run):
        above, below, entries, complete = parts
        found = self.entries(entries, scope, run, ratio=(above, below))
        if found is None:
            return None
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
        """The entries that a fold or a quantifier goes over, clause by clause; of a copy that was not taken nothing."""
        _, kind, owner, clauses = entries
        places = tuple(node.kind for node in scope)
        if owner is None and places[-1] == kind:
            return self.chosen([node for node in scope[-1].children if node.kind == kind], clauses, scope, run, ratio)
        parents = self.document.kinds[kind].parent, kind
        here = self.document.kinds[places[-1]].base or places[-1]
        place, group = place_of(self.document, owner or parents[0], places), owner
        if owner == places[-1] or (owner is None and here in parents):
            place, group = (0, 0), None
        around = node_at(scope, *place, group) if place else scope[-1]
        if owner and self.document.kinds[owner].copies and not place:
            around = self.copy(owner)
            if around is None:
                return None
        found = list(around.inside(kind))
        if self.document.kinds[kind].levels > 1 and self.is_direct(kind, owner, place):
            found = [node for node in found if node.parent is around]
        return self.chosen(found, clauses, scope, run, ratio)

    def is_direct(self, kind, owner, place):
        """Whether only what stands directly in the entry around is meant, and not what stands deeper."""
        return place is not None and owner in (None, self.document.kinds[kind].parent)

    def chosen(self, found, clauses, scope, run, ratio):
        for clause in clauses:
            found = getattr(self, CLAUSES[clause[0]])(found, clause, scope, run, ratio)
        return found

    def where(self, found, clause, scope, run, ratio):
        return [node for node in found if self.value(clause[1], (*scope, node), run) is True]

    def best(self, found, clause, scope, run, ratio):
        """As many as are asked for, those with the best keys; one without a first key does not compete, and stays."""
        count = self.value(clause[1], scope, run)
        competing = self.competing(found, clause[2], scope, run)
        kept = self.within(self.ranked(competing, clause[2], scope, run), clause[3], scope, run)[: int(count or 0)]
        return [node for node in found if node in kept or node not in competing]

    def within(self, ranked, limit, scope, run):
        """Entries in their order, without those that are alike to as many before them as may be."""
        if limit is None:
            return ranked
        most, word, formula = limit
        most = max(0, floor(self.value(most, scope, run) or 0))
        kept, taken = [], {}
        for node in ranked:
            key = self.value(formula, (*scope, node), run)
            key = folded(key) if isinstance(key, str) else key
            if key in (None, "") or (word == "where" and key is False):
                kept.append(node)
                continue
            taken[key] = taken.get(key, 0) + 1
            if taken[key] <= most:
                kept.append(node)
        return kept

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
        # Extra credit is no work that may go.
        movable = [node for node in movable if node in known and known[node][1] != 0]
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
