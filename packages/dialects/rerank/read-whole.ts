import type { RerankRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type RerankCaller } from '../caller.ts'
import type { RerankFormat } from '../vendor.ts'

/**
 * Reads a vendor's ranking for the caller's format. If it already has that format, the vendor's further
 * members are kept.
 * @throws {GatewayError} 502 if it is not a ranking, or the error that the answer holds
 */
export function readRanking(
  { format, vendorFormat }: { format: RerankCaller; vendorFormat: RerankFormat },
  body: Buffer,
  head: BridgeHead,
  request: RerankRequest,
): WholeAnswer {
  const ranking = vendorFormat.operations.rerank.decode(body, request)
  const passing = passThroughOf(format, vendorFormat)
  const formatted =
    passing?.patchAnswer(ranking, head, request) ?? format.formatRanking(ranking, head, request)
  return textlessAnswer(ranking.usage, (usage, cost) => JSON.stringify(formatted(usage, cost)))
}
