import { list, text, type Json } from './json.ts'

/**
 * Arguments that Vertex streams in pieces, each with a JSONPath (`$.items[1].name`): a string is continued,
 * every other value is complete.
 */
export class PartialArguments {
  readonly value: Json = {}

  add(pieces: unknown): void {
    for (const piece of list(pieces)) {
      const steps = [...text(piece['jsonPath']).matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/gu)].map(
        ([, name, position, quoted]) => (position === undefined ? (name ?? quoted!) : Number(position)),
      )
      this.#set(steps, piece)
    }
  }

  #set(steps: readonly (string | number)[], piece: Json): void {
    let holder = this.value as Record<string | number, unknown>
    for (const [at, step] of steps.slice(0, -1).entries()) {
      holder[step] ??= typeof steps[at + 1] === 'number' ? [] : {}
      holder = holder[step] as Record<string | number, unknown>
    }
    const last = steps.at(-1)!
    if (typeof piece['stringValue'] === 'string') holder[last] = text(holder[last]) + piece['stringValue']
    else if ('nullValue' in piece) holder[last] = null
    else holder[last] = piece['numberValue'] ?? piece['boolValue']
  }
}
