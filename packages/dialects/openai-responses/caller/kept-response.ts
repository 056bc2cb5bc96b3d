import type { BridgeHead } from '../../bridge.ts'

/**
 * A whole answer, kept where it is to be: its `store` says what became of that.
 * @param response as its caller gets it
 */
export function keptResponse(
  response: Record<string, unknown>,
  { keeper }: Pick<BridgeHead, 'keeper'>,
): Record<string, unknown> {
  response['store'] = keeper !== undefined
  if (keeper !== undefined) response['store'] = keeper.keep(response)
  return response
}
