import { choiceIn, textIn, textsIn, wholeIn } from '../../search.ts'

export const outcomes = ['completed', 'client_closed', 'upstream_cut', 'credit_exhausted', 'failed'] as const

export interface RequestsView {
  days?: number
  tag?: string[]
  key?: string
  model?: string
  outcome?: (typeof outcomes)[number]
  /** Where the page begins, as the page before it said. */
  cursor?: string
}

export function requestSearch(search: Record<string, unknown>): RequestsView {
  const days = wholeIn(search, 'days', 1, 365)
  const tag = textsIn(search, 'tag')
  const key = textIn(search, 'key')
  const model = textIn(search, 'model')
  const outcome = choiceIn(search, 'outcome', outcomes)
  const cursor = textIn(search, 'cursor')
  return {
    ...(days !== undefined && { days }),
    ...(tag.length > 0 && { tag }),
    ...(key && { key }),
    ...(model && { model }),
    ...(outcome && { outcome }),
    ...(cursor && { cursor }),
  }
}
