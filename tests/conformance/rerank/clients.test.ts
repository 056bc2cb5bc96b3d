import { createCohere } from '@ai-sdk/cohere'
import { rerank } from 'ai'
import { describe, expect, test } from 'vitest'
import { testPythonFeatures } from '../python/test-features.ts'
import { startSdkNode } from '../sdk-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/* Unmodified client libraries for reranking, with the sandbox. */

const world = await suiteWorld(startSdkNode())

const documents = ['quarterly earnings', 'the cat sat on the mat', 'a dog']

const ranker = () =>
  createCohere({ baseURL: world.node.baseUrl, apiKey: world.key.raw }).reranking('sandbox/rerank')

test('the AI SDK ranks texts', async () => {
  const { ranking } = await rerank({ model: ranker(), query: 'a cat', documents, topN: 2, maxRetries: 0 })
  expect(ranking.map(({ originalIndex }) => originalIndex)).toEqual([2, 1])
  expect(ranking[0]!.document).toBe('a dog')
})

test('the AI SDK ranks objects', async () => {
  const objects = documents.map((text) => ({ text }))
  const { rerankedDocuments } = await rerank({
    model: ranker(),
    query: 'earnings',
    documents: objects,
    topN: 1,
    maxRetries: 0,
  })
  expect(rerankedDocuments).toEqual([objects[0]])
})

test('the AI SDK reads our errors', async () => {
  const asked = rerank({ model: ranker(), query: '', documents, maxRetries: 0 })
  await expect(asked).rejects.toMatchObject({
    statusCode: 400,
    message: 'query: expected a string that is not empty.',
  })
})

describe('Cohere’s package of Python', () => {
  const features = ['texts', 'returned_documents', 'asynchronous', 'errors']
  testPythonFeatures(import.meta.dirname, features, () => [
    world.node.origin,
    world.key.raw,
    'sandbox/rerank',
  ])
})
