import { list, object, text, type Json } from './oracle/json.ts'

/** The whole answer that a client assembles from a stream's chunks, with every field. */
export function foldedChunks(chunks: readonly Json[]): Json {
  const choices = new Map<unknown, Json>()
  let usage: unknown
  for (const chunk of chunks) {
    usage = chunk['usage'] ?? usage
    for (const choice of list(chunk['choices'])) {
      const folded = choices.get(choice['index']) ?? { index: choice['index'], message: {} }
      choices.set(choice['index'], folded)
      addDelta(object(folded['message']), object(choice['delta']))
      folded['finish_reason'] = choice['finish_reason'] ?? folded['finish_reason']
    }
  }
  const { choices: _choices, usage: _usage, object: _object, ...head } = chunks[0]!
  return { ...head, choices: [...choices.values()], usage }
}

/** Texts are continued, tool calls are continued by their index, and entries of other lists are complete. */
function addDelta(message: Json, delta: Json): void {
  for (const [field, value] of Object.entries(delta)) {
    const before = message[field]
    if (field === 'tool_calls') message[field] = addedCalls(list(before), list(value))
    else if (Array.isArray(value)) message[field] = [...list(before), ...list(value)]
    else if (field !== 'role' && typeof value === 'string' && typeof before === 'string')
      message[field] = before + value
    else message[field] = value ?? before
  }
}

function addedCalls(calls: Json[], more: readonly Json[]): Json[] {
  for (const { index, ...call } of more) {
    const before = calls[Number(index)]
    if (before === undefined) calls[Number(index)] = call
    else {
      const [called, added] = [object(before['function']), object(call['function'])]
      before['function'] = { ...called, arguments: text(called['arguments']) + text(added['arguments']) }
    }
  }
  return calls
}
