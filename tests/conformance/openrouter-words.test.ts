import { describe, expect, test } from 'vitest'
import { startSdkNode } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

/* OpenRouter's clients send fields of its own to any gateway. */

const world = await suiteWorld(startSdkNode())

async function asked(body: object): Promise<{ text: string; sent: Record<string, unknown> }> {
  const messages = [{ role: 'user', content: 'Hello [sandbox: pace=0]' }]
  const response = await world.node.chat(world.key, { model: 'openai/gpt-4o-mini', messages, ...body })
  expect(response.status).toBe(200)
  return { text: await response.text(), sent: world.lastRequest().json }
}

/** Counts the chunks that report a cost. */
const counted = (text: string): number => [...text.matchAll(/^data: .*"usage":\{/gmu)].length

describe('OpenRouter’s fields', () => {
  test('usage.include requests the usage of a stream', async () => {
    expect(counted((await asked({ stream: true })).text)).toBe(0)
    expect(counted((await asked({ stream: true, usage: { include: false } })).text)).toBe(0)
    const { text, sent } = await asked({ stream: true, usage: { include: true } })
    expect(counted(text)).toBe(1)
    expect(text).toMatch(/"cost_usd":"0\.0/u)
    expect(sent['stream_options']).toEqual({ include_usage: true })
  })

  test.each([
    ['usage', { include: true }],
    ['provider', { require_parameters: true }],
    ['provider', { require_parameters: false }],
  ])('%s %j is not sent to a vendor that does not have it', async (name, value) => {
    const { sent } = await asked({ [name]: value, stream: false })
    expect(Object.keys(sent)).not.toContain(name)
  })

  test('other fields of OpenRouter pass unchanged', async () => {
    const usage = { include: true, details: 1 }
    expect((await asked({ usage })).sent['usage']).toEqual(usage)
  })
})
