import type { VendorScript } from '@turnpike/simulators'
import { foldedChunks } from '../folded-chunks.ts'
import { list, object, text, type Json } from '../oracle/json.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../scripted/scripted-answer.ts'
import { scriptedFormats, startScriptedNode } from '../scripted/scripted-node.ts'
import { toldChunks } from '../told-answer.ts'

/** A gateway in front of one vendor of each format, for one request after another. */
export interface TrapNode {
  /** @param answer how the vendor answers; by default with one word */
  ask(vendor: string, request: Json, answer?: ScriptedAnswer | VendorScript): Promise<Asked>
  stop(): Promise<void>
}

export interface Asked {
  status: number
  headers: Headers
  /** The whole answer, which for a stream is what its client assembles. */
  body: Json
  /** Payloads of a stream. */
  chunks: Json[]
  done: boolean
  /** The vendor's request; undefined if it was not called. */
  sent: Json | undefined
}

export const usage = { input: 12, cached: 0, output: 40, reasoning: 0 }
const word: ScriptedAnswer = { text: 'Yes.', usage }

export async function startTrapNode(): Promise<TrapNode> {
  const world = await startScriptedNode()
  return {
    async ask(vendor, request, answer = word) {
      const { says } = scriptedFormats.find((one) => one.vendor === vendor)!
      const model = world.names.find((name) => name.startsWith(vendor))!
      const scripted = request['stream'] === true ? streamScript : plainScript
      const { entries } = world.vendor.journal
      const before = entries.length
      world.vendor.next({ script: 'steps' in answer ? answer : scripted(says, answer) })
      const response = await world.node.chat(world.key, { model, messages: asked('Well?'), ...request })
      const raw = await response.text()
      const sent = entries[before]?.request.body.toString('utf8')
      // A refused request must not leave its script for the next one.
      if (sent === undefined) world.vendor.director.forgetPlans()
      const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      const { chunks, done } = streamed ? toldChunks(raw) : { chunks: [], done: false }
      return {
        status: response.status,
        headers: response.headers,
        body: streamed ? foldedChunks(chunks) : object(JSON.parse(raw)),
        chunks,
        done,
        sent: sent === undefined ? undefined : object(JSON.parse(sent)),
      }
    },
    stop: () => world.stop(),
  }
}

export function asked(content: string): Json[] {
  return [{ role: 'user', content }]
}

/** The vendor's fixed answer to any request. */
export function script(body: unknown, status = 200, headers: Record<string, string> = {}): VendorScript {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}

export function messageOf({ body }: Asked): Json {
  return object(list(body['choices'])[0]!['message'])
}

export function finishOf({ body }: Asked): unknown {
  return list(body['choices'])[0]!['finish_reason']
}

export function callsOf(answer: Asked): { id: string; name: string; arguments: string }[] {
  return list(messageOf(answer)['tool_calls']).map((call) => {
    const called = object(call['function'])
    return { id: text(call['id']), name: text(called['name']), arguments: text(called['arguments']) }
  })
}

export function errorOf({ body }: Asked): Json {
  return object(body['error'])
}

/** A function tool by name, with this schema for its arguments. */
export function toolOf(name: string, parameters: object = { type: 'object', properties: {} }): Json {
  return { type: 'function', function: { name, description: `Does ${name}.`, parameters } }
}

/** A call as a client sends it back. */
export function calledOf(id: string, name: string, given: object = {}): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }
}
