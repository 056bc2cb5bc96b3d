"""Rankings by the `cohere` package: `features.py <origin> <key> <model> <feature>…`.

Prints one line of JSON for each feature: its name, and what was wrong, or null.
"""

import sys

import cohere

from feature_run import check, tell

ORIGIN, KEY, MODEL, *FEATURES = sys.argv[1:]
DOCUMENTS = ["quarterly earnings", "the cat sat on the mat", "a dog"]

client = cohere.Client(api_key=KEY, base_url=ORIGIN)


def texts():
    answer = client.rerank(model=MODEL, query="a cat", documents=DOCUMENTS, top_n=2)
    check([result.index for result in answer.results], [2, 1])
    scores = [result.relevance_score for result in answer.results]
    check(scores, sorted(scores, reverse=True))
    assert answer.id.startswith("rrk-"), answer.id


def returned_documents():
    answer = client.rerank(model=MODEL, query="earnings", documents=DOCUMENTS, return_documents=True)
    for result in answer.results:
        check(result.document.text, DOCUMENTS[result.index])


async def asynchronous():
    own = cohere.AsyncClient(api_key=KEY, base_url=ORIGIN)
    answer = await own.rerank(model=MODEL, query="a cat", documents=DOCUMENTS)
    check(len(answer.results), 3)


def errors():
    try:
        client.rerank(model=MODEL, query="", documents=DOCUMENTS)
    except cohere.BadRequestError as error:
        check(error.body["message"], "query: expected a string that is not empty.")
        return
    raise AssertionError("an empty query was taken")


for name in FEATURES:
    tell(name, globals()[name])
