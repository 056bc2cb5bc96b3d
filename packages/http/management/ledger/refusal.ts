import type { LedgerTransfer, MovementRefusal, MovementResult } from '@turnpike/billing'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { inactive } from '../keys/refusal.ts'

/** The posted transfer. @throws {GatewayError} why nothing was posted */
export function requirePosted(result: MovementResult, keyParam: string): LedgerTransfer {
  if ('transfer' in result) return result.transfer
  throw refusalError(result.refused, keyParam)
}

function refusalError(refused: MovementRefusal, keyParam: string): GatewayError {
  switch (refused) {
    case 'unknown-account':
      return new GatewayError('not_found_error', 'Account not found.')
    case 'unknown-key':
      return new GatewayError('not_found_error', 'Key not found.', { param: keyParam })
    case 'key-revoked':
      return inactive(keyParam)
    case 'same-key':
      return invalidRequest(keyParam, `\`${keyParam}\`: expected another key.`)
    case 'unknown-transfer':
      return new GatewayError('not_found_error', 'Ledger entry not found.', {
        param: 'corrects',
      })
    case 'balance-limit':
      return invalidRequest('amount_usd', '`amount_usd`: the balance would exceed 9,223,372 USD.')
    case 'insufficient-credit':
      return new GatewayError('insufficient_quota', 'There is not enough free credit for this amount.', {
        param: 'amount_usd',
      })
    default:
      // `reference-reused`: the reference was derived from the caller's Idempotency-Key.
      return new GatewayError(
        'conflict_error',
        'This `Idempotency-Key` was already used for another transaction.',
        {
          param: 'Idempotency-Key',
        },
      )
  }
}
