import { openaiResponsesCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { count, list, object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer, SaidChoice, SaidProof, SaidUsage } from '../vendors/oracle/said-answer.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { expectFirstChoice } from './told-choices.ts'

/** Prefix of another vendor's proof in `encrypted_content`. */
const wrapped = 'turnpike.'
const lastEvents = ['response.completed', 'response.incomplete', 'response.failed']

export const openaiResponses: CallerUnderTest = {
  format: openaiResponsesCaller,

  address: () => openaiResponsesCaller.path,

  request: (model, stream) => ({ model, input: 'Hello', ...(stream ? { stream } : {}) }),

  readStream(body) {
    const events = eventsOf(body)
    const last = events.at(-1)
    const type = text(last?.['type'])
    expect(events.slice(0, -1).filter((event) => lastEvents.includes(text(event['type'])))).toEqual([])
    const response = object(last?.['response'])
    const failed = type === 'response.failed'
    const ended = lastEvents.includes(type) && !failed
    const items = itemsOf(events)
    if (ended) {
      expect(`response.${text(response['status'])}`).toBe(type)
      expect(items.map(withoutProof)).toEqual(list(response['output']).map(withoutProof))
    }
    const whole = { ...response, output: items }
    return {
      answer: saidBy(whole),
      ended,
      error: failed ? text(object(response['error'])['message']) : undefined,
    }
  },

  readWhole: (body) => saidBy(body),

  readError({ error }) {
    const { message, type } = object(error)
    return text(type) === '' || text(message) === '' ? undefined : text(message)
  },

  expectTold: (told, said, recorded) => expectFirstChoice(told, said, recorded, comparable, counts),
}

/** Only an incomplete answer has a reason for its end; missing arguments are an empty object. */
function comparable({ text: said, refusal, reasoning, finish, toolCalls }: SaidChoice): object {
  return {
    text: said,
    refusal,
    reasoning,
    cut: finish === 'length' || finish === 'content_filter' ? finish : undefined,
    toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given: given === '' ? {} : given })),
  }
}

/** It has no counts for audio and pictures. */
function counts(usage: SaidUsage | undefined): object | undefined {
  if (usage === undefined) return undefined
  const { written1h: _within, ...rest } = usage
  return rest
}

function eventsOf(body: string): Json[] {
  const blocks = body.split('\n\n').filter((one) => one !== '' && !one.startsWith(':'))
  return blocks.map((one, index) => {
    const [name, data] = one.split('\n')
    const event = object(JSON.parse(data!.slice('data: '.length)))
    expect(name).toBe(`event: ${text(event['type'])}`)
    expect(event['sequence_number']).toBe(index)
    return event
  })
}

/** OpenAI encrypts it anew for each event; nothing else may differ. */
function withoutProof({ encrypted_content: proof, ...item }: Json): Json {
  return { ...item, isProven: text(proof) !== '' }
}

/** Items that the gateway creates. An item that passes through is as its vendor sent it. */
const ownId = /^[a-z]+_(?:req_\w+|bridged)_\d+$/u

/** Finished items, and the accumulated deltas of open ones, each at its place. */
function itemsOf(events: readonly Json[]): Json[] {
  const items: Json[] = []
  let open: Json | undefined
  for (const event of events) {
    const type = text(event['type'])
    if (event['output_index'] === undefined) continue
    expect(event['output_index']).toBe(items.length)
    if (type === 'response.output_item.added') {
      expect(open).toBeUndefined()
      open = object(structuredClone(event['item']))
    } else if (type === 'response.output_item.done') {
      const item = object(event['item'])
      if (isTold(open!)) expect(textsOf(item)).toEqual(textsOf(open!))
      items.push(item)
      open = undefined
    } else {
      if (ownId.test(text(open?.['id']))) expect(event['item_id']).toBe(open?.['id'])
      if (type.endsWith('.delta') && isTold(open!)) grow(open!, type, event)
    }
  }
  return open === undefined ? items : [...items, open]
}

/** Vendors report other tools that they run in events of their own. */
function isTold(item: Json): boolean {
  return ownId.test(text(item['id'])) || toldTypes.has(text(item['type']))
}

const toldTypes = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call'])

function grow(item: Json, type: string, event: Json): void {
  const delta = text(event['delta'])
  switch (type) {
    case 'response.function_call_arguments.delta':
      item['arguments'] = text(item['arguments']) + delta
      return
    case 'response.custom_tool_call_input.delta':
      item['input'] = text(item['input']) + delta
      return
    case 'response.reasoning_summary_text.delta':
      return growPart(item, 'summary', { type: 'summary_text', at: event['summary_index'], delta })
    case 'response.reasoning_text.delta':
      return growPart(item, 'content', { type: 'reasoning_text', at: event['content_index'], delta })
    case 'response.output_text.delta':
      return growPart(item, 'content', { type: 'output_text', at: event['content_index'], delta })
    case 'response.refusal.delta':
      return growPart(item, 'content', { type: 'refusal', at: event['content_index'], delta })
    default:
      throw new Error(`${type} is no delta of Responses`)
  }
}

function growPart(item: Json, name: string, piece: { type: string; at: unknown; delta: string }): void {
  const parts = (item[name] ??= []) as Json[]
  const part = (parts[Number(piece.at)] ??= { type: piece.type })
  const member = piece.type === 'refusal' ? 'refusal' : 'text'
  part[member] = text(part[member]) + piece.delta
}

function textsOf(item: Json): unknown {
  const parts = [...list(item['summary']), ...list(item['content'])]
  return [parts.map(({ text: said, refusal }) => said ?? refusal), item['arguments'], item['input']]
}

function saidBy(response: Json): SaidAnswer {
  const items = list(response['output'])
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? list(content) : []))
  const thoughts = items.filter(({ type }) => type === 'reasoning')
  const calls = items.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
  const cut = text(object(response['incomplete_details'])['reason'])
  const choice: SaidChoice = {
    text: parts.map((part) => text(part['text'])).join(''),
    refusal: parts.map((part) => text(part['refusal'])).join(''),
    reasoning: thoughts.map(thoughtIn).join(''),
    toolCalls: calls.map(({ call_id: id, name, type, arguments: given, input }) => ({
      id: text(id),
      name: text(name),
      arguments: type === 'function_call' ? parsed(text(given)) : text(input),
    })),
    proofs: thoughts.flatMap(proofIn),
    finish: finishOf(cut, calls.length > 0),
  }
  return { choices: [choice], usage: usageIn(response['usage']) }
}

function finishOf(cut: string, calls: boolean): string {
  if (cut === '') return calls ? 'tool_calls' : 'stop'
  return cut === 'max_output_tokens' ? 'length' : cut
}

function thoughtIn({ summary, content }: Json): string {
  const parts = [...list(summary), ...list(content)]
  return parts.map((part) => text(part['text'])).join('')
}

function proofIn(item: Json): SaidProof[] {
  const proof = text(item['encrypted_content'])
  if (!proof.startsWith(wrapped)) return []
  const { signature, encrypted } = object(
    JSON.parse(Buffer.from(proof.slice(wrapped.length), 'base64url').toString('utf8')),
  )
  if (encrypted !== undefined) return [{ encrypted: text(encrypted) }]
  return signature === undefined ? [] : [{ signature: text(signature), text: thoughtIn(item) }]
}

function usageIn(value: unknown): SaidUsage | undefined {
  if (value === null || value === undefined) return undefined
  const usage = object(value)
  const input = object(usage['input_tokens_details'])
  return {
    prompt: count(usage['input_tokens']),
    completion: count(usage['output_tokens']),
    cached: count(input['cached_tokens']),
    cacheWritten: count(input['cache_write_tokens']),
    written1h: 0,
    reasoning: count(object(usage['output_tokens_details'])['reasoning_tokens']),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    // The model was cut off within its JSON, so the text is compared.
    return json
  }
}
