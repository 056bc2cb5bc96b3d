/** A field of a request by which a vendor bills more than the plain price of its tokens. */
export interface PaidField {
  /** As callers write it; of `tools` and `messages` it is each of them. */
  field: string
  /** What it may say at no further cost, beside null, false and an empty list; absent: nothing. */
  free?: FreeValues
  /** Which price of the model pays for it; absent: none can, since no answer tells how much it was. */
  chargedBy?: PaidBy
  /** Of `tools`: those that the vendor runs and that are paid for, by their own price or as input. */
  served?: readonly ServedTool[]
  /** Where the vendor says that it is billed. */
  page: string
}

/**
 * A tool that the vendor runs. What it brings is input, and each time the model reads on it reads all input
 * again.
 */
export interface ServedTool {
  types: readonly string[]
  /** Each use has a price of its own, too: the searches that the usage counts. */
  chargedBy?: 'web_search'
  /**
   * Input tokens of one use: so many, as many as the tool's own member says, or whatever the model's context
   * has room for; absent: hardly any.
   */
  brings?: number | 'max_content_tokens' | 'context'
  /** Costs nothing beside one of these alone. */
  freeBeside?: readonly string[]
  /** It has this price with models that reason alone: others pay more. */
  ofReasoning?: true
  /** It takes no bound of its uses: what is held for it cannot be lowered. */
  unbounded?: true
  /** Runs code on what it brings: the model may read on more often than it uses the tool. */
  runsCode?: true
  /** How often one answer is reckoned to read its input again for it; absent: after each use. */
  reckonedRounds?: number
}

/**
 * - `service_tier`: the tier that the answer names;
 * - `web_search`: the searches that its usage counts, or the answer that rests on them;
 * - `output`: the audio and image tokens that its usage counts.
 */
export type PaidBy = 'service_tier' | 'web_search' | 'output'

type Scalar = string | number | boolean

export type FreeValues =
  /** One of these. */
  | { only: readonly Scalar[] }
  /** A list of such alone. */
  | { each: FreeValues }
  /** An object with these members alone, each with any value or with one of these. */
  | { members: Readonly<Record<string, 'any' | readonly Scalar[]>> }
  /** An object whose members of these names have such values, or cost nothing, whatever else it holds. */
  | { where: Readonly<Record<string, readonly Scalar[] | FreeValues>> }
  /** What one of these allows. */
  | { either: readonly FreeValues[] }
  /** An object whose members ask for nothing. */
  | 'empty'

/**
 * The path of what costs more in a field's value; undefined: nothing of it does, or it asks for nothing. A
 * value of another kind than expected is taken to cost more: what a vendor makes of it is not known.
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

/** Another spelling of the same name is for the vendor to read as it likes: it costs more. */
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
 * What is left of a name without case, underscores and hyphens. Upper case first, which is what folds the
 * long s and the Kelvin sign, as Go's readers of JSON do (https://pkg.go.dev/encoding/json#Unmarshal).
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase().replace(/[_-]/g, '')
}

/** Tools that the vendor runs itself, as searches: all that are not the caller's own. */
export function ownTools(page: string): PaidField {
  return { field: 'tools', free: { each: { where: { type: ['function', 'custom'] } } }, page }
}

/**
 * Tools of OpenAI's Responses. Those that its client runs cost nothing; of the others the search of the web
 * is counted in the answer. Containers are billed by their time, pictures by another model, and `mcp` has
 * the vendor call an address of the caller's.
 */
export function responsesTools(page: string): PaidField {
  const types = ['function', 'custom', 'namespace', 'apply_patch', 'local_shell', 'tool_search', 'computer']
  const isOfClient: FreeValues = { where: { type: [...types, 'computer_use_preview'] } }
  // Without an environment the shell is the client's.
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
      // Deep research lives by it, and reads on after each search.
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

/** What recorded searches brought: some 8,000 tokens each. */
const tokensOfSearch = 8_000

/** Tiers of service, of which some cost no more than the plain price. */
export function serviceTiers(free: readonly string[], page: string): PaidField {
  return { field: 'service_tier', free: { only: free }, chargedBy: 'service_tier', page }
}

/**
 * What OpenAI's format itself has of such fields: at every vendor that speaks it, unless its own list says
 * otherwise. `flex` is never dearer than the plain price.
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
