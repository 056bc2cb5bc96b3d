import type { ModelRequest } from '@turnpike/protocol'
import { takesStreamOptions } from '../../openai-chat/vendor/fit-request.ts'
import { onlyText, textOf } from '../../requests/only-text.ts'
import { selectExtensions } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { completionsFields } from './fields.ts'
import { withoutUndefined } from '../../json/object.ts'

/**
 * Writes a conversation that consists of a single text, which the model continues.
 * @throws {GatewayError} 400 if it has more than that
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  return withoutUndefined({
    model: target.model,
    prompt: promptOf(request),
    suffix: request.completion?.suffix,
    echo: request.completion?.echo,
    best_of: request.completion?.bestOf,
    logprobs: request.completion?.logprobs,
    stream: request.stream ? true : undefined,
    stream_options: request.stream && takesStreamOptions(target) ? { include_usage: true } : undefined,
    max_tokens: request.maxOutputTokens,
    n: request.choices === 1 ? undefined : request.choices,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop: request.stop.length === 0 ? undefined : request.stop,
    seed: request.seed,
    user: request.user,
    ...selectExtensions(request, completionsFields),
  })
}

/** Prompts in token numbers are only sent in their caller's own bytes. */
function promptOf({ messages, completion }: ModelRequest): string | string[] {
  return completion !== undefined && messages.length !== 1 ? messages.map(textOf) : onlyText(messages)
}
