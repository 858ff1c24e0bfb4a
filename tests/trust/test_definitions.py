"""Does every number of trust have one definition, whose source exists?"""

from importlib import import_module

import pytest

from quality.definitions import DEFINITIONS
from quality.definitions_trust import TRUST_NUMBERS


def found(path: str) -> object:
    """The function or class of a dotted path, an attribute of a class included."""
    parts = path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            here = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            here = getattr(here, name)
        return here
    raise AssertionError(path)


@pytest.mark.parametrize("definition", TRUST_NUMBERS, ids=lambda one: one.name)
def test_the_source_of_a_number_exists(definition):
    """As the tooltip names it."""
    assert found(definition.source).__doc__


def test_no_name_is_taken():
    """Neither twice here nor by another part of the catalogue with another meaning."""
    names = [one.name for one in TRUST_NUMBERS]
    assert len(set(names)) == len(names)
    theirs = {one.name: one for one in DEFINITIONS.values()}
    assert [one.name for one in TRUST_NUMBERS if theirs.get(one.name, one) != one] == []
