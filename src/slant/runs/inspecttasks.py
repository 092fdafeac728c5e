"""What inspect-ai finds of the package: `inspect eval slant/bait`, `slant/vilbias`,
`slant/sentences`.

The package's entry point for inspect-ai names this module; nothing else imports it, since
inspect-ai itself is loaded with it.
"""

from slant.runs.baittask import bait
from slant.runs.sentencetask import sentences
from slant.runs.vilbiastask import vilbias

__all__ = ["bait", "sentences", "vilbias"]
