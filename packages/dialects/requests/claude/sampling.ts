import type { ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../omissions.ts'

export interface Sampling {
  temperature: number | undefined
  top_p: number | undefined
  top_k: unknown
  stop_sequences: string[] | undefined
}

/** The only temperature that models without sampling accept. It is left out, since it changes nothing. */
const neutralTemperature = 1
const neutralTopP = 0.99

/** The lowest `top_p` that a thinking model accepts. */
const minThinkingTopP = 0.95

/**
 * Writes the sampling fields and stop sequences.
 * @throws {GatewayError} 400 for values that this model does not accept, alone or together
 */
export function formatSampling(request: ModelRequest, model: ClaudeTraits, thinks: boolean): Sampling {
  const temperature = request.temperature === neutralTemperature ? undefined : request.temperature
  const leastTopP = model.sampling ? 1 : neutralTopP
  const topP = request.topP !== undefined && request.topP >= leastTopP ? undefined : request.topP
  const topK = request.extensions['top_k'] ?? undefined
  if (temperature !== undefined && temperature > 1)
    refuse('temperature', 'expected at most 1 for this vendor')
  if (!model.sampling) {
    if (temperature !== undefined) refuse('temperature', 'this model only accepts 1')
    if (topP !== undefined) refuse('top_p', 'this model only accepts 1')
    if (topK !== undefined) refuse('top_k', 'this model takes none')
  }
  if (thinks) {
    if (temperature !== undefined) refuse('temperature', 'this model only accepts 1 while it thinks')
    if (topP !== undefined && topP < minThinkingTopP)
      refuse('top_p', `this model only accepts ${minThinkingTopP} or more while it thinks`)
    if (topK !== undefined) refuse('top_k', 'this model does not support it while it thinks')
  }
  if (temperature !== undefined && topP !== undefined && !model.temperatureWithTopP)
    refuse('top_p', 'this model accepts either temperature or this, not both')
  return { temperature, top_p: topP, top_k: topK, stop_sequences: stopSequences(request.stop) }
}

function stopSequences(stop: readonly string[]): string[] | undefined {
  if (stop.some(isBlank)) {
    const message = 'stop: this vendor does not accept stop sequences of only white space.'
    throw unsupportedFieldError('stop', 'stop', message, (request) => ({
      ...request,
      stop: request.stop.filter((text) => !isBlank(text)),
    }))
  }
  return stop.length === 0 ? undefined : [...stop]
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

function refuse(param: 'temperature' | 'top_p' | 'top_k', reason: string): never {
  throw unsupportedFieldError(param, param, `${param}: ${reason}.`)
}
