/** Splits a stream of server-sent events into the data of each event (WHATWG HTML, section 9.2). */
export class EventStream {
  readonly #decoder = new TextDecoder()
  #rest = ''

  /** @returns the data of each event that is now complete */
  push(bytes: Uint8Array): string[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true })
    const events = this.#rest.split(/\r?\n\r?\n/)
    this.#rest = events.pop()!
    return events.map(dataOf).filter((data) => data !== undefined)
  }
}

function dataOf(event: string): string | undefined {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  if (lines.length === 0) return undefined
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')
}
