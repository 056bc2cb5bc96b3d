import { namesWithheld, withoutWithheldNames } from '../../answers/withheld-members.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatPricedUsage } from '../../openai-chat/caller/usage.ts'
import { parseFinishReason, rawFinishReason } from '../../openai-chat/finish-reason.ts'
import { patchHead, type ChatBody } from '../../openai-chat/pass-through/answer.ts'
import { formatFinishReason } from '../caller/words.ts'

/** Passes an answer from OpenAI's completions to themselves, changing only what must change. */

type Choice = Record<string, unknown>

/** A whole answer, with what OpenAI requires and the cost. */
export function patchAnswer(body: ChatBody, head: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    const patched = patchHead(body, 'text_completion', head)
    patched['choices'] = choicesOf(body).map((choice, index) => {
      const patched = patchChoice(choice, index)
      return { ...patched, finish_reason: patched['finish_reason'] ?? 'stop' }
    })
    if (usage === undefined) delete patched['usage']
    else patched['usage'] = formatPricedUsage(usage, cost)
    return patched
  }
}

/** Patches one event of a stream. */
export function patchChunk(body: ChatBody, head: BridgeHead): ChatBody {
  const patched = patchHead(body, 'text_completion', head)
  patched['choices'] = choicesOf(body).map((choice) => patchChoice(choice, 0))
  if (head.includeUsage) patched['usage'] = null
  else delete patched['usage']
  return patched
}

/** True if an event's choices are as our callers expect them, with nothing hidden from callers. */
export function choicesConform(choices: readonly unknown[]): boolean {
  for (const choice of choices) {
    if (!isObject(choice) || typeof choice['text'] !== 'string' || namesWithheld(choice)) return false
    const { finish_reason: reason } = choice
    if (reason !== null && reasonOf(choice) !== reason) return false
  }
  return true
}

function patchChoice(choice: Choice, index: number): Choice {
  const visible = withoutWithheldNames(choice)
  return { text: '', index, logprobs: null, ...visible, finish_reason: reasonOf(choice) }
}

function reasonOf(choice: Choice): string | null {
  const raw = rawFinishReason(choice['finish_reason'])
  return raw === '' ? null : formatFinishReason(parseFinishReason(raw))
}

function choicesOf(body: ChatBody): Choice[] {
  const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : []
  return choices.filter(isObject)
}

function isObject(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null
}
