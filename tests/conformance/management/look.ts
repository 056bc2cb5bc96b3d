/*
 * Whether an example could be a real row: each text, number and field must look like those of one. The rest
 * of the schema (types, enumerated values, existing fields) is checked by Ajv.
 */

type Json = Record<string, unknown>

/** The kind of a text by its form; `text` if the form is not specific. */
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
  // `req_01jng…`; also a name plus something random, such as a version.
  const [, prefix] = /^([a-z]{1,8}_)(?=\S*\d)[\w-]+$/.exec(text) ?? []
  if (prefix !== undefined) return prefix
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'
}

/** Whether it is a time of this century in epoch seconds. */
function isTime(value: number): boolean {
  return Number.isInteger(value) && value > 1_000_000_000 && value < 4_000_000_000
}

/**
 * Parts of an example that look like no row.
 * @param real the rows of a list, or the only response
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

/** The same schemas, which do not allow unnamed fields. */
export function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((one: unknown) => closed(one)) as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)])
  const made = Object.fromEntries(entries) as Json
  const isOpen = made['type'] !== 'object' || 'additionalProperties' in made
  const hasFields = Object.keys((made['properties'] as Json | undefined) ?? {}).length > 0
  return (isOpen || !hasFields ? made : { ...made, additionalProperties: false }) as Schema
}
