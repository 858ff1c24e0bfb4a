"""Who judges? `open_judge` opens one, `available` lists them, `ask_many` asks many questions, `wording` builds them.

Importing this stays cheap: a backend's own library is loaded when its first question is asked.
"""

from quality.judges.choice import Available, available, open_judge
from quality.judges.many import ask_many
from quality.judges.scripted import ScriptedJudge
from quality.judges.wording import Wording, fence, wording

__all__ = ["Available", "ScriptedJudge", "Wording", "ask_many", "available", "fence", "open_judge", "wording"]
