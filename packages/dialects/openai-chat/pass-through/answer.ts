import { namesWithheld, withoutWithheldNames } from '../../answers/withheld-members.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { answerHead, type AnswerObject } from '../caller/answer-head.ts'
import { formatPricedUsage } from '../caller/usage.ts'
import { formatFinishReason, parseFinishReason, rawFinishReason } from '../finish-reason.ts'
import { callsOf, wholeToolCall } from '../tool-calls.ts'
import { toOpenaiFields } from './choice-form.ts'

/** Passes an answer from OpenAI's format to itself, changing only what must change. */

export type ChatBody = Record<string, unknown>

interface ChoiceBody extends Record<string, unknown> {
  finish_reason?: unknown
  delta?: Record<string, unknown> | null
  message?: Record<string, unknown>
  logprobs?: unknown
}

/** The answer's head with our model, without what OpenAI's schema forbids. */
export function patchHead(body: ChatBody, object: AnswerObject, head: BridgeHead): ChatBody {
  const { id, created } = body
  const known = {
    model: head.model,
    id: typeof id === 'string' && id !== '' ? id : head.id,
    // Azure writes 0 in chunks of its content filter.
    created: typeof created === 'number' && created > 0 ? created : head.created,
  }
  return answerHead(object, known, body)
}

/**
 * True if a chunk's choices are already as our callers expect them: each with a finish reason of OpenAI's,
 * reasoning under our name for it, and nothing that is hidden from callers.
 */
export function choicesConform(choices: unknown): boolean {
  if (!Array.isArray(choices)) return false
  for (const choice of choices as ChoiceBody[]) {
    if (tellsBusiness(choice)) return false
    if (typeof choice?.delta?.['reasoning'] === 'string' || Array.isArray(choice?.delta?.['content']))
      return false
    const reason = choice?.finish_reason
    if (reason === null) continue
    if (typeof reason !== 'string' || ownReason(reason) !== reason) return false
  }
  return true
}

export function patchChunk(body: ChatBody, head: BridgeHead): ChatBody {
  const patched = patchHead(body, 'chat.completion.chunk', head)
  patched['choices'] = choicesOf(body).map((choice) => ({
    ...withoutWithheldNames(choice),
    delta: toOpenaiFields(withoutWithheldNames(choice.delta ?? {})),
    finish_reason: reasonOf(choice),
  }))
  if (head.includeUsage) patched['usage'] = null
  else delete patched['usage']
  return patched
}

/** Patches a whole answer: adds what OpenAI requires (null `logprobs` and `refusal`) and the cost. */
export function patchAnswer(body: ChatBody, head: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    const patched = patchHead(body, 'chat.completion', head)
    patched['choices'] = choicesOf(body).map(wholeChoice)
    if (usage === undefined) delete patched['usage']
    else patched['usage'] = formatPricedUsage(usage, cost)
    return patched
  }
}

/** Copies the vendor's choice first and adds what it lacks: much faster than the other way round. */
function wholeChoice(choice: ChoiceBody, index: number): ChoiceBody {
  const whole: ChoiceBody = { ...withoutWithheldNames(choice) }
  if (whole['index'] === undefined) whole['index'] = index
  whole.message = wholeMessage(choice.message ?? {})
  whole.logprobs = choice.logprobs ?? null
  whole.finish_reason = reasonOf(choice) ?? 'stop'
  return whole
}

function wholeMessage(vendorMessage: Record<string, unknown>): Record<string, unknown> {
  const message = { ...toOpenaiFields(withoutWithheldNames(vendorMessage)) }
  if (message['role'] === undefined) message['role'] = 'assistant'
  if (message['content'] === undefined) message['content'] = null
  if (message['refusal'] === undefined) message['refusal'] = null
  const calls = callsOf(vendorMessage['tool_calls'])
  if (calls.length > 0) message['tool_calls'] = calls.map(wholeToolCall)
  return message
}

/** Moonshot puts a stream's usage into its choice; other vendors might put a cost there. */
function tellsBusiness(choice: ChoiceBody | null): boolean {
  if (typeof choice !== 'object' || choice === null) return false
  const { delta } = choice
  return namesWithheld(choice) || (typeof delta === 'object' && delta !== null && namesWithheld(delta))
}

function choicesOf(body: ChatBody): ChoiceBody[] {
  const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : []
  return choices.filter((one): one is ChoiceBody => typeof one === 'object' && one !== null)
}

function reasonOf(choice: ChoiceBody): string | null {
  const reason = rawFinishReason(choice.finish_reason)
  return reason === '' ? null : ownReason(reason)
}

function ownReason(reason: string): string {
  return formatFinishReason(parseFinishReason(reason), reason)
}
