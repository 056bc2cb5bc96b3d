"""Features of `langchain-openai` on `/v1/responses`: `features.py <origin> <key> <model>,… <feature>…`.

What the vendor says to `[[feature]]` is in `feature-vendor.ts`.
"""

import sys

from feature_run import check, tell_of_models
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

ORIGIN, KEY, MODELS, *FEATURES = sys.argv[1:]
SAID = "Grüße aus Zürich 🙂"
LOOKED = "It is 7 °C in Zürich."
THOUGHT = "The tool „get_weather“ knows."
VERSIONS = ("v0", "responses/v1", "v1")


class Forecast(BaseModel):
    """A forecast."""

    city: str
    days: int


@tool
def get_weather(city: str) -> str:
    """Tells the weather."""
    return f"7 °C in {city}"


def chats(model, **options):
    """One for each way in which LangChain tells an answer."""
    for version in VERSIONS:
        yield ChatOpenAI(
            model=model,
            api_key=KEY,
            base_url=f"{ORIGIN}/v1",
            max_retries=0,
            use_responses_api=True,
            output_version=version,
            **options,
        )


def check_usage(message):
    usage = message.usage_metadata
    counts = (usage["input_tokens"], usage["output_tokens"], usage["total_tokens"])
    check(counts, (112, 65, 177))
    check(usage["input_token_details"]["cache_read"], 100)


def invoke(model):
    for chat in chats(model):
        message = chat.invoke("[[text]] Hello")
        check(message.text, SAID)
        check_usage(message)
        check(message.response_metadata["status"], "completed")


def stream(model):
    for chat in chats(model):
        whole = None
        for chunk in chat.stream("[[text]] Hello"):
            whole = chunk if whole is None else whole + chunk
        check(whole.text, SAID)
        check_usage(whole)


async def asynchronous(model):
    for chat in chats(model):
        check((await chat.ainvoke("[[text]] Hello")).text, SAID)
        texts = [chunk.text async for chunk in chat.astream("[[text]] Hello")]
        check("".join(texts), SAID)


def streamed(chat, messages):
    whole = None
    for chunk in chat.stream(messages):
        whole = chunk if whole is None else whole + chunk
    return whole


def bind_tools(model):
    options = {"reasoning": {"effort": "low", "summary": "auto"}, "store": False}
    for chat in chats(model, include=["reasoning.encrypted_content"], **options):
        bound = chat.bind_tools([get_weather])
        for ask in (bound.invoke, lambda messages: streamed(bound, messages)):
            messages = [HumanMessage("[[thinking]] How is the weather?")]
            first = ask(messages)
            [call] = first.tool_calls
            check((call["name"], call["args"]), ("get_weather", {"city": "Zürich"}))
            if chat.output_version == "responses/v1":
                [thought] = [block for block in first.content if block["type"] == "reasoning"]
                parts = [*thought.get("summary", []), *thought.get("content", [])]
                check("".join(part["text"] for part in parts), THOUGHT)
            messages += [first, ToolMessage("7 °C", tool_call_id=call["id"])]
            check(ask(messages).text, LOOKED)


def structured_output(model):
    # DeepSeek is told a schema, and not held to it.
    lenient = {"x-turnpike-unsupported": "drop"} if model.startswith("deepseek/") else {}
    for chat in chats(model, default_headers=lenient):
        for method in ("json_schema", "function_calling"):
            feature = "json" if method == "json_schema" else "called"
            structured = chat.with_structured_output(Forecast, method=method)
            check(structured.invoke(f"[[{feature}]] A forecast"), Forecast(city="Zürich", days=3))


tell_of_models(MODELS.split(","), [globals()[name] for name in FEATURES])
