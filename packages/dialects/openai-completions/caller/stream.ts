import {
  errorEnvelope,
  type BlockDelta,
  type BlockStart,
  type GatewayError,
  type StreamPart,
  type Usage,
} from '@turnpike/protocol'
import { isWithheld, filterMember } from '../../answers/withheld-members.ts'
import { frameText, textFrame, type TextFrame } from '../../answers/text-frame.ts'
import type { AnswerHead, Cost } from '../../bridge.ts'
import type { StreamEncoder } from '../../caller.ts'
import { answerHead } from '../../openai-chat/caller/answer-head.ts'
import { formatPricedUsage } from '../../openai-chat/caller/usage.ts'
import { formatFinishReason, idOf } from './words.ts'
import { frameObject } from '../../sse/frame.ts'

type Chunk = Record<string, unknown>

interface OpenBlock {
  start: BlockStart
  /** The parts of this block's events around the text, once an event was written. */
  frame: TextFrame | undefined
}

/**
 * Encodes parts as events in OpenAI's shape (`CreateCompletionResponse`), one object per request. Reasoning
 * has a field beside the text, as in chat completions. Pieces of text go into a frame that is built once.
 */
export class CompletionsEncoder implements StreamEncoder {
  readonly #head: AnswerHead
  #extensions: Record<string, unknown> = {}
  /** By choice. */
  readonly #blocks = new Map<number, Map<number, OpenBlock>>()

  constructor(head: AnswerHead) {
    this.#head = { ...head }
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        this.#head.id = idOf(part.id, this.#head.id)
        this.#head.created = part.created ?? this.#head.created
        this.#extensions = part.extensions
        return ''
      case 'block-start':
        this.#open(part)
        return ''
      case 'block-delta':
        return this.#delta(part)
      case 'finish':
        return frameObject(this.#chunk(part.choice, {}, formatFinishReason(part.reason)))
      case 'block-end':
      case 'usage':
      case 'error':
        return ''
    }
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    if (this.#head.includeUsage !== true || usage === undefined) return 'data: [DONE]\n\n'
    const counted = { ...this.#envelope(), choices: [], usage: formatPricedUsage(usage, cost) }
    return `${frameObject(counted)}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    return frameObject({ ...this.#chunk(0, {}, 'error'), ...errorEnvelope(error, requestId) })
  }

  #open(start: BlockStart): void {
    let ofChoice = this.#blocks.get(start.choice)
    if (ofChoice === undefined) this.#blocks.set(start.choice, (ofChoice = new Map<number, OpenBlock>()))
    ofChoice.set(start.block, { start, frame: undefined })
  }

  #delta(part: BlockDelta): string {
    const block = this.#blocks.get(part.choice)?.get(part.block)
    if (block === undefined) throw new Error(`${part.type} for block ${part.block}, which was not started`)
    const { kind, name = 'raw' } = block.start
    if (kind === 'tool-call' || (kind === 'reasoning' && this.#head.reasoningHidden === true)) return ''
    if (kind === 'raw')
      return isWithheld(name)
        ? ''
        : frameObject(this.#chunk(part.choice, { [name]: filterMember(name, part.value) }, null))
    if (part.text === '') return ''
    const field = kind === 'reasoning' ? 'reasoning_content' : 'text'
    block.frame ??= textFrame((text) => frameObject(this.#chunk(part.choice, { [field]: text }, null)))
    return frameText(block.frame, part.text)
  }

  #chunk(index: number, members: object, finishReason: string | null): Chunk {
    const choice = { text: '', index, logprobs: null, finish_reason: finishReason, ...members }
    const usage = this.#head.includeUsage === true ? { usage: null } : {}
    return { ...this.#envelope(), choices: [choice], ...usage }
  }

  #envelope(): Chunk {
    return answerHead('text_completion', this.#head, this.#extensions)
  }
}
