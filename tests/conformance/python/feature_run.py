"""What the scripts of the suites share: each tells of every feature whether it worked.

One line of JSON for each: its name, and what was wrong, or null.
"""

import asyncio
import inspect
import json
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor


# One for all features: some packages keep their connections from one to the next.
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


def tell(name, feature, *arguments):
    """Runs one feature, which raises where something is wrong; it may be asynchronous."""
    wrong = None
    try:
        result = feature(*arguments)
        if inspect.isawaitable(result):
            asyncio.run_coroutine_threadsafe(result, loop).result()
    except Exception:
        wrong = traceback.format_exc()
    print(json.dumps({"name": name, "wrong": wrong}) + "\n", end="", flush=True)


def tell_of_models(models, features):
    """Runs every feature, a function of a model's name, for every model; those side by side."""

    def tell_of(model):
        for feature in features:
            tell(f"{model} {feature.__name__}", feature, model)

    with ThreadPoolExecutor(max_workers=len(models)) as threads:
        list(threads.map(tell_of, models))


def check(told, expected):
    assert told == expected, f"{told!r} where {expected!r} was expected"
