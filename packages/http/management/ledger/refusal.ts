import type { LedgerTransfer, MovementRefusal, MovementResult } from '@turnpike/billing'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { inactive } from '../keys/refusal.ts'

/** The posted transfer. @throws {GatewayError} why there is none */
export function posted(result: MovementResult, keyParam: string): LedgerTransfer {
  if ('transfer' in result) return result.transfer
  throw refusalError(result.refused, keyParam)
}

function refusalError(refused: MovementRefusal, keyParam: string): GatewayError {
  switch (refused) {
    case 'unknown-account':
      return new GatewayError('not_found_error', 'There is no such account.')
    case 'unknown-key':
      return new GatewayError('not_found_error', 'The account has no such key.', { param: keyParam })
    case 'key-revoked':
      return inactive(keyParam)
    case 'same-key':
      return invalidRequest(keyParam, `\`${keyParam}\`: expected another key.`)
    case 'unknown-transfer':
      return new GatewayError('not_found_error', 'The account has no such ledger entry.', {
        param: 'corrects',
      })
    case 'balance-limit':
      return invalidRequest('amount_usd', '`amount_usd`: the balance would go beyond 9,223,372 USD.')
    case 'insufficient-credit':
      return new GatewayError('insufficient_quota', 'There is less free credit than the amount asked for.', {
        param: 'amount_usd',
      })
    default:
      // `reference-reused`: the reference was made of the caller's own key.
      return new GatewayError('conflict_error', 'This `Idempotency-Key` was used for another movement.', {
        param: 'Idempotency-Key',
      })
  }
}
