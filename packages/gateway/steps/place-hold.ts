import {
  coverablePico,
  worstCase,
  type Hold,
  type HoldRefusal,
  type HoldResult,
  type Spender,
} from '@turnpike/billing'
import { operationOf, vendorFormats } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { attemptRow } from '../attempts/attempt-row.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held, Limited } from '../context/stages.ts'
import { budgetsOf } from '../metering/budgets-of.ts'
import { creditUncheckedError } from '../metering/credit-errors.ts'
import { mostTokensWithin } from '../metering/output-bound.ts'
import { toHoldError } from '../metering/hold-error.ts'
import { withMetadata } from '../metering/refusal-metadata.ts'
import { describeSavings } from '../metering/describe-savings.ts'
import { findRequestedServices } from '../metering/requested-services.ts'
import { defaultOutputTokens } from '../operations/rules.ts'

/**
 * Without a bound from the caller, one is sent if the hold exceeds one part in this many of the free credit.
 */
const shareOfCredit = 10n
/** How often to lower the bound again after another request took the credit first. */
const mostLowerings = 3

type Unheld = Omit<Held, 'hold'>

/**
 * Holds what the request may cost at its most expensive candidate. Returns no promise if the node's lease
 * covers it. If the credit covers the first model but not all fallbacks, drops the expensive ones: a fallback
 * must not cost the caller an answer that it can pay for. If the credit does not cover the caller's output
 * bound, lowers the bound (docs/contract.md, 4.5).
 * @throws {GatewayError} 402 not coverable, 429 requests in flight hold the credit, 503 the store is
 * unavailable or the outbox full
 */
export function placeHold(request: Limited, gateway: Gateway): Held | Promise<Held> {
  gateway.outbox.requireRoom()
  const { call, operation, allowance } = request
  const named = call.request.maxOutputTokens
  const unheld = request as Unheld
  unheld.heldInputTokens = allowance.estimate.inputTokens
  unheld.furtherInput = operation.billedUnits(call.request)
  unheld.outputBound = {
    tokens: named ?? operation.defaultOutputBound(call.request),
    isSent: named !== undefined,
    isLowered: false,
  }
  unheld.headSent = false
  unheld.budgets = budgetsOf(request)
  const amountPico = worstOf(unheld, unheld.outputBound.tokens)
  const hold = gateway.leases.tryHold(spenderOf(unheld), amountPico)
  return hold === undefined ? holdLater(unheld, amountPico, gateway) : withHold(unheld, hold, gateway)
}

function spenderOf({ key, exchange, budgets }: Unheld): Spender {
  return { keyId: key.id, startedAtMs: exchange.startedAtMs, budgets }
}

function withHold(request: Unheld, hold: Hold, gateway: Gateway): Held {
  const held = request as Held
  held.hold = hold
  if (held.operation.expectsOutput && !held.outputBound.isSent) chooseOutputBound(held, gateway)
  held.record.holdPico = hold.amountPico
  return held
}

/** The most that any candidate may cost, with this output bound per choice. */
function worstOf(request: Unheld, tokens: number): bigint {
  let mostPico = 0n
  let last: Candidate | undefined
  for (const candidate of request.candidates) {
    // Keys of one upstream, and most upstreams of one model, are adjacent and have the same price.
    if (candidate.model === last?.model && candidate.prices === last.prices) continue
    last = candidate
    const pico = worstAt(candidate, request, tokens)
    if (pico > mostPico) mostPico = pico
  }
  return mostPico
}

function worstAt({ model, prices, provider }: Candidate, request: Unheld, tokens: number): bigint {
  const { call, operation, heldInputTokens, furtherInput } = request
  const output = Math.min(tokens, model.maxOutputTokens) * operation.choices(call.request)
  const services = findRequestedServices(request, { provider, model, heldInputTokens })
  return worstCase(prices, heldInputTokens, output, furtherInput, services)
}

/**
 * Chooses a bound if the caller named none. It is sent if the answer could cost more than the share of the
 * credit. A vendor that requires a bound gets the largest one that this share covers, since the bound would
 * truncate the answer.
 */
function chooseOutputBound(held: Held, gateway: Gateway): void {
  const { hold, outputBound, candidates } = held
  const sharePico = (gateway.leases.freeBeside(hold) + hold.amountPico) / shareOfCredit
  const isRequired = candidates.some(
    ({ provider }) => operationOf(vendorFormats[provider.format], held.format.operation).requiresOutputBound,
  )
  outputBound.isSent = isRequired || hold.amountPico > sharePico
  if (!isRequired || hold.amountPico > sharePico) return
  const most = Math.max(...candidates.map(({ model }) => model.maxOutputTokens))
  const bounds = { least: outputBound.tokens, most }
  const tokens = mostTokensWithin(sharePico, bounds, (bound) => worstOf(held, bound))
  if (gateway.leases.tryExtend(hold, worstOf(held, tokens) - hold.amountPico)) outputBound.tokens = tokens
}

async function holdLater(request: Unheld, amountPico: bigint, gateway: Gateway): Promise<Held> {
  let neededPico = amountPico
  let result = await tryToHold(request, neededPico, gateway)
  // An own key that costs nothing needs neither credit nor a budget; only the candidates after it do.
  if ('refused' in result && request.candidates[0]!.own !== undefined) {
    const firstPico = worstAt(request.candidates[0]!, request, request.outputBound.tokens)
    if (firstPico < neededPico) {
      const ownResult = await tryToHold(request, firstPico, gateway)
      if ('hold' in ownResult) {
        withoutDearer(request)
        return withHold(request, ownResult.hold, gateway)
      }
    }
  }
  while ('refused' in result && passOverModel(request, result.refused)) {
    neededPico = worstOf(request, request.outputBound.tokens)
    result = await tryToHold(request, neededPico, gateway)
  }
  if ('refused' in result) {
    const beforePico = neededPico
    neededPico = withoutDearer(request)
    if (neededPico < beforePico) result = await tryToHold(request, neededPico, gateway)
  }
  if ('refused' in result && !result.refused.waitingHelps)
    return withHold(request, await placeSmallerHold(request, result.refused, gateway), gateway)
  if ('refused' in result) throw refusal(request, result.refused, neededPico, gateway)
  return withHold(request, result.hold, gateway)
}

/**
 * Drops the candidates of a model whose budget does not cover the request, like those in cooldown.
 * @returns whether other candidates are left
 */
function passOverModel(request: Unheld, { budget }: HoldRefusal): boolean {
  if (budget?.rule.scope !== 'model') return false
  const { subject } = budget.rule
  const others = request.candidates.filter(({ model }) => model.id !== subject)
  if (others.length === 0) return false
  for (const candidate of request.candidates)
    if (candidate.model.id === subject) request.record.attempts.push(attemptRow(candidate, 'budget-used-up'))
  request.candidates = others
  request.budgets = budgetsOf(request)
  return true
}

/**
 * Holds as many output tokens as the credit covers, if that is at least the default bound. Otherwise also
 * reduces the uses of vendor-run tools, down to one.
 * @throws {GatewayError} 402, or 429 if requests in flight hold the missing credit
 */
async function placeSmallerHold(request: Unheld, refused: HoldRefusal, gateway: Gateway): Promise<Hold> {
  const { outputBound } = request
  const least = Math.min(outputBound.tokens, defaultOutputTokens)
  let known = refused
  let leastPico = 0n
  for (let tries = 0; tries < mostLowerings; tries++) {
    leastPico = lowerUses(request, least, known.freePico)
    if (known.freePico < leastPico) break
    const bounds = { least, most: outputBound.tokens }
    const tokens = mostTokensWithin(known.freePico, bounds, (bound) => worstOf(request, bound))
    const result = await tryToHold(request, worstOf(request, tokens), gateway)
    if ('hold' in result) {
      request.outputBound = { tokens, isSent: true, isLowered: tokens < outputBound.tokens }
      return result.hold
    }
    known = result.refused
  }
  throw refusal(request, { ...known, waitingHelps: coverablePico(known) >= leastPico }, leastPico, gateway)
}

function refusal(
  request: Unheld,
  refused: HoldRefusal,
  neededPico: bigint,
  { payLinks, onBudgetRefused }: Gateway,
): GatewayError {
  const error = toHoldError(refused, neededPico, describeSavings(request))
  if (refused.budget !== undefined && !refused.waitingHelps)
    onBudgetRefused?.(refused.budget.rule.id, neededPico)
  return withMetadata(error, refused, neededPico, { key: request.key, payLinks })
}

/** The least that the most expensive candidate may cost, with as many tool uses as the credit covers. */
function lowerUses(request: Unheld, leastTokens: number, freePico: bigint): bigint {
  request.toolUses = undefined
  const asPico = worstOf(request, leastTokens)
  const { call, operation, candidates } = request
  const { services } = operation
  if (asPico <= freePico || services === undefined) return asPico
  const most = Math.max(...candidates.map(({ provider }) => services.mostUses(call.request, provider)))
  if (most === 0) return asPico
  const cost = (uses: number): bigint => {
    request.toolUses = uses
    return worstOf(request, leastTokens)
  }
  request.toolUses = mostTokensWithin(freePico, { least: 1, most }, cost)
  return worstOf(request, leastTokens)
}

async function tryToHold(request: Unheld, amountPico: bigint, gateway: Gateway): Promise<HoldResult> {
  try {
    return await gateway.leases.hold(spenderOf(request), amountPico)
  } catch (cause) {
    throw creditUncheckedError(cause)
  }
}

/** Drops candidates that may cost more than the first one, and returns what that one may cost. */
function withoutDearer(request: Unheld): bigint {
  const { outputBound } = request
  const mostPico = (candidate: Candidate): bigint => worstAt(candidate, request, outputBound.tokens)
  const firstPico = mostPico(request.candidates[0]!)
  request.candidates = request.candidates.filter((candidate) => mostPico(candidate) <= firstPico)
  request.budgets = budgetsOf(request)
  return firstPico
}
