import type { BridgeHead } from '../../bridge.ts'
import { vendorIds } from './kept-items.ts'

/**
 * A whole answer, kept where it is to be: its `store` says what became of that.
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
