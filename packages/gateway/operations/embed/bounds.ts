import { GatewayError, type EmbedRequest } from '@turnpike/protocol'
import type { BatchBounds, CatalogModel, Provider } from '@turnpike/vendors'
import { maxAnswerBytes, maxPartsBytes } from '../answer-size.ts'

/** A number of a vector in an answer, at most: OpenAI writes it on a line of its own behind eight spaces. */
const bytesPerNumber = 24
/** In base64 4 bytes are 5⅓. */
const bytesPerFloat = 6
/** What stands around a vector. */
const bytesAround = 128

/**
 * How many inputs are asked for at once: as many as the vendor takes, and no more than there is room for in
 * the answer, where the length of the vectors is known.
 * @throws {GatewayError} 400 where there is no room for all of the vectors, before anyone is paid for them
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
  // Vectors of which not even one has room are their vendor's to refuse.
  if (most === 0) return own
  if (request.inputs.length > most) throw tooMany(request, dimensions, most)
  const inputs = Math.max(1, Math.floor(maxAnswerBytes / bytes))
  return { ...own, inputs: Math.min(inputs, own?.inputs ?? Infinity) }
}

/** Who is asked in OpenAI's format gives them in the encoding that was asked for, others as numbers. */
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
