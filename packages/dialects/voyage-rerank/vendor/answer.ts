import type { RerankRequest } from '@turnpike/protocol'
import { parseUsage } from '../../jina-rerank/vendor/usage.ts'
import { parseAnswer, parseRanking, type Ranking } from '../../rerank/answer.ts'

/**
 * `{"object": "list", "data": [{"index", "relevance_score"}], "usage": {"total_tokens": 26}}`
 * @throws {GatewayError} the error that it holds; 502 where it is no ranking
 */
export function decode(body: Buffer, request: RerankRequest): Ranking {
  const raw = parseAnswer(body, 'data')
  return { results: parseRanking(raw['data'], request), usage: parseUsage(raw['usage']), raw }
}
