import type { FinishReason } from '@turnpike/protocol'

/** OpenAI's finish reasons of completions, which have no tool calls. */
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

/** The vendor's id if it is one of completions, otherwise ours. */
export function idOf(theirs: string | undefined, ours: string): string {
  return theirs?.startsWith('cmpl-') === true ? theirs : ours
}
