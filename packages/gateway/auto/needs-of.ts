import type { ModelRequest } from '@turnpike/protocol'
import type { RouteNeeds } from '@turnpike/routing'
import { estimateInputTokens, estimateOutputTokens } from '../operations/generate/estimate.ts'

const modalityOf: Readonly<Record<string, string>> = { image: 'image', audio: 'audio', document: 'file' }

/** What the caller needs even if other unsupported fields may be left out. */
const essential: ReadonlySet<string> = new Set(['tools', 'response_format', 'reasoning'])

/** Fields that exclude a model that does not support them, and whether a request uses each. */
const parameters: [string, (request: ModelRequest) => boolean][] = [
  ['tools', ({ tools }) => tools.length > 0],
  [
    'parallel_tool_calls',
    ({ tools, parallelToolCalls }) => tools.length > 0 && parallelToolCalls !== undefined,
  ],
  ['response_format', ({ output }) => output !== undefined && output.type !== 'text'],
  ['reasoning', ({ reasoning }) => reasoning !== undefined && reasoning.effort !== 'none'],
  ['n', ({ choices }) => choices > 1],
  ['logprobs', ({ logprobs }) => logprobs !== undefined],
  ['temperature', ({ temperature }) => temperature !== undefined && temperature !== 1],
  ['top_p', ({ topP }) => topP !== undefined && topP !== 1],
  ['frequency_penalty', ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0],
  ['presence_penalty', ({ presencePenalty }) => (presencePenalty ?? 0) !== 0],
  ['logit_bias', ({ extensions }) => extensions['logit_bias'] !== undefined],
]

/**
 * What a request needs from the model that answers it.
 * @param isLenient fields that a model does not support may be left out
 */
export function needsOf(request: ModelRequest, bodyBytes: number, isLenient: boolean): RouteNeeds {
  const modalities = new Set<string>()
  for (const message of request.messages) {
    for (const block of message.content) {
      const modality = modalityOf[block.kind]
      if (modality !== undefined) modalities.add(modality)
    }
  }
  return {
    inputTokens: estimateInputTokens(request, bodyBytes),
    outputTokens: estimateOutputTokens(request),
    modalities: [...modalities],
    parameters: parameters
      .filter(([name, isRequested]) => isRequested(request) && (!isLenient || essential.has(name)))
      .map(([name]) => name),
  }
}
