import { completionFacts, type Completion } from '@turnpike/api'
import type { Style } from '../../terminal/style.ts'
import { oneLine } from '../../terminal/text-width.ts'

export interface ChatSettings {
  apiKey: string
  model: string
  system: string | undefined
  maxTokens: number | undefined
  tags: string[]
}

/** The line below an answer. */
export function turnFacts(completion: Completion, style: Pick<Style, 'dim'>): string {
  return style.dim(oneLine(completionFacts(completion)))
}
