import type { CodeRequest } from '../code-request.ts'
import { metadataOf, withoutUndefined, type Body } from './body.ts'
import { usualMaxTokens } from './messages.ts'

/** The request in the format of completions, which takes one text: see `misfitOfCompletions`. */
export function completionsBody({ model, turns, tags, maxTokens, effort, ...more }: CodeRequest): Body {
  return withoutUndefined({
    model,
    prompt: turns[0]!.text,
    max_tokens: maxTokens ?? usualMaxTokens,
    reasoning_effort: effort,
    temperature: more.temperature,
    top_p: more.topP,
    stop: more.stop && [...more.stop],
    seed: more.seed,
    metadata: metadataOf(tags),
  })
}

/** Why a request cannot be expressed as a text to complete; undefined if it can. */
export function misfitOfCompletions({ system, turns, tools, format }: CodeRequest): string | undefined {
  if (system !== '') return 'Completions only continue a text. Remove the system prompt.'
  if (turns.length > 1) return 'Completions only continue a single text. Start a new conversation.'
  const [turn] = turns
  if (turn?.role === 'user' && (turn.attachments ?? []).length > 0)
    return 'Completions only continue a text. Remove images and files.'
  if (tools !== undefined) return 'Completions do not support tools. Remove them.'
  return format === undefined ? undefined : 'Completions only return text. Remove the response format.'
}
