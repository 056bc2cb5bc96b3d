import type { BlockDelta, BlockStart, StreamPart, Usage } from '@turnpike/protocol'
import { formatFinishReason } from './finish-reason.ts'
import type { AnswerHead } from './format-response.ts'
import { formatUsage } from './usage.ts'

interface OpenBlock {
  kind: BlockStart['kind']
  name: string | undefined
  /** Position among the choice's tool calls, which is what `tool_calls[].index` counts. */
  toolIndex: number
  variant: string | undefined
}

interface ChoiceState {
  blocks: Map<number, OpenBlock>
  toolCalls: number
  started: boolean
}

/** Parts to chunks in OpenAI's shape (`CreateChatCompletionStreamResponse`), one object a request. */
export class ChatEncoder {
  readonly #head: AnswerHead
  #extensions: Record<string, unknown> = {}
  readonly #choices = new Map<number, ChoiceState>()

  constructor(head: AnswerHead) {
    this.#head = { ...head }
  }

  /** The chunk that says this part; undefined where OpenAI's format has nothing to say. */
  push(part: StreamPart): Record<string, unknown> | undefined {
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
      case 'finish':
        return this.#chunk(part.choice, {}, formatFinishReason(part.reason, part.rawReason))
      case 'block-end':
      case 'usage':
      case 'error':
        return undefined
    }
  }

  /** The usage chunk, which has no choices. */
  usage(usage: Usage): Record<string, unknown> {
    return { ...this.#envelope(), choices: [], usage: formatUsage(usage) }
  }

  #blockStart(part: BlockStart): Record<string, unknown> | undefined {
    const state = this.#state(part.choice)
    const call = part.toolCall
    const toolIndex = part.kind === 'tool-call' ? state.toolCalls++ : -1
    state.blocks.set(part.block, { kind: part.kind, name: part.name, toolIndex, variant: call?.variant })
    if (call === undefined) return undefined
    const { id, name } = call
    if (call.variant === 'legacy-function')
      return this.#chunk(part.choice, { function_call: { name, arguments: '' } })
    const tool =
      call.variant === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    const type = call.variant === 'custom' ? 'custom' : 'function'
    return this.#chunk(part.choice, { tool_calls: [{ index: toolIndex, id, type, ...tool }] })
  }

  #blockDelta(part: BlockDelta): Record<string, unknown> | undefined {
    const block = this.#state(part.choice).blocks.get(part.block)
    if (block === undefined) throw new Error(`a delta for block ${part.block}, which was not started`)
    return this.#chunk(part.choice, deltaOf(block, part), null, part.logprobs)
  }

  #chunk(
    choice: number,
    delta: object,
    finishReason: string | null = null,
    logprobs?: unknown,
  ): Record<string, unknown> {
    const state = this.#state(choice)
    const role = state.started ? {} : { role: 'assistant' }
    state.started = true
    const body = {
      index: choice,
      delta: { ...role, ...delta },
      logprobs: logprobs ?? null,
      finish_reason: finishReason,
    }
    return { ...this.#envelope(), choices: [body] }
  }

  #envelope(): Record<string, unknown> {
    const { id, created, model } = this.#head
    return { id, object: 'chat.completion.chunk', created, model, ...this.#extensions }
  }

  #state(choice: number): ChoiceState {
    let state = this.#choices.get(choice)
    if (state === undefined) {
      state = { blocks: new Map(), toolCalls: 0, started: false }
      this.#choices.set(choice, state)
    }
    return state
  }
}

function deltaOf(block: OpenBlock, part: BlockDelta): object {
  switch (block.kind) {
    case 'text':
      return { content: part.text }
    case 'refusal':
      return { refusal: part.text }
    case 'reasoning':
      return { reasoning_content: part.text }
    case 'raw':
      return { [block.name ?? 'raw']: part.value }
    case 'tool-call':
      break
  }
  if (block.variant === 'legacy-function') return { function_call: { arguments: part.text } }
  const tool =
    block.variant === 'custom' ? { custom: { input: part.text } } : { function: { arguments: part.text } }
  return { tool_calls: [{ index: block.toolIndex, ...tool }] }
}
