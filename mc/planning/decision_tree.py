"""A decision tree that finds the applicable operators of a state (successor generator; Helmert 2006). Compiled.

A node stands for operators. Those without a further fact in the precondition are applicable. Each other one is in
the test of one of its variables, with all operators of the node that require the same fact: so operators that
require another value are never looked at. A variable that many operators of the node require goes first, and of
several one with many values: a test of it leaves few operators.

A child is the place of a node in the tree; or `LEAF - operator` if no further fact is tested; or NOTHING.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Numbers

    NOTHING = -1
    LEAF = -2
    SPARSE = 16  # if operators require less than a part of the values, they are compared one by one
    OPERATOR_PARTS = 1  # numbers of an operator in the tree, at most
    FACT_PARTS = 21  # of a fact: a node, and a test with SPARSE values


class DecisionTree:
    """The tree.

    nodes       a node has: the number of its operators, and these; the number of comparisons, and these; the
                number of tests, and the place of each. A comparison has a variable, a value and a child; a test
                has a variable, and a child for each value
    most        no state has more applicable operators
    stack       nodes to visit
    """

    nodes: Ints  # readonly
    most: Index  # readonly
    stack: Ints

    def __init__(self, operators: Operators, domains: npt.NDArray[np.int64]) -> None:
        growing = GrowingTree(operators, domains)
        count = grow(growing)
        self.nodes = view(np.asarray(growing.nodes)[: growing.used].copy())
        self.stack = view(np.zeros(count, np.int32))
        self.most = _most(self, growing, view(np.zeros(growing.used, np.int32)), count)

    def applicable(self, state: Sequence[int]) -> list[int]:
        """The operators that are applicable in a state."""
        found = np.zeros(self.nodes.shape[0], np.int64)
        count = find(self, view(np.array(state, np.int64)), view(found))
        return [int(operator) for operator in found[:count]]


class GrowingTree:
    """A tree, and how it grows.

    nodes       the nodes so far, with room for all
    used        the numbers of them
    places      where each node is
    fact_first  (operators + 1,): the facts of operator o are those from `fact_first[o]` to before
                `fact_first[o + 1]`; those that are tested come first
    variables   (facts,)
    values      (facts,)
    domains     (variables,)
    first       (variables,): a number for each fact, from the first one of each variable on
    order       (operators,): the operators of a node are next to each other
    other_order (operators,): scratch space
    chosen      (operators,): the fact by which each operator is tested at a node
    frequency   (variables,): the number of operators of a node that require a value of the variable
    head        (variables,): the first fact of a variable that operators are tested by, NOTHING if there is none
    next        (facts,): the next one, likewise
    size        (facts,): the number of operators that are tested by it
    tested      (variables,): the variables that are tested at a node, first
    jobs        (operators, 4): for nodes to come the range of their operators, the number of facts that are tested
                before, and where the place of the node is noted
    """

    nodes: Ints
    used: Index
    places: Ints
    fact_first: Numbers
    variables: Ints
    values: Ints
    domains: Numbers
    first: Numbers
    order: Ints
    other_order: Ints
    chosen: Ints
    frequency: Ints
    head: Ints
    next: Ints
    size: Ints
    tested: Ints
    jobs: Ints2

    def __init__(self, operators: Operators, domains: npt.NDArray[np.int64]) -> None:
        precondition = np.asarray(operators.precondition)
        count, required = operators.costs.shape[0], len(precondition)
        self.nodes, self.used = view(np.empty(3 + OPERATOR_PARTS * count + FACT_PARTS * required, np.int32)), 0
        self.places = view(np.empty(required + 1, np.int32))
        self.fact_first = operators.precondition_first
        self.variables, self.values = (
            view(np.ascontiguousarray(precondition[:, part], np.int32)) for part in (0, 1)
        )
        self.domains = view(domains)
        self.first = view(np.cumsum([0, *domains], dtype=np.int64))
        self.order = view(np.arange(count, dtype=np.int32))
        self.other_order, self.chosen = (view(np.empty(count, np.int32)) for _ in range(2))
        self.frequency, self.tested = (view(np.zeros(len(domains), np.int32)) for _ in range(2))
        self.head = view(np.full(len(domains), NOTHING, np.int32))
        self.next, self.size = (view(np.zeros(int(domains.sum()), np.int32)) for _ in range(2))
        self.jobs = view(np.zeros((count + 1, 4), np.int32))


def find(tree: DecisionTree, values: Numbers, applicable: Numbers) -> Index:
    """Find the operators that are applicable in a state; return their number."""
    count: Index = 0
    waiting: Index = 1
    i: Index
    child: Index
    tree.stack[0] = 0
    while waiting:
        waiting -= 1
        at: Index = tree.stack[waiting]
        for i in range(at + 1, at + 1 + tree.nodes[at]):
            applicable[count] = tree.nodes[i]
            count += 1
        at += 1 + tree.nodes[at]
        for i in range(at + 1, at + 1 + 3 * tree.nodes[at], 3):
            if values[tree.nodes[i]] == tree.nodes[i + 1]:
                child = tree.nodes[i + 2]
                if child >= 0:
                    tree.stack[waiting] = child
                    waiting += 1
                else:
                    applicable[count] = LEAF - child
                    count += 1
        at += 1 + 3 * tree.nodes[at]
        for i in range(at + 1, at + 1 + tree.nodes[at]):
            test: Index = tree.nodes[i]
            child = tree.nodes[test + 1 + values[tree.nodes[test]]]
            if child >= 0:
                tree.stack[waiting] = child
                waiting += 1
            elif child != NOTHING:
                applicable[count] = LEAF - child
                count += 1
    return count


def grow(tree: GrowingTree) -> Index:
    """Make all nodes; return their number."""
    count: Index = 0
    waiting: Index = 1
    tree.jobs[0, 0] = 0
    tree.jobs[0, 1] = tree.order.shape[0]
    tree.jobs[0, 2] = 0
    tree.jobs[0, 3] = NOTHING
    while waiting:
        waiting -= 1
        begin: Index = tree.jobs[waiting, 0]
        end: Index = tree.jobs[waiting, 1]
        depth: Index = tree.jobs[waiting, 2]
        if tree.jobs[waiting, 3] != NOTHING:
            tree.nodes[tree.jobs[waiting, 3]] = tree.used
        tree.places[count] = tree.used
        count += 1
        begin = _write_operators(tree, begin, end, depth)
        tests: Index = _choose(tree, begin, end, depth)
        waiting = _write_tests(tree, begin, depth, tests, waiting)
    return count


def _write_operators(tree: GrowingTree, begin: Index, end: Index, depth: Index) -> Index:
    """Write the operators without a further fact; return where the others begin."""
    i: Index
    last: Index = begin
    for i in range(begin, end):
        operator: Index = tree.order[i]
        if tree.fact_first[operator + 1] - tree.fact_first[operator] == depth:
            tree.order[i] = tree.order[last]
            tree.order[last] = operator
            last += 1
    _write(tree, last - begin)
    for i in range(begin, last):
        _write(tree, tree.order[i])
    return last


def _choose(tree: GrowingTree, begin: Index, end: Index, depth: Index) -> Index:
    """Choose the fact by which each operator is tested, and order the operators by it; return how many variables
    are tested."""
    i: Index
    k: Index
    tests: Index = 0
    for i in range(begin, end):
        for k in range(tree.fact_first[tree.order[i]] + depth, tree.fact_first[tree.order[i] + 1]):
            tree.frequency[tree.variables[k]] += 1
    for i in range(begin, end):
        operator: Index = tree.order[i]
        first: Index = tree.fact_first[operator] + depth
        best: Index = first
        for k in range(first + 1, tree.fact_first[operator + 1]):
            if _is_better(tree, tree.variables[k], tree.variables[best]):
                best = k
        variable: Index = tree.variables[best]
        value: Index = tree.values[best]
        tree.variables[best] = tree.variables[first]
        tree.values[best] = tree.values[first]
        tree.variables[first] = variable
        tree.values[first] = value
        fact: Index = tree.first[variable] + value
        tree.chosen[operator] = fact
        if tree.size[fact] == 0:
            if tree.head[variable] == NOTHING:
                tree.tested[tests] = variable
                tests += 1
            tree.next[fact] = tree.head[variable]
            tree.head[variable] = fact
        tree.size[fact] += 1
    _sort(tree, begin, end, tests)
    for i in range(begin, end):
        for k in range(tree.fact_first[tree.order[i]] + depth, tree.fact_first[tree.order[i] + 1]):
            tree.frequency[tree.variables[k]] = 0
    return tests


def _is_better(tree: GrowingTree, one: Index, other: Index) -> Flag:
    """Is the first variable the better one to test?"""
    if tree.frequency[one] != tree.frequency[other]:
        return tree.frequency[one] > tree.frequency[other]
    if tree.domains[one] != tree.domains[other]:
        return tree.domains[one] > tree.domains[other]
    return one < other


def _sort(tree: GrowingTree, begin: Index, end: Index, tests: Index) -> None:
    """Order operators by the facts that they are tested by, in the order of `tested`, `head` and `next`."""
    i: Index
    at: Index = begin
    fact: Index
    for i in range(tests):
        fact = tree.head[tree.tested[i]]
        while fact != NOTHING:
            size: Index = tree.size[fact]
            tree.size[fact] = at
            at += size
            fact = tree.next[fact]
    for i in range(begin, end):
        fact = tree.chosen[tree.order[i]]
        tree.other_order[tree.size[fact]] = tree.order[i]
        tree.size[fact] += 1
    for i in range(begin, end):
        tree.order[i] = tree.other_order[i]


def _write_tests(tree: GrowingTree, begin: Index, depth: Index, tests: Index, waiting: Index) -> Index:
    """Write the comparisons and tests of a node; add a job for each child that is a node; return their number."""
    i: Index
    value: Index
    comparisons: Index = 0
    tables: Index = 0
    for i in range(tests):
        if _is_sparse(tree, tree.tested[i]):
            comparisons += _count_values(tree, tree.tested[i])
        else:
            tables += 1
    _write(tree, comparisons)
    comparison: Index = tree.used
    tree.used += 3 * comparisons
    _write(tree, tables)
    table: Index = tree.used
    tree.used += tables
    for i in range(tests):
        variable: Index = tree.tested[i]
        is_sparse: Flag = _is_sparse(tree, variable)
        if not is_sparse:
            tree.nodes[table] = tree.used
            table += 1
            _write(tree, variable)
            for value in range(tree.domains[variable]):
                tree.nodes[tree.used + value] = NOTHING
            tree.used += tree.domains[variable]
        fact: Index = tree.head[variable]
        while fact != NOTHING:
            value = fact - tree.first[variable]
            child: Index = tree.used - tree.domains[variable] + value
            if is_sparse:
                tree.nodes[comparison] = variable
                tree.nodes[comparison + 1] = value
                child = comparison + 2
                comparison += 3
            end: Index = tree.size[fact]
            operator: Index = tree.order[begin]
            if end - begin == 1 and tree.fact_first[operator + 1] - tree.fact_first[operator] == depth + 1:
                tree.nodes[child] = LEAF - operator
            else:
                tree.jobs[waiting, 0] = begin
                tree.jobs[waiting, 1] = end
                tree.jobs[waiting, 2] = depth + 1
                tree.jobs[waiting, 3] = child
                waiting += 1
            begin = end
            tree.size[fact] = 0
            fact = tree.next[fact]
        tree.head[variable] = NOTHING
    return waiting


def _is_sparse(tree: GrowingTree, variable: Index) -> Flag:
    """Do operators require few of the values?"""
    values: Index = _count_values(tree, variable)
    return values == 1 or SPARSE * values < tree.domains[variable]


def _count_values(tree: GrowingTree, variable: Index) -> Index:
    """How many values of the variable do operators require?"""
    count: Index = 0
    fact: Index = tree.head[variable]
    while fact != NOTHING:
        count += 1
        fact = tree.next[fact]
    return count


def _write(tree: GrowingTree, number: Index) -> None:
    tree.nodes[tree.used] = number
    tree.used += 1


def _most(tree: DecisionTree, growing: GrowingTree, bounds: Ints, count: Index) -> Index:
    """The largest number of applicable operators, if each test has the answer with the most of them.

    `bounds` is scratch space for each place of the tree, `count` the number of nodes.
    """
    i: Index
    k: Index
    node: Index
    for node in range(count - 1, -1, -1):  # children come after their parents
        at: Index = growing.places[node]
        bound: Index = tree.nodes[at]
        at += 1 + bound
        largest: Index = 0
        for i in range(at + 1, at + 1 + 3 * tree.nodes[at], 3):
            if i > at + 1 and tree.nodes[i] != tree.nodes[i - 3]:
                bound += largest
                largest = 0
            largest = max(largest, _bound(bounds, tree.nodes[i + 2]))
        bound += largest
        at += 1 + 3 * tree.nodes[at]
        for i in range(at + 1, at + 1 + tree.nodes[at]):
            test: Index = tree.nodes[i]
            largest = 0
            for k in range(test + 1, test + 1 + growing.domains[tree.nodes[test]]):
                if tree.nodes[k] != NOTHING:
                    largest = max(largest, _bound(bounds, tree.nodes[k]))
            bound += largest
        bounds[growing.places[node]] = bound
    return bounds[0]


def _bound(bounds: Ints, child: Index) -> Index:
    """The largest number of applicable operators of a child."""
    return bounds[child] if child >= 0 else 1
