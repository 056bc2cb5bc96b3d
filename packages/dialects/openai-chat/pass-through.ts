import type { Usage } from '@turnpike/protocol'
import type { BridgeHead, Cost } from '../bridge.ts'
import { answerHead } from './answer-head.ts'
import { formatFinishReason, parseFinishReason } from './finish-reason.ts'
import { formatUsage } from './usage.ts'

/** From OpenAI's format to itself: what must change of an answer, and nothing else. */

export type ChatBody = Record<string, unknown>

interface ChoiceBody {
  finish_reason?: unknown
  delta?: Record<string, unknown> | null
  message?: Record<string, unknown>
  logprobs?: unknown
}

/** The answer's head with our model, without what OpenAI's schema forbids. */
export function patchHead(
  body: ChatBody,
  object: 'chat.completion' | 'chat.completion.chunk',
  head: BridgeHead,
): ChatBody {
  const { id, created } = body
  const known = {
    ...head,
    id: typeof id === 'string' && id !== '' ? id : head.id,
    created: typeof created === 'number' ? created : head.created,
  }
  return answerHead(object, known, body)
}

/**
 * True where a chunk's choices are as our callers know them: a finish reason each, of OpenAI's words, and
 * reasoning under its own name.
 */
export function choicesConform(choices: unknown): boolean {
  if (!Array.isArray(choices)) return false
  for (const choice of choices as ChoiceBody[]) {
    if (typeof choice?.delta?.['reasoning'] === 'string') return false
    const reason = choice?.finish_reason
    if (reason === null) continue
    if (typeof reason !== 'string' || ownReason(reason) !== reason) return false
  }
  return true
}

export function patchChunk(body: ChatBody, head: BridgeHead): ChatBody {
  const patched = patchHead(body, 'chat.completion.chunk', head)
  patched['choices'] = choicesOf(body).map((choice) => ({
    ...choice,
    delta: withReasoning(choice.delta),
    finish_reason: reasonOf(choice),
  }))
  if (head.includeUsage) patched['usage'] = null
  else delete patched['usage']
  return patched
}

/**
 * A whole answer: what OpenAI requires is there, `logprobs` and `refusal` null where absent, and what it
 * cost.
 */
export function patchAnswer(
  body: ChatBody,
  head: BridgeHead,
  usage: Usage | undefined,
  cost: Cost,
): ChatBody {
  const patched = patchHead(body, 'chat.completion', head)
  patched['choices'] = choicesOf(body).map((choice, index) => ({
    index,
    ...choice,
    message: { role: 'assistant', content: null, refusal: null, ...withReasoning(choice.message) },
    logprobs: choice.logprobs ?? null,
    finish_reason: reasonOf(choice) ?? 'stop',
  }))
  if (usage === undefined) delete patched['usage']
  else patched['usage'] = pricedUsage(usage, cost)
  return patched
}

/** Usage in OpenAI's shape, with ours: the exact cost as a string, and the same as a number. */
export function pricedUsage(usage: Usage, cost: Cost): ChatBody {
  return { ...formatUsage(usage), cost_usd: cost.usd, cost: Number(cost.usd) }
}

/** Groq, OpenRouter, vLLM and others call `reasoning` what is `reasoning_content` here (contract, 5). */
function withReasoning(said: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const { reasoning, reasoning_content: content } = said ?? {}
  if (typeof reasoning !== 'string' || typeof content === 'string') return said ?? {}
  return { ...said, reasoning_content: reasoning }
}

function choicesOf(body: ChatBody): ChoiceBody[] {
  return Array.isArray(body['choices']) ? (body['choices'] as ChoiceBody[]) : []
}

function reasonOf(choice: ChoiceBody): string | null {
  const reason = choice.finish_reason
  return typeof reason === 'string' && reason !== '' ? ownReason(reason) : null
}

function ownReason(reason: string): string {
  return formatFinishReason(parseFinishReason(reason), reason)
}
