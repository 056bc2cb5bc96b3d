import { formatUsd, type LedgerTransfer } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { requirePosted } from '../ledger/refusal.ts'
import type { ManagementServices } from '../services.ts'
import { existing, inactive } from './refusal.ts'

interface Move {
  accountId: string
  /** Each with the caller's field that names it. */
  from: { keyId: string; param: string }
  to: { keyId: string; param: string }
  amount: { pico: bigint; param: string }
  /** Makes the same movement of a repeated call. */
  movement: string
}

/**
 * Moves credit between two active keys of one account. One that drew on another uses what it is given from
 * then on.
 * @throws {GatewayError} 400, 404 naming the field; 402 where there is less
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
  const target = await services.apiKeys.find(accountId, to.keyId)
  if (target === undefined) {
    throw new GatewayError('not_found_error', 'Key not found.', { param: to.param })
  }
  active(target, to.param)
  // What this node has leased and does not use would be missing from the credit that can move.
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
