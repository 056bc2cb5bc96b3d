import { invalidRequest, type Completion } from '@turnpike/protocol'
import type { GenerateCall } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { asksForUsage, modelRequest, unsupportedFieldsOf } from '../../openai-chat/caller/request.ts'
import type { ChatRequest } from '../../openai-chat/caller/request-schema.ts'
import { furtherBoundFields, furtherChoiceFields } from '../../requests/output-bounds.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { knownChatFields } from '../../requests/fields/known-fields.ts'
import type { CompletionContext } from '../completion-context.ts'
import { mostCompletions } from '../most-completions.ts'
import { completionsReferences } from './references.ts'
import {
  CompletionsRequestSchema,
  completionsRequestValidator,
  type CompletionsRequest,
} from './request-schema.ts'

/** OpenAI's documented default for the output bound. */
const defaultMaxTokens = 16

/** Refused fields: they would use input that cannot be counted, or create more answers than `n` says. */
const unserved: Readonly<Record<string, string>> = {
  prompt_embeds: 'its tokens cannot be counted: send the prompt as text or as token ids',
  ...Object.fromEntries(Array.from(furtherChoiceFields, (name) => [name, 'say n instead'])),
}

/**
 * Parses the body of `POST /v1/completions`. Each text prompt becomes a user's message.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: object): GenerateCall {
  if (!completionsRequestValidator.Check(body))
    throw explainMistakes(CompletionsRequestSchema, firstMistakes(CompletionsRequestSchema, body))
  refuseForeign(body)
  const prompts = promptsOf(body.prompt)
  const request = modelRequest(withMessages(body, prompts))
  request.maxOutputTokens ??= defaultMaxTokens
  request.completion = completionOf(body, prompts)
  requireChoices(request.choices, request.completion)
  const call: GenerateCall = {
    ...callOf(request, body, referencesIn(body, completionsReferences)),
    includeUsage: asksForUsage(body),
    unsupportedFields: unsupportedFieldsOf(body),
    tellsReasoning: false,
    body,
  }
  if (request.completion.echo === true) {
    const { choices, maxOutputTokens: maxTokens } = request
    call.asked = { echoed: { prompts, choices, maxTokens } } satisfies CompletionContext
  }
  return call
}

/** Text prompts unchanged, and for lists of tokens their length. */
function promptsOf(prompt: CompletionsRequest['prompt']): (string | number)[] {
  if (typeof prompt === 'string') return [prompt]
  if (typeof prompt[0] === 'number') return [prompt.length]
  return (prompt as (string | number[])[]).map((one) => (typeof one === 'string' ? one : one.length))
}

/** The settings are the same as in chat completions. */
function withMessages(body: CompletionsRequest, prompts: readonly (string | number)[]): ChatRequest {
  const { prompt: _texts, suffix: _after, echo: _told, best_of: _made, logprobs: _number, ...settings } = body
  const texts = prompts.filter((prompt) => typeof prompt === 'string')
  return { ...settings, messages: texts.map((content) => ({ role: 'user', content })) }
}

function completionOf(body: CompletionsRequest, prompts: readonly (string | number)[]): Completion {
  const { suffix, echo, best_of: bestOf, logprobs } = body
  let numberedTokens = 0
  for (const prompt of prompts) if (typeof prompt === 'number') numberedTokens += prompt
  const completion: Completion = { prompts: prompts.length, numberedTokens }
  if (typeof suffix === 'string') completion.suffix = suffix
  if (echo === true) completion.echo = true
  if (typeof logprobs === 'number') completion.logprobs = logprobs
  if (typeof bestOf === 'number') completion.bestOf = bestOf
  return completion
}

/** @throws {GatewayError} 400 for too many choices in total, or a `best_of` below `n` */
function requireChoices(choices: number, { prompts, bestOf = choices }: Completion): void {
  if (bestOf < choices) throw invalidRequest('best_of', 'best_of: expected at least as many as n.')
  if (prompts * bestOf > mostCompletions)
    throw invalidRequest(
      'prompt',
      `prompt: expected at most ${mostCompletions} answers in total, got ${prompts} prompts of ` +
        `${bestOf} each.`,
    )
}

/**
 * @throws {GatewayError} 400 for a field of chat completions that this API does not have: vendors that know
 * it would get it
 */
function refuseForeign(body: object): void {
  for (const name in body) {
    const value = (body as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    if (Object.hasOwn(unserved, name)) throw invalidRequest(name, `${name}: ${unserved[name]}.`)
    const isForeign = knownChatFields.has(name) && !Object.hasOwn(CompletionsRequestSchema.properties, name)
    if (isForeign && !furtherBoundFields.has(name))
      throw invalidRequest(name, `${name}: unknown field of /v1/completions${insteadOf(name)}.`)
  }
}

function insteadOf(name: string): string {
  if (name === 'max_completion_tokens') return ': say max_tokens'
  return name === 'messages' ? '. Use prompt instead, or send the request to /v1/chat/completions' : ''
}
