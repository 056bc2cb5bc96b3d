import { textIn } from '../../search.ts'

export interface PlaygroundView {
  model?: string
  /** The second model, answering next to the first. */
  with?: string
}

export function playgroundSearch(search: Record<string, unknown>): PlaygroundView {
  return { model: textIn(search, 'model'), with: textIn(search, 'with') }
}
