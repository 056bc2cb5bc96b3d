import { allRecordings } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scripted, startSdkNode, thrownBy, type SdkNode } from '../sdk-node.ts'

/* OpenAI's recorded errors, word for word. */

const recordings = allRecordings()
const cases = recordings.cases.filter(({ api }) => api === 'embeddings')

describe('recorded refusals of embeddings', () => {
  let world: SdkNode

  beforeAll(async () => {
    const free = { free: true, operations: ['embed' as const] }
    world = await startSdkNode({ models: { 'openai/non-existent-embedding-model': free } })
  })

  afterAll(() => world.stop())

  test('include all recordings', () => {
    expect(new Set(cases.map(({ status }) => status))).toEqual(new Set([400, 404]))
  })

  test.each(cases)('$id', async (recorded) => {
    const { error } = JSON.parse(recordings.response(recorded.id).toString()) as {
      error: { message: string }
    }
    world.vendor.next({ script: scripted(recorded.status, { error }) })
    const input = 'This is a test'
    const model = `openai/${recorded.model}`
    const thrown = await thrownBy(world.client.embeddings.create({ model, input, dimensions: 8 }))
    const type = recorded.status === 404 ? 'not_found_error' : 'invalid_request_error'
    expect(thrown).toMatchObject({ status: recorded.status, type })
    expect(thrown.error).toMatchObject({ message: error.message, code: recorded.status })
  })
})
