import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  FinishPart,
  GatewayError,
  StreamPart,
  Usage,
} from '@turnpike/protocol'
import type { BridgeHead, Cost } from '../../bridge.ts'
import type { StreamEncoder } from '../../caller.ts'
import { addAside } from '../../answers/asides.ts'
import { formatProof } from '../../answers/reasoning-proof.ts'
import { frameText, textFrame, type TextFrame } from '../../answers/text-frame.ts'
import { parseJson } from '../../json/parse-json.ts'
import { asBytes } from '../../sse/parser.ts'
import { formatStopReason } from '../finish-reason.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { formatError } from './errors.ts'
import { messageId } from './message-id.ts'
import { messageMembers } from './message-members.ts'
import { formatUsage, usageAtStart } from './usage.ts'

type Json = Record<string, unknown>

interface Block {
  start: BlockStart
  /** The block's index in the message; undefined until its start is sent. */
  index: number | undefined
  /** Its text so far, if that shows when the block ends. */
  text: string
  /** Text that arrived while another block was open. */
  waiting: string
  end: BlockEnd | undefined
  /** Its events around a piece of text. */
  frame: TextFrame | undefined
}

/**
 * Encodes parts as the events of Anthropic's streams
 * (https://platform.claude.com/docs/en/build-with-claude/streaming). Its blocks follow each other, while
 * other vendors interleave several calls. So one block is open at a time, and the others wait. Content that
 * the format has no block for goes into the delta that ends the message.
 */
export class MessagesEncoder implements StreamEncoder {
  readonly #head: BridgeHead
  #begun = false
  /** How many blocks have been sent. */
  #blocksSent = 0
  readonly #blocks = new Map<number, Block>()
  /** Blocks that have not ended. The first one is open. */
  readonly #queue: Block[] = []
  #finish: FinishPart | undefined
  readonly #asides: Json = {}

  constructor(head: BridgeHead) {
    this.#head = head
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        return this.#begin(part.id)
      case 'block-start':
        return part.choice === 0 ? this.#blockStart(part) : ''
      case 'block-delta':
        return part.choice === 0 ? this.#blockDelta(part) : ''
      case 'block-end':
        return part.choice === 0 ? this.#blockEnd(part) : ''
      case 'finish':
        if (part.choice === 0) this.#finish ??= part
        return part.choice === 0 ? this.#begin() + this.#endAll() : ''
      case 'usage':
      case 'error':
        return ''
    }
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const { reason, rawReason } = this.#finish ?? { reason: 'stop', rawReason: '' }
    const delta = {
      ...this.#asides,
      stop_reason: formatStopReason(reason, rawReason),
      stop_sequence: null,
    }
    const counted = usage === undefined ? usageAtStart : formatUsage(usage, cost)
    const ended = this.#begin() + this.#endAll()
    const last = event({ type: 'message_delta', delta, usage: counted })
    return ended + last + event({ type: 'message_stop' })
  }

  failing(error: GatewayError, requestId: string): string {
    return event(formatError(error, requestId))
  }

  #begin(id?: string): string {
    if (this.#begun) return ''
    this.#begun = true
    const message = {
      id: messageId(id, this.#head),
      type: 'message',
      role: 'assistant',
      model: this.#head.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageAtStart,
    }
    return event({ type: 'message_start', message })
  }

  #blockStart(start: BlockStart): string {
    const block: Block = { start, index: undefined, text: '', waiting: '', end: undefined, frame: undefined }
    this.#blocks.set(start.block, block)
    if (start.kind === 'raw') return ''
    const open = this.#queue[0]
    this.#queue.push(block)
    // Many vendors end all calls with the answer: a complete call ends when the next one begins.
    if (open?.start.kind === 'tool-call' && parseJson(open.text) !== undefined) {
      open.end ??= { type: 'block-end', choice: 0, block: open.start.block }
      return this.#advance()
    }
    return open === undefined ? this.#begin() + this.#opening(block) : ''
  }

  #blockDelta(part: BlockDelta): string {
    const block = this.#blocks.get(part.block)!
    const { kind, name } = block.start
    if (kind === 'raw') {
      if (part.value !== undefined) addAside(this.#asides, messageMembers, name, part.value)
      return ''
    }
    if (part.text === '' || (kind === 'reasoning' && this.#head.reasoningHidden === true)) return ''
    if (block === this.#queue[0]) return this.#writeText(block, part.text)
    if (block.end === undefined) block.waiting += part.text
    return ''
  }

  #blockEnd(part: BlockEnd): string {
    const block = this.#blocks.get(part.block)!
    if (block.start.kind === 'raw') return ''
    block.end ??= part
    return block === this.#queue[0] ? this.#advance() : ''
  }

  #endAll(): string {
    for (const block of this.#queue) block.end ??= { type: 'block-end', choice: 0, block: block.start.block }
    return this.#advance()
  }

  /** Writes all blocks that have ended, and opens the next one. */
  #advance(): string {
    let events = ''
    for (let block = this.#queue[0]; block !== undefined; block = this.#queue[0]) {
      events += this.#opening(block)
      if (block.waiting !== '') events += this.#writeText(block, block.waiting)
      block.waiting = ''
      if (block.end === undefined) break
      events += this.#ending(block, block.end)
      this.#queue.shift()
    }
    return events
  }

  /** Whether reasoning has readable text is only known at its end. */
  #opening(block: Block): string {
    return block.start.kind === 'reasoning' ? '' : this.#openBlock(block, contentOf(block.start))
  }

  #openBlock(block: Block, content: Json): string {
    if (block.index !== undefined) return ''
    block.index = this.#blocksSent++
    return event({ type: 'content_block_start', index: block.index, content_block: content })
  }

  #writeText(block: Block, text: string): string {
    const opened = this.#openBlock(block, contentOf(block.start))
    if (block.start.kind === 'tool-call') block.text += text
    block.frame ??= textFrame((piece) => saying(block, piece))
    return opened + frameText(block.frame, text)
  }

  #ending(block: Block, end: BlockEnd): string {
    const { kind, reasoning } = block.start
    if (kind !== 'reasoning') return this.#stop(block)
    const proof = formatProof(reasoning, end, reasoningFormat)
    if (block.index === undefined && proof === '') return ''
    if (block.index === undefined && end.encrypted !== undefined)
      return this.#openBlock(block, { type: 'redacted_thinking', data: proof }) + this.#stop(block)
    const opened = this.#openBlock(block, contentOf(block.start))
    return opened + (proof === '' ? '' : this.#writeSignature(block, proof)) + this.#stop(block)
  }

  #writeSignature({ index }: Block, signature: string): string {
    return event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } })
  }

  #stop({ index }: Block): string {
    return event({ type: 'content_block_stop', index })
  }
}

function contentOf({ kind, toolCall }: BlockStart): Json {
  switch (kind) {
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool-call':
      return { type: 'tool_use', id: toolCall?.id ?? '', name: toolCall?.name ?? '', input: {} }
    case 'text':
    case 'refusal':
    case 'raw':
      return { type: 'text', text: '' }
  }
}

function saying({ start: { kind }, index }: Block, text: string): string {
  const delta =
    kind === 'tool-call'
      ? { type: 'input_json_delta', partial_json: text }
      : kind === 'reasoning'
        ? { type: 'thinking_delta', thinking: text }
        : { type: 'text_delta', text }
  return event({ type: 'content_block_delta', index, delta })
}

function event(data: object): string {
  return `event: ${(data as { type: string }).type}\ndata: ${asBytes(JSON.stringify(data))}\n\n`
}
