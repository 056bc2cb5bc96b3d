import type { RerankRequest } from '@turnpike/protocol'
import { parseUsage } from '../../jina-rerank/vendor/usage.ts'
import { parseAnswer, parseRanking, type Ranking } from '../../rerank/answer.ts'

/**
 * Decodes `{"object": "list", "data": [{"index", "relevance_score"}], "usage": {"total_tokens": 26}}`.
 * @throws {GatewayError} the error that the body holds; 502 if it is not a ranking
 */
export function decode(body: Buffer, request: RerankRequest): Ranking {
  const raw = parseAnswer(body, 'data')
  return { results: parseRanking(raw['data'], request), usage: parseUsage(raw['usage']), raw }
}
