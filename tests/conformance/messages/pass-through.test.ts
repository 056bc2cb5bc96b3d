import Anthropic from '@anthropic-ai/sdk'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../nodes/suite.ts'
import { startVendorNode } from '../vendors/vendor-node.ts'

const recordings = allRecordings()
const cases = recordings.cases.filter(
  ({ vendor, api, stream, status, form }) =>
    vendor === 'anthropic' && api === 'messages' && stream && status === 200 && form === 'sse-raw',
)

describe("Messages to Anthropic passes the vendor's own bytes", () => {
  const models = cases.map(({ id, vendor }) => ({
    vendor,
    model: 'claude-recorded',
    plan: { case: id, label: id },
  }))
  const world = suiteStart(() => startVendorNode(models, recordings))

  const named = cases.map((recorded, index): [string, RecordedCase, number] => [recorded.id, recorded, index])

  test.each(named)('%s', async (_id, recorded, index) => {
    const model = world.names[index]!
    const response = await fetch(`${world.node.origin}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': world.key.raw, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        max_tokens: 4_000,
        stream: true,
        messages: [{ role: 'user', content: 'x' }],
      }),
    })
    const receivedEvents = eventsOf(await response.text())
    const recordedEvents = eventsOf(recordings.response(recorded.id).toString('utf8'))
    // An answer that broke off ends with the gateway's own error.
    const broken = receivedEvents.at(-1)!.startsWith('event: error')
    if (broken) receivedEvents.pop()
    expect(receivedEvents.map((event) => unchanged(event, model))).toEqual(
      recordedEvents
        .slice(0, broken ? receivedEvents.length : undefined)
        .map((event) => unchanged(event, model)),
    )
    if (!broken) expect(receivedEvents.at(-2)).toMatch(/"cost_usd":"0\.\d+","cost":[\d.e-]+\}/u)
  })

  test("sends the caller's version and betas, and no key of ours", async () => {
    const client = new Anthropic({ apiKey: world.key.raw, baseURL: world.node.origin, maxRetries: 0 })
    const body = {
      model: world.names[0]!,
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'x' }],
    }
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m-2025-08-07,other' }
    await client.messages.stream(body, { headers }).finalMessage()
    const { request } = world.vendor.journal.findByLabel(cases[0]!.id).at(-1)!
    expect(request.headers).toMatchObject(headers)
    expect(JSON.stringify(request.headers)).not.toContain(world.key.raw)
  })
})

function eventsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .filter((event) => event.trim() !== '')
}

/** An event without what may differ: the model's name, and the usage of the whole. */
function unchanged(event: string, model: string): string {
  if (event.startsWith('event: message_start'))
    return event.replace(/"model":\s*"[^"]*"/u, `"model":"${model}"`)
  if (!event.startsWith('event: message_delta')) return event
  return event.replace(/,?\s*"usage":\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/u, '')
}
