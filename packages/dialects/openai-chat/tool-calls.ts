import { randomBytes } from 'node:crypto'
import type { StreamPart, ToolCallHead } from '@turnpike/protocol'

/*
 * The tool calls of a vendor's answer: what their members mean, which piece belongs to which call, and their
 * two outputs: as parts (`ToolCallDecoder`), and as OpenAI's clients read them (`ToolCallForm`).
 */

/** An element of `tool_calls`, of a delta or of a whole message. */
interface ToolCallDelta {
  index?: unknown
  id?: unknown
  type?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
  custom?: { name?: unknown; input?: unknown } | null
}

/** `tool_calls` as a list: Hugging Face's servers sent a single call without one. */
export function callsOf(value: unknown): ToolCallDelta[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
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

/** Arguments are JSON text. Mistral and Hugging Face's servers also send them as a JSON value. */
function argumentsOf(delta: ToolCallDelta): string {
  const value = delta.custom?.input ?? delta.function?.arguments
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

function isCustom({ custom }: ToolCallDelta): boolean {
  return custom !== undefined && custom !== null
}

/** An id for a call whose vendor sent none: without one, its result could not be sent back. */
function newToolCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}

/** What is known about a call when it begins. */
function headOf(delta: ToolCallDelta): ToolCallHead {
  const variant = isCustom(delta) ? 'custom' : 'function'
  return { id: idOf(delta) || newToolCallId(), name: nameOf(delta), variant }
}

/** The call that a delta belongs to, counted from 0 within its choice, and whether the delta begins it. */
interface Place {
  at: number
  begins: boolean
}

interface KnownCall {
  id: string
  name: string
  /** The call's arguments so far, if only they can show that it has ended. */
  text: string
}

/**
 * Tells the calls of one choice apart. Their index does, but some vendors omit it (Mistral, and all vendors
 * in whole answers) or send 0 for every call (ollama/ollama#15457). Then a new id with a name is a new call.
 * Without ids, a name after complete arguments is one.
 */
class ToolCallOrder {
  readonly #calls: KnownCall[] = []
  readonly #byIndex = new Map<number, number>()

  /** Some call has no id. */
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
    // More of it will arrive.
    return false
  }
}

interface OpenCall {
  block: number
  head: ToolCallHead
  hasText: boolean
}

/** Decodes the tool calls of one choice. They stay open side by side until the choice ends. */
export class ToolCallDecoder {
  readonly #choice: number
  /** Gives a new block its number, after closing blocks that cannot stay open beside it. */
  readonly #nextBlock: (parts: StreamPart[]) => number
  readonly #order = new ToolCallOrder()
  readonly #calls: OpenCall[] = []
  #legacy: OpenCall | undefined

  constructor(choice: number, nextBlock: (parts: StreamPart[]) => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** The arguments of the calls decide which call the next delta belongs to. */
  get readsArguments(): boolean {
    return this.#order.readsArguments
  }

  /** Decodes `tool_calls` of a delta, or of a whole message. */
  push(deltas: readonly ToolCallDelta[], parts: StreamPart[]): void {
    for (const delta of deltas) {
      const { at } = this.#order.place(delta)
      this.#calls[at] ??= this.#open(headOf(delta), parts)
      this.#grow(this.#calls[at], argumentsOf(delta), parts)
    }
  }

  /** Decodes the deprecated `function_call`: at most one, without an id. */
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
      // Clients parse a call's arguments, so a call without any gets `{}`; some vendors leave them empty.
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

/** A call of a whole answer as OpenAI's clients read it: with an id, and with arguments as JSON text. */
export function wholeToolCall(call: ToolCallDelta): ToolCallDelta {
  const text = argumentsOf(call)
  return beginCall(call, text === '' && !isCustom(call) ? '{}' : text)
}

/**
 * Repairs the streamed calls of one choice for OpenAI's clients, which assemble calls by an index that no two
 * share, joining what they get, including names and ids. Deltas that are already correct pass unchanged.
 */
export class ToolCallForm {
  readonly #order = new ToolCallOrder()
  /** Calls without any arguments so far. */
  readonly #silent = new Set<number>()

  /** Undefined if nothing has to change. `last`: the choice ends here. */
  deltas(value: unknown, last: boolean): ToolCallDelta[] | undefined {
    const calls = callsOf(value)
    let repaired = calls === value ? undefined : calls
    for (let at = 0; at < calls.length; at++) {
      const form = this.#conformCall(calls[at]!)
      if (form !== calls[at]) (repaired ??= [...calls])[at] = form
    }
    if (!last || this.#silent.size === 0) return repaired
    repaired = [...(repaired ?? calls)]
    // Clients parse a call's arguments, so a call without any gets `{}`; some vendors leave them empty.
    for (const index of this.#silent) repaired.push({ index, function: { arguments: '{}' } })
    this.#silent.clear()
    return repaired
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

/** Returns the same object if it is already correct. */
function beginCall(call: ToolCallDelta, text: string): ToolCallDelta {
  const id = idOf(call)
  const value = isCustom(call) ? call.custom?.input : call.function?.arguments
  if (id !== '' && typeof call.type === 'string' && value === text) return call
  const head = { ...call, id: id === '' ? newToolCallId() : id }
  if (isCustom(call)) return { ...head, type: 'custom', custom: { ...call.custom, input: text } }
  return { ...head, type: 'function', function: { ...call.function, arguments: text } }
}

/** A continuation has neither the name nor the id: some clients would join them. */
function continueCall(call: ToolCallDelta, text: string): ToolCallDelta {
  const value = isCustom(call) ? call.custom?.input : call.function?.arguments
  const repeats = idOf(call) !== '' || nameOf(call) !== ''
  if (!repeats && (value === text || value === undefined)) return call
  const { id: _id, type: _type, function: _function, custom: _custom, ...others } = call
  return isCustom(call)
    ? { ...others, custom: { input: text } }
    : { ...others, function: { arguments: text } }
}
