import { formatUsd, type HoldRefusal } from '@turnpike/billing'
import type { KnownKey } from '@turnpike/identity'
import type { ErrorMetadata, GatewayError } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'

/**
 * Adds machine-readable metadata to the error of a rejected hold: the reason, what the request needs and what
 * is left, each as in the message. Adds a link to a checkout if money helps and the key may create one.
 * @param neededPico undefined if the request has not been read yet, or the length of its answer is unknown
 */
export function withMetadata(
  error: GatewayError,
  refused: HoldRefusal,
  neededPico: bigint | undefined,
  { key, payLinks }: { key: KnownKey; payLinks: Gateway['payLinks'] },
): GatewayError {
  // If waiting helps, there is nothing to buy.
  if (error.type !== 'insufficient_quota') return error
  const metadata = metadataOf(refused, neededPico)
  const isOfCredit = refused.limit === undefined && refused.budget === undefined
  if (payLinks === undefined || !key.mayTopUp || !isOfCredit) return error.with({ metadata })
  // The default key covers an account's negative balance; otherwise the paying key needs the credit.
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

/** The key to top up, if not the account, and another key that has enough credit. */
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
