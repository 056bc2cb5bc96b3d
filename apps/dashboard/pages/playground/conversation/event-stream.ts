/** The `data` of server-sent events, from text as it arrives (HTML Standard, section 9.2). */
export class EventStream {
  #rest = ''

  /** Returns the events that are complete now. */
  push(text: string): string[] {
    const events = (this.#rest + text).split(/\r?\n\r?\n/)
    this.#rest = events.pop() ?? ''
    return events.flatMap((event) => {
      const lines = event.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
      return lines.length === 0 ? [] : [lines.join('\n')]
    })
  }
}
