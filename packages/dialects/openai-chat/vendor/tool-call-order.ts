import { argumentsOf, idOf, nameOf, type ToolCallDelta } from './tool-call-delta.ts'

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

  /** Some call has no identifier. */
  get readsArguments(): boolean {
    return this.#calls.some(({ id }) => id === '')
  }

  place(delta: ToolCallDelta): Place {
    const known = this.#findKnown(delta)
    const at = known ?? this.#calls.push({ id: idOf(delta), name: nameOf(delta), text: '' }) - 1
    if (known === undefined && typeof delta.index === 'number') this.#byIndex.set(delta.index, at)
    const call = this.#calls[at]!
    if (call.id === '') call.text += argumentsOf(delta)
    return { at, begins: known === undefined }
  }

  #findKnown(delta: ToolCallDelta): number | undefined {
    const id = idOf(delta)
    const name = nameOf(delta)
    if (typeof delta.index === 'number') {
      const at = this.#byIndex.get(delta.index)
      return at === undefined || isAnother(this.#calls[at]!, id, name) ? undefined : at
    }
    if (id !== '') return orUndefined(this.#calls.findIndex((call) => call.id === id))
    return name === '' ? orUndefined(this.#calls.length - 1) : undefined
  }
}

function isAnother(call: KnownCall, id: string, name: string): boolean {
  if (name === '') return false
  if (id !== '') return call.id !== id
  return call.id === '' && (call.name !== name || isObject(call.text))
}

function orUndefined(at: number): number | undefined {
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
