import type { GatewayError, OperationRequest } from '@turnpike/protocol'
import type { FieldRules } from './field-rules.ts'

const unknown = String.raw`unknown|unrecognized|unsupported|unexpected|extra (?:inputs|fields)`
const unwanted = String.raw`not (?:supported|permitted|allowed)|does(?: not|n't) support`
const saying = new RegExp(String.raw`\b(?:${unknown}|${unwanted}|cannot find field|no such)\b`, 'i')

/**
 * The outermost members that a vendor of the caller's format rejected as unknown or unsupported, and that
 * leniency may leave out. Empty if the vendor's error is about something else.
 * @param names of the members
 */
export function findRefusedMembers<Request extends OperationRequest>(
  words: Pick<FieldRules<Request>, 'mayBeLeftOut'>,
  { type, param, message }: Pick<GatewayError, 'type' | 'param' | 'message'>,
  names: readonly string[],
  request: Request,
): readonly string[] {
  if (type !== 'invalid_request_error' || !saying.test(message)) return []
  return names.filter(
    (name) => (name === param || isNamedIn(message, name)) && words.mayBeLeftOut(name, request),
  )
}

/** Matches a quoted name, or a name that begins the message: `top_k: Extra inputs are not permitted`. */
function isNamedIn(message: string, name: string): boolean {
  for (let at = message.indexOf(name); at !== -1; at = message.indexOf(name, at + 1)) {
    const before = at === 0 ? undefined : message[at - 1]
    const behind = message[at + name.length]
    if (before !== undefined && quotes.has(before) && before === behind) return true
    if ((before === undefined || message.endsWith('; ', at)) && behind === ':') return true
  }
  return false
}

const quotes: ReadonlySet<string> = new Set(["'", '"', '`'])
