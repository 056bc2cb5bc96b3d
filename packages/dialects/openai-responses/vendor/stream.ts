import { GatewayError, type FinishReason, type StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { describeAnswer, describeUnreadable } from '../../answers/unreadable.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { errorInAnswer } from './errors.ts'
import { isCall, ItemDecoder } from './item-decoder.ts'
import { billedTypeOf, parseUsage } from './usage.ts'

type Body = Record<string, unknown>

const unreadable = 'The upstream sent an unreadable event.'

/** No answer has this many items. One with more cannot be kept. */
const mostItems = 10_000

/** What differs between deltas of one text. */
const varying = { texts: [['delta']], others: [['sequence_number'], ['obfuscation']] } as const

/** Decodes the events of a stream: https://platform.openai.com/docs/api-reference/responses-streaming. */
export class ResponsesDecoder implements StreamDecoder {
  #state: 'waiting' | 'open' | 'complete' | 'failed' = 'waiting'
  #blocks = 0
  #calls = false
  #hasShown = false
  /** Items by their `output_index`. Ended items stay, so that late events are recognized. */
  readonly #items = new Map<unknown, ItemDecoder>()

  readonly #texts = new TextForm()

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    const delta = this.#texts.readFast(data, event, plain)
    return delta === undefined ? undefined : [delta]
  }

  /** The sequence number of the event that `readFast` decoded last; undefined if it has none. */
  numberOf(data: string): number | undefined {
    const number = this.#texts.other(0, data)
    return number === undefined ? undefined : Number(number)
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    this.#texts.learn(parsedEvent, parts, varying)
  }

  push(body: unknown, event: string): StreamPart[] {
    this.#texts.forget()
    if (this.#over()) return []
    if (!isObject(body)) return this.#fail(unreadable, `not an object: ${typeof body}`)
    const parts: StreamPart[] = []
    const type = body['type'] ?? event
    switch (type) {
      case 'error':
        return this.#breakOff(errorInAnswer(body))
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        this.#start(body['response'], parts)
        break
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#end(body['response'], parts)
      case 'response.output_item.added':
        this.#item(body, parts)
        break
      case 'response.output_item.done':
        if (isObject(body['item'])) this.#item(body, parts)?.end(body['item'], parts)
        break
      default:
        // An error without a type comes from a proxy in front of the vendor.
        if (body['type'] === undefined && isObject(body['error'])) return this.#breakOff(errorInAnswer(body))
        if (typeof type === 'string') this.#piece(type, body, parts)
    }
    return this.#items.size > mostItems ? this.#fail(unreadable, `more than ${mostItems} items`) : parts
  }

  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    // Some vendors of this format add the end marker of chat completions.
    if (this.#over() || data === '[DONE]') return []
    return this.#fail(unreadable, `not JSON: ${describeUnreadable(data)}`)
  }

  end(): StreamPart[] {
    return this.#over() ? [] : this.#fail('The upstream ended its answer before it was complete.')
  }

  /** Decodes a whole response: all that a stream sends piece by piece. */
  pushWhole(body: unknown): StreamPart[] {
    if (isObject(body) && Array.isArray(body['output'])) return this.#end(body, [])
    if (isObject(body) && isObject(body['error'])) return this.#breakOff(errorInAnswer(body))
    const detail = describeAnswer(body)
    return this.#fail('The upstream did not return a response.', detail)
  }

  #over(): boolean {
    return this.#state === 'complete' || this.#state === 'failed'
  }

  #start(response: unknown, parts: StreamPart[]): void {
    if (this.#state !== 'waiting') return
    this.#state = 'open'
    const { id, model, created_at: created } = isObject(response) ? response : {}
    parts.push({
      type: 'response-start',
      id: typeof id === 'string' && id !== '' ? id : undefined,
      model: typeof model === 'string' && model !== '' ? model : undefined,
      created: typeof created === 'number' && created > 0 ? created : undefined,
      extensions: {},
    })
  }

  /** The item that an event belongs to. An unknown one begins here. */
  #item({ output_index: index, item }: Body, parts: StreamPart[]): ItemDecoder | undefined {
    const known = this.#items.get(index)
    if (known !== undefined || !isObject(item)) return known
    this.#start(undefined, parts)
    const begun = new ItemDecoder(item, () => this.#blocks++)
    this.#items.set(index, begun)
    if (isCall(begun.type)) this.#calls = true
    begun.start(item, parts)
    return begun
  }

  #piece(type: string, body: Body, parts: StreamPart[]): void {
    const kind = itemOf[type]
    if (kind === undefined) return otherPiece.test(type) ? this.#show(type, parts) : undefined
    // A piece of an item that never began is treated as one: it is passed on, and counts.
    const item = this.#item({ output_index: body['output_index'], item: { type: kind } }, parts)
    if (item?.type !== kind) return
    const at = indexOf(body['content_index'])
    switch (type) {
      case 'response.output_text.delta':
        return item.addText(at, 'text', body['delta'], body['logprobs'], parts)
      case 'response.refusal.delta':
        return item.addText(at, 'refusal', body['delta'], undefined, parts)
      case 'response.output_text.annotation.added':
        return item.addAnnotation(at, body['annotation'], parts)
      case 'response.reasoning_summary_text.delta':
        return item.addThought('summary', indexOf(body['summary_index']), body['delta'], parts)
      case 'response.reasoning_text.delta':
        return item.addThought('content', at, body['delta'], parts)
      default:
        return item.addArguments(body['delta'], parts)
    }
  }

  /** The answer has begun for its caller, though of such an item only the complete one is translated. */
  #show(name: string, parts: StreamPart[]): void {
    if (this.#hasShown) return
    this.#hasShown = true
    this.#start(undefined, parts)
    const block = this.#blocks++
    parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
    parts.push({ type: 'block-end', choice: 0, block })
  }

  #end(response: unknown, parts: StreamPart[]): StreamPart[] {
    if (!isObject(response)) return this.#fail(unreadable, 'an end event without its response')
    this.#start(response, parts)
    const output: unknown[] = Array.isArray(response['output']) ? response['output'] : []
    const usage = parseUsage(response, this.#servicesOf(output))
    if (usage !== undefined) parts.push({ type: 'usage', usage })
    // A compaction is always complete and has no status.
    const { status = response['object'] === 'response.compaction' ? 'completed' : undefined } = response
    if (status !== 'completed' && status !== 'incomplete') return [...parts, ...this.#failResponse(response)]
    // Decodes the items of a whole answer, or of one whose events had none. Else the events had all.
    const isTold = this.#items.size > 0
    for (const [index, item] of output.entries()) {
      if (!isObject(item)) continue
      const known = isTold ? this.#items.get(index) : this.#item({ output_index: index, item }, parts)
      if (known?.type === item['type']) known?.end(item, parts)
    }
    for (const item of this.#items.values()) item.end({}, parts)
    const [reason, rawReason] = this.#finish({ ...response, status })
    parts.push({ type: 'finish', choice: 0, reason, rawReason })
    this.#state = 'complete'
    return parts
  }

  /** The billed types of all items. Some final events repeat none of the earlier items. */
  #servicesOf(output: readonly unknown[]): unknown[] {
    return output.length > 0
      ? output.map(billedTypeOf)
      : [...this.#items.values()].map(({ service }) => service)
  }

  #finish({ status, incomplete_details: details }: Body): [FinishReason, string] {
    if (status === 'completed') return [this.#calls ? 'tool-calls' : 'stop', 'completed']
    const reason = isObject(details) && typeof details['reason'] === 'string' ? details['reason'] : ''
    return [reason === 'content_filter' ? 'content-filter' : 'length', reason === '' ? 'incomplete' : reason]
  }

  #failResponse(response: Body): StreamPart[] {
    if (isObject(response['error'])) return this.#breakOff(errorInAnswer(response))
    return this.#fail(
      'The upstream failed during its answer.',
      `status ${JSON.stringify(response['status'])}`,
    )
  }

  #breakOff(error: GatewayError): StreamPart[] {
    this.#state = 'failed'
    return [{ type: 'error', error }]
  }

  #fail(message: string, detail?: string): StreamPart[] {
    return this.#breakOff(new GatewayError('upstream_error', message, detail === undefined ? {} : { detail }))
  }
}

/** Pieces of what the vendor runs itself: code, its output, an unfinished image. */
const otherPiece = /\.(?:delta|partial_image)$/

/** Events with a piece, and the type of the item that it belongs to. */
const itemOf: Readonly<Record<string, string | undefined>> = {
  'response.output_text.delta': 'message',
  'response.output_text.annotation.added': 'message',
  'response.refusal.delta': 'message',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.reasoning_text.delta': 'reasoning',
  'response.function_call_arguments.delta': 'function_call',
  'response.custom_tool_call_input.delta': 'custom_tool_call',
}

function indexOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
