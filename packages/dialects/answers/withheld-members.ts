/*
 * What a vendor tells the operator beside an answer: what it costs, who really served, whose account it was.
 * Callers get none of it. What an answer says to its reader passes, whatever it is called.
 */

const owner = 'org|organi[sz]ation|project|account|team|tenant|workspace|subscription|customer|apikey|keys?'
/** Names of outermost members, and of a choice's own, without separators and in lower case. */
const business = new RegExp(
  '^(?:provider(?:name|id|info|metadata)?|x?groq|usage\\w*|\\w*gateway\\w*|\\w*metrics|latencycheckpoint|' +
    'x?requestid|hiddenparams|(?:response)?headers|upstream\\w*|backend\\w*|vendor(?:id|name)?|servedby|' +
    'inferenceprovider|litellm\\w*|openrouter\\w*|debug\\w*|' +
    `(?:${owner}|deployment|user)(?:id|name|slug|alias)?)$`,
)
/** What tells at any depth whose account it was. */
const account = new RegExp(
  `^(?:(?:user)?(?:${owner})(?:id|name|slug|alias)|org|organi[sz]ation|tenant|workspace|apikey)$`,
)
/** The vendor's money, at any depth. */
const money = new RegExp(
  'cost|price|pricing|bill(?:ed|ing)|byok|credit|margin|markup|ticks|spen[dt]|charge|usd|invoice|balance|' +
    'wallet|tariff|ratecard|discount|expense|payment|dollar|nanoaiu|quota|' +
    '^(?:total)?(?:amount|cents)(?:due|paid)?$|^(?:eur|gbp|cny|rmb|fees?)$',
)

/** What is the answer itself: a page that was found may well speak of prices. */
const content: ReadonlySet<string> = new Set([
  'choices',
  'usage',
  'citations',
  'search_results',
  'images',
  'videos',
  'related_questions',
])

/** The same of a message and of a choice. */
const said: ReadonlySet<string> = new Set([
  'delta',
  'message',
  'content',
  'reasoning_content',
  'reasoning_details',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'images',
  'citations',
  'search_results',
  'executed_tools',
  'logprobs',
  'content_filter_results',
])

/** What nests deeper is left out rather than looked through. */
const mostDepth = 32

/** A vendor's names are few; one that invents new ones fills no memory. */
const mostNames = 1_000
const longestName = 64

/** Names that are not for callers, and what is known of those that were seen. */
class WithheldNames {
  readonly #patterns: readonly RegExp[]
  readonly #known = new Map<string, boolean>()

  constructor(...patterns: RegExp[]) {
    this.#patterns = patterns
  }

  has(name: string): boolean {
    return this.#known.get(name) ?? this.#judge(name)
  }

  #judge(name: string): boolean {
    const plain = plainName(name)
    const withheld = this.#patterns.some((pattern) => pattern.test(plain))
    if (this.#known.size < mostNames && name.length <= longestName) this.#known.set(name, withheld)
    return withheld
  }
}

const outermost = new WithheldNames(business, money)
const nested = new WithheldNames(account, money)

/** Whether an outermost member of an answer, or of one of its choices, is not for callers. */
export function isWithheld(name: string): boolean {
  return outermost.has(name)
}

/** A chunk's or answer's members without those that are not for callers; the same object where none is. */
export function withoutWithheld(body: Record<string, unknown>): Record<string, unknown> {
  for (const name in body) {
    const value = body[name]
    // Nearly all answers have nothing else there than texts and numbers of names that pass.
    const isText = typeof value !== 'object' || value === null
    if ((isText || !content.has(name)) && (!isText || isWithheld(name))) return rest(body)
  }
  return body
}

function rest(body: Record<string, unknown>): Record<string, unknown> {
  let isSame = true
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    const told = content.has(name) ? value : withoutMoney(value)
    if (!content.has(name) && isWithheld(name)) isSame = false
    else kept.push([name, told])
    isSame &&= told === value
  }
  return isSame ? body : Object.fromEntries(kept)
}

/** The same of what holds an answer's own words. */
export function withoutWithheldNames(holder: Record<string, unknown>): Record<string, unknown> {
  if (!namesWithheld(holder)) return holder
  const told = Object.entries(holder).filter(([name]) => !isWithheld(name))
  return Object.fromEntries(told.map(([name, value]) => [name, filterMember(name, value)]))
}

/** A message's or choice's member as callers get it, if they do. */
export function filterMember(name: string, value: unknown): unknown {
  return said.has(name) || isBlock(value) ? value : withoutMoney(value)
}

/** Blocks of an answer, as of a tool that the vendor ran: its input may have any names. */
function isBlock(value: unknown): boolean {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string'
}

export function namesWithheld(holder: object): boolean {
  for (const name in holder) {
    if (said.has(name)) continue
    if (isWithheld(name)) return true
    const value: unknown = (holder as Record<string, unknown>)[name]
    if (typeof value === 'object' && filterMember(name, value) !== value) return true
  }
  return false
}

/** A value without the vendor's money, at any depth; the same one where none is in it. */
export function withoutMoney(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > mostDepth) return null
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutMoney(item, depth + 1))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  const entries = Object.entries(value)
  const rest = entries
    .filter(([name]) => !nested.has(name))
    .map(([name, member]): [string, unknown] => [name, withoutMoney(member, depth + 1)])
  const same = rest.length === entries.length && rest.every(([, member], at) => member === entries[at]![1])
  return same ? value : Object.fromEntries(rest)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
