import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import type { GeminiTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import type { GoogleWords } from './extensions.ts'
import { googleSchema } from './schemas/json-schema.ts'
import { formatThinking } from './thinking.ts'

/** Google's own limits: https://ai.google.dev/api/generate-content#GenerationConfig. */
const maxStopSequences = 5
const maxCandidates = 8
/** Larger seeds, which OpenAI accepts, are reduced to this range; the same seed gives the same answer. */
const maxSeed = 2_147_483_647

/**
 * Writes the generation settings. Fields that the caller left out stay out.
 * @throws {GatewayError} 400 for more stop sequences or choices than Google accepts
 */
export function formatGenerationConfig(
  request: ModelRequest,
  model: GeminiTraits,
  words: GoogleWords,
): Record<string, unknown> {
  const { stop, choices, logprobs, extensions } = request
  if (stop.length > maxStopSequences) {
    const message = `stop: Google's models accept at most ${maxStopSequences} stop sequences.`
    throw unsupportedFieldError('stop', 'stop', message, (current) => ({
      ...current,
      stop: current.stop.slice(0, maxStopSequences),
    }))
  }
  if (choices > maxCandidates) {
    throw unsupportedFieldError('n', 'n', `n: Google's models return at most ${maxCandidates} choices.`)
  }
  return {
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: extensions['top_k'] ?? undefined,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    stopSequences: stop.length === 0 ? undefined : stop,
    candidateCount: choices === 1 ? undefined : choices,
    seed: request.seed === undefined ? undefined : Math.trunc(request.seed) % maxSeed,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs?.top === 0 ? undefined : logprobs?.top,
    responseModalities: formatModalities(extensions['modalities']),
    thinkingConfig: words.thinkingConfig ?? formatThinking(request, model),
    ...formatOutput(request),
  }
}

function formatOutput({ output }: ModelRequest): Record<string, unknown> {
  switch (output?.type) {
    case undefined:
    case 'text':
      return {}
    case 'json-object':
      return { responseMimeType: 'application/json' }
    case 'json-schema': {
      const schema = googleSchema(output.schema, 'response_format.json_schema.schema')
      const described = output.description === undefined ? {} : { description: output.description }
      const responseJsonSchema = isObject(schema) ? { ...described, ...schema } : schema
      return { responseMimeType: 'application/json', responseJsonSchema }
    }
  }
}

const modalities: ReadonlyMap<string, string> = new Map([
  ['text', 'TEXT'],
  ['image', 'IMAGE'],
])

/** Audio answers need a voice in Google's own fields, for which callers have no field. */
function formatModalities(requested: unknown): string[] | undefined {
  if (requested === null || requested === undefined) return undefined
  const named = Array.isArray(requested)
    ? (requested as unknown[]).map((one) => (typeof one === 'string' ? modalities.get(one) : undefined))
    : [undefined]
  if (named.includes(undefined)) {
    throw invalidRequest('modalities', 'modalities: expected an array of "text" and "image".')
  }
  return named as string[]
}
