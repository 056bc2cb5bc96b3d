import { createOpenAI } from '@ai-sdk/openai'
import { OpenAIEmbeddings } from '@langchain/openai'
import { cosineSimilarity, embed, embedMany } from 'ai'
import { describe, expect, test } from 'vitest'
import { testPythonFeatures } from '../python/test-features.ts'
import { startSdkNode } from '../sdk-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/* Unmodified client libraries for embeddings, with the simulated vendor. */

const model = 'openai/text-embedding-3-small'
const texts = ['the cat sat on the mat', 'a cat on a mat', 'quarterly earnings']

const world = await suiteWorld(startSdkNode())

function expectNear([first, second, third]: number[][]): void {
  expect(cosineSimilarity(first!, second!)).toBeGreaterThan(cosineSimilarity(first!, third!))
}

describe('LangChain', () => {
  const embeddings = (): OpenAIEmbeddings =>
    new OpenAIEmbeddings({
      model,
      apiKey: world.key.raw,
      configuration: { baseURL: world.node.baseUrl },
      dimensions: 64,
      maxRetries: 0,
    })

  test('documents and a query', async () => {
    const vectors = await embeddings().embedDocuments(texts)
    expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64])
    expectNear(vectors)
    expect(await embeddings().embedQuery(texts[0]!)).toEqual(vectors[0])
  })
})

describe('the AI SDK', () => {
  const embedder = () => createOpenAI({ baseURL: world.node.baseUrl, apiKey: world.key.raw }).embedding(model)

  test('embed and embedMany', async () => {
    const { embeddings, usage } = await embedMany({ model: embedder(), values: texts, maxRetries: 0 })
    expectNear(embeddings)
    expect(usage.tokens).toBe(14)
    const { embedding } = await embed({ model: embedder(), value: texts[0]!, maxRetries: 0 })
    expect(embedding).toEqual(embeddings[0])
  })
})

describe('Python', () => {
  const features = [
    'openai_base64',
    'openai_float',
    'openai_tokens',
    'openai_asynchronous',
    'openai_errors',
    'langchain',
    'llama_index',
    'llama_index_asynchronous',
    'llama_index_retrieval',
  ]
  testPythonFeatures(import.meta.dirname, features, () => [world.node.baseUrl, world.key.raw, model])
})
