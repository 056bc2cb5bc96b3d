import { GatewayError, type EmbedRequest } from '@turnpike/protocol'
import type { BatchBounds, CatalogModel, Provider } from '@turnpike/vendors'
import { maxAnswerBytes, maxPartsBytes } from '../answer-size.ts'

/** The most bytes of one number in an answer: OpenAI writes each on a line of its own after eight spaces. */
const bytesPerNumber = 24
/** 4 bytes are 5⅓ characters in base64. */
const bytesPerFloat = 6
/** The JSON around a vector. */
const bytesAround = 128

/**
 * How many inputs to send at once: as many as the vendor takes, but no more than the answer has room for, if
 * the vectors' length is known.
 * @throws {GatewayError} 400 if there is no room for all vectors, before any of them is paid for
 */
export function bounds(
  request: EmbedRequest,
  { provider, model }: { provider: Provider; model: CatalogModel },
): BatchBounds | undefined {
  const own = provider.batches?.embed
  const dimensions = request.dimensions ?? model.dimensions
  if (dimensions === undefined) return own
  const bytes = dimensions * bytesOfOne(request, provider) + bytesAround
  const most = Math.floor(maxPartsBytes / bytes)
  // If not even one such vector fits, the vendor's own error is clearer.
  if (most === 0) return own
  if (request.inputs.length > most) throw tooMany(request, dimensions, most)
  const inputs = Math.max(1, Math.floor(maxAnswerBytes / bytes))
  return { ...own, inputs: Math.min(inputs, own?.inputs ?? Infinity) }
}

/** A vendor of OpenAI's format uses the requested encoding; others send numbers. */
function bytesOfOne({ encoding }: EmbedRequest, { format }: Provider): number {
  return encoding === 'base64' && format === 'openai-embeddings' ? bytesPerFloat : bytesPerNumber
}

function tooMany({ inputs, encoding }: EmbedRequest, dimensions: number, most: number): GatewayError {
  const shorter = encoding === 'float' ? ', or ask for base64 by encoding_format' : ''
  const message =
    `input has ${inputs.length} items, whose vectors of ${dimensions} dimensions do not fit into ` +
    `one answer: expected at most ${most}${shorter}.`
  return new GatewayError('invalid_request_error', message, { param: 'input' })
}
