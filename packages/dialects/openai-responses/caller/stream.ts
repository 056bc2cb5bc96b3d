import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  FinishPart,
  GatewayError,
  StreamPart,
  Usage,
} from '@turnpike/protocol'
import { addAside } from '../../answers/asides.ts'
import { BlockQueue, type BlockWriter } from '../../answers/block-queue.ts'
import type { BridgeHead, Cost } from '../../bridge.ts'
import type { StreamEncoder } from '../../caller.ts'
import { incompleteReason } from '../answer-status.ts'
import type { ItemStatus, OutputItem } from '../items.ts'
import { annotationsIn } from './annotations.ts'
import { contextOf, type ResponseContext } from './response/response-context.ts'
import { failureOf } from './errors.ts'
import { keepResponse } from './keep-response.ts'
import { OpenCall } from './events/open-call.ts'
import { OpenMessage } from './events/open-message.ts'
import { OpenReasoning } from './events/open-reasoning.ts'
import { responseMembers } from './response/response-members.ts'
import { responseOf } from './response/response.ts'
import { EventWriter } from './events/event-writer.ts'
import { formatUsage } from './usage.ts'

type Json = Record<string, unknown>

/** OpenAI's own tiers, the only ones that are sent. */
const serviceTiers: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'scale', 'priority'])

/**
 * Encodes parts as the events of OpenAI's Responses
 * (https://platform.openai.com/docs/api-reference/responses-streaming). Its items follow each other: one is
 * open at a time, and what a vendor writes in between waits. A text ends when something else begins, since
 * its annotations may follow it.
 */
export class ResponsesEncoder implements StreamEncoder, BlockWriter {
  readonly #head: BridgeHead
  readonly #asked: ResponseContext
  readonly #writer = new EventWriter()
  readonly #queue = new BlockQueue(this)
  #begun = false
  /** Items that have ended. */
  readonly #output: OutputItem[] = []
  #message: OpenMessage | undefined
  /** The block that is the latest part of the message. */
  #part: BlockStart | undefined
  #reasoning: OpenReasoning | undefined
  #call: OpenCall | undefined
  /** The current block, until it has content. */
  #start: BlockStart | undefined
  /** Names of blocks without an equivalent here. */
  readonly #raws = new Map<number, string | undefined>()
  readonly #asides: Json = {}
  /** Annotations for a text that has not begun. */
  #annotations: unknown[] = []
  #tier: unknown
  #finish: FinishPart | undefined

  constructor(head: BridgeHead) {
    this.#head = head
    this.#asked = contextOf(head)
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        this.#tier = part.extensions['service_tier']
        return this.#begin()
      case 'block-start':
        return part.choice === 0 ? this.#begin() + this.#blockStart(part) : ''
      case 'block-delta':
        return part.choice === 0 ? this.#blockDelta(part) : ''
      case 'block-end':
        return part.choice === 0 && !this.#raws.has(part.block) ? this.#queue.end(part) : ''
      case 'finish':
        // What is open is closed by the last events. Those wait, and are only sent if the answer is complete.
        if (part.choice === 0) this.#finish ??= part
        return this.#begin()
      case 'usage':
      case 'error':
        return ''
    }
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const ended = this.#begin() + this.#endAll()
    const response = this.whole(usage, cost)
    return ended + this.#writer.write({ type: `response.${String(response['status'])}`, response })
  }

  failing(error: GatewayError): string {
    const begun = this.#begin()
    const response = this.#response('failed', { error: failureOf(error) })
    return begun + this.#writer.write({ type: 'response.failed', response })
  }

  /** The whole answer, once its finish was written. */
  whole(usage: Usage | undefined, cost: Cost): Json {
    this.#endAll()
    const { reason } = this.#finish ?? { reason: 'stop' as const }
    const cut = incompleteReason(reason)
    const formattedUsage = usage === undefined ? null : formatUsage(usage, cost)
    const response =
      cut === undefined
        ? this.#response('completed', { usage: formattedUsage })
        : this.#response('incomplete', { incomplete_details: { reason: cut }, usage: formattedUsage })
    return keepResponse(response, this.#head)
  }

  writeStart(start: BlockStart): string {
    this.#start = start
    if (start.kind !== 'tool-call') return ''
    const ended = this.#endMessage('completed')
    const tool = this.#asked.tools.get(start.toolCall?.name ?? '')
    const place = { itemId: this.#itemId(), index: this.#output.length }
    this.#call = new OpenCall(start, tool, place, this.#writer)
    return ended + this.#call.begin()
  }

  writeDelta(part: BlockDelta): string {
    switch (this.#start!.kind) {
      case 'text':
      case 'refusal':
        return this.#writeText(this.#start!.kind, part)
      case 'reasoning':
        return this.#head.reasoningHidden === true || part.text === '' ? '' : this.#writeThought(part.text)
      case 'tool-call':
        return this.#call!.grow(part.text)
      case 'raw':
        return ''
    }
  }

  writeEnd(end: BlockEnd): string {
    const { kind } = this.#start!
    if (kind === 'tool-call') return this.#endCall()
    if (kind !== 'reasoning') return ''
    const isProved = end.signature !== undefined || end.encrypted !== undefined
    const begun = this.#reasoning === undefined && isProved ? this.#beginReasoning() : ''
    if (this.#reasoning === undefined) return ''
    const reasoning = this.#reasoning
    this.#reasoning = undefined
    const ended = reasoning.end(end)
    this.#output.push(reasoning.item)
    return begun + ended
  }

  #begin(): string {
    if (this.#begun) return ''
    this.#begun = true
    // Until the answer is complete, it is not known whether there is room to keep it.
    const response = this.#response('in_progress', { store: this.#head.keeper !== undefined })
    return (
      this.#writer.write({ type: 'response.created', response }) +
      this.#writer.write({ type: 'response.in_progress', response })
    )
  }

  #blockStart(start: BlockStart): string {
    if (start.kind !== 'raw') return this.#queue.start(start)
    this.#raws.set(start.block, start.name)
    return ''
  }

  #blockDelta(part: BlockDelta): string {
    if (!this.#raws.has(part.block)) return this.#queue.delta(part)
    const name = this.#raws.get(part.block)
    if (part.value === undefined) return ''
    if (name === 'annotations') return this.#annotate(annotationsIn(part.value))
    addAside(this.#asides, responseMembers, name, part.value)
    return ''
  }

  #annotate(annotations: readonly unknown[]): string {
    const message = this.#message
    if (message?.annotated !== undefined) return annotations.map((one) => message.annotate(one)).join('')
    this.#annotations.push(...annotations)
    return ''
  }

  #endAll(): string {
    const status = incompleteReason(this.#finish?.reason ?? 'stop') === undefined ? 'completed' : 'incomplete'
    const ended = this.#queue.endAll() + this.#endMessage(status)
    if (this.#annotations.length > 0)
      addAside(this.#asides, responseMembers, 'annotations', this.#annotations)
    this.#annotations = []
    return ended
  }

  #writeText(kind: 'text' | 'refusal', part: BlockDelta): string {
    if (part.text === '' && part.logprobs === undefined) return ''
    let begun = ''
    if (this.#message === undefined) {
      this.#message = new OpenMessage(`msg_${this.#itemId()}`, this.#output.length, this.#writer)
      begun = this.#message.begin()
    }
    // The first content of a block begins a new part.
    if (this.#part !== this.#start) {
      if (this.#part !== undefined) begun += this.#message.endPart()
      this.#part = this.#start
      const annotations = kind === 'text' ? this.#annotations : []
      if (kind === 'text') this.#annotations = []
      begun += this.#message.beginPart(kind, annotations)
    }
    return begun + this.#message.grow(part)
  }

  #endMessage(status: ItemStatus): string {
    const message = this.#message
    if (message === undefined) return ''
    this.#message = undefined
    this.#part = undefined
    const ended = message.endPart() + message.end(status)
    this.#output.push(message.item)
    return ended
  }

  #writeThought(text: string): string {
    const begun = this.#reasoning === undefined ? this.#beginReasoning() : ''
    return begun + this.#reasoning!.grow(text)
  }

  #beginReasoning(): string {
    const ended = this.#endMessage('completed')
    const id = `rs_${this.#itemId()}`
    const place = { id, index: this.#output.length }
    this.#reasoning = new OpenReasoning(this.#start!, place, this.#asked, this.#writer)
    return ended + this.#reasoning.begin()
  }

  #endCall(): string {
    const call = this.#call!
    this.#call = undefined
    // If an answer was cut, its last call is incomplete.
    const isCut = this.#finish !== undefined && incompleteReason(this.#finish.reason) !== undefined
    const ended = call.end(isCut ? 'incomplete' : 'completed')
    this.#output.push(call.item)
    return ended
  }

  /** Unique across answers: callers send items back, and some vendors distinguish them by id. */
  #itemId(): string {
    return `${this.#head.id.replace(/^resp_/, '')}_${this.#output.length}`
  }

  #response(status: string, changed: Json): Json {
    const tier = serviceTiers.has(this.#tier) ? { service_tier: this.#tier } : {}
    return {
      ...this.#asides,
      ...responseOf(this.#head, status, { output: this.#output, ...tier, ...changed }),
    }
  }
}
