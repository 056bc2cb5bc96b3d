import type { GatewayError, OperationRequest } from '@turnpike/protocol'
import type { FieldRules } from './field-rules.ts'

const unknown = String.raw`unknown|unrecognized|unsupported|unexpected|extra (?:inputs|fields)`
const unwanted = String.raw`not (?:supported|permitted|allowed)|does(?: not|n't) support`
const saying = new RegExp(String.raw`\b(?:${unknown}|${unwanted}|cannot find field|no such)\b`, 'i')

/**
 * The outermost members of a body that a vendor of its format says it does not know or take, and that may be
 * left out for a caller who asked for leniency; none where it says something else, or of others.
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

/** In quotes, or at the beginning of a sentence about it, as in `top_k: Extra inputs are not permitted`. */
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
