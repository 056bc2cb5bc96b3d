/*
 * Whether an example could be a real row: each text, number and field of it has to look as in one. What the
 * schema says besides (types, enumerated values, which fields there are) is checked by Ajv.
 */

type Json = Record<string, unknown>

/** What a text is, by how it is written; `text` where that says nothing. */
const kinds: [name: string, pattern: RegExp][] = [
  ['money', /^-?\d+(\.\d+)?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['time', /^\d{4}-\d{2}-\d{2}T/],
  ['address', /^https?:\/\//],
  ['path', /^\/[a-z]/],
  ['email', /^[^@\s]+@[^@\s]+$/],
  ['model', /^[a-z][\w.-]*\/[\w.:-]+$/],
]

function kindOf(text: string): string {
  // `req_01jng…`; also what is made of a name and something random, such as a version.
  const [, prefix] = /^([a-z]{1,8}_)(?=\S*\d)[\w-]+$/.exec(text) ?? []
  if (prefix !== undefined) return prefix
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'
}

/** Epoch seconds of this century. */
function isTime(value: number): boolean {
  return Number.isInteger(value) && value > 1_000_000_000 && value < 4_000_000_000
}

/**
 * What of an example no row looks like.
 * @param real the rows of one list, or the one answer that there is
 * @returns sentences, each with the path of a field
 */
export function oddities(example: unknown, real: readonly unknown[], path: string): string[] {
  const known = real.filter((value) => value !== null && value !== undefined)
  if (example === null || known.length === 0) return []
  if (Array.isArray(example)) {
    const items = known.filter((value) => Array.isArray(value)).flat()
    return items.length === 0 ? [] : example.flatMap((item) => oddities(item, items, `${path}[]`))
  }
  if (typeof example === 'object') return fieldOddities(example as Json, known, path)
  if (typeof example === 'string') {
    const looks = [...new Set(known.filter((value) => typeof value === 'string').map(kindOf))]
    const look = kindOf(example)
    return looks.length === 0 || looks.includes(look)
      ? []
      : [`${path}: "${example}" is ${look}, real ones are ${looks.join(', ')}`]
  }
  if (typeof example === 'number') {
    const isOfTime = known.every((value) => typeof value === 'number' && isTime(value))
    return isOfTime === isTime(example)
      ? []
      : [`${path}: ${example} and ${JSON.stringify(known[0])} are not both times`]
  }
  return []
}

function fieldOddities(example: Json, known: readonly unknown[], path: string): string[] {
  const rows = known.filter((value): value is Json => typeof value === 'object' && !Array.isArray(value))
  return Object.entries(example).flatMap(([name, value]) =>
    oddities(
      value,
      rows.map((row) => row[name]),
      path === '' ? name : `${path}.${name}`,
    ),
  )
}

/** The same schemas, which take no field that they do not name. */
export function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((one: unknown) => closed(one)) as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)])
  const made = Object.fromEntries(entries) as Json
  const isOpen = made['type'] !== 'object' || 'additionalProperties' in made
  const hasFields = Object.keys((made['properties'] as Json | undefined) ?? {}).length > 0
  return (isOpen || !hasFields ? made : { ...made, additionalProperties: false }) as Schema
}
