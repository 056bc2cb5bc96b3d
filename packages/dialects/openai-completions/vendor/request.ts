import type { ModelRequest } from '@turnpike/protocol'
import { withoutUndefined } from '../../openai-chat/vendor/body.ts'
import { takesStreamOptions } from '../../openai-chat/vendor/fit-request.ts'
import { onlyText, textOf } from '../../requests/only-text.ts'
import { selectExtensions } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { completionsFields } from './fields.ts'

/**
 * A request that was written as a conversation, where that is a single text: the model goes on with it.
 * @throws {GatewayError} 400 where it is more than that
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

/** Prompts that were given by the numbers of their tokens are sent as their caller wrote them, if at all. */
function promptOf({ messages, completion }: ModelRequest): string | string[] {
  return completion !== undefined && messages.length !== 1 ? messages.map(textOf) : onlyText(messages)
}
