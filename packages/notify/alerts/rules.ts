/* When an account is alerted about its money: pure rules over figures that a store reads. */

export const alertKinds = ['balance', 'runway', 'unusual_spend', 'key_expiry'] as const
export type AlertKind = (typeof alertKinds)[number]

export interface AlertRule {
  kind: AlertKind
  enabled: boolean
  /** For `balance`: alert when the balance is below this. */
  thresholdPico: bigint | null
  /** For `runway` and `key_expiry`: alert when fewer days than this are left. */
  days: number | null
  /** The alert was sent and its condition still holds. */
  isRaised: boolean
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often each kind of rule is evaluated. */
export const checkEveryMs: Record<AlertKind, number> = {
  balance: 5 * secondMs,
  runway: minuteMs,
  unusual_spend: minuteMs,
  key_expiry: 10 * minuteMs,
}

/** Spending is averaged over this many of an account's last whole UTC days. */
export const runwayDays = 7

/**
 * How many days a balance lasts, in tenths of a day, rounded down.
 * @param spentPico spending on each of the last whole days, newest first; days before the account's first
 * spending do not count
 * @returns undefined if nothing was spent
 */
export function runwayTenths(balancePico: bigint, spentPico: readonly bigint[]): number | undefined {
  const days = spentPico.findLastIndex((pico) => pico > 0n) + 1
  const sumPico = spentPico.reduce((sum, pico) => sum + pico, 0n)
  if (sumPico <= 0n) return undefined
  if (balancePico <= 0n) return 0
  return Number((balancePico * 10n * BigInt(days)) / sumPico)
}

/** An hour is compared with the same hour on this many days before. */
export const comparedDays = 14
/** An account younger than this has no usual hourly spending. */
export const historyMs = 7 * dayMs
const unusualFactor = 5n
/** The mean counts as at least 1 USD, so less than five times that in an hour is never unusual. */
const leastMeanPico = 1_000_000_000_000n

/** @param beforePico spending in the same hour on earlier days; days without any spending count too */
export function usualPico(beforePico: readonly bigint[]): bigint {
  if (beforePico.length === 0) return 0n
  return beforePico.reduce((sum, pico) => sum + pico, 0n) / BigInt(beforePico.length)
}

export function isUnusual(hourPico: bigint, meanPico: bigint): boolean {
  return hourPico > unusualFactor * (meanPico > leastMeanPico ? meanPico : leastMeanPico)
}

/** The last warning about a key is sent this many days before it expires. */
const lastWarningDays = 1

/**
 * How many days' notice the key's owner gets now; undefined: none. A key whose whole life is no longer than
 * the notice is not announced.
 */
export function expiryNotice(
  { createdAtMs, expiresAtMs }: { createdAtMs: number; expiresAtMs: number },
  days: number,
  nowMs: number,
): number | undefined {
  if (expiresAtMs <= nowMs) return undefined
  const lifetimeMs = expiresAtMs - createdAtMs
  const due = [lastWarningDays, days].filter(
    (notice) => expiresAtMs - nowMs <= notice * dayMs && lifetimeMs > notice * dayMs,
  )
  return due.length === 0 ? undefined : Math.min(...due)
}

/** The highest of a budget's percentages that is reached; undefined if none is. */
export function highestReachedPercent(
  spentPico: bigint,
  limitPico: bigint,
  percents: readonly number[],
): number | undefined {
  const reached = percents.filter((percent) => spentPico * 100n >= limitPico * BigInt(percent))
  return spentPico <= 0n || reached.length === 0 ? undefined : Math.max(...reached)
}
