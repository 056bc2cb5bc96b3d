import { text } from './command.ts'
import { wholeNumber } from './number-option.ts'

const maxRows = 200

/** The options of commands that show a page of a list. */
export const pageOptions = {
  limit: text('n', `How many rows, up to ${maxRows} (default 50)`),
  cursor: text('cursor', 'Go on behind an earlier page: its `next_cursor`'),
}

/** As query parameters. */
export function pageQuery(input: { limit: string | undefined; cursor: string | undefined }): {
  limit: string | undefined
  cursor: string | undefined
} {
  const limit = wholeNumber(input.limit, '--limit', { min: 1, max: maxRows })
  return { limit: limit?.toString(), cursor: input.cursor }
}
