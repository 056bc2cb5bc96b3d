/** npm prints the cause of an error first, and then its manual. */
const shownLines = 15

export function firstLines(output) {
  const lines = output.split('\n')
  return lines.length > shownLines ? [...lines.slice(0, shownLines), '…'].join('\n') : output
}

export function seconds(startedMs) {
  return `${Math.max(1, Math.round((Date.now() - startedMs) / 1000))} s`
}
