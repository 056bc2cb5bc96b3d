import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createOpenAI } from '@ai-sdk/openai'
import { OpenAIEmbeddings } from '@langchain/openai'
import { cosineSimilarity, embed, embedMany } from 'ai'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startSdkNode, type SdkNode } from '../sdk-node.ts'

/* What makes vectors for its users, unchanged, before the simulated vendor. */

const model = 'openai/text-embedding-3-small'
const python = inject('pythonProgram')
const texts = ['the cat sat on the mat', 'a cat on a mat', 'quarterly earnings']

let world: SdkNode

beforeAll(async () => {
  world = await startSdkNode()
})

afterAll(async () => {
  await world.stop()
})

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

describe.skipIf(python === null)('Python', () => {
  const script = join(import.meta.dirname, 'features.py')

  test.each([
    'openai_base64',
    'openai_float',
    'openai_tokens',
    'openai_asynchronous',
    'openai_errors',
    'langchain',
  ])('%s', async (feature) => {
    const { stdout } = await promisify(execFile)(
      python!,
      [script, world.node.baseUrl, world.key.raw, model, feature],
      { env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' } },
    )
    expect(JSON.parse(stdout)).toEqual({ name: feature, wrong: null })
  })
})
