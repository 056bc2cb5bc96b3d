/** A request field that a vendor bills in addition to the plain price of tokens. */
export interface PaidField {
  /** As callers write it; for `tools` and `messages` it applies to each entry. */
  field: string
  /** Values without extra cost, besides null, false and an empty list; absent: none. */
  free?: FreeValues
  /** The model's price that covers it; absent: none can, since no answer reports the quantity. */
  chargedBy?: PaidBy
  /** For `tools`: tools that the vendor runs and that prices cover, with their own price or as input. */
  served?: readonly ServedTool[]
  /** The vendor's page that says it is billed. */
  page: string
}

/** A tool that the vendor runs. Its result is input, and each further reading reads all input again. */
export interface ServedTool {
  types: readonly string[]
  /** Each use also has a price of its own: the searches that the usage counts. */
  chargedBy?: 'web_search'
  /**
   * Input tokens of one use: a number, the value of this member of the tool, or whatever the model's context
   * has room for; absent: hardly any.
   */
  brings?: number | 'max_content_tokens' | 'context'
  /** Free if the request also has one of these tools. */
  freeBeside?: readonly string[]
  /** Has this price only for models that reason; others have another price. */
  ofReasoning?: true
  /** Has no limit on its uses, so its hold cannot be lowered. */
  unbounded?: true
  /** Runs code on its results, so the model may continue more often than it uses the tool. */
  runsCode?: true
  /** How often one answer is expected to read its input again because of it; absent: after each use. */
  reckonedRounds?: number
}

/**
 * - `service_tier`: the tier that the answer names;
 * - `web_search`: the searches that its usage counts, or the answer that uses them;
 * - `output`: the audio and image tokens that its usage counts.
 */
export type PaidBy = 'service_tier' | 'web_search' | 'output'

type Scalar = string | number | boolean

export type FreeValues =
  /** One of these values. */
  | { only: readonly Scalar[] }
  /** A list of only such values. */
  | { each: FreeValues }
  /** An object with only these members, each with any value or with one of these. */
  | { members: Readonly<Record<string, 'any' | readonly Scalar[]>> }
  /** An object whose named members have such values, whatever other members it has. */
  | { where: Readonly<Record<string, readonly Scalar[] | FreeValues>> }
  /** Anything that one of these allows. */
  | { either: readonly FreeValues[] }
  /** An object without any enabled members. */
  | 'empty'

/**
 * The path of the costly part of a field's value; undefined if there is none. A value of an unexpected type
 * counts as costly: how a vendor reads it is unknown.
 */
export function findPaidValue(
  value: unknown,
  free: FreeValues | undefined,
  path: string,
): string | undefined {
  if (value === null || value === undefined || value === false) return undefined
  if (Array.isArray(value) && value.length === 0) return undefined
  if (free === undefined) return value === '' ? undefined : path
  if (free === 'empty') return asksForNothing(value) ? undefined : path
  if ('either' in free) {
    const dear = free.either.map((one) => findPaidValue(value, one, path))
    return dear.includes(undefined) ? undefined : dear[0]
  }
  if ('only' in free) return free.only.includes(value as Scalar) ? undefined : path
  if ('each' in free) return dearItem(value, free.each, path)
  if (typeof value !== 'object' || Array.isArray(value)) return path
  const object = value as Record<string, unknown>
  if ('where' in free) return dearWhere(object, free.where, path)
  for (const name of Object.keys(object)) {
    const values = Object.hasOwn(free.members, name) ? free.members[name]! : undefined
    if (values === 'any') continue
    const dear = findPaidValue(
      object[name],
      values === undefined ? undefined : { only: values },
      `${path}.${name}`,
    )
    if (dear !== undefined) return dear
  }
  return undefined
}

function asksForNothing(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value!).every((member) => findPaidValue(member, undefined, '') === undefined)
  )
}

function dearItem(value: unknown, each: FreeValues, path: string): string | undefined {
  if (!Array.isArray(value)) return path
  for (let index = 0; index < value.length; index++) {
    const dear = findPaidValue(value[index], each, `${path}[${index}]`)
    if (dear !== undefined) return dear
  }
  return undefined
}

/** The vendor may read another spelling of the name in its own way, so that counts as costly. */
function dearWhere(
  object: Record<string, unknown>,
  where: Readonly<Record<string, readonly Scalar[] | FreeValues>>,
  path: string,
): string | undefined {
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(where, name) && Object.hasOwn(where, foldName(name))) return `${path}.${name}`
  }
  for (const [name, values] of Object.entries(where)) {
    const dear = isList(values)
      ? values.includes(object[name] as Scalar)
        ? undefined
        : `${path}.${name}`
      : findPaidValue(object[name], values, `${path}.${name}`)
    if (dear !== undefined) return dear
  }
  return undefined
}

function isList(values: readonly Scalar[] | FreeValues): values is readonly Scalar[] {
  return Array.isArray(values)
}

/**
 * A name without case, underscores and hyphens. Upper-cased first, which also folds the long s and the Kelvin
 * sign, as Go's JSON readers do (https://pkg.go.dev/encoding/json#Unmarshal).
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase().replace(/[_-]/g, '')
}

/** Tools that the vendor runs itself, such as searches: all tools that are not the caller's. */
export function ownTools(page: string): PaidField {
  return { field: 'tools', free: { each: { where: { type: ['function', 'custom'] } } }, page }
}

/**
 * Tools of OpenAI's Responses. Those that the client runs are free; of the others, only web searches are
 * counted in the answer. Containers are billed by time, images by another model, and `mcp` makes the vendor
 * call an address of the caller's.
 */
export function responsesTools(page: string): PaidField {
  const types = ['function', 'custom', 'namespace', 'apply_patch', 'local_shell', 'tool_search', 'computer']
  const isOfClient: FreeValues = { where: { type: [...types, 'computer_use_preview'] } }
  // Without an environment, the client runs the shell.
  const isLocal: FreeValues = { where: { type: ['shell'], environment: { where: { type: ['local'] } } } }
  return {
    field: 'tools',
    free: { each: { either: [isOfClient, isLocal] } },
    served: [
      {
        types: ['web_search', 'web_search_2025_08_26'],
        chargedBy: 'web_search',
        brings: tokensOfSearch,
        reckonedRounds: 1,
      },
      // Deep research depends on it, and continues after each search.
      {
        types: ['web_search_preview', 'web_search_preview_2025_03_11'],
        chargedBy: 'web_search',
        brings: tokensOfSearch,
        ofReasoning: true,
      },
    ],
    page,
  }
}

/** What recorded searches added: some 8,000 tokens each. */
const tokensOfSearch = 8_000

/** Service tiers, some of which cost no more than the plain price. */
export function serviceTiers(free: readonly string[], page: string): PaidField {
  return { field: 'service_tier', free: { only: free }, chargedBy: 'service_tier', page }
}

/**
 * Costly fields of OpenAI's format itself: they apply to every vendor that speaks it, unless its own list
 * differs. `flex` never costs more than the plain price.
 */
export const paidFieldsOfFormat: readonly PaidField[] = [
  serviceTiers(
    ['auto', 'default', 'standard', 'standard_only', 'on_demand', 'flex'],
    'https://openai.com/api-priority-processing',
  ),
  { field: 'web_search_options', page: 'https://platform.openai.com/docs/guides/tools-web-search' },
  ownTools('https://platform.openai.com/docs/pricing'),
  {
    field: 'modalities',
    free: { each: { only: ['text'] } },
    chargedBy: 'output',
    page: 'https://platform.openai.com/docs/guides/audio',
  },
  { field: 'audio', chargedBy: 'output', page: 'https://platform.openai.com/docs/guides/audio' },
]
