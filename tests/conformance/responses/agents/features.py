"""Features of OpenAI's Agents SDK: `features.py <origin> <key> <model>,… <feature>…`.

What the vendor says to `[[feature]]` is in `feature-vendor.ts`.
"""

import os
import sys
import tempfile

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    SQLiteSession,
    function_tool,
    input_guardrail,
    set_tracing_disabled,
)
from feature_run import check, tell_of_models
from openai import AsyncOpenAI
from openai.types.shared import Reasoning
from pydantic import BaseModel

ORIGIN, KEY, MODELS, *FEATURES = sys.argv[1:]
SAID = "Grüße aus Zürich 🙂"
LOOKED = "It is 7 °C in Zürich."

set_tracing_disabled(True)


class Forecast(BaseModel):
    city: str
    days: int


def client(model):
    """DeepSeek is told a schema, and not held to it."""
    headers = {"x-turnpike-unsupported": "drop"} if model.startswith("deepseek/") else {}
    return AsyncOpenAI(api_key=KEY, base_url=f"{ORIGIN}/v1", max_retries=0, default_headers=headers)


def agents_of(model, **options):
    """The same agent on each of the two APIs: how they differ is the gateway's to hide."""
    own = client(model)
    for kind in (OpenAIResponsesModel, OpenAIChatCompletionsModel):
        yield Agent(name="Assistant", model=kind(model=model, openai_client=own), **options)


def weather(ran):
    @function_tool
    def get_weather(city: str) -> str:
        """Tells the weather."""
        ran.append(city)
        return f"7 °C in {city}"

    return get_weather


async def plain(model):
    for agent in agents_of(model, instructions="Be brief."):
        result = await Runner.run(agent, "[[text]] Hello")
        check(result.final_output, SAID)
        usage = result.context_wrapper.usage
        check((usage.input_tokens, usage.output_tokens), (112, 65))


async def tools(model):
    for feature in ("tool", "two", "thinking"):
        ran = []
        settings = ModelSettings(store=False, parallel_tool_calls=True)
        for agent in agents_of(model, tools=[weather(ran)], model_settings=settings):
            result = await Runner.run(agent, f"[[{feature}]] How is the weather?")
            check(result.final_output, LOOKED)
        check(ran, ["Zürich", "Bern"] * 2 if feature == "two" else ["Zürich"] * 2)


async def reasoning(model):
    settings = ModelSettings(
        store=False,
        reasoning=Reasoning(effort="low", summary="auto"),
        response_include=["reasoning.encrypted_content"],
    )
    agent = next(agents_of(model, tools=[weather([])], model_settings=settings))
    result = await Runner.run(agent, "[[thinking]] How is the weather?")
    check(result.final_output, LOOKED)
    kinds = [item.type for item in result.new_items]
    expected = ["reasoning_item", "message_output_item", "tool_call_item", "tool_call_output_item"]
    check(kinds, [*expected, "message_output_item"])


async def streamed(model):
    ran = []
    for agent in agents_of(model, tools=[weather(ran)]):
        result = Runner.run_streamed(agent, "[[thinking]] How is the weather?")
        text = ""
        items = []
        async for event in result.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                text += event.data.delta
            if event.type == "run_item_stream_event":
                items.append(event.name)
        check((text, result.final_output), ("I look." + LOOKED, LOOKED))
        assert {"tool_called", "tool_output", "message_output_created"} <= set(items), items
    check(ran, ["Zürich"] * 2)


async def handoff(model):
    for way in ("plain", "streamed"):
        ran = []
        tools = [weather(ran)]
        for agent, colleague in zip(agents_of(model), agents_of(model, tools=tools), strict=True):
            colleague.name = "Weather agent"
            agent.handoffs = [colleague]
            prompt = "[[handoff]] How is the weather?"
            if way == "plain":
                result = await Runner.run(agent, prompt)
            else:
                result = Runner.run_streamed(agent, prompt)
                async for _ in result.stream_events():
                    pass
            check((result.final_output, result.last_agent.name), (LOOKED, "Weather agent"))
        check(ran, ["Zürich"] * 2)


async def structured_output(model):
    for agent in agents_of(model, output_type=Forecast):
        result = await Runner.run(agent, "[[json]] A forecast")
        check(result.final_output, Forecast(city="Zürich", days=3))
        streamed = Runner.run_streamed(agent, "[[json]] A forecast")
        async for _ in streamed.stream_events():
            pass
        check(streamed.final_output, Forecast(city="Zürich", days=3))


async def guardrail(model):
    @input_guardrail
    async def refuse_forecasts(context, agent, given):
        checked = await Runner.run(next(agents_of(model, output_type=Forecast)), "[[json]] Check this")
        return GuardrailFunctionOutput(
            output_info=checked.final_output, tripwire_triggered=checked.final_output.days == 3
        )

    for agent in agents_of(model, input_guardrails=[refuse_forecasts]):
        try:
            await Runner.run(agent, "[[text]] Hello")
        except InputGuardrailTripwireTriggered:
            continue
        raise AssertionError("the guardrail did not stop it")


async def session(model):
    for at, agent in enumerate(agents_of(model, tools=[weather([])])):
        with tempfile.TemporaryDirectory() as folder:
            kept = SQLiteSession("conversation", os.path.join(folder, f"{at}.db"))
            first = await Runner.run(agent, "[[thinking]] How is the weather?", session=kept)
            check(first.final_output, LOOKED)
            second = await Runner.run(agent, "And tomorrow?", session=kept)
            check(second.final_output, LOOKED)
            roles = [item for item in await kept.get_items() if item.get("role") == "user"]
            check(len(roles), 2)
            kept.close()


tell_of_models(MODELS.split(","), [globals()[name] for name in FEATURES])
