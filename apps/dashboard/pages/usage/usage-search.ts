import { choiceIn, textIn, textsIn, wholeIn } from '../../search.ts'

export const dimensions = ['tag', 'model', 'key', 'provider', 'tier', 'day'] as const
export const measures = ['cost', 'requests', 'tokens'] as const

export type UsageDimension = (typeof dimensions)[number]
export type Measure = (typeof measures)[number]

export const defaultDays = 30
export const maxDays = 365

export interface UsageView {
  /** How many days back, today included. */
  days?: number
  /** All of them on each request. */
  tag?: string[]
  key?: string
  model?: string
  /** What the figures are broken down by, and in a cross table against what. */
  by?: UsageDimension
  against?: UsageDimension
  measure?: Measure
}

/** The whole view is in the address: whoever has it sees the same. */
export function usageSearch(search: Record<string, unknown>): UsageView {
  const days = wholeIn(search, 'days', 1, maxDays)
  const tag = textsIn(search, 'tag')
  const key = textIn(search, 'key')
  const model = textIn(search, 'model')
  const by = choiceIn(search, 'by', dimensions)
  const against = choiceIn(search, 'against', dimensions)
  const measure = choiceIn(search, 'measure', measures)
  return {
    ...(days !== undefined && { days }),
    ...(tag.length > 0 && { tag }),
    ...(key && { key }),
    ...(model && { model }),
    ...(by && { by }),
    ...(against && against !== by && { against }),
    ...(measure && { measure }),
  }
}
