import type { EmbedRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type EmbedCaller } from '../caller.ts'
import type { AnswerHeaders, EmbedFormat } from '../vendor.ts'
import { requireSound } from './answer.ts'

/**
 * Reads a vendor's vectors for the caller's format. If they already have that format, only what must change
 * in the answer does: vectors are not parsed unless their caller reads another encoding.
 * @throws {GatewayError} 502 if they are not vectors, or the error that the answer holds
 */
export function readEmbeddings(
  { format, vendorFormat }: { format: EmbedCaller; vendorFormat: EmbedFormat },
  body: Buffer,
  head: BridgeHead,
  request: EmbedRequest,
  headers?: AnswerHeaders,
): WholeAnswer {
  const passing = passThroughOf(format, vendorFormat)
  const { embeddings, answer } = passing?.readAnswer(body, head, request) ?? {
    embeddings: vendorFormat.operations.embed.decode(body, request, headers),
    answer: undefined,
  }
  requireSound(embeddings, request)
  const formatted = answer ?? format.formatEmbeddings(embeddings, head, request)
  return textlessAnswer(embeddings.usage, formatted)
}
