import { describe, expect, test } from 'vitest'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { sdk, thrownBy } from '../sdk-node.ts'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Behaviour of `/v1/responses` beyond its SDKs' features: tags, vendors' tools, what it does not keep. */

const world = await suiteWorld(startFeatureNode())
const client = sdk(world.node, world.key.raw)

describe.each(styleNames)('a vendor of the style of %s', (style) => {
  const model = modelOf(style)

  test('refuses tools that it would have to run, by name', async () => {
    const tools = [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }]
    const error = await thrownBy(client.responses.create({ model, input: 'x', tools }))
    expect([error.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(error.param).toBe(style === 'openai-responses' ? 'tools[0].type' : 'tools[0]')
  })

  test('is called without a web search', async () => {
    const tools = [{ type: 'web_search' as const }]
    const response = await client.responses.create({ model, input: '[[text searched]] x', tools })
    expect(response.tools).toEqual([])
    expect(world.asked(style, '[[text searched]]').at(-1)).not.toHaveProperty('tools')
  })
})

describe('the SDK', () => {
  const model = modelOf('openai')

  test('sends tags, and finds them in the row of its request', async () => {
    const metadata = { tags: ['team-a'], purpose: 'test' } as unknown as Record<string, string>
    const response = await client.responses.create({ model, input: '[[text tagged]] x', metadata })
    const id = response.id.slice('resp_'.length)
    const row = await world.node.admin<{ tags: string[]; endpoint: string }>(
      `/accounts/${world.key.accountId}/usage/requests/${id}`,
    )
    expect([row.tags, row.endpoint]).toEqual([['team-a'], 'responses'])
    expect(world.asked('openai', '[[text tagged]]').at(-1)).not.toHaveProperty('metadata')
  })

  test('is told that nothing is kept', async () => {
    const kept = [
      client.responses.retrieve('resp_1'),
      client.responses.delete('resp_1'),
      client.conversations.create({}),
    ]
    for (const asked of kept) {
      const error = await thrownBy(asked)
      expect([error.status, error.message]).toEqual([404, expect.stringContaining('does not store')])
    }
    const error = await thrownBy(
      client.responses.create({ model, input: 'x', previous_response_id: 'resp_1' }),
    )
    expect([error.status, error.param]).toEqual([400, 'previous_response_id'])
  })
})

test('is told to use server-sent events instead of a WebSocket', async () => {
  const { hostname, port } = new URL(world.node.origin)
  const { request } = process.getBuiltinModule('node:http')
  const status = await new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    request({ hostname, port, path: '/v1/responses', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(426)
  expect((await fetch(`${world.node.baseUrl}/responses`)).status).toBe(405)
})
