import type { ScriptStep, Vendor, VendorScript } from '@turnpike/simulators'
import { scripted } from '../../sdk-node.ts'
import { list } from '../../vendors/oracle/json.ts'
import {
  streamScript,
  type ScriptedAnswer,
  type ScriptedUsage,
} from '../../vendors/scripted/scripted-answer.ts'
import { styledVendor, styles, type Asked } from '../../vendors/scripted/styled-vendor.ts'

/**
 * What a vendor of each style does for each feature of the SDKs: a request names it as `[[feature]]` in its
 * text, so that clients of other processes can ask for it too.
 */

export const usage: ScriptedUsage = { input: 12, cached: 100, output: 40, reasoning: 25 }
export const said = 'Grüße aus Zürich 🙂'
export const thought = { text: 'The tool „get_weather“ knows.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
export const called = { id: 'Abc123xyz', name: 'get_weather', arguments: { city: 'Zürich' } }
export const looked = 'It is 7 °C in Zürich.'
export const forecast = { city: 'Zürich', days: 3 }
export const written = { fiveMinutes: 30, oneHour: 7 }
export const counted = 2_095

const text: ScriptedAnswer = { text: said, usage }

const answers: Record<string, (asked: Asked) => ScriptedAnswer> = {
  text: () => text,
  tool: ({ rounds }) =>
    rounds === 0 ? { id: 'first', text: 'I look.', calls: [called], usage } : lookedAnswer,
  two: ({ rounds }) =>
    rounds === 0
      ? { id: 'first', calls: [called, { ...called, id: 'Def456uvw', arguments: { city: 'Bern' } }], usage }
      : lookedAnswer,
  thinking: ({ rounds }) =>
    rounds === 0
      ? { id: 'first', reasoning: thought, text: 'I look.', calls: [called], usage }
      : lookedAnswer,
  cache: ({ style }) => ({ text: said, usage: style === 'anthropic' ? { ...usage, written } : usage }),
  // Where a tool stands for the schema, it is called.
  json: ({ body }) =>
    list(body['tools']).length === 0
      ? { text: JSON.stringify(forecast), usage }
      : { calls: [{ id: 'Abc123xyz', name: 'json', arguments: forecast }], usage },
}

const lookedAnswer: ScriptedAnswer = { id: 'second', text: looked, usage }

/** Fails this often before it answers, by the word that follows the feature's: `[[limited abc]]`. */
const failures: Record<string, { status: number; headers: Record<string, string>; times: number }> = {
  limited: { status: 429, headers: { 'retry-after': '1' }, times: 1 },
  overloaded: { status: 529, headers: { 'retry-after': '1' }, times: 1 },
}

export function featureVendor(): Vendor {
  const asked = new Map<string, number>()
  return styledVendor((request) => {
    if (request.path.endsWith('/count_tokens')) return scripted(200, { input_tokens: counted })
    const [whole = 'text', feature = 'text'] = /\[\[(\w+)[^\]]*\]\]/u.exec(JSON.stringify(request.body)) ?? []
    const failure = failures[feature]
    if (failure !== undefined) {
      const times = (asked.get(request.style + whole) ?? 0) + 1
      asked.set(request.style + whole, times)
      if (times > failure.times) return text
      return scripted(failure.status, { error: { message: 'Not now.' } }, failure.headers)
    }
    if (feature === 'silent') return broken(request, { type: 'hang' })
    if (feature === 'cut') return broken(request, { type: 'end' })
    return (answers[feature] ?? answers['text']!)(request)
  })
}

/** A long answer that stops after some of its text, and then this happens. */
function broken({ style }: Asked, last: ScriptStep): VendorScript {
  const script = streamScript(styles[style].says, { text: said.repeat(20), usage })
  const steps = script.steps.flatMap((step): ScriptStep[] => {
    if (step.type !== 'bytes') return step.type === 'end' ? [last] : [step]
    const events = step.bytes.toString().split(/(?<=\n\r?\n)/u)
    const half = events.findIndex((event) => event.includes('Gr')) + 1
    return [{ ...step, bytes: Buffer.from(events.slice(0, half).join('')) }]
  })
  return { ...script, steps }
}
