import { randomBytes } from 'node:crypto'

/** One of `tool_calls`, of a delta or of a whole message. */
export interface ToolCallDelta {
  index?: unknown
  id?: unknown
  type?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
  custom?: { name?: unknown; input?: unknown } | null
}

/** Where a delta belongs: which of the choice's calls it is of, counted from 0, and whether it begins it. */
interface Place {
  at: number
  begins: boolean
}

interface KnownCall {
  id: string
  name: string
  /** All of its arguments, where nothing but they can tell that it is over. */
  text: string
}

/**
 * Tells the calls of one choice apart. Their index does, but some vendors leave it out (Mistral, and all in
 * whole answers) or give 0 to every call (ollama/ollama#15457): then a new id with a name is a new call, and
 * where there are no ids either, a name behind arguments that are complete.
 */
export class ToolCallOrder {
  readonly #calls: KnownCall[] = []
  readonly #byIndex = new Map<number, number>()

  place(delta: ToolCallDelta): Place {
    const known = this.#known(delta)
    const at = known ?? this.#calls.push({ id: idOf(delta), name: nameOf(delta), text: '' }) - 1
    if (known === undefined && typeof delta.index === 'number') this.#byIndex.set(delta.index, at)
    const call = this.#calls[at]!
    if (call.id === '') call.text += argumentsOf(delta)
    return { at, begins: known === undefined }
  }

  #known(delta: ToolCallDelta): number | undefined {
    const id = idOf(delta)
    const name = nameOf(delta)
    if (typeof delta.index === 'number') {
      const at = this.#byIndex.get(delta.index)
      return at === undefined || isAnother(this.#calls[at]!, id, name) ? undefined : at
    }
    if (id !== '') return found(this.#calls.findIndex((call) => call.id === id))
    return name === '' ? found(this.#calls.length - 1) : undefined
  }
}

function isAnother(call: KnownCall, id: string, name: string): boolean {
  if (name === '') return false
  if (id !== '') return call.id !== id
  return call.id === '' && (call.name !== name || isObject(call.text))
}

/** Mistral's schema has "null" as the default of an id. */
export function idOf({ id }: ToolCallDelta): string {
  return typeof id === 'string' && id !== 'null' ? id : ''
}

export function nameOf(delta: ToolCallDelta): string {
  const name = delta.custom?.name ?? delta.function?.name
  return typeof name === 'string' ? name : ''
}

/** Arguments are JSON text; Mistral and Hugging Face's servers also give them as the value itself. */
export function argumentsOf(delta: ToolCallDelta): string {
  const given = delta.custom?.input ?? delta.function?.arguments
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : ''
}

/** For a call to which its vendor gave none: without one, nobody could answer it. */
export function newToolCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}

function found(at: number): number | undefined {
  return at === -1 ? undefined : at
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    // More of it is to come.
    return false
  }
}
