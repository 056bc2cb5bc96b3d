/* When an account is told of its money: pure rules over figures that a store reads. */

export const alertKinds = ['balance', 'runway', 'unusual_spend', 'key_expiry'] as const
export type AlertKind = (typeof alertKinds)[number]

export interface AlertRule {
  kind: AlertKind
  enabled: boolean
  /** Of `balance`: told below this. */
  thresholdPico: bigint | null
  /** Of `runway` and `key_expiry`: told when it lasts for fewer days. */
  days: number | null
  /** Told, and not over yet. */
  isRaised: boolean
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often each rule is looked at. */
export const checkEveryMs: Record<AlertKind, number> = {
  balance: 5 * secondMs,
  runway: minuteMs,
  unusual_spend: minuteMs,
  key_expiry: 10 * minuteMs,
}

/** An account's last whole UTC days that spending is averaged over. */
export const runwayDays = 7

/**
 * How many days a balance lasts, in tenths, rounded down.
 * @param spentPico of each of the last whole days, the newest first; of an account that has not spent for as
 * long, the days before its first do not count
 * @returns undefined where nothing was spent
 */
export function runwayTenths(balancePico: bigint, spentPico: readonly bigint[]): number | undefined {
  const days = spentPico.findLastIndex((pico) => pico > 0n) + 1
  const sumPico = spentPico.reduce((sum, pico) => sum + pico, 0n)
  if (sumPico <= 0n) return undefined
  if (balancePico <= 0n) return 0
  return Number((balancePico * 10n * BigInt(days)) / sumPico)
}

/** So many days before at the same hour are compared with. */
export const comparedDays = 14
/** An account that is younger has no usual hour. */
export const historyMs = 7 * dayMs
const unusualFactor = 5n
/** Less than five of these an hour is never unusual: 1 USD. */
const leastMeanPico = 1_000_000_000_000n

/** @param beforePico of the same hour of days before; days without any spending count */
export function usualPico(beforePico: readonly bigint[]): bigint {
  if (beforePico.length === 0) return 0n
  return beforePico.reduce((sum, pico) => sum + pico, 0n) / BigInt(beforePico.length)
}

export function isUnusual(hourPico: bigint, meanPico: bigint): boolean {
  return hourPico > unusualFactor * (meanPico > leastMeanPico ? meanPico : leastMeanPico)
}

/** The last warning of a key comes so long before it expires. */
const lastWarningDays = 1

/**
 * Of how many days' notice a key's owner is to be told now; undefined: none. A key that was never to live
 * longer than that is no surprise.
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

/** The highest of a budget's percentages that is reached; undefined: none is. */
export function highestReachedPercent(
  spentPico: bigint,
  limitPico: bigint,
  percents: readonly number[],
): number | undefined {
  const reached = percents.filter((percent) => spentPico * 100n >= limitPico * BigInt(percent))
  return spentPico <= 0n || reached.length === 0 ? undefined : Math.max(...reached)
}
