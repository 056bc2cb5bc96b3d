import type { ModelResponse, ResponseBlock, ResponseChoice } from '@turnpike/protocol'
import { isWithheld, filterMember } from '../../answers/withheld-members.ts'
import type { AnswerHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatFinishReason } from '../finish-reason.ts'
import { formatReasoningDetails, type ReasoningDetail } from '../reasoning-details.ts'
import { answerHead } from './answer-head.ts'
import { formatUsage, formatPricedUsage } from './usage.ts'

/** Writes a whole answer; its usage is added once it is known. */
export function formatResponse(response: ModelResponse, head: AnswerHead): FormattedAnswer {
  const completion = formatCompletion({ ...response, usage: undefined }, head)
  return (usage, cost) =>
    usage === undefined ? completion : { ...completion, usage: formatPricedUsage(usage, cost) }
}

/** A whole answer in OpenAI's shape (`CreateChatCompletionResponse`). */
export function formatCompletion(response: ModelResponse, head: AnswerHead): Record<string, unknown> {
  const known = { ...head, id: response.id ?? head.id, created: response.created ?? head.created }
  const hidden = head.reasoningHidden === true
  return {
    ...answerHead('chat.completion', known, response.extensions),
    choices: response.choices.map((choice) => formatChoice(choice, hidden)),
    ...(response.usage === undefined ? {} : { usage: formatUsage(response.usage) }),
  }
}

function formatChoice(choice: ResponseChoice, reasoningHidden: boolean): Record<string, unknown> {
  const blocks = choice.blocks.filter((block) => block.kind !== 'reasoning' || !reasoningHidden)
  return {
    index: choice.index,
    message: formatMessage(blocks),
    logprobs: formatLogprobs(blocks),
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
  const reasoning = textOf(blocks, 'reasoning') ?? ''
  if (reasoning !== '') message['reasoning_content'] = reasoning
  const details = reasoningDetails(blocks)
  if (details.length > 0) message['reasoning_details'] = details
  Object.assign(message, rawFields(blocks))
  const calls: unknown[] = []
  for (const block of blocks) {
    if (block.kind !== 'tool-call' || block.toolCall === undefined) continue
    const { id, name, variant } = block.toolCall
    if (variant === 'legacy-function') message['function_call'] = { name, arguments: block.text }
    else if (variant === 'custom') calls.push({ id, type: 'custom', custom: { name, input: block.text } })
    else calls.push({ id, type: 'function', function: { name, arguments: block.text } })
  }
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

function reasoningDetails(blocks: readonly ResponseBlock[]): ReasoningDetail[] {
  const details: ReasoningDetail[] = []
  for (const block of blocks) {
    if (block.kind === 'reasoning') details.push(...formatReasoningDetails(block, details.length))
  }
  return details
}

function textOf(blocks: readonly ResponseBlock[], kind: 'text' | 'refusal' | 'reasoning'): string | null {
  let text: string | null = null
  for (const block of blocks) {
    if (block.kind === kind) text = (text ?? '') + block.text
  }
  return text
}

/** Vendor fields that have no equivalent here. Lists of the same name, such as `annotations`, are joined. */
function rawFields(blocks: readonly ResponseBlock[]): Record<string, unknown> {
  const values = new Map<string, unknown[]>()
  for (const block of blocks) {
    if (block.kind !== 'raw') continue
    const name = block.name ?? 'raw'
    if (isWithheld(name)) continue
    values.set(name, [...(values.get(name) ?? []), ...(block.values ?? [])])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, filterMember(name, rawValue(all))]))
}

function rawValue(values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0]
  return values.every(Array.isArray) ? values.flat() : values
}

interface Logprobs {
  content?: unknown[] | null
  refusal?: unknown[] | null
}

function formatLogprobs(blocks: readonly ResponseBlock[]): Logprobs | null {
  const pieces = blocks.flatMap((block) => (block.logprobs ?? []) as Logprobs[])
  if (pieces.length === 0) return null
  return { content: joinLogprobs(pieces, 'content'), refusal: joinLogprobs(pieces, 'refusal') }
}

function joinLogprobs(pieces: readonly Logprobs[], field: 'content' | 'refusal'): unknown[] | null {
  const lists = pieces.map((piece) => piece[field]).filter((list) => Array.isArray(list))
  return lists.length === 0 ? null : lists.flat()
}
