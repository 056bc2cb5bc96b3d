import { textIn } from '../../search.ts'

export interface PlaygroundView {
  model?: string
  /** The model beside it. */
  with?: string
}

export function playgroundSearch(search: Record<string, unknown>): PlaygroundView {
  const model = textIn(search, 'model')
  const second = textIn(search, 'with')
  return { ...(model && { model }), ...(second && { with: second }) }
}
