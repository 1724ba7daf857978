"""What TensorFlow prints, and which libraries are opened for it."""

import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # TensorFlow loads for seconds

LOG = """
from onthefly.tools.quiet_tensorflow import tf
log = tf.compat.v1.logging
for kind in (log.info, log.warning, log.error):
    tf.print("a line by", kind.__name__, output_stream=kind)
tf.function(lambda x: x + 1, jit_compile=True)(tf.zeros(3))
"""


FATAL = """
import os
from onthefly.tools.quiet_tensorflow import no_information
with no_information():
    for letter in "IWEF":
        os.write(2, f"{letter}0000 a line\\n".encode())
    os.abort()
"""


@pytest.fixture(scope="module")
def quiet_tensorflow():
    """The module, which needs TensorFlow."""
    name = "onthefly.tools.quiet_tensorflow"
    return pytest.importorskip(name, exc_type=ImportError)


def lines(code):
    """Return {letter: lines} that TensorFlow's log got from `code`.

    The code runs in a fresh process, with oneDNN on, whose line is the one
    that no level hides.  A line begins with I, W, E or F and the day.
    """
    environment = {
        k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={**environment, "TF_ENABLE_ONEDNN_OPTS": "1"},
    )  # fmt: skip
    return {
        letter: re.findall(rf"^{letter}\d{{4}} .*$", done.stderr, re.M)
        for letter in "IWEF"
    }


def test_information_is_hidden_and_warnings_are_not(quiet_tensorflow):
    log = lines(LOG)
    assert log["I"] == []
    assert any("a line by warn" in line for line in log["W"])
    assert any("a line by error" in line for line in log["E"])


def test_the_last_words_of_a_crash_come_through(quiet_tensorflow):
    log = lines(FATAL)
    assert log["I"] == []
    assert [len(log[letter]) for letter in "WEF"] == [1, 1, 1]
