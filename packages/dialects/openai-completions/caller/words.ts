import type { FinishReason } from '@turnpike/protocol'

/** OpenAI's words for how a choice of completions ended: there are no calls of tools. */
export function formatFinishReason(reason: FinishReason): string {
  switch (reason) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'stop':
    case 'tool-calls':
    case 'unknown':
      return 'stop'
  }
}

/** The vendor's identifier where it is one of completions, else ours. */
export function idOf(theirs: string | undefined, ours: string): string {
  return theirs?.startsWith('cmpl-') === true ? theirs : ours
}
