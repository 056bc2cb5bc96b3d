import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { object } from '../vendors/oracle/json.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import {
  modelOf,
  styledInput,
  styleNames,
  styles,
  type StyleName,
} from '../vendors/scripted/styled-vendor.ts'
import { costUsd } from '../vendors/vendor-node.ts'
import { callers } from './callers.ts'
import { errorEvents } from './error-events.ts'
import { suiteKey, suiteNode, suiteVendor, testBooks } from '../../nodes/suite.ts'

/** Every caller format with every style of vendor, through the running gateway. */

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const call = {
  id: 'Abc123xyz',
  name: 'get_weather',
  arguments: { city: 'Zürich', note: 'größer als „2“ 🌍' },
}
const answer: ScriptedAnswer = {
  reasoning: { text: 'Zwei Städte 🌍.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' },
  text: 'Grüße aus Zürich 🙂',
  calls: [call],
  usage,
}

const vendor = suiteVendor()
const node = suiteNode(() => ({ ...styledInput(vendor), billing: { read_on_seconds: 0 } }))
const key = suiteKey(node)

const pairs = callers.flatMap(([name, caller]) =>
  styleNames.map((style): [string, StyleName, (typeof callers)[number][1]] => [name, style, caller]),
)

describe.each(pairs)('%s with a vendor of the style %s', (_name, style, caller) => {
  const { says } = styles[style]
  const model = modelOf(style)
  const callsNoTools = caller.callsNoTools === true

  function ask(stream: boolean, signal?: AbortSignal): Promise<Response> {
    return node.postTo(key, caller.address(model, stream), caller.request(model, stream), { signal })
  }

  test('gives the same plain and streamed answer, including usage and cost', async () => {
    vendor.next({ script: plainScript(says, answer) })
    const plain = object(await (await ask(false)).json())
    vendor.next({ script: streamScript(says, answer), split: { seed: 7, meanBytes: 3 } })
    const response = await ask(true)
    const text = await response.text()
    const streamed = caller.readStream(text)
    expect(streamed).toMatchObject({ ended: true, error: undefined })
    const plainAnswer = caller.readWhole(plain)
    expect(streamed.answer).toEqual(plainAnswer)
    const [choice] = plainAnswer.choices
    expect(choice).toMatchObject({
      text: answer.text,
      reasoning: answer.reasoning!.text,
      toolCalls: callsNoTools ? [] : [{ name: call.name, arguments: call.arguments }],
      finish: callsNoTools ? 'stop' : 'tool_calls',
    })
    expect(plainAnswer.usage).toMatchObject({ prompt: 112, completion: 65, cached: 100 })
    const cost = costUsd({
      prompt: 112,
      completion: 65,
      cached: 100,
      cacheWritten: 0,
      written1h: 0,
      reasoning: 25,
    })
    expect(object(plain['usage'] ?? plain['usageMetadata'])['cost_usd']).toBe(cost)
    expect(text).toContain(`"cost_usd":"${cost}"`)
  })

  test("passes on the vendor's error in the middle of a stream, and nothing after it", async () => {
    const whole = bytesOf(streamScript(says, { text: `first ${'and more '.repeat(4)}`, usage }))
    const events = whole.split(/(?<=\r?\n\r?\n)/u)
    const at = events.findIndex((event) => event.includes('first')) + 1
    const broken = [...events.slice(0, at), errorEvents[style], ...events.slice(at)].join('')
    vendor.next({ script: scriptOf(broken) })
    const stream = caller.readStream(await (await ask(true)).text())
    expect(stream).toMatchObject({ ended: false, error: expect.stringMatching(/./u) as string })
    const [choice] = stream.answer.choices
    expect(choice!.text).toMatch(/^first/u)
    expect(choice!.text.length).toBeLessThan(whole.length / 2)
    expect('first and more and more and more and more ').toContain(choice!.text)
    expect(choice!.text).not.toBe('first and more and more and more and more ')
  })

  test("leaves the vendor's stream when its client leaves, and charges for what came", async () => {
    vendor.next({
      script: streamScript(says, { text: 'first '.repeat(40), usage }),
      fault: { kind: 'stall', at: 0.6 },
    })
    const controller = new AbortController()
    const response = await ask(true, controller.signal)
    const reader = response.body!.getReader()
    await reader.read()
    controller.abort()
    await vendor.journal.awaitSettled()
    expect(vendor.journal.entries.at(-1)!.ending).toBe('client-closed')
    const id = response.headers.get('x-request-id')!
    const path = `/accounts/${key.accountId}/usage/requests/${id}`
    await expect
      .poll(() => node.admin<{ outcome: string; cost_usd: string }>(path).catch(() => undefined), {
        timeout: 60_000,
      })
      .toMatchObject({ outcome: 'client_closed', cost_usd: expect.stringMatching(/[1-9]/u) as string })
  })
})

testBooks({ node })

function bytesOf({ steps }: VendorScript): string {
  return steps.map((step) => (step.type === 'bytes' ? step.bytes.toString() : '')).join('')
}

/** A stream that comes in one piece. */
function scriptOf(text: string): VendorScript {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [{ type: 'head' }, { type: 'bytes', bytes: Buffer.from(text), tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
