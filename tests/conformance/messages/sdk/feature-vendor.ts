import type { ScriptStep, Vendor, VendorScript } from '@turnpike/simulators'
import { scripted } from '../../sdk-node.ts'
import { list, object, text, type Json } from '../../vendors/oracle/json.ts'
import {
  streamScript,
  type ScriptedAnswer,
  type ScriptedUsage,
} from '../../vendors/scripted/scripted-answer.ts'
import { styledVendor, styles, type Asked } from '../../vendors/scripted/styled-vendor.ts'

/**
 * The behaviour of a vendor of each style for each feature of the SDKs. A request names the feature as
 * `[[feature]]` in its text, so that clients in other processes can select it too.
 */

export const usage: ScriptedUsage = { input: 12, cached: 100, output: 40, reasoning: 25 }
export const said = 'Grüße aus Zürich 🙂'
export const thought = { text: 'The tool „get_weather“ knows.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
export const called = { id: 'Abc123xyz', name: 'get_weather', arguments: { city: 'Zürich' } }
export const handedOver = { id: 'Ghi789rst', name: 'transfer_to_weather_agent', arguments: {} }
/** A call of a tool that takes free text. */
export const noted = { id: 'Jkl012opq', name: 'write_note', arguments: { input: 'Grüße: „7 °C“\n' } }
export const looked = 'It is 7 °C in Zürich.'
export const forecast = { city: 'Zürich', days: 3 }
export const written = { fiveMinutes: 30, oneHour: 7 }
export const counted = 2_095

const saidAnswer: ScriptedAnswer = { text: said, usage }

const answers: Record<string, (asked: Asked) => ScriptedAnswer> = {
  text: () => saidAnswer,
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
  // The model hands over to another agent, which has the tool.
  handoff({ body, rounds }) {
    if (offers(body, 'transfer_to_')) return { id: 'zeroth', calls: [handedOver], usage }
    return rounds < 2 ? { id: 'first', calls: [called], usage } : lookedAnswer
  },
  custom: ({ rounds }) => (rounds === 0 ? { id: 'first', calls: [noted], usage } : lookedAnswer),
  long: () => ({ text: said, usage, ending: 'length' }),
  refused: () => ({ text: said, usage, ending: 'refused' }),
  // For clients that express a schema as a tool, under any name.
  called: ({ body }) => ({ calls: [{ ...called, name: toolNameIn(body), arguments: forecast }], usage }),
  // If a tool represents the schema, it is called.
  json: ({ body }) =>
    list(body['tools']).length === 0
      ? { text: JSON.stringify(forecast), usage }
      : { calls: [{ id: 'Abc123xyz', name: 'json', arguments: forecast }], usage },
}

function offers(body: Json, name: string): boolean {
  return JSON.stringify(body['tools'] ?? []).includes(`"${name}`)
}

function toolNameIn(body: Json): string {
  const [tool] = list(body['tools'])
  const [declared] = list(tool?.['functionDeclarations'])
  return text(declared?.['name'] ?? tool?.['name'] ?? object(tool?.['function'])['name'])
}

const lookedAnswer: ScriptedAnswer = { id: 'second', text: looked, usage }

interface Failure {
  status: number
  headers: Record<string, string>
  times: number
  message?: string
}

/** Fails this often before it answers. A word after the feature names the request: `[[limited abc]]`. */
const failures: Record<string, Failure> = {
  limited: { status: 429, headers: { 'retry-after': '1' }, times: 1 },
  overloaded: { status: 529, headers: { 'retry-after': '1' }, times: 1 },
  failing: { status: 500, headers: {}, times: Infinity },
  overlong: {
    status: 400,
    headers: {},
    times: Infinity,
    message: 'prompt is too long: 9000 tokens > 8192 maximum',
  },
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
      if (times > failure.times) return saidAnswer
      const message = failure.message ?? 'Not now.'
      return scripted(failure.status, { error: { message } }, failure.headers)
    }
    if (feature === 'silent') return broken(request, { type: 'hang' })
    if (feature === 'paused') return paused(request)
    if (feature === 'cut') return broken(request, { type: 'end' })
    return (answers[feature] ?? answers['text']!)(request)
  })
}

/** Longer than the silence after which the gateway sends a keep-alive. */
const pauseMs = 11_500

/** An answer with a pause in its middle. */
function paused({ style }: Asked): VendorScript {
  const script = streamScript(styles[style].says, { text: said, usage })
  const steps = script.steps.flatMap((step): ScriptStep[] => {
    if (step.type !== 'bytes') return [step]
    const events = step.bytes.toString().split(/(?<=\n\r?\n)/u)
    const half = events.findIndex((event) => event.includes('Gr')) + 1
    const part = (some: readonly string[]): ScriptStep => ({ ...step, bytes: Buffer.from(some.join('')) })
    return [part(events.slice(0, half)), { type: 'delay', delayMs: pauseMs }, part(events.slice(half))]
  })
  return { ...script, steps }
}

/** A long answer that stops after a part of its text, followed by this step. */
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
