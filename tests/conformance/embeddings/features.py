"""Embeddings by `openai`, LangChain and LlamaIndex: `features.py <base URL> <key> <model> <feature>…`.

Prints one line of JSON for each feature: its name, and what was wrong, or null.
"""

import sys

import openai

from feature_run import check, tell

BASE_URL, KEY, MODEL, *FEATURES = sys.argv[1:]
TEXTS = ["the cat sat on the mat", "a cat on a mat", "quarterly earnings"]

client = openai.OpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)


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


async def openai_asynchronous():
    own = openai.AsyncOpenAI(api_key=KEY, base_url=BASE_URL, max_retries=0)
    check_answer(await own.embeddings.create(model=MODEL, input=TEXTS))


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


def llama_embedding(**settings):
    from llama_index.embeddings.openai import OpenAIEmbedding

    # It takes OpenAI's own names alone as `model`; `model_name` is for those of others.
    return OpenAIEmbedding(model_name=MODEL, api_key=KEY, api_base=BASE_URL, max_retries=0, **settings)


def llama_index():
    """Texts in batches of its own, and a query, which it asks for one by one."""
    vectors = llama_embedding(embed_batch_size=2).get_text_embedding_batch(TEXTS)
    check_vectors(vectors)
    check(llama_embedding().get_query_embedding(TEXTS[0]), vectors[0])


async def llama_index_asynchronous():
    check_vectors(await llama_embedding().aget_text_embedding_batch(TEXTS))


def llama_index_retrieval():
    """An index in memory: what is near to the question comes first."""
    from llama_index.core import Document, VectorStoreIndex

    documents = [Document(text=text) for text in TEXTS]
    index = VectorStoreIndex.from_documents(documents, embed_model=llama_embedding())
    found = index.as_retriever(similarity_top_k=1).retrieve("a cat on the mat")
    check([node.get_content() in TEXTS[:2] for node in found], [True])


for name in FEATURES:
    tell(name, globals()[name])
