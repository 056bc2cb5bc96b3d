"""Features of the `anthropic` package, each against the gateway: `features.py <origin> <key> <model> <feature>…`.

What the vendor says to `[[feature]]` is in `feature-vendor.ts`.
"""

import asyncio
import sys

import anthropic
from anthropic import beta_tool
from feature_run import check, tell
from pydantic import BaseModel

ORIGIN, KEY, MODEL, *FEATURES = sys.argv[1:]
STYLE = MODEL.split("/")[0]
SAID = "Grüße aus Zürich 🙂"
LOOKED = "It is 7 °C in Zürich."
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
PDF = "JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyA+PgplbmRvYmoKJSVFT0YK"
TOOLS = [
    {
        "name": "get_weather",
        "description": "Tells the weather.",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    }
]

client = anthropic.Anthropic(api_key=KEY, base_url=ORIGIN, max_retries=0)


def body(feature, **more):
    return {
        "model": MODEL,
        "max_tokens": 4000,
        "messages": [{"role": "user", "content": f"[[{feature}]] Hello"}],
        **more,
    }


def check_text(message):
    check([block.type for block in message.content], ["text"])
    check(message.content[0].text, SAID)
    check(message.stop_reason, "end_turn")
    check(message.model, MODEL)
    usage = message.usage
    check((usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens), (12, 100, 65))


def plain():
    message = client.messages.create(**body("text"))
    check_text(message)
    assert message._request_id.startswith("req_"), message._request_id
    assert float(message.usage.model_extra["cost_usd"]) > 0


def raw_events():
    events = client.messages.create(**body("text"), stream=True)
    texts = [e.delta.text for e in events if e.type == "content_block_delta" and e.delta.type == "text_delta"]
    check("".join(texts), SAID)


def stream_helper():
    with client.messages.stream(**body("text")) as stream:
        check("".join(stream.text_stream), SAID)
        message = stream.get_final_message()
    check_text(message)


def asynchronous():
    async def ask():
        async with anthropic.AsyncAnthropic(api_key=KEY, base_url=ORIGIN, max_retries=0) as own:
            check_text(await own.messages.create(**body("text")))
            async with own.messages.stream(**body("text")) as stream:
                check_text(await stream.get_final_message())

    asyncio.run(ask())


def tool_runner():
    for stream in (False, True):
        ran = []

        @beta_tool
        def get_weather(city: str) -> str:
            """Tells the weather.

            Args:
                city: The city.
            """
            ran.append(city)
            return f"7 °C in {city}"

        options = {"max_tokens": 500, "model": MODEL, "tools": [get_weather], "stream": stream}
        messages = [{"role": "user", "content": f"[[two python {stream}]] How is the weather?"}]
        runner = client.beta.messages.tool_runner(messages=messages, **options)
        final = runner.until_done()
        check(ran, ["Zürich", "Bern"])
        check(final.content[0].text, LOOKED)


def thinking():
    messages = [{"role": "user", "content": "[[thinking python]] How is the weather?"}]
    options = {"tools": TOOLS, "thinking": {"type": "enabled", "budget_tokens": 2000}}
    with client.messages.stream(**body("", messages=messages, **options)) as stream:
        first = stream.get_final_message()
    check([block.type for block in first.content], ["thinking", "text", "tool_use"])
    check(first.stop_reason, "tool_use")
    call = first.content[-1]
    check((call.name, call.input), ("get_weather", {"city": "Zürich"}))
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "7 °C"}
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    second = client.messages.create(**body("", messages=messages, **options))
    check(second.content[0].text, LOOKED)


def prompt_caching():
    control = {"type": "ephemeral", "ttl": "1h"}
    system = [{"type": "text", "text": "A long text. " * 500, "cache_control": control}]
    usage = client.messages.create(**body("cache", system=system)).usage
    check(usage.cache_read_input_tokens, 100)
    if STYLE == "anthropic":
        creation = usage.cache_creation
        check((creation.ephemeral_5m_input_tokens, creation.ephemeral_1h_input_tokens), (30, 7))


def vision():
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "[[text]] What is this?"}]
    check_text(client.messages.create(**body("", messages=[{"role": "user", "content": content}])))


def document():
    source = {"type": "base64", "media_type": "application/pdf", "data": PDF}
    content = [{"type": "document", "source": source}, {"type": "text", "text": "[[text]] What is this?"}]
    request = body("", messages=[{"role": "user", "content": content}])
    if STYLE not in ("deepseek", "cohere"):
        return check_text(client.messages.create(**request))
    refused(400, "messages.0.content.0", lambda: client.messages.create(**request))


def structured_output():
    class Forecast(BaseModel):
        city: str
        days: int

    message = client.messages.parse(**body("json"), output_format=Forecast)
    check(message.parsed_output, Forecast(city="Zürich", days=3))
    with client.messages.stream(**body("json"), output_format=Forecast) as stream:
        check(stream.get_final_message().parsed_output, Forecast(city="Zürich", days=3))


def refused(status, path, ask):
    try:
        ask()
    except anthropic.APIStatusError as error:
        check(error.status_code, status)
        assert path in error.message, error.message
        return
    raise AssertionError(f"a status of {status} was expected")


def count_tokens():
    count = client.messages.count_tokens(model=MODEL, messages=body("text")["messages"], tools=TOOLS)
    assert count.input_tokens > 5, count


def models():
    names = [model.id for model in client.models.list(limit=2)]
    assert MODEL in names and len(names) == len(set(names)), names
    check(client.models.retrieve(MODEL).id, MODEL)


def retries():
    own = anthropic.Anthropic(api_key=KEY, base_url=ORIGIN, max_retries=3)
    for feature in ("limited python", "overloaded python"):
        check_text(own.messages.create(**body(feature)))


def abort():
    with client.messages.stream(**body("silent python")) as stream:
        for text in stream.text_stream:
            assert SAID.startswith(text[:3]), text
            break


def broken_stream():
    try:
        with client.messages.stream(**body("cut")) as stream:
            stream.until_done()
    except anthropic.APIStatusError as error:
        check(error.body["error"]["type"], "api_error")
        return
    raise AssertionError("an error was expected")


for name in FEATURES:
    tell(name, globals()[name])
