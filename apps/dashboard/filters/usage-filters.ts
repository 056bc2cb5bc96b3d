import { choiceIn, textIn, textsIn, wholeIn } from '../search.ts'
import { endpoints, operations, type Endpoint, type Operation } from './endpoints.ts'
import { outcomes, type Outcome } from './outcomes.ts'

export const defaultDays = 30
export const maxDays = 365

/** Which requests are looked at, as it stands in an address. */
export interface UsageFilters {
  /** How many days back, today included. */
  days?: number | undefined
  /** In place of `days`: the first and the last day, as in `2026-11-21`, UTC. */
  from?: string | undefined
  to?: string | undefined
  /** All of them on each request. */
  tag?: string[]
  key?: string
  /** Of an organization: of keys of this member; of keys in this project. */
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
/** What is named by its identifier alone. */
const patterns: Record<string, RegExp> = {
  key: /^key_[0-9a-z]{26}$/,
  member: /^mem_[0-9a-z]{26}$/,
  project: /^prj_[0-9a-z]{26}$/,
}
const maxTags = 20
const maxTagLength = 64

/** As the API takes it: 2026-02-30 has the form of a day, and is none. */
function isRange(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) return false
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return days >= 1 && days <= maxDays
}

/** A day that there is, as in `2026-11-21`; undefined where it is none. */
export function dayIn(search: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(search, name)
  return text !== undefined && isDay(text) ? text : undefined
}

function isDay(text: string): boolean {
  const timeMs = Date.parse(text)
  return dayPattern.test(text) && !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text)
}

/** As the API counts: in code points. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The range that an address names, if any. */
export function rangeIn(search: Record<string, unknown>): Range {
  const { days, from, to } = filtersIn(search)
  return { days, from, to }
}

/** The same in Unix epoch seconds; nothing of what has no bound. */
export function timesOf({ days, from, to }: UsageFilters, nowMs: number): { from?: number; to?: number } {
  if (from !== undefined && to !== undefined)
    return { from: Date.parse(from) / 1000, to: (Date.parse(to) + dayMs) / 1000 }
  if (days === undefined) return {}
  return { from: (Math.floor(nowMs / dayMs) - days + 1) * (dayMs / 1000) }
}

/** What the API would refuse is left out, as a word that is none. */
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

/** As the API is asked: what else an address says (`utm_source`) is nobody's affair. */
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
