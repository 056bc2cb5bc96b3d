/** The settings that `[sandbox: …]` in a prompt can make. */
export interface Knobs {
  error?: number
  retry_after?: number
  delay?: number
  pace?: number
  tokens?: number
  reasoning?: number
  unseen?: number
  cached?: number
  ignore_bound?: true
  usage?: number
  tool?: string[]
  cut?: number
  stall?: number
  error_after?: number
  hang?: true
  no_usage?: true
  no_finish?: true
  no_done?: true
  malformed?: true
}

export type KnobName = keyof Knobs

type KnobForm = 'flag' | 'number' | 'status' | 'count' | 'seconds' | 'duration' | 'rate' | 'names'

interface KnobRow {
  form: KnobForm
  /** The example in the documentation. */
  example: string
  effect: string
}

/** The one list of knobs: the parser, its messages and `docs/sandbox.md` are derived from it. */
export const knobTable: Record<KnobName, KnobRow> = {
  error: { form: 'status', example: 'error=429', effect: 'answers with this error status (400 to 599)' },
  retry_after: {
    form: 'seconds',
    example: 'retry_after=7',
    effect: 'with `error`: seconds in the `retry-after` header',
  },
  delay: { form: 'duration', example: 'delay=2s', effect: 'waits before the first byte, headers included' },
  pace: {
    form: 'rate',
    example: 'pace=5/s',
    effect: 'tokens per second, for plain answers too; `pace=0`: no delay',
  },
  tokens: { form: 'count', example: 'tokens=500', effect: 'length of the text, padded or truncated' },
  reasoning: {
    form: 'count',
    example: 'reasoning=20',
    effect: 'this many reasoning tokens first, with their text in `reasoning_content`',
  },
  unseen: {
    form: 'count',
    example: 'unseen=20',
    effect: 'this many reasoning tokens first, at `pace`, billed but not shown',
  },
  ignore_bound: {
    form: 'flag',
    example: 'ignore_bound',
    effect: 'exceeds `max_tokens`, like servers that do not know the field',
  },
  usage: {
    form: 'number',
    example: 'usage=9e15',
    effect: 'reports this many output tokens, whatever the real number; can be negative',
  },
  cached: { form: 'count', example: 'cached=100', effect: 'reports this many prompt tokens as cached' },
  tool: {
    form: 'names',
    example: 'tool=get_weather',
    effect: 'calls this tool of the request; `tool=a,b` calls two at once',
  },
  cut: {
    form: 'count',
    example: 'cut=3',
    effect:
      'breaks the connection after 3 events (the first names the role only); plain: after half the body',
  },
  stall: {
    form: 'count',
    example: 'stall=3',
    effect: 'sends nothing more after 3 events; plain: after half the body',
  },
  error_after: {
    form: 'count',
    example: 'error_after=3',
    effect: 'an error event after 3 events, then the end; status and type are those of `error`, else 500',
  },
  hang: { form: 'flag', example: 'hang', effect: 'never answers, not even with headers' },
  no_usage: { form: 'flag', example: 'no_usage', effect: 'reports no usage, even if requested' },
  no_finish: {
    form: 'flag',
    example: 'no_finish',
    effect: 'the stream ends cleanly without finish reason, usage and `[DONE]`; plain: finish reason null',
  },
  no_done: { form: 'flag', example: 'no_done', effect: 'the stream ends without `[DONE]`' },
  malformed: { form: 'flag', example: 'malformed', effect: 'an event, or the plain body, is not JSON' },
}

const names = Object.keys(knobTable) as KnobName[]
const directive = /\[sandbox:([^\]]*)\]/giu

/** An unknown knob, or a value that does not fit it. The message is for the caller. */
export class KnobError extends Error {
  override readonly name = 'KnobError'
}

/**
 * Reads the knobs in these texts; later ones win.
 * @throws {KnobError} naming the knob
 */
export function readKnobs(texts: string[]): Knobs {
  const knobs: Record<string, unknown> = {}
  for (const text of texts)
    for (const found of text.matchAll(directive))
      for (const word of found[1]!.split(/\s+/u)) if (word !== '') Object.assign(knobs, readKnob(word))
  return knobs
}

/** The text without its directives. */
export function withoutKnobs(text: string): string {
  return text.includes('[') ? text.replace(directive, '').trim() : text
}

function readKnob(word: string): Record<string, unknown> {
  const equals = word.indexOf('=')
  const name = equals < 0 ? word : word.slice(0, equals)
  const text = equals < 0 ? undefined : word.slice(equals + 1)
  const row = names.includes(name as KnobName) ? knobTable[name as KnobName] : undefined
  if (row === undefined)
    throw new KnobError(`Unknown sandbox knob "${name.slice(0, 40)}". Known knobs: ${names.join(', ')}.`)
  const value = forms[row.form](text)
  if (value === undefined)
    throw new KnobError(`The sandbox knob "${name}" is written as in "${row.example}": ${row.effect}.`)
  return { [name]: value }
}

const largestCount = 1_000_000

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,7}$/u.test(text)) return undefined
  return Number(text) <= largestCount ? Number(text) : undefined
}

/** How to read each form; undefined if the text does not fit. Durations in ms, rates in tokens/s. */
const forms: Record<KnobForm, (text: string | undefined) => unknown> = {
  flag: (text) => (text === undefined ? true : undefined),
  number: (text) => {
    const value = text === undefined || !/^-?\d[\d.e+]{0,20}$/u.test(text) ? Number.NaN : Number(text)
    return Number.isFinite(value) ? value : undefined
  },
  count: wholeNumber,
  seconds: wholeNumber,
  status: (text) => {
    const status = wholeNumber(text)
    return status !== undefined && status >= 400 && status <= 599 ? status : undefined
  },
  duration: (text) => {
    const found = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/u.exec(text ?? '')
    if (found === null) return undefined
    return Number(found[1]) * (found[2] === 's' ? 1000 : 1)
  },
  rate: (text) => {
    if (text === '0') return 0
    const found = /^(\d{1,6}(?:\.\d{1,3})?)\/s$/u.exec(text ?? '')
    const rate = found === null ? 0 : Number(found[1])
    return rate > 0 ? rate : undefined
  },
  names: (text) => (text === undefined || text === '' ? undefined : text.split(',')),
}

/** The table of `docs/sandbox.md`. */
export function knobDocumentation(): string {
  const rows = names.map((name) => `| \`${knobTable[name].example}\` | ${knobTable[name].effect} |`)
  return ['| knob | effect |', '|---|---|', ...rows].join('\n')
}
