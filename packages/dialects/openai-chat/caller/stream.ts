import {
  errorEnvelope,
  type BlockDelta,
  type BlockEnd,
  type BlockStart,
  type GatewayError,
  type StreamPart,
  type Usage,
} from '@turnpike/protocol'
import { isWithheld, filterMember } from '../../answers/withheld-members.ts'
import { frameText, textFrame, type TextFrame } from '../../answers/text-frame.ts'
import type { AnswerHead, Cost } from '../../bridge.ts'
import type { StreamEncoder } from '../../caller.ts'
import { formatFinishReason } from '../finish-reason.ts'
import { formatReasoningDetails } from '../reasoning-details.ts'
import { answerHead } from './answer-head.ts'
import { formatUsage, formatPricedUsage } from './usage.ts'
import { frameObject } from '../../sse/frame.ts'

type Chunk = Record<string, unknown>

interface OpenBlock {
  start: BlockStart
  /** Index among the choice's tool calls, which is what `tool_calls[].index` counts. */
  toolIndex: number
  /** The text of a reasoning block so far. Its proof is sent with the complete text. */
  reasoning: string
  /** The parts of this block's chunks around the text, once a chunk was written. */
  frame: TextFrame | undefined
}

interface ChoiceState {
  blocks: Map<number, OpenBlock>
  toolCalls: number
  reasoningDetails: number
  /** The role was sent. */
  started: boolean
}

/**
 * Encodes parts as chunks in OpenAI's shape (`CreateChatCompletionStreamResponse`), one object per request.
 * Pieces of text go into a frame that is built once.
 */
export class ChatEncoder implements StreamEncoder {
  readonly #head: AnswerHead
  #extensions: Record<string, unknown> = {}
  readonly #choices = new Map<number, ChoiceState>()

  constructor(head: AnswerHead) {
    this.#head = { ...head }
  }

  /** The event for this part; `''` if OpenAI's format has none. */
  write(part: StreamPart): string {
    if (part.type === 'block-delta' && part.logprobs === undefined) {
      const block = this.#block(part)
      const frame = block.frame ?? this.#frame(block, part)
      if (frame !== undefined) {
        if (block.start.kind === 'reasoning') block.reasoning += part.text
        return frameText(frame, part.text)
      }
    }
    const chunk = this.push(part)
    return chunk === undefined ? '' : frameObject(chunk)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const counted = this.#head.includeUsage && usage !== undefined
    return `${counted ? frameObject(this.usage(usage, cost)) : ''}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    return frameObject(this.failure(error, requestId))
  }

  /** The chunk for this part; undefined if OpenAI's format has none. */
  push(part: StreamPart): Chunk | undefined {
    switch (part.type) {
      case 'response-start':
        this.#head.id = part.id ?? this.#head.id
        this.#head.created = part.created ?? this.#head.created
        this.#extensions = part.extensions
        return undefined
      case 'block-start':
        return this.#blockStart(part)
      case 'block-delta':
        return this.#blockDelta(part)
      case 'block-end':
        return this.#blockEnd(part)
      case 'finish':
        return this.#chunk(part.choice, {}, formatFinishReason(part.reason, part.rawReason))
      case 'usage':
      case 'error':
        return undefined
    }
  }

  /** The usage chunk, which has no choices. */
  usage(usage: Usage, cost?: Cost): Chunk {
    const counted = cost === undefined ? formatUsage(usage) : formatPricedUsage(usage, cost)
    return { ...this.#envelope(), choices: [], usage: counted }
  }

  /** The last chunk of an answer that broke off (docs/contract.md, 2). */
  failure(error: GatewayError, requestId: string): Chunk {
    const choices = [{ index: 0, delta: {}, finish_reason: 'error' }]
    return { ...this.#envelope(), choices, ...errorEnvelope(error, requestId) }
  }

  #blockStart(part: BlockStart): Chunk | undefined {
    const state = this.#state(part.choice)
    const call = part.toolCall
    const toolIndex = part.kind === 'tool-call' ? state.toolCalls++ : -1
    state.blocks.set(part.block, { start: part, toolIndex, reasoning: '', frame: undefined })
    if (call === undefined) return undefined
    const { id, name, variant } = call
    if (variant === 'legacy-function')
      return this.#chunk(part.choice, { function_call: { name, arguments: '' } })
    const tool =
      variant === 'custom'
        ? { type: 'custom', custom: { name, input: '' } }
        : { type: 'function', function: { name, arguments: '' } }
    return this.#chunk(part.choice, { tool_calls: [{ index: toolIndex, id, ...tool }] })
  }

  #blockDelta(part: BlockDelta): Chunk | undefined {
    const block = this.#block(part)
    if (this.#hides(block)) return undefined
    if (block.start.kind === 'reasoning') block.reasoning += part.text
    return this.#chunk(part.choice, deltaOf(block, part), null, part.logprobs)
  }

  /** Reasoning that must come back unchanged is sent in one piece, once it is complete. */
  #blockEnd(part: BlockEnd): Chunk | undefined {
    const block = this.#block(part)
    if (block.start.kind !== 'reasoning' || this.#hides(block)) return undefined
    const state = this.#state(part.choice)
    const ended = { ...block.start, ...part, text: block.reasoning }
    const details = formatReasoningDetails(ended, state.reasoningDetails)
    if (details.length === 0) return undefined
    state.reasoningDetails += details.length
    return this.#chunk(part.choice, { reasoning_details: details })
  }

  #hides({ start }: OpenBlock): boolean {
    if (start.kind === 'raw') return start.name !== undefined && isWithheld(start.name)
    return start.kind === 'reasoning' && this.#head.reasoningHidden === true
  }

  /** Undefined if a block has no text, or if this chunk still has to send the role. */
  #frame(block: OpenBlock, part: BlockDelta): TextFrame | undefined {
    if (!this.#state(part.choice).started || block.start.kind === 'raw' || this.#hides(block))
      return undefined
    block.frame = textFrame((text) =>
      frameObject(this.#chunk(part.choice, deltaOf(block, { ...part, text }))),
    )
    return block.frame
  }

  #chunk(choice: number, delta: object, finishReason: string | null = null, logprobs?: unknown): Chunk {
    const state = this.#state(choice)
    const role = state.started ? {} : { role: 'assistant' }
    state.started = true
    const body = {
      index: choice,
      delta: { ...role, ...delta },
      logprobs: logprobs ?? null,
      finish_reason: finishReason,
    }
    const usage = this.#head.includeUsage === true ? { usage: null } : {}
    return { ...this.#envelope(), choices: [body], ...usage }
  }

  #envelope(): Chunk {
    return answerHead('chat.completion.chunk', this.#head, this.#extensions)
  }

  #block(part: BlockDelta | BlockEnd): OpenBlock {
    const block = this.#choices.get(part.choice)?.blocks.get(part.block)
    if (block === undefined) throw new Error(`${part.type} for block ${part.block}, which was not started`)
    return block
  }

  #state(choice: number): ChoiceState {
    let state = this.#choices.get(choice)
    if (state === undefined) {
      state = { blocks: new Map(), toolCalls: 0, reasoningDetails: 0, started: false }
      this.#choices.set(choice, state)
    }
    return state
  }
}

function deltaOf({ start, toolIndex }: OpenBlock, part: BlockDelta): object {
  switch (start.kind) {
    case 'text':
      return { content: part.text }
    case 'refusal':
      return { refusal: part.text }
    case 'reasoning':
      return { reasoning_content: part.text }
    case 'raw':
      return { [start.name ?? 'raw']: filterMember(start.name ?? 'raw', part.value) }
    case 'tool-call':
      break
  }
  switch (start.toolCall?.variant) {
    case 'legacy-function':
      return { function_call: { arguments: part.text } }
    case 'custom':
      return { tool_calls: [{ index: toolIndex, custom: { input: part.text } }] }
    default:
      return { tool_calls: [{ index: toolIndex, function: { arguments: part.text } }] }
  }
}
