import { randomBytes } from 'node:crypto'
import type { StreamPart, ToolCallHead } from '@turnpike/protocol'

/*
 * The tool calls of a vendor's answer: what their members say, which piece belongs to which call, and both
 * ways on: as parts (`ToolCallDecoder`), and as OpenAI's clients read them (`ToolCallForm`).
 */

/** One of `tool_calls`, of a delta or of a whole message. */
interface ToolCallDelta {
  index?: unknown
  id?: unknown
  type?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
  custom?: { name?: unknown; input?: unknown } | null
}

/** `tool_calls` as a list: Hugging Face's servers gave one call without. */
export function callsOf(given: unknown): ToolCallDelta[] {
  const list: unknown[] = Array.isArray(given) ? given : [given]
  return list.every(isCall) ? list : list.filter(isCall)
}

function isCall(value: unknown): value is ToolCallDelta {
  return typeof value === 'object' && value !== null
}

/** Mistral's schema has "null" as the default of an id. */
function idOf({ id }: ToolCallDelta): string {
  return typeof id === 'string' && id !== 'null' ? id : ''
}

function nameOf(delta: ToolCallDelta): string {
  const name = delta.custom?.name ?? delta.function?.name
  return typeof name === 'string' ? name : ''
}

/** Arguments are JSON text; Mistral and Hugging Face's servers also give them as the value itself. */
function argumentsOf(delta: ToolCallDelta): string {
  const given = delta.custom?.input ?? delta.function?.arguments
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : ''
}

function isCustom({ custom }: ToolCallDelta): boolean {
  return custom !== undefined && custom !== null
}

/** For a call to which its vendor gave none: without one, nobody could answer it. */
function newToolCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}

/** What is known of a call when it begins. */
function headOf(delta: ToolCallDelta): ToolCallHead {
  const variant = isCustom(delta) ? 'custom' : 'function'
  return { id: idOf(delta) || newToolCallId(), name: nameOf(delta), variant }
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
class ToolCallOrder {
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

interface OpenCall {
  block: number
  head: ToolCallHead
  hasText: boolean
}

/** The tool calls of one choice. They stay open beside each other until the choice ends. */
export class ToolCallDecoder {
  readonly #choice: number
  /** Gives a new block its number, after closing what cannot stay open beside it. */
  readonly #nextBlock: (parts: StreamPart[]) => number
  readonly #order = new ToolCallOrder()
  readonly #calls: OpenCall[] = []
  #legacy: OpenCall | undefined

  constructor(choice: number, nextBlock: (parts: StreamPart[]) => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** What a call's arguments are decides to which call the next delta belongs. */
  get readsArguments(): boolean {
    return this.#order.readsArguments
  }

  /** `tool_calls` of a delta, or of a whole message. */
  push(deltas: readonly ToolCallDelta[], parts: StreamPart[]): void {
    for (const delta of deltas) {
      const { at } = this.#order.place(delta)
      this.#calls[at] ??= this.#open(headOf(delta), parts)
      this.#grow(this.#calls[at], argumentsOf(delta), parts)
    }
  }

  /** The deprecated `function_call`: one at most, without an id. */
  pushLegacy(delta: Record<string, unknown>, parts: StreamPart[]): void {
    this.#legacy ??= this.#open(
      { id: '', name: nameOf({ function: delta }), variant: 'legacy-function' },
      parts,
    )
    this.#grow(this.#legacy, argumentsOf({ function: delta }), parts)
  }

  end(parts: StreamPart[]): void {
    const calls = this.#legacy === undefined ? this.#calls : [...this.#calls, this.#legacy]
    for (const { block, head, hasText } of calls) {
      // A call without arguments is `{}` for who parses it, and some vendors leave it empty.
      if (!hasText && head.variant !== 'custom')
        parts.push({ type: 'block-delta', choice: this.#choice, block, text: '{}' })
      parts.push({ type: 'block-end', choice: this.#choice, block })
    }
  }

  #open(toolCall: ToolCallHead, parts: StreamPart[]): OpenCall {
    const call: OpenCall = { block: this.#nextBlock(parts), head: toolCall, hasText: false }
    parts.push({ type: 'block-start', choice: this.#choice, block: call.block, kind: 'tool-call', toolCall })
    return call
  }

  #grow(call: OpenCall, text: string, parts: StreamPart[]): void {
    if (text === '') return
    call.hasText = true
    parts.push({ type: 'block-delta', choice: this.#choice, block: call.block, text })
  }
}

/** A call of a whole answer as OpenAI's clients read it: named, and with its arguments as JSON text. */
export function wholeToolCall(call: ToolCallDelta): ToolCallDelta {
  const text = argumentsOf(call)
  return beginCall(call, text === '' && !isCustom(call) ? '{}' : text)
}

/**
 * The streamed calls of one choice as OpenAI's clients put them together: by an index that no two calls
 * share, joining what they are given, names and identifiers too. What keeps to that is passed on as it is.
 */
export class ToolCallForm {
  readonly #order = new ToolCallOrder()
  /** Calls that got no arguments yet. */
  readonly #silent = new Set<number>()

  /** Undefined where nothing has to change. `last`: the choice ends here. */
  deltas(given: unknown, last: boolean): ToolCallDelta[] | undefined {
    const calls = callsOf(given)
    let told = calls === given ? undefined : calls
    for (let at = 0; at < calls.length; at++) {
      const form = this.#conformCall(calls[at]!)
      if (form !== calls[at]) (told ??= [...calls])[at] = form
    }
    if (!last || this.#silent.size === 0) return told
    told = [...(told ?? calls)]
    // A call without arguments is `{}` for who parses it, and some vendors leave it empty.
    for (const index of this.#silent) told.push({ index, function: { arguments: '{}' } })
    this.#silent.clear()
    return told
  }

  #conformCall(call: ToolCallDelta): ToolCallDelta {
    const { at, begins } = this.#order.place(call)
    const text = argumentsOf(call)
    if (text !== '') this.#silent.delete(at)
    else if (begins && !isCustom(call)) this.#silent.add(at)
    const form = begins ? beginCall(call, text) : continueCall(call, text)
    return form === call && call.index === at ? call : { ...form, index: at }
  }
}

/** The same object where it is as it has to be. */
function beginCall(call: ToolCallDelta, text: string): ToolCallDelta {
  const id = idOf(call)
  const said = isCustom(call) ? call.custom?.input : call.function?.arguments
  if (id !== '' && typeof call.type === 'string' && said === text) return call
  const head = { ...call, id: id === '' ? newToolCallId() : id }
  if (isCustom(call)) return { ...head, type: 'custom', custom: { ...call.custom, input: text } }
  return { ...head, type: 'function', function: { ...call.function, arguments: text } }
}

/** What goes on says neither its name nor its identifier again: some clients would join them. */
function continueCall(call: ToolCallDelta, text: string): ToolCallDelta {
  const said = isCustom(call) ? call.custom?.input : call.function?.arguments
  const repeats = idOf(call) !== '' || nameOf(call) !== ''
  if (!repeats && (said === text || said === undefined)) return call
  const { id: _id, type: _type, function: _function, custom: _custom, ...others } = call
  return isCustom(call)
    ? { ...others, custom: { input: text } }
    : { ...others, function: { arguments: text } }
}
