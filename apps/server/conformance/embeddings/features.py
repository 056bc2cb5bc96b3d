"""Embeddings by the `openai` package and LangChain: `features.py <base URL> <key> <model> <feature>…`.

Prints one line of JSON for each feature: its name, and what was wrong, or null.

LlamaIndex is not here: `llama-index-embeddings-openai` brings about 230 MB (numpy, SQLAlchemy, Pillow, NLTK, …).
It asks by the `openai` package for texts in base64, as `openai_base64` does.
"""

import asyncio
import json
import sys
import traceback

import openai

BASE_URL, KEY, MODEL, *FEATURES = sys.argv[1:]
TEXTS = ["the cat sat on the mat", "a cat on a mat", "quarterly earnings"]

client = openai.OpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)


def check(told, expected):
    assert told == expected, f"{told!r} where {expected!r} was expected"


def dot(one, other):
    return sum(left * right for left, right in zip(one, other))


def check_vectors(vectors):
    first, second, third = vectors
    assert dot(first, second) > dot(first, third), "texts that are alike are not near each other"


def check_answer(answer):
    check(answer.model, MODEL)
    check([one.index for one in answer.data], [0, 1, 2])
    check_vectors([one.embedding for one in answer.data])
    check((answer.usage.prompt_tokens, answer.usage.cost_usd), (14, "0.00000028"))


def openai_base64():
    """The package asks for base64 where nobody says, and decodes it."""
    check_answer(client.embeddings.create(model=MODEL, input=TEXTS))


def openai_float():
    check_answer(client.embeddings.create(model=MODEL, input=TEXTS, encoding_format="float"))


def openai_tokens():
    answer = client.embeddings.create(model=MODEL, input=[[1, 2], [3]], dimensions=4, user="u")
    check([len(one.embedding) for one in answer.data], [4, 4])
    check(answer.usage.prompt_tokens, 3)


def openai_asynchronous():
    async def ask():
        own = openai.AsyncOpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)
        return await own.embeddings.create(model=MODEL, input=TEXTS)

    check_answer(asyncio.run(ask()))


def openai_errors():
    try:
        client.embeddings.create(model=MODEL, input=["a", ""])
    except openai.BadRequestError as error:
        check(error.param, "input[1]")
    else:
        raise AssertionError("an empty text was taken")


def langchain():
    """It splits texts into tokens itself, and sends their numbers."""
    from langchain_openai import OpenAIEmbeddings

    settings = {"model": MODEL, "api_key": KEY, "base_url": BASE_URL, "max_retries": 0}
    embeddings = OpenAIEmbeddings(**settings, check_embedding_ctx_length=False)
    vectors = embeddings.embed_documents(TEXTS)
    check_vectors(vectors)
    check(len(embeddings.embed_query(TEXTS[0])), len(vectors[0]))


for name in FEATURES:
    wrong = None
    try:
        globals()[name]()
    except Exception:  # Whatever it is, its test tells of it.
        wrong = traceback.format_exc()
    print(json.dumps({"name": name, "wrong": wrong}), flush=True)
