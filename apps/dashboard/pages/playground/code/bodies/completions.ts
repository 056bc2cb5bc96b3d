import type { CodeRequest } from '../code-request.ts'
import { metadataOf, told, type Body } from './body.ts'
import { usualMaxTokens } from './messages.ts'

/** As completions has a request of one text: see `misfitOfCompletions`. */
export function completionsBody({ model, turns, tags, maxTokens, effort, ...more }: CodeRequest): Body {
  return told({
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

/** Why a request cannot be said as a text to go on with; undefined where it can. */
export function misfitOfCompletions({ system, turns, tools, format }: CodeRequest): string | undefined {
  if (system !== '') return 'Completions go on with a text: leave out the system prompt.'
  if (turns.length > 1) return 'Completions go on with one text: start the conversation anew.'
  const [turn] = turns
  if (turn?.role === 'user' && (turn.attachments ?? []).length > 0)
    return 'Completions go on with a text: leave out images and files.'
  if (tools !== undefined) return 'Completions call no tools: leave them out.'
  return format === undefined ? undefined : 'Completions write text: leave out the response format.'
}
