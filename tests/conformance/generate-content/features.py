"""Features of the `google-genai` package: `features.py <origin> <key> <model>,… <feature>…`.

What the vendor says to `[[feature]]` is in `feature-vendor.ts`.
"""

import sys

from feature_run import check, tell_of_models
from google import genai
from google.genai import errors, types
from pydantic import BaseModel

ORIGIN, KEY, MODELS, *FEATURES = sys.argv[1:]
SAID = "Grüße aus Zürich 🙂"
LOOKED = "It is 7 °C in Zürich."
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
WEATHER = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name="get_weather",
            description="Tells the weather.",
            parameters_json_schema={
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        )
    ]
)


def client_of(**options):
    return genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=ORIGIN, **options))


client = client_of()


def asks(model, feature, **config):
    own = types.GenerateContentConfig(max_output_tokens=4000, **config)
    return {"model": model, "contents": f"[[{feature}]] Hello", "config": own}


def check_usage(usage, model):
    # Mistral does not count apart what was thought.
    thoughts, output = (None, 65) if model.startswith("mistral/") else (25, 40)
    told = (usage.prompt_token_count, usage.cached_content_token_count)
    check(told, (112, 100))
    check((usage.candidates_token_count, usage.thoughts_token_count), (output, thoughts))


def check_text(answer, model):
    check((answer.text, answer.model_version), (SAID, model))
    check(answer.candidates[0].finish_reason, types.FinishReason.STOP)
    check_usage(answer.usage_metadata, model)


def plain(model):
    check_text(client.models.generate_content(**asks(model, "text", system_instruction="Be brief.")), model)


def streamed(model):
    answers = list(client.models.generate_content_stream(**asks(model, "text")))
    check("".join(answer.text or "" for answer in answers), SAID)
    check(answers[-1].candidates[0].finish_reason, types.FinishReason.STOP)
    check_usage(answers[-1].usage_metadata, model)


async def asynchronous(model):
    own = client_of()
    check_text(await own.aio.models.generate_content(**asks(model, "text")), model)
    texts = [answer.text or "" async for answer in await own.aio.models.generate_content_stream(**asks(model, "text"))]
    check("".join(texts), SAID)
    await own.aio.aclose()


def chat(model):
    config = types.GenerateContentConfig(tools=[WEATHER], max_output_tokens=4000)
    for way in ("plain", "streamed"):
        own = client.chats.create(model=model, config=config)

        def send(message):
            if way == "plain":
                return [own.send_message(message)]
            return list(own.send_message_stream(message))

        first = send(f"[[thinking python {way}]] What is it like in Zürich?")
        calls = [call for answer in first for call in answer.function_calls or []]
        check([(call.name, call.args) for call in calls], [("get_weather", {"city": "Zürich"})])
        result = types.FunctionResponse(id=calls[0].id, name="get_weather", response={"output": "7 °C"})
        second = send(types.Part(function_response=result))
        check("".join(answer.text or "" for answer in second), LOOKED)


def automatic_calls(model):
    ran = []

    def get_weather(city: str) -> str:
        """Tells the weather."""
        ran.append(city)
        return f"7 °C in {city}"

    answer = client.models.generate_content(**asks(model, "two python", tools=[get_weather]))
    check((ran, answer.text), (["Zürich", "Bern"], LOOKED))


def forced_call(model):
    calling = types.FunctionCallingConfig(mode="ANY", allowed_function_names=["get_weather"])
    config = {"tools": [WEATHER], "tool_config": types.ToolConfig(function_calling_config=calling)}
    answer = client.models.generate_content(**asks(model, "tool forced python", **config))
    check([call.name for call in answer.function_calls], ["get_weather"])


def structured_output(model):
    class Forecast(BaseModel):
        city: str
        days: int

    asked = asks(model, "json", response_mime_type="application/json", response_schema=Forecast)
    check(client.models.generate_content(**asked).parsed, Forecast(city="Zürich", days=3))


def vision(model):
    blob = types.Blob(mime_type="image/png", data=PICTURE)
    parts = [types.Part(inline_data=blob), types.Part(text="[[text]] What is this?")]
    request = {**asks(model, ""), "contents": types.Content(role="user", parts=parts)}
    check_text(client.models.generate_content(**request), model)


def count_tokens(model):
    count = client.models.count_tokens(model=model, contents="Hello, how are you?")
    assert count.total_tokens > 3, count


def models(model):
    names = [one.name for one in client.models.list(config={"page_size": 2})]
    assert f"models/{model}" in names and len(names) == len(set(names)), names
    check(client.models.get(model=model).input_token_limit, 1_000_000)


def refused(status, path, ask):
    try:
        ask()
    except errors.ClientError as error:
        check(error.code, status)
        assert path in error.message, error.message
        return error
    raise AssertionError(f"a status of {status} was expected")


def refusals(model):
    error = refused(404, "none", lambda: client.models.generate_content(model="none/none", contents="Hello"))
    check(error.status, "NOT_FOUND")
    maps = types.Tool(google_maps=types.GoogleMaps())
    told = refused(
        400, "tools[0].googleMaps", lambda: client.models.generate_content(**asks(model, "text", tools=[maps]))
    )
    check(told.status, "INVALID_ARGUMENT")
    wrong = genai.Client(api_key="sk-turnpike-wrong", http_options=types.HttpOptions(base_url=ORIGIN))
    refused(401, "API key", lambda: wrong.models.generate_content(**asks(model, "text")))


def retries(model):
    own = client_of(retry_options=types.HttpRetryOptions(attempts=4, initial_delay=0.5))
    check_text(own.models.generate_content(**asks(model, "limited google")), model)


def abort(model):
    stream = client.models.generate_content_stream(**asks(model, "silent google"))
    assert SAID.startswith(next(stream).text[:3])
    stream.close()


def broken_stream(model):
    try:
        list(client.models.generate_content_stream(**asks(model, "cut")))
    except errors.APIError as error:
        assert error.code >= 500, error
        return
    raise AssertionError("an error was expected")


def silence(model):
    """What keeps a silent stream awake is no answer; once is enough."""
    if model.startswith("google/"):
        answers = list(client.models.generate_content_stream(**asks(model, "paused")))
        check("".join(answer.text or "" for answer in answers), SAID)


tell_of_models(MODELS.split(","), [globals()[name] for name in FEATURES])
