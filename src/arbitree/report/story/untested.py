"""What a reader may believe was tested, and was not."""

from __future__ import annotations

from collections.abc import Iterator

from ..._wording import listed
from .result import Story


def untested(story: Story) -> tuple[str, ...]:
    """Sentences that belong under every story, and those of this one."""
    return tuple(_sentences(story))


def _sentences(story: Story) -> Iterator[str]:
    yield "Whether the data is right: how labels, decisions and groups were recorded."
    if story.data.label is None:
        yield "Errors: without labels nobody knows which decisions were wrong, and for whom."
    else:
        yield (
            f"Whether {listed([story.data.label])} measures what it is taken for; where it is "
            "itself a decision, or is seen only of people who were selected, it carries their bias."
        )
    yield "Cause: an influence says which columns carry a gap, not what would happen without them."
    yield "Groups by anything but " + listed(story.data.sensitive) + "."
    if story.data.left_out:
        yield f"Columns left out of the features: {listed(story.data.left_out)}."
    if story.tree is not None and not story.settings.joint and len(story.data.sensitive) > 1:
        yield (
            f"The budget and the certificate hold for {listed(story.data.sensitive)} each alone; "
            "their combinations are audited only."
        )
    if story.tree is not None and story.tree.pooled:
        yield (
            f"{listed(story.tree.pooled)}: too few people for a budget or a certificate, which "
            "take them as one; each is audited alone."
        )
    if story.tree is not None and story.tree.n_left_aside:
        yield (
            f"Trees that ask for any of {story.tree.n_left_aside:,} features, which a tree without "
            "a budget found less useful: with so many features and groups the search would not end."
        )
    if story.tree is not None:
        yield "The tree on people of another time or place than those of the file."
    if story.rules is None:
        yield "Rules: none was given, so nothing is said of which decisions can occur."
    yield "Any law: thresholds are settings of this report."
