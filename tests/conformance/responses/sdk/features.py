"""Features of `client.responses` of the `openai` package: `features.py <origin> <key> <model>,… <feature>…`.

What the vendor says to `[[feature]]` is in `feature-vendor.ts`.
"""

import sys

import openai
from feature_run import check, tell_of_models
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter

ORIGIN, KEY, MODELS, *FEATURES = sys.argv[1:]
SAID = "Grüße aus Zürich 🙂"
LOOKED = "It is 7 °C in Zürich."
THOUGHT = "The tool „get_weather“ knows."
NOTED = "Grüße: „7 °C“\n"
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
PDF = "JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyA+PgplbmRvYmoKJSVFT0YK"
WEATHER = {
    "type": "function",
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}
STREAM_EVENT = TypeAdapter(ResponseStreamEvent)
LENIENT = {"x-turnpike-unsupported": "drop"}

client = openai.OpenAI(api_key=KEY, base_url=f"{ORIGIN}/v1", max_retries=0)


class Forecast(BaseModel):
    city: str
    days: int


def body(model, feature, **more):
    return {"model": model, "input": f"[[{feature}]] Hello", **more}


def headers(model):
    """DeepSeek is told a schema, and not held to it."""
    return LENIENT if model.startswith("deepseek/") else {}


def check_text(response, model):
    Response.model_validate(response.to_dict())
    check((response.output_text, response.status, response.model), (SAID, "completed", model))
    usage = response.usage
    counts = (usage.input_tokens, usage.input_tokens_details.cached_tokens, usage.output_tokens)
    check(counts, (112, 100, 65))
    assert float(usage.model_extra["cost_usd"]) > 0


def plain(model):
    response = client.responses.create(**body(model, "text"), instructions="Be brief.")
    check_text(response, model)
    assert response._request_id.startswith("req_"), response._request_id


def raw_events(model):
    for feature in ("text", "thinking", "custom", "refused", "long", "two"):
        tools = [WEATHER, {"type": "custom", "name": "write_note"}]
        events = list(client.responses.create(**body(model, feature, tools=tools), stream=True))
        for event in events:
            STREAM_EVENT.validate_python(event.to_dict())
        done = [event.item for event in events if event.type == "response.output_item.done"]
        check(events[-1].response.output, done)
        check([event.sequence_number for event in events], list(range(len(events))))


def stream_helper(model):
    texts = []
    with client.responses.stream(**body(model, "text")) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                texts.append(event.delta)
                check(event.snapshot, "".join(texts))
        check_text(stream.get_final_response(), model)
    check("".join(texts), SAID)


async def asynchronous(model):
    async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{ORIGIN}/v1", max_retries=0) as own:
        check_text(await own.responses.create(**body(model, "text")), model)
        async with own.responses.stream(**body(model, "text")) as stream:
            async for _ in stream:
                pass
            check_text(await stream.get_final_response(), model)
        options = {"text_format": Forecast, "extra_headers": headers(model)}
        parsed = await own.responses.parse(**body(model, "json"), **options)
        check(parsed.output_parsed, Forecast(city="Zürich", days=3))


def structured_output(model):
    options = {"text_format": Forecast, "extra_headers": headers(model)}
    parsed = client.responses.parse(**body(model, "json"), **options)
    check(parsed.output_parsed, Forecast(city="Zürich", days=3))
    with client.responses.stream(**body(model, "json"), **options) as stream:
        check(stream.get_final_response().output_parsed, Forecast(city="Zürich", days=3))


def parsed_arguments(model):
    class get_weather(BaseModel):
        city: str

    tools = [openai.pydantic_function_tool(get_weather)["function"] | {"type": "function"}]
    response = client.responses.parse(**body(model, "tool"), tools=tools)
    check(response.output[-1].parsed_arguments, {"city": "Zürich"})


def streamed(request, own=client):
    with own.responses.stream(**request) as stream:
        return stream.get_final_response()


def tool_turns(model):
    options = {
        "tools": [WEATHER],
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "low", "summary": "auto"},
    }
    for ask in (lambda request: client.responses.create(**request), streamed):
        turns = [{"role": "user", "content": "[[thinking]] How is the weather?"}]
        first = ask(body(model, "", input=turns, **options))
        check([item.type for item in first.output], ["reasoning", "message", "function_call"])
        reasoning, _, call = first.output
        told = [part.text for part in [*reasoning.summary, *(reasoning.content or [])]]
        check("".join(told), THOUGHT)
        turns += first.output
        turns.append({"type": "function_call_output", "call_id": call.call_id, "output": "7 °C"})
        check(ask(body(model, "", input=turns, **options)).output_text, LOOKED)


def custom_tool(model):
    tools = [{"type": "custom", "name": "write_note", "description": "Writes down a text."}]
    for ask in (lambda request: client.responses.create(**request), streamed):
        turns = [{"role": "user", "content": "[[custom]] Write it down."}]
        [call] = ask(body(model, "", input=turns, tools=tools)).output
        check((call.type, call.name, call.input), ("custom_tool_call", "write_note", NOTED))
        output = {"type": "custom_tool_call_output", "call_id": call.call_id, "output": "written"}
        turns += [call, output]
        check(ask(body(model, "", input=turns, tools=tools)).output_text, LOOKED)


def vision(model):
    content = [
        {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}", "detail": "auto"},
        {"type": "input_text", "text": "[[text]] What is this?"},
    ]
    turns = [{"role": "user", "content": content}]
    check_text(client.responses.create(**body(model, "", input=turns)), model)


def document(model):
    file = {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}
    content = [file, {"type": "input_text", "text": "[[text]] What is this?"}]
    request = body(model, "", input=[{"role": "user", "content": content}])
    if not model.startswith(("deepseek/", "cohere/")):
        return check_text(client.responses.create(**request), model)
    refuse(openai.BadRequestError, "input[0].content[0]", **request)


def incomplete(model):
    response = client.responses.create(**body(model, "long"), max_output_tokens=65, truncation="auto")
    check((response.status, response.incomplete_details.reason), ("incomplete", "max_output_tokens"))
    # Its helper has no final response then, so that the last event is read.
    with client.responses.stream(**body(model, "long")) as stream:
        last = list(stream)[-1]
    check((last.type, last.response.status), ("response.incomplete", "incomplete"))


def refusal(model):
    with client.responses.stream(**body(model, "refused")) as stream:
        last = list(stream)[-1]
    for response in (client.responses.create(**body(model, "refused")), last.response):
        if model.startswith("openai"):
            check(response.output[0].content[0].refusal, SAID)
        else:
            check(response.incomplete_details.reason, "content_filter")


def count_tokens(model):
    count = client.responses.input_tokens.count(model=model, input="Hello", tools=[WEATHER])
    assert count.input_tokens > 5, count


def state(model):
    """Answers that are kept: gone on from, read again, listed, named by their items, deleted."""
    client = openai.OpenAI(api_key=KEY, base_url=f"{ORIGIN}/v1", max_retries=3)
    first = client.responses.create(**body(model, "text"), instructions="Be brief.")
    check(first.to_dict()["store"], True)
    second = streamed(body(model, "", input="[[text]] And again?", previous_response_id=first.id), client)
    check_text(second, model)
    check(second.previous_response_id, first.id)
    again = client.responses.retrieve(second.id)
    check((again.output_text, again.usage, again.id), (SAID, second.usage, second.id))
    items = list(client.responses.input_items.list(second.id, order="asc", limit=2))
    check([item.type for item in items], ["message"] * 3)
    check([items[0].content[0].text, items[1].content[0].text], ["[[text]] Hello", SAID])
    turns = [{"type": "item_reference", "id": item.id} for item in second.output]
    turns.append({"role": "user", "content": "[[text]] More?"})
    check_text(client.responses.create(**body(model, "", input=turns)), model)
    client.responses.delete(first.id)
    for call in (client.responses.retrieve, client.responses.delete, client.responses.input_items.list):
        try:
            call(first.id)
        except openai.NotFoundError:
            continue
        raise AssertionError("an error was expected")
    unknown = (openai.BadRequestError, "previous_response_id", client)
    refuse(*unknown, **body(model, "text"), previous_response_id=first.id)
    gone = [{"type": "item_reference", "id": first.output[0].id}]
    # One of these vendors calls all of its items alike.
    if not model.startswith("openai-responses/"):
        refuse(openai.BadRequestError, "input[0].id", client, **body(model, "", input=gone))
    # What went on from it has the conversation by itself.
    check_text(client.responses.create(**body(model, "text"), previous_response_id=second.id), model)
    unkept = client.responses.create(**body(model, "text"), store=False)
    refuse(*unknown, **body(model, "text"), previous_response_id=unkept.id)


def refuse(kind, param, own=client, **request):
    try:
        own.responses.create(**request)
    except kind as error:
        return check(error.param, param)
    raise AssertionError(f"{kind.__name__} was expected")


def errors(model):
    request = body(model, "text")
    refuse(openai.BadRequestError, "temperature", **request, temperature=9)
    refuse(openai.BadRequestError, "background", **request, background=True)
    refuse(openai.BadRequestError, "conversation", **request, conversation="conv_1")
    refuse(openai.NotFoundError, "model", **(request | {"model": "openai/nobody"}))
    stranger = openai.OpenAI(api_key="sk-turnpike-nobody", base_url=f"{ORIGIN}/v1", max_retries=0)
    refuse(openai.AuthenticationError, None, own=stranger, **request)
    refuse(openai.InternalServerError, None, **body(model, "failing"))
    try:
        client.conversations.create()
    except openai.NotFoundError as error:
        assert "does not store conversations" in error.message, error.message
    else:
        raise AssertionError("an error was expected")


def retries(model):
    own = openai.OpenAI(api_key=KEY, base_url=f"{ORIGIN}/v1", max_retries=3)
    check_text(own.responses.create(**body(model, "limited responses")), model)


def abort(model):
    with client.responses.stream(**body(model, "silent responses")) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                break


def broken_stream(model):
    with client.responses.stream(**body(model, "cut")) as stream:
        last = list(stream)[-1]
    check((last.type, last.response.error.code), ("response.failed", "server_error"))


tell_of_models(MODELS.split(","), [globals()[name] for name in FEATURES])
