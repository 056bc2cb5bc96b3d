import { formatUsd, type LedgerTransfer } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { requirePosted } from '../ledger/refusal.ts'
import type { ManagementServices } from '../services.ts'
import { existing, inactive } from './refusal.ts'
import { requireFound } from '../not-found.ts'

interface Move {
  accountId: string
  /** Each with the request's field that names it. */
  from: { keyId: string; param: string }
  to: { keyId: string; param: string }
  amount: { pico: bigint; param: string }
  /** Identifies the movement, so that a repeated call is the same one. */
  movement: string
}

/**
 * Moves credit between two active keys of one account. A key that drew on another uses its own credit from
 * then on.
 * @throws {GatewayError} 400 or 404 that names the field; 402 if there is not enough credit
 */
export async function moveCredit(
  services: Pick<ManagementServices, 'apiKeys' | 'ledger' | 'clock' | 'releaseShared'>,
  { accountId, from, to, amount, movement }: Move,
): Promise<LedgerTransfer> {
  const source = active(existing(await services.apiKeys.find(accountId, from.keyId)), from.param)
  if (source.drawsOn !== null)
    throw invalidRequest(
      from.param,
      `\`${from.param}\`: this key has no credit of its own. It draws on ${source.drawsOn}.`,
    )
  if (from.keyId === to.keyId) throw invalidRequest(to.param, `\`${to.param}\`: expected another key.`)
  active(requireFound(await services.apiKeys.find(accountId, to.keyId), 'Key', to.param), to.param)
  // Otherwise the unused credit that this node has leased could not be moved.
  await services.releaseShared(from.keyId)
  const result = await services.ledger.transferBetweenKeys(
    {
      accountId,
      fromKeyId: from.keyId,
      toKeyId: to.keyId,
      amountPico: amount.pico,
      reference: `transfer:${from.keyId}:${movement}`,
    },
    services.clock(),
  )
  if ('refused' in result && result.refused === 'insufficient-credit') throw tooLittle(source, amount)
  return requirePosted(result, to.param)
}

function active(key: ApiKey, param: string): ApiKey {
  if (key.status === 'active' && key.replacedBy === null) return key
  throw inactive(param)
}

function tooLittle(source: ApiKey, { pico, param }: Move['amount']): GatewayError {
  const has = `The key has ${formatUsd(source.balancePico)} USD, perhaps some of it held by open requests`
  return new GatewayError('insufficient_quota', `${has}. The transfer needs ${formatUsd(pico)} USD.`, {
    param,
  })
}
