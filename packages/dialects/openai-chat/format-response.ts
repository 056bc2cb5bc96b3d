import type { ModelResponse, ResponseBlock, ResponseChoice } from '@turnpike/protocol'
import { formatFinishReason } from './finish-reason.ts'
import { formatUsage } from './usage.ts'

/** What the answer's head says of itself; the gateway's own identifiers, not the upstream's. */
export interface AnswerHead {
  id: string
  /** `<provider>/<model_id>` that served. */
  model: string
  /** Unix epoch seconds. */
  created: number
}

/** A whole answer in OpenAI's shape (`CreateChatCompletionResponse`). */
export function formatResponse(response: ModelResponse, head: AnswerHead): Record<string, unknown> {
  return {
    id: response.id ?? head.id,
    object: 'chat.completion',
    created: response.created ?? head.created,
    model: head.model,
    ...response.extensions,
    choices: response.choices.map(formatChoice),
    ...(response.usage === undefined ? {} : { usage: formatUsage(response.usage) }),
  }
}

function formatChoice(choice: ResponseChoice): Record<string, unknown> {
  return {
    index: choice.index,
    message: formatMessage(choice.blocks),
    logprobs: formatLogprobs(choice.blocks),
    finish_reason:
      choice.finish === undefined
        ? 'stop'
        : formatFinishReason(choice.finish.reason, choice.finish.rawReason),
  }
}

function formatMessage(blocks: readonly ResponseBlock[]): Record<string, unknown> {
  const message: Record<string, unknown> = {
    role: 'assistant',
    content: textOf(blocks, 'text'),
    refusal: textOf(blocks, 'refusal'),
  }
  const reasoning = textOf(blocks, 'reasoning')
  if (reasoning !== null) message['reasoning_content'] = reasoning
  const calls: unknown[] = []
  for (const block of blocks) {
    if (block.kind === 'raw' && block.name !== undefined) message[block.name] = rawValue(block.values ?? [])
    if (block.kind !== 'tool-call' || block.toolCall === undefined) continue
    const { id, name, variant } = block.toolCall
    if (variant === 'legacy-function') message['function_call'] = { name, arguments: block.text }
    else if (variant === 'custom') calls.push({ id, type: 'custom', custom: { name, input: block.text } })
    else calls.push({ id, type: 'function', function: { name, arguments: block.text } })
  }
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

function textOf(blocks: readonly ResponseBlock[], kind: 'text' | 'refusal' | 'reasoning'): string | null {
  let text: string | null = null
  for (const block of blocks) {
    if (block.kind === kind) text = (text ?? '') + block.text
  }
  return text
}

function rawValue(values: readonly unknown[]): unknown {
  return values.length > 1 && values.every(Array.isArray) ? values.flat() : values[0]
}

interface Logprobs {
  content?: unknown[] | null
  refusal?: unknown[] | null
}

function formatLogprobs(blocks: readonly ResponseBlock[]): Logprobs | null {
  const pieces = blocks.flatMap((block) => (block.logprobs ?? []) as Logprobs[])
  if (pieces.length === 0) return null
  return { content: joined(pieces, 'content'), refusal: joined(pieces, 'refusal') }
}

function joined(pieces: readonly Logprobs[], field: 'content' | 'refusal'): unknown[] | null {
  const lists = pieces.map((piece) => piece[field]).filter((list) => Array.isArray(list))
  return lists.length === 0 ? null : lists.flat()
}
