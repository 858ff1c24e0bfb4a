"""How are many questions asked at once? In threads of their own; the answers come back in the order of the questions."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from quality.judging import Judge, JudgeFailure, JudgeReply, JudgeRequest

Answer = JudgeReply | JudgeFailure


def ask_many(
    judge: Judge,
    requests: Iterable[JudgeRequest],
    concurrency: int,
    on_done: Callable[[int, Answer], None] | None = None,
) -> list[Answer]:
    """Answers in the order of the requests, at most `concurrency` (≥ 1) under way.

    `on_done(place, answer)` is called in the caller's thread as each arrives, so that it may draw on a screen.
    If it raises, or the caller is interrupted, the judge is closed: nothing more is asked and nothing waited for.
    """
    asked = list(requests)
    answers: list[Answer | None] = [None] * len(asked)
    pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="judge")
    try:
        under_way = {pool.submit(judge.ask, request): place for place, request in enumerate(asked)}
        for future in as_completed(under_way):
            place = under_way[future]
            answers[place] = future.result()
            if on_done:
                on_done(place, answers[place])
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        judge.close()
        raise
    pool.shutdown()
    return answers
