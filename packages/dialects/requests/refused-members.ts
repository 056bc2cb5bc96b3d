import type { GatewayError, ModelRequest } from '@turnpike/protocol'
import { requestFields } from './field-table.ts'
import { isOmittable } from './omissions.ts'

/** Members that have a word of ours, by their names in callers' formats: settings of how to answer. */
const settings: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'stop_sequences',
  'seed',
  'logprobs',
  'top_logprobs',
  'user',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'output_config',
  'output_format',
])

/** Of the fields that no vendor is asked to honour, those that are hints. */
const hints: ReadonlySet<string> = new Set([
  'verbosity',
  'prediction',
  'store',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'usage',
  'transforms',
])

const named: ReadonlySet<string> = new Set(requestFields)

const unknown = String.raw`unknown|unrecognized|unsupported|unexpected|extra (?:inputs|fields)`
const unwanted = String.raw`not (?:supported|permitted|allowed)|does(?: not|n't) support`
const saying = new RegExp(String.raw`\b(?:${unknown}|${unwanted}|cannot find field|no such)\b`, 'i')

/**
 * The outermost members of a body that a vendor of its format says it does not know or take, and that may be
 * left out for a caller who asked for leniency; none where it says something else, or of others.
 * @param names of the members
 */
export function refusedMembers(
  { type, param, message }: Pick<GatewayError, 'type' | 'param' | 'message'>,
  names: readonly string[],
  request: ModelRequest,
): readonly string[] {
  if (type !== 'invalid_request_error' || !saying.test(message)) return []
  return names.filter((name) => (name === param || isNamedIn(message, name)) && mayBeLeftOut(name, request))
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

function mayBeLeftOut(name: string, { extensions }: ModelRequest): boolean {
  if (settings.has(name)) return true
  if (!Object.hasOwn(extensions, name)) return false
  return !named.has(name) || hints.has(name) || isOmittable(name as (typeof requestFields)[number])
}
