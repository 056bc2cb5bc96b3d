/*
 * Removes what a vendor tells the operator beside an answer: its cost, who really served it, whose account
 * was used. Callers get none of it. The answer's own content passes, whatever its names are.
 */

const owner = 'org|organi[sz]ation|project|account|team|tenant|workspace|subscription|customer|apikey|keys?'
/** Names of outermost members and of a choice's members, in lower case without separators. */
const business = new RegExp(
  '^(?:provider(?:name|id|info|metadata)?|x?groq|usage\\w*|\\w*gateway\\w*|\\w*metrics|latencycheckpoint|' +
    'x?requestid|hiddenparams|(?:response)?headers|upstream\\w*|backend\\w*|vendor(?:id|name)?|servedby|' +
    'inferenceprovider|litellm\\w*|openrouter\\w*|debug\\w*|' +
    `(?:${owner}|deployment|user)(?:id|name|slug|alias)?)$`,
)
/** Names that identify the account, at any depth. */
const account = new RegExp(
  `^(?:(?:user)?(?:${owner})(?:id|name|slug|alias)|org|organi[sz]ation|tenant|workspace|apikey)$`,
)
/** Names of the vendor's money amounts, at any depth. */
const money = new RegExp(
  'cost|price|pricing|bill(?:ed|ing)|byok|credit|margin|markup|ticks|spen[dt]|charge|usd|invoice|balance|' +
    'wallet|tariff|ratecard|discount|expense|payment|dollar|nanoaiu|quota|' +
    '^(?:total)?(?:amount|cents)(?:due|paid)?$|^(?:eur|gbp|cny|rmb|fees?)$',
)

/** Members of the answer itself: a page that was found may well mention prices. */
const content: ReadonlySet<string> = new Set([
  'choices',
  'usage',
  'citations',
  'search_results',
  'images',
  'videos',
  'related_questions',
])

/** Members of a message or choice that belong to the answer itself. */
const ownMembers: ReadonlySet<string> = new Set([
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

/** Values nested deeper than this are removed unread. */
const mostDepth = 32

/** Vendors use few names. The bound keeps a vendor that invents new ones from filling the memory. */
const mostNames = 1_000
const longestName = 64

/** Decides which names callers may not see, and remembers the decision for each name. */
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

/** Whether an outermost member of an answer, or of one of its choices, is hidden from callers. */
export function isWithheld(name: string): boolean {
  return outermost.has(name)
}

/** A chunk or answer without the members that callers may not see. The same object if it has none. */
export function withoutWithheld(body: Record<string, unknown>): Record<string, unknown> {
  for (const name in body) {
    const value = body[name]
    // Nearly all answers have only strings and numbers here, under names that pass.
    const isText = typeof value !== 'object' || value === null
    if ((isText || !content.has(name)) && (!isText || isWithheld(name))) return rest(body)
  }
  return body
}

function rest(body: Record<string, unknown>): Record<string, unknown> {
  let isSame = true
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    const visible = content.has(name) ? value : withoutMoney(value)
    if (!content.has(name) && isWithheld(name)) isSame = false
    else kept.push([name, visible])
    isSame &&= visible === value
  }
  return isSame ? body : Object.fromEntries(kept)
}

/** The same for an object that contains the answer's own text. */
export function withoutWithheldNames(holder: Record<string, unknown>): Record<string, unknown> {
  if (!namesWithheld(holder)) return holder
  const visible = Object.entries(holder).filter(([name]) => !isWithheld(name))
  return Object.fromEntries(visible.map(([name, value]) => [name, filterMember(name, value)]))
}

/** A member of a message or choice as callers get it, if they do. */
export function filterMember(name: string, value: unknown): unknown {
  return ownMembers.has(name) || isBlock(value) ? value : withoutMoney(value)
}

/** Whether it is a block of an answer, as a call of the vendor's tool: its input may have any names. */
function isBlock(value: unknown): boolean {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string'
}

export function namesWithheld(holder: object): boolean {
  for (const name in holder) {
    if (ownMembers.has(name)) continue
    if (isWithheld(name)) return true
    const value: unknown = (holder as Record<string, unknown>)[name]
    if (typeof value === 'object' && filterMember(name, value) !== value) return true
  }
  return false
}

/** A value without the vendor's money amounts, at any depth. The same value if it has none. */
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
