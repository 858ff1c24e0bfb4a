"""Quality tiers: who says how good an agent's work is, and can that be trusted?

`quality.score_response` scores one AI response; it is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quality.responses import score_response as score_response

__all__ = ["score_response"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'quality' has no attribute {name!r}")
    from quality.responses import score_response

    return score_response
