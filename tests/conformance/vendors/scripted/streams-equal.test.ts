import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../../nodes/suite.ts'
import { foldedChunks } from '../folded-chunks.ts'
import { list, object, type Json } from '../oracle/json.ts'
import { toldChunks } from '../told-answer.ts'
import { plainScript, streamScript, type ScriptedAnswer } from './scripted-answer.ts'
import { allFormats, startScriptedNode } from './scripted-node.ts'

/** A stream that its client assembles equals the plain answer in every field. */

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const reasoning = { text: 'Zwei Städte: „größer“ heißt hier 🌍.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const calls = [
  { id: 'call01abc', name: 'get_weather', arguments: { city: 'Zürich', days: 2 } },
  { id: 'call02abc', name: 'get_time', arguments: {} },
]

const answers: [string, ScriptedAnswer][] = [
  ['text', { text: 'Grüße aus Zürich 🙂', usage }],
  ['reasoning and text', { reasoning, text: 'Es regnet.', usage }],
  ['two calls', { calls, usage }],
  ['reasoning, text and two calls', { reasoning, text: 'Ich sehe nach.', calls, usage }],
]

/** Vendors that support several answers to one request. */
const severalAnswers = new Set(['openai', 'gemini', 'mistral'])

describe.each(allFormats)('$vendor', ({ vendor, says }) => {
  const world = suiteStart(startScriptedNode)
  const modelName = (): string => world.names.find((name) => name.startsWith(vendor))!

  test.each(answers)('%s', async (_what, answer) => {
    await expectSame([answer])
  })

  test.runIf(severalAnswers.has(vendor))('two choices', async () => {
    const plain = await expectSame([answers[1]![1], { text: 'Nein.', usage }])
    expect(list(plain['choices'])).toHaveLength(2)
  })

  async function expectSame(said: ScriptedAnswer[]): Promise<Json> {
    const n = said.length === 1 ? {} : { n: said.length }
    const request = { model: modelName(), messages: [{ role: 'user', content: 'Weather?' }], ...n }
    world.vendor.next({ script: plainScript(says, ...said), split: { seed: 7 } })
    const plain = object(await (await world.node.chat(world.key, request)).json())
    world.vendor.next({ script: streamScript(says, ...said), split: { seed: 7 } })
    const options = { stream: true, stream_options: { include_usage: true } }
    const stream = await world.node.chat(world.key, { ...request, ...options })
    const { chunks, done } = toldChunks(await stream.text())
    expect(done).toBe(true)
    expect(comparable(foldedChunks(chunks))).toEqual(comparable(plain))
    return plain
  }
})

/** Identifiers of the answer may differ, and nulls do not count. */
function comparable(body: Json): Json {
  const { id: _id, created: _created, object: _object, ...answer } = body
  return { ...answer, choices: list(answer['choices']).map((choice) => withoutNulls(choice)) }
}

function withoutNulls(holder: Json): Json {
  const entries = Object.entries(holder)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, name === 'message' ? withoutNulls(object(value)) : value])
  return Object.fromEntries(entries) as Json
}
