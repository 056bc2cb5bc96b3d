import { formatUsd, type HoldRefusal, type PayerState } from '@turnpike/billing'
import { GatewayError, type SpendPeriod } from '@turnpike/protocol'
import { budgetName } from './budget-words.ts'

/** How soon credit held by requests in flight may be free again. */
const waitSeconds = 1

/**
 * The caller's error for a rejected hold: 402 if the key's credit, spend limit or budget does not cover the
 * request, 429 if other requests in flight hold what is missing.
 * @param less what the caller can lower, as its own fields; undefined if nothing
 */
export function toHoldError(
  refused: HoldRefusal,
  neededPico: bigint,
  less: string | undefined,
): GatewayError {
  const needs = formatUsd(neededPico)
  if (refused.budget !== undefined) return budgetError(refused, refused.budget, needs, less)
  if (refused.limit !== undefined) return spendLimitError(refused.limit, refused.waitingHelps, needs, less)
  const has = formatUsd(refused.creditPico)
  if (refused.accountPico !== undefined)
    return accountCreditError(has, refused.accountPico, refused.waitingHelps, needs, less)
  const { payer } = refused
  if (refused.waitingHelps) {
    const whose = payer?.isDrawnOn === true ? `${payer.keyId}, whose credit this key uses,` : 'The key'
    return heldElsewhereError(`This request needs ${needs} USD of credit. ${whose} has ${has} USD`)
  }
  const message = `${creditOf(payer, has)} ${shortfall(needs)}. ${moreCredit(payer)}${orLower(less)}.`
  return new GatewayError('insufficient_quota', message)
}

/** The error for a key that can pay for nothing, before any of the request is read. */
export function noCreditError(refused: HoldRefusal): GatewayError {
  const { creditPico, accountPico, limit, payer, budget } = refused
  if (budget !== undefined) return budgetError(refused, budget, undefined, undefined)
  if (limit !== undefined) return spendLimitError(limit, false, undefined, undefined)
  if (accountPico !== undefined)
    return accountCreditError(formatUsd(creditPico), accountPico, false, undefined, undefined)
  const message = `${creditOf(payer, formatUsd(creditPico))} ${shortfall(undefined)}. ${moreCredit(payer)}.`
  return new GatewayError('insufficient_quota', message)
}

/** @param needs undefined if the request has not been read yet */
function shortfall(needs: string | undefined): string {
  if (needs === undefined) return 'is not enough for any request'
  return `does not cover this request, which may cost up to ${needs} USD`
}

/** Whose credit is too low. */
function creditOf(payer: PayerState | undefined, has: string): string {
  if (payer?.isDrawnOn !== true) return `The key's credit of ${has} USD`
  return `The ${has} USD of credit that this key uses from ${payer.keyId}`
}

/** What helps: credit that another key of the account has, or buying some for the key that pays. */
function moreCredit(payer: PayerState | undefined): string {
  if (payer?.richerKeyId !== undefined)
    return (
      `${payer.richerKeyId} of the account has enough: let this key use its credit (PATCH ` +
      '/api/v1/me/keys/{id}, `draws_on`), transfer some of it (POST /api/v1/me/keys/{id}/transfer), or ' +
      'top up'
    )
  if (payer === undefined || payer.isDefault) return 'Top up the account (POST /api/v1/topup)'
  return `Top up ${payer.keyId} (POST /api/v1/topup, \`key_id\`)`
}

/** For a key with enough credit whose account has too little, because other keys have negative balances. */
function accountCreditError(
  has: string,
  accountPico: bigint,
  waitingHelps: boolean,
  needs: string | undefined,
  less: string | undefined,
): GatewayError {
  const inAll = formatUsd(accountPico)
  if (waitingHelps) {
    const message =
      `This request needs ${needs} USD of credit. The account has ${inAll} USD in total, but requests in ` +
      `flight with its other keys hold part of it. Retry when they finish.`
    return new GatewayError('rate_limit_error', message, { retryAfterSeconds: waitSeconds })
  }
  const message =
    `The account's credit of ${inAll} USD ${shortfall(needs)}. ` +
    `The key has ${has} USD, but other keys of the account have a negative balance. ` +
    `Top up the account (POST /api/v1/topup)${orLower(less)}.`
  return new GatewayError('insufficient_quota', message)
}

function orLower(less: string | undefined): string {
  return less === undefined ? '' : `, or lower ${less}`
}

function heldElsewhereError(has: string): GatewayError {
  const message = `${has}, but other requests in flight hold part of it. Retry when they finish.`
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds: waitSeconds })
}

const raiseLimit = 'raise the limit (PATCH /api/v1/me/keys/{id})'

const nameOf = { day: 'a day', week: 'a week', month: 'a month', total: 'in total' } as const

function spendLimitError(
  { limitPico, leftPico, period }: NonNullable<HoldRefusal['limit']>,
  waitingHelps: boolean,
  needs: string | undefined,
  less: string | undefined,
): GatewayError {
  const limit = `spend limit of ${formatUsd(limitPico)} USD ${nameOf[period.kind]}`
  const left = formatUsd(leftPico > 0n ? leftPico : 0n)
  if (waitingHelps)
    return heldElsewhereError(`This request needs ${needs} USD. The key's ${limit} leaves ${left} USD`)
  const message =
    `The key's ${limit} ${shortfall(needs)}: ` +
    `${formatUsd(limitPico - leftPico)} USD is already spent. ${whatHelps(period, raiseLimit, less)}`
  return new GatewayError('insufficient_quota', message)
}

function budgetError(
  { creditPico, waitingHelps }: HoldRefusal,
  { rule, period }: NonNullable<HoldRefusal['budget']>,
  needs: string | undefined,
  less: string | undefined,
): GatewayError {
  const leftPico = creditPico > 0n ? creditPico : 0n
  if (waitingHelps)
    return heldElsewhereError(
      `This request needs ${needs} USD. ${budgetName(rule, 'T')} leaves ${formatUsd(leftPico)} USD`,
    )
  const raise = `raise the budget (PATCH /api/v1/budgets/${rule.id})`
  const message =
    `${budgetName(rule, 'T')} ${shortfall(needs)}: ${formatUsd(rule.limitPico - creditPico)} USD is ` +
    `spent, ${formatUsd(leftPico)} USD is left. ${whatHelps(period, raise, less)}`
  return new GatewayError('insufficient_quota', message)
}

function whatHelps({ kind, endsAtMs }: SpendPeriod, raise: string, less: string | undefined): string {
  const change = `${raise}${orLower(less)}.`
  if (kind === 'total') return `It does not reset: ${change}`
  const end = new Date(endsAtMs).toISOString().replace('.000Z', 'Z')
  return `Wait until the ${kind} ends at ${end}, ${change}`
}
