import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { scripted, startSdkNode, thrownBy } from '../sdk-node.ts'
import { suiteStart } from '../../nodes/suite.ts'

/* OpenAI's recorded errors, word for word. */

const recordings = allRecordings()
const cases = recordings.cases.filter(({ api }) => api === 'embeddings')

describe('recorded refusals of embeddings', () => {
  const free = { free: true, operations: ['embed' as const] }
  const world = suiteStart(() => startSdkNode({ models: { 'openai/non-existent-embedding-model': free } }))

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
