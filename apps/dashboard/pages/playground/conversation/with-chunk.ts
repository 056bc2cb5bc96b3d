import type { Schemas } from '../../../api/client.ts'
import type { Step } from './conversation.ts'
import type { ReasoningDetail, ToolCall } from './turn.ts'

export interface Chunk {
  choices?: { delta?: Delta; finish_reason?: string | null }[]
  usage?: Schemas['Usage'] | null
  error?: { message: string }
}

interface Delta {
  content?: string | null
  reasoning_content?: string | null
  refusal?: string | null
  reasoning_details?: ReasoningDetail[]
  tool_calls?: CallPiece[]
}

interface CallPiece {
  index: number
  id?: string
  function?: { name?: string; arguments?: string }
}

/**
 * The answer with one more chunk.
 * @param elapsedMs since the request was sent
 */
export function withChunk(step: Step, { choices, usage, error }: Chunk, elapsedMs: number): Step {
  const { delta = {}, finish_reason: finish } = choices?.[0] ?? {}
  const text = (delta.content ?? '') + (delta.refusal ?? '')
  const reasoning = delta.reasoning_content ?? ''
  const calls = delta.tool_calls ?? []
  const isFirst =
    step.facts.firstTokenMs === undefined && (text !== '' || reasoning !== '' || calls.length > 0)
  return {
    ...step,
    text: step.text + text,
    reasoning: step.reasoning + reasoning,
    reasoningDetails: withDetails(step.reasoningDetails, delta.reasoning_details ?? []),
    toolCalls: calls.reduce(withCall, step.toolCalls),
    facts: {
      ...step.facts,
      ...(isFirst && { firstTokenMs: elapsedMs }),
      ...(typeof finish === 'string' && { finish }),
      ...(error !== undefined && { problem: error.message }),
      ...(usage && {
        costUsd: usage.cost_usd,
        tokensIn: usage.prompt_tokens,
        tokensOut: usage.completion_tokens,
        reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
      }),
    },
  }
}

/** More tool calls than any answer has; a higher index is an error. */
const maxCalls = 128

/** The pieces of a call have its index. */
function withCall(
  calls: readonly ToolCall[],
  { index, id, function: piece }: CallPiece,
): readonly ToolCall[] {
  if (!Number.isInteger(index) || index < 0 || index > Math.min(calls.length, maxCalls)) return calls
  const before = calls[index] ?? { id: `call_${index}`, name: '', arguments: '' }
  return calls.toSpliced(index, 1, {
    id: id ?? before.id,
    name: before.name + (piece?.name ?? ''),
    arguments: before.arguments + (piece?.arguments ?? ''),
  })
}

const pieces = ['text', 'summary', 'data', 'signature'] as const

/** Some vendors send a block in pieces, which have the same type and index. */
function withDetails(
  details: readonly ReasoningDetail[],
  more: readonly ReasoningDetail[],
): readonly ReasoningDetail[] {
  return more.reduce((all, next) => {
    const last = all.at(-1)
    if (last === undefined || !isContinued(last, next)) return [...all, next]
    const joined: ReasoningDetail = { ...last, ...next }
    for (const name of pieces) {
      const [before, now] = [last[name], next[name]]
      if (typeof before === 'string' && typeof now === 'string') joined[name] = before + now
    }
    return [...all.slice(0, -1), joined]
  }, details)
}

function isContinued(last: ReasoningDetail, next: ReasoningDetail): boolean {
  const isNumbered = last['index'] !== undefined
  return isNumbered && last.type === next.type && last['index'] === next['index']
}
