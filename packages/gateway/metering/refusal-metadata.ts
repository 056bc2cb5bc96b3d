import { formatUsd, type HoldRefusal } from '@turnpike/billing'
import type { KnownKey } from '@turnpike/identity'
import type { ErrorMetadata, GatewayError } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'

/**
 * The error of a hold that was refused, with what a program reads of it: why, what the request needs and what
 * there is, each as the message says it; and a link by which that can be bought, where money helps and the
 * key may give one.
 * @param neededPico undefined: nothing of the request was read yet, or its answer goes on who knows how long
 */
export function withMetadata(
  error: GatewayError,
  refused: HoldRefusal,
  neededPico: bigint | undefined,
  { key, payLinks }: { key: KnownKey; payLinks: Gateway['payLinks'] },
): GatewayError {
  // Who need only wait has nothing to buy.
  if (error.type !== 'insufficient_quota') return error
  const metadata = metadataOf(refused, neededPico)
  const isOfCredit = refused.limit === undefined && refused.budget === undefined
  if (payLinks === undefined || !key.mayTopUp || !isOfCredit) return error.with({ metadata })
  // What the account owes is covered by its default key; else it is the key that pays which lacks something.
  const keyId = refused.accountPico === undefined ? (refused.payer?.keyId ?? null) : null
  const { checkoutUrl, pollUrl } = payLinks.of(key.accountId, keyId, neededPico ?? 0n)
  return error.with({ metadata: { ...metadata, checkout_url: checkoutUrl, poll_url: pollUrl } })
}

function metadataOf(refused: HoldRefusal, neededPico: bigint | undefined): ErrorMetadata {
  const { limit, creditPico, accountPico, budget } = refused
  if (budget !== undefined)
    return {
      reason: 'budget',
      needed_usd: neededPico === undefined ? null : formatUsd(neededPico),
      budget: budgetOf(budget, creditPico),
    }
  return {
    reason: limit === undefined ? 'credit' : 'key_limit',
    needed_usd: neededPico === undefined ? null : formatUsd(neededPico),
    balance_usd: formatUsd(accountPico ?? creditPico),
    ...(limit === undefined ? keysOf(refused) : { limit: limitOf(limit) }),
  }
}

/** Which key is to be topped up, if not the account, and which other one has enough. */
function keysOf({ accountPico, payer }: HoldRefusal): ErrorMetadata {
  if (accountPico !== undefined || payer === undefined) return {}
  return {
    ...(!payer.isDefault && { key_id: payer.keyId }),
    ...(payer.richerKeyId !== undefined && { richer_key_id: payer.richerKeyId }),
  }
}

function budgetOf(
  { rule, period }: NonNullable<HoldRefusal['budget']>,
  leftPico: bigint,
): Record<string, unknown> {
  const { id, name, scope, subject, limitPico } = rule
  return {
    id,
    name,
    scope,
    subject: scope === 'organization' ? null : subject,
    ...limitOf({ limitPico, leftPico, period }),
  }
}

function limitOf({
  limitPico,
  leftPico,
  period,
}: NonNullable<HoldRefusal['limit']>): Record<string, unknown> {
  return {
    period: period.kind,
    limit_usd: formatUsd(limitPico),
    left_usd: formatUsd(leftPico > 0n ? leftPico : 0n),
    resets_at: period.kind === 'total' ? null : Math.floor(period.endsAtMs / 1000),
  }
}
