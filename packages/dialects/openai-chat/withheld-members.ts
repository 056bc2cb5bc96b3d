/*
 * What a vendor tells the operator beside an answer: what it costs, who really served, whose account it was.
 * Callers get none of it. What an answer says to its reader passes, whatever it is called.
 */

/** Names of outermost members, and of a choice's own, without separators and in lower case. */
const business = new RegExp(
  '^(?:provider(?:name|id|info|metadata)?|x?groq|usage\\w*|\\w*gateway\\w*|\\w*metrics|latencycheckpoint|' +
    'requestid|hiddenparams|responseheaders|' +
    '(?:org|organi[sz]ation|project|account|team|tenant|workspace|subscription|deployment|customer|user|' +
    'apikey|key)(?:id|name|slug)?)$',
)
/** The vendor's money, at any depth. */
const money = new RegExp(
  'cost|price|pricing|bill(?:ed|ing)|byok|credit|margin|markup|ticks|spen[dt]|charge|usd|invoice|balance|' +
    '^fees?$',
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

/** What nests deeper is left out rather than looked through. */
const mostDepth = 32

/** A vendor's names are few; one that invents new ones fills no memory. */
const mostNames = 1_000
const longestName = 64
const judged = new Map<string, boolean>()

/** Whether an outermost member of an answer, or of one of its choices, is not for callers. */
function isWithheld(name: string): boolean {
  let withheld = judged.get(name)
  if (withheld === undefined) {
    const plain = plainName(name)
    withheld = business.test(plain) || money.test(plain)
    if (judged.size < mostNames && name.length <= longestName) judged.set(name, withheld)
  }
  return withheld
}

/** A chunk's or answer's members without those that are not for callers; the same object where none is. */
export function withoutWithheld(body: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(body)) {
    if (content.has(name)) continue
    const value = body[name]
    // Nearly all answers have nothing else there than texts and numbers of names that pass.
    if (isWithheld(name) || (typeof value === 'object' && value !== null)) return rest(body)
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

/** The same of what holds an answer's own words: its members are judged by their names alone. */
export function withoutWithheldNames(said: Record<string, unknown>): Record<string, unknown> {
  return namesWithheld(said)
    ? Object.fromEntries(Object.entries(said).filter(([name]) => !isWithheld(name)))
    : said
}

export function namesWithheld(said: object): boolean {
  return Object.keys(said).some(isWithheld)
}

function withoutMoney(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > mostDepth) return null
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutMoney(item, depth + 1))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  const entries = Object.entries(value)
  const rest = entries
    .filter(([name]) => !money.test(plainName(name)))
    .map(([name, member]): [string, unknown] => [name, withoutMoney(member, depth + 1)])
  const same = rest.length === entries.length && rest.every(([, member], at) => member === entries[at]![1])
  return same ? value : Object.fromEntries(rest)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
