"""What may a run of calls cost? A limit in US dollars and one in tokens, shared by all calls of a command or batch.

What a call can cost at most is set aside before it is made, so calls under way together never overshoot.
"""

import asyncio
from dataclasses import dataclass
from fnmatch import fnmatchcase

from quality.catalogue import canonical_model
from quality.settings import JudgeSettings, Price

PRICES: dict[str, Price] = {
    "claude-sonnet-4-20250514": Price(input=3.0, output=15.0),
    "gpt-4o-mini": Price(input=0.15, output=0.60),
    "gpt-4o-mini-2024-07-18": Price(input=0.15, output=0.60),
}
"""Pattern of a model id → US dollars a million tokens; first match wins. The default models only, at the list prices known
when this was written (up to 200,000 tokens in); a provider may change them, so `judges.prices` is asked first."""
PER = 1_000_000
FREE = Price(input=0.0, output=0.0)
FRAMING_TOKENS = 64
"""What a service may add around the two texts."""


@dataclass(frozen=True)
class Spent:
    """What is set aside, or was used."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


def price_of(model: str, settings: JudgeSettings) -> Price | None:
    """The price by the first pattern that fits the id, with or without a `provider/` prefix; `None` if none does.

    >>> price_of("openai/gpt-4o-mini-2024-07-18", JudgeSettings()).output
    0.6
    """
    names = (model.lower(), canonical_model(model).lower())
    table = [*settings.prices.items(), *PRICES.items()]
    return next((price for pattern, price in table if any(fnmatchcase(name, pattern.lower()) for name in names)), None)


def cost(price: Price, input_tokens: int, output_tokens: int) -> float:
    """US dollars."""
    return (input_tokens * price.input + output_tokens * price.output) / PER


def most(price: Price, text: str, max_tokens: int) -> Spent:
    """The most that a call can take: a token is at least one byte of UTF-8, and the answer is bounded."""
    input_tokens = len(text.encode("utf-8", "replace")) + FRAMING_TOKENS
    return Spent(input_tokens, max_tokens, cost(price, input_tokens, max_tokens))


class Budget:
    """The limits, what was used, and what is set aside. Used on the judges' loop only, so it needs no lock."""

    def __init__(self, settings: JudgeSettings) -> None:
        self.usd_limit, self.token_limit = settings.spend_usd, settings.spend_tokens
        self.usd, self.tokens = 0.0, 0
        """Used so far."""
        self._aside_usd, self._aside_tokens, self._under_way = 0.0, 0, 0
        self._settled = asyncio.Condition()

    async def set_aside(self, part: Spent) -> str | None:
        """Set the part aside, waiting for calls under way if only they stand in the way.

        Returns:
            `None`, or why the call cannot be made and what to do.
        """
        async with self._settled:
            while not self._fits(part):
                if not self._under_way:
                    return self._refusal(part)
                await self._settled.wait()
            self._aside_usd += part.usd
            self._aside_tokens += part.tokens
            self._under_way += 1
        return None

    async def settle(self, part: Spent, used: Spent) -> None:
        """Give back what was set aside and count what was used."""
        async with self._settled:
            self._under_way -= 1
            self._aside_usd = self._aside_usd - part.usd if self._under_way else 0.0
            self._aside_tokens -= part.tokens
            self.usd += used.usd
            self.tokens += used.tokens
            self._settled.notify_all()

    def _fits(self, part: Spent) -> bool:
        return (
            self.usd + self._aside_usd + part.usd <= self.usd_limit
            and self.tokens + self._aside_tokens + part.tokens <= self.token_limit
        )

    def _refusal(self, part: Spent) -> str:
        if self.tokens + part.tokens > self.token_limit:
            return (
                f"{self.tokens:,} tokens are used and this question may take {part.tokens:,}, the limit is "
                f"{self.token_limit:,}: raise judges.spend_tokens, or ask less at once"
            )
        return (
            f"${self.usd:.4f} are spent and this question may cost ${part.usd:.4f}, the limit is "
            f"${self.usd_limit:.4f}: raise judges.spend_usd, or ask less at once"
        )
