import { choiceIn, textIn, textsIn, wholeIn } from '../search.ts'
import { endpoints, operations, type Endpoint, type Operation } from './endpoints.ts'
import { outcomes, type Outcome } from './outcomes.ts'

export const defaultDays = 30
export const maxDays = 365

/** Which requests are looked at, as it stands in an address. */
export interface UsageFilters {
  /** How many days back, today included. */
  days?: number
  /** In place of `days`: the first and the last day, as in `2026-11-21`, UTC. */
  from?: string
  to?: string
  /** All of them on each request. */
  tag?: string[]
  key?: string
  model?: string
  provider?: string
  tier?: string
  endpoint?: Endpoint
  operation?: Operation
  outcome?: Outcome
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

export function filtersIn(search: Record<string, unknown>): UsageFilters {
  const days = wholeIn(search, 'days', 1, maxDays)
  const [from, to] = [textIn(search, 'from'), textIn(search, 'to')]
  const isRange = from !== undefined && to !== undefined && dayPattern.test(from) && dayPattern.test(to)
  const tag = textsIn(search, 'tag')
  const endpoint = choiceIn(search, 'endpoint', endpoints)
  const operation = choiceIn(search, 'operation', operations)
  const outcome = choiceIn(search, 'outcome', outcomes)
  const named = Object.fromEntries(
    ['key', 'model', 'provider', 'tier'].flatMap((name) => {
      const value = textIn(search, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    ...(isRange ? { from, to } : days !== undefined && { days }),
    ...(tag.length > 0 && { tag }),
    ...named,
    ...(endpoint && { endpoint }),
    ...(operation && { operation }),
    ...(outcome && { outcome }),
  }
}

/** As the API is asked. */
export function queryOf({ days, from, to, key, ...others }: UsageFilters) {
  const range = from !== undefined && to !== undefined ? { from, to } : { days: days ?? defaultDays }
  return { ...range, ...others, ...(key !== undefined && { key_id: key }) }
}

export function countOf(filters: UsageFilters): number {
  const { key, model, provider, tier, endpoint, operation, outcome, tag = [] } = filters
  const named = [key, model, provider, tier, endpoint, operation, outcome]
  return named.filter((one) => one !== undefined).length + tag.length
}
