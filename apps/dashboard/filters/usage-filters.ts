import { choiceIn, textIn, textsIn, wholeIn } from '../search.ts'
import { endpoints, operations, type Endpoint, type Operation } from './endpoints.ts'
import { outcomes, type Outcome } from './outcomes.ts'

export const defaultDays = 30
export const maxDays = 365

/** The filters of usage, as the address has them. */
export interface UsageFilters {
  /** How many days back, including today. */
  days?: number | undefined
  /** Instead of `days`: the first and the last day (UTC), as `2026-11-21`. */
  from?: string | undefined
  to?: string | undefined
  /** Requests must have all of these tags. */
  tag?: string[]
  key?: string
  /** For organizations: requests of this member's keys; requests of keys in this project. */
  member?: string
  project?: string
  model?: string
  provider?: string
  tier?: string
  endpoint?: Endpoint | undefined
  operation?: Operation | undefined
  outcome?: Outcome | undefined
}

export type Range = Pick<UsageFilters, 'days' | 'from' | 'to'>

const dayMs = 86_400_000
const dayPattern = /^\d{4}-\d{2}-\d{2}$/
/** Filters that are IDs. */
const patterns: Record<string, RegExp> = {
  key: /^key_[0-9a-z]{26}$/,
  member: /^mem_[0-9a-z]{26}$/,
  project: /^prj_[0-9a-z]{26}$/,
}
const maxTags = 20
const maxTagLength = 64

/** Checks days as the API does: 2026-02-30 has the right format, but is not a day. */
function isRange(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) return false
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return days >= 1 && days <= maxDays
}

/** An existing day as `2026-11-21`; undefined if the parameter is none. */
export function dayIn(search: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(search, name)
  return text !== undefined && isDay(text) ? text : undefined
}

function isDay(text: string): boolean {
  const timeMs = Date.parse(text)
  return dayPattern.test(text) && !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text)
}

/** Counts code points, as the API does. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The range that an address contains, if any. */
export function rangeIn(search: Record<string, unknown>): Range {
  const { days, from, to } = filtersIn(search)
  return { days, from, to }
}

/** The range in Unix epoch seconds; a missing bound is left out. */
export function timesOf({ days, from, to }: UsageFilters, nowMs: number): { from?: number; to?: number } {
  if (from !== undefined && to !== undefined)
    return { from: Date.parse(from) / 1000, to: (Date.parse(to) + dayMs) / 1000 }
  if (days === undefined) return {}
  return { from: (Math.floor(nowMs / dayMs) - days + 1) * (dayMs / 1000) }
}

/** Values that the API would refuse are ignored, like values that are not in a list of choices. */
function isValue(name: string, value: string | undefined): value is string {
  return value !== undefined && patterns[name]?.test(value) !== false
}

export function filtersIn(search: Record<string, unknown>): UsageFilters {
  const days = wholeIn(search, 'days', 1, maxDays)
  const [from, to] = [textIn(search, 'from'), textIn(search, 'to')]
  const tag = textsIn(search, 'tag')
    .filter((one) => one.trim() !== '' && lengthOf(one) <= maxTagLength)
    .slice(0, maxTags)
  const named = Object.fromEntries(
    ['key', 'member', 'project', 'model', 'provider', 'tier'].flatMap((name) => {
      const value = textIn(search, name)
      return isValue(name, value) ? [[name, value]] : []
    }),
  )
  return {
    ...(isRange(from, to) ? { from: from!, to: to! } : days !== undefined && { days }),
    ...(tag.length > 0 && { tag }),
    ...named,
    endpoint: choiceIn(search, 'endpoint', endpoints),
    operation: choiceIn(search, 'operation', operations),
    outcome: choiceIn(search, 'outcome', outcomes),
  }
}

/** The query of the API. Other parameters of the address (`utm_source`) are left out. */
export function queryOf(view: UsageFilters) {
  const { days, from, to, tag, key, member, project, model, provider, tier, endpoint, operation, outcome } =
    view
  const range = from !== undefined && to !== undefined ? { from, to } : { days: days ?? defaultDays }
  return {
    ...range,
    ...(tag && { tag }),
    ...(key && { key_id: key }),
    ...(member && { member_id: member }),
    ...(project && { project_id: project }),
    ...(model && { model }),
    ...(provider && { provider }),
    ...(tier && { tier }),
    ...(endpoint && { endpoint }),
    ...(operation && { operation }),
    ...(outcome && { outcome }),
  }
}

export function countOf(filters: UsageFilters): number {
  const { key, member, project, model, provider, tier, endpoint, operation, outcome, tag = [] } = filters
  const named = [key, member, project, model, provider, tier, endpoint, operation, outcome]
  return named.filter((one) => one !== undefined).length + tag.length
}
