"""Completions by the `openai` package, against the gateway: `features.py <base URL> <key> <model> <feature>…`.

Prints one line of JSON for each feature: its name, and what was wrong, or null. What the vendor says is in
`features-vendor.ts`.
"""

import sys

import openai

from feature_run import check, tell

BASE_URL, KEY, MODEL, *FEATURES = sys.argv[1:]
SAID = " und Grüße aus Zürich 🙂"

client = openai.OpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)


def check_answer(completion, texts):
    check(completion.object, "text_completion")
    assert completion.id.startswith("cmpl-"), completion.id
    check(completion.model, MODEL)
    check([choice.text for choice in completion.choices], texts)
    check([choice.index for choice in completion.choices], list(range(len(texts))))
    check((completion.usage.prompt_tokens, completion.usage.completion_tokens), (5, 3))
    check(completion.usage.cost_usd, "0.000011")


def plain():
    check_answer(client.completions.create(model=MODEL, prompt="Hello", max_tokens=50, stop=["END"]), [SAID])


def stream():
    text = ""
    usage = None
    events = client.completions.create(
        model=MODEL, prompt="Hello", stream=True, stream_options={"include_usage": True}
    )
    for event in events:
        check(event.object, "text_completion")
        text += "".join(choice.text for choice in event.choices)
        usage = event.usage or usage
    check(text, SAID)
    check(usage.cost_usd, "0.000011")


async def asynchronous():
    own = openai.AsyncOpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)
    events = await own.completions.create(model=MODEL, prompt="Hello", stream=True)
    check("".join([choice.text async for event in events for choice in event.choices]), SAID)


def settings():
    completion = client.completions.create(
        model=MODEL,
        prompt="Hello",
        suffix="end",
        echo=True,
        n=2,
        best_of=3,
        logprobs=2,
        seed=7,
        user="ann",
        logit_bias={"50256": -100},
        frequency_penalty=0.5,
        presence_penalty=0.5,
        temperature=0.5,
        top_p=0.5,
    )
    check_answer(completion, ["Hello" + SAID] * 2)


def prompts():
    for prompt, count in (["a", "b"], 2), ([1, 2, 3], 1), ([[1], [2, 3]], 2):
        check_answer(client.completions.create(model=MODEL, prompt=prompt), [SAID] * count)


def refused():
    for field, more in ("suffix", {"suffix": "x"}), ("prompt", {"prompt": ["a", "b"]}):
        try:
            client.completions.create(**{"model": MODEL, "prompt": "Hello", **more})
        except openai.BadRequestError as error:
            check(error.param, field)
            continue
        raise AssertionError(f"{field} should have been refused")


def retries():
    own = openai.OpenAI(api_key=KEY, base_url=BASE_URL, max_retries=3)
    check_answer(own.completions.create(model=MODEL, prompt="[[limited]] python"), [SAID])


def broken_stream():
    try:
        for _ in client.completions.create(model=MODEL, prompt="[[cut]]", stream=True):
            pass
    except openai.APIError as error:
        check(error.body["type"], "upstream_error")
        return
    raise AssertionError("an error was expected")


for name in FEATURES:
    tell(name, globals()[name])
