import type { CodeRequest } from './code-request.ts'

/* The same request as each API's body has it. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined }
export type Body = Record<string, Json>

/** Messages wants a bound. */
const usualMaxTokens = 4_096

export function chatBody({ model, system, turns, tags, maxTokens, effort }: CodeRequest): Body {
  const messages = turns.map(({ role, text }) => ({ role, content: text }))
  return told({
    model,
    messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
    metadata: metadataOf(tags),
  })
}

export function messagesBody({ model, system, turns, tags, maxTokens, effort }: CodeRequest): Body {
  return told({
    model,
    max_tokens: maxTokens ?? usualMaxTokens,
    system: system === '' ? undefined : system,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    thinking: effort === 'none' ? { type: 'disabled' } : undefined,
    output_config: effort === undefined || effort === 'none' ? undefined : { effort },
    metadata: metadataOf(tags),
  })
}

export function responsesBody({ model, system, turns, tags, maxTokens, effort }: CodeRequest): Body {
  const [only] = turns
  return told({
    model,
    instructions: system === '' ? undefined : system,
    input: turns.length === 1 ? only!.text : turns.map(({ role, text }) => ({ role, content: text })),
    max_output_tokens: maxTokens,
    reasoning: effort === undefined ? undefined : { effort },
    store: false,
    metadata: metadataOf(tags),
  })
}

/** The model is in the path. */
export function generateBody({ system, turns, maxTokens, effort }: CodeRequest): Body {
  const generationConfig = told({ maxOutputTokens: maxTokens, thinkingConfig: thinkingOf(effort) })
  return told({
    systemInstruction: system === '' ? undefined : { parts: [{ text: system }] },
    contents: contentsOf(turns),
    generationConfig: Object.keys(generationConfig).length === 0 ? undefined : generationConfig,
  })
}

export function contentsOf(turns: CodeRequest['turns']): Json[] {
  return turns.map(({ role, text }) => ({
    role: role === 'assistant' ? 'model' : 'user',
    parts: [{ text }],
  }))
}

/** Google's words for an effort. */
export function thinkingOf(effort: CodeRequest['effort']): Body | undefined {
  if (effort === undefined) return undefined
  return effort === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: effort.toUpperCase() }
}

/** Of one text: see `misfitOfCompletions`. */
export function completionsBody({ model, turns, tags, maxTokens, effort }: CodeRequest): Body {
  return told({
    model,
    prompt: turns[0]!.text,
    max_tokens: maxTokens ?? usualMaxTokens,
    reasoning_effort: effort,
    metadata: metadataOf(tags),
  })
}

/** Why a request cannot be said as a text to go on with; undefined where it can. */
export function misfitOfCompletions({ system, turns }: CodeRequest): string | undefined {
  if (system !== '') return 'Completions go on with a text: leave out the system prompt.'
  return turns.length > 1 ? 'Completions go on with one text: start the conversation anew.' : undefined
}

/** Those that can stand in a header: Google's body has no place for tags. */
export function headerTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => /^[ -+\--~]+$/.test(tag))
}

function metadataOf(tags: readonly string[]): Body | undefined {
  return tags.length === 0 ? undefined : { tags: [...tags] }
}

export function told(members: Record<string, Json | undefined>): Body {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}
