import { text } from './command.ts'
import { wholeNumber } from './number-option.ts'

const maxRows = 200

/** The options of commands that show a page of a list. */
export const pageOptions = pageOptionsOf({ most: maxRows, usual: 50 })

export function pageOptionsOf({ most, usual }: { most: number; usual: number }) {
  return {
    limit: text('n', `How many rows, up to ${most} (default ${usual})`),
    cursor: text('cursor', 'Continue after a page: its `next_cursor`'),
  }
}

/** As query parameters. */
export function pageQuery(
  input: { limit: string | undefined; cursor: string | undefined },
  most: number = maxRows,
): { limit: string | undefined; cursor: string | undefined } {
  const limit = wholeNumber(input.limit, '--limit', { min: 1, max: most })
  return { limit: limit?.toString(), cursor: input.cursor }
}
