import type { Pricing } from '@turnpike/protocol'
import { convertPrices } from './convert.ts'
import type { SourceModel } from './price-source.ts'

/** Prices that apply always, from a day on, or at a time of each day. */
export interface PricePeriod {
  /** The first day, UTC: `2026-08-17`. */
  from?: string
  /** The time of each day, from and until, UTC: `["01:00:00", "04:00:00"]`; it may cross midnight. */
  daily?: [string, string]
  pricing: Pricing
}

const dayMs = 86_400_000

/** The periods of a model of the source; empty if it has no price. */
export function periodsOf({ prices }: SourceModel): { periods: PricePeriod[]; notCharged: string[] } {
  const periods: PricePeriod[] = []
  const notCharged = new Set<string>()
  for (const { constraint, prices: some } of Array.isArray(prices) ? prices : [{ prices }]) {
    const converted = convertPrices(some)
    for (const name of converted.notCharged) notCharged.add(name)
    if (converted.pricing === undefined) return { periods: [], notCharged: [...notCharged].toSorted() }
    const { start_date: from, start_time: start, end_time: end } = constraint ?? {}
    periods.push({
      ...(from !== undefined && { from }),
      ...(start !== undefined && end !== undefined && { daily: [time(start), time(end)] }),
      pricing: converted.pricing,
    })
  }
  return { periods, notCharged: [...notCharged].toSorted() }
}

function time(text: string): string {
  return text.slice(0, 'hh:mm:ss'.length)
}

/** The current prices: the last period that applies, otherwise the first; undefined if there are none. */
export function pricingAt(periods: readonly PricePeriod[], nowMs: number): Pricing | undefined {
  return (periods.findLast((period) => holds(period, nowMs)) ?? periods[0])?.pricing
}

/** When the prices may change next, in Unix epoch milliseconds; Infinity: never. */
export function nextChangeMs(periods: readonly PricePeriod[], nowMs: number): number {
  let next = Infinity
  for (const { from, daily } of periods) {
    const starts = from === undefined ? -Infinity : Date.parse(from)
    if (starts > nowMs) next = Math.min(next, starts)
    for (const bound of daily ?? []) {
      const today = nowMs - (nowMs % dayMs) + millisecondsOf(bound)
      next = Math.min(next, today > nowMs ? today : today + dayMs)
    }
  }
  return next
}

function holds({ from, daily }: PricePeriod, nowMs: number): boolean {
  if (from !== undefined) return nowMs >= Date.parse(from)
  if (daily === undefined) return true
  const [start, end] = [millisecondsOf(daily[0]), millisecondsOf(daily[1])]
  const now = nowMs % dayMs
  return end < start ? now >= start || now < end : now >= start && now < end
}

function millisecondsOf(timeOfDay: string): number {
  return Date.parse(`1970-01-01T${timeOfDay}Z`)
}
