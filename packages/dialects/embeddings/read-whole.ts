import type { EmbedRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type EmbedCaller } from '../caller.ts'
import type { AnswerHeaders, EmbedFormat } from '../vendor.ts'
import { requireSound } from './answer.ts'

/**
 * A vendor's vectors, to be said in the caller's format; where they are in that format already, only what
 * must change of the answer is: vectors are not read as numbers unless their caller reads them otherwise.
 * @throws {GatewayError} 502 where they are none, or the error that the answer holds
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
  const said = answer ?? format.formatEmbeddings(embeddings, head, request)
  return textlessAnswer(embeddings.usage, said)
}
