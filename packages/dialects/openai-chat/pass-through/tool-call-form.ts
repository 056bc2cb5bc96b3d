import {
  argumentsOf,
  callsOf,
  idOf,
  isCustom,
  nameOf,
  newToolCallId,
  type ToolCallDelta,
} from '../vendor/tool-call-delta.ts'
import { ToolCallOrder } from '../vendor/tool-call-order.ts'

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
