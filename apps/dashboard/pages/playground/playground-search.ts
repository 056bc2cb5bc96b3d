import { textIn } from '../../search.ts'

export interface PlaygroundView {
  model?: string
  /** The model beside it. */
  with?: string
}

export function playgroundSearch(search: Record<string, unknown>): PlaygroundView {
  return { model: textIn(search, 'model'), with: textIn(search, 'with') }
}
