import type { RerankRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type RerankCaller } from '../caller.ts'
import type { RerankFormat } from '../vendor.ts'

/**
 * A vendor's ranking, to be said in the caller's format; where it is in that format already, with all that
 * the vendor says besides.
 * @throws {GatewayError} 502 where it is none, or the error that the answer holds
 */
export function readRanking(
  { format, vendorFormat }: { format: RerankCaller; vendorFormat: RerankFormat },
  body: Buffer,
  head: BridgeHead,
  request: RerankRequest,
): WholeAnswer {
  const ranking = vendorFormat.operations.rerank.decode(body, request)
  const passing = passThroughOf(format, vendorFormat)
  const said = passing?.patchAnswer(ranking, head, request) ?? format.formatRanking(ranking, head, request)
  return textlessAnswer(ranking.usage, (usage, cost) => JSON.stringify(said(usage, cost)))
}
