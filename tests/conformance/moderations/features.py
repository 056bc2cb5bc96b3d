"""Moderations by the `openai` package: `features.py <base URL> <key> <model> <feature>…`.

Prints one line of JSON for each feature: its name, and what was wrong, or null.
"""

import sys

import openai

from feature_run import check, tell

BASE_URL, KEY, MODEL, *FEATURES = sys.argv[1:]

client = openai.OpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)


def texts():
    answer = client.moderations.create(model=MODEL, input=["I will kill you", "good morning"])
    check([result.flagged for result in answer.results], [True, False])
    check(answer.results[0].categories.violence, True)
    check(answer.model, MODEL)


async def asynchronous():
    own = openai.AsyncOpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)
    answer = await own.moderations.create(model=MODEL, input="good morning")
    check([result.flagged for result in answer.results], [False])


def errors():
    try:
        client.moderations.create(model=MODEL, input=[])
    except openai.BadRequestError as error:
        check(error.param, "input")
        return
    raise AssertionError("no input was taken")


for name in FEATURES:
    tell(name, globals()[name])
