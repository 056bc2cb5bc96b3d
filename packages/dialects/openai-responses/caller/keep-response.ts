import type { BridgeHead } from '../../bridge.ts'
import { vendorIds } from './kept-items.ts'

/**
 * Keeps a whole answer if requested. Its `store` says whether it was kept.
 * @param response as its caller gets it
 */
export function keepResponse(
  response: Record<string, unknown>,
  { keeper, id }: Pick<BridgeHead, 'keeper' | 'id'>,
): Record<string, unknown> {
  response['store'] = keeper !== undefined
  if (keeper !== undefined) response['store'] = keeper.keep(response, vendorIds(response, id))
  return response
}
