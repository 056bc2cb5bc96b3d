import type { RerankRequest } from '@turnpike/protocol'
import { parseAnswer, parseRanking, type Ranking } from '../../rerank/answer.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes `{"results": [{"index", "relevance_score"}], "usage": {"total_tokens": 38}}`.
 * @throws {GatewayError} the error that the body holds; 502 if it is not a ranking
 */
export function decode(body: Buffer, request: RerankRequest): Ranking {
  const raw = parseAnswer(body, 'results')
  return { results: parseRanking(raw['results'], request), usage: parseUsage(raw['usage']), raw }
}
