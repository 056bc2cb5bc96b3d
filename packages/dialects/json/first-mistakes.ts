import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import type { SchemaMistake } from './explain.ts'

/** Explaining is a hundred times slower than checking: of a longer list, only the wrong part is explained. */
const explainedElements = 100

interface SchemaNode {
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  maxItems?: number
  anyOf?: SchemaNode[]
}

const validators = new WeakMap<SchemaNode, Validator>()

function validatorOf(schema: SchemaNode): Validator {
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = Compile(schema as TSchema)
    validators.set(schema, validator)
  }
  return validator
}

/** An element that was moved to the front of a shortened list, and its original index. */
interface Moved {
  pointer: string
  index: number
}

/** The mistakes in a value that its schema rejects, at least the first ones, however long its lists. */
export function firstMistakes(schema: object, value: unknown): SchemaMistake[] {
  const moved: Moved[] = []
  const short = shortenLists(schema, value, '', moved)
  const mistakes = validatorOf(schema).Errors(short)[1]
  return moved.length === 0 ? mistakes : mistakes.map((mistake) => restorePath(mistake, moved))
}

function shortenLists(schema: SchemaNode, value: unknown, pointer: string, moved: Moved[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return shortenMembers(schema, value, pointer, moved)
  const list = schema.items === undefined ? schema.anyOf?.find(({ items }) => items !== undefined) : schema
  const items = list?.items
  if (list === undefined || items === undefined) return value
  if (value.length <= explainedElements)
    return value.map((element, index) => shortenLists(items, element, `${pointer}/${index}`, moved))
  // The mistake is the list's length, and the message is the same as for a value that is not a list.
  if (list.maxItems !== undefined && value.length > list.maxItems) return {}
  const validator = validatorOf(items)
  const index = value.findIndex((element) => !validator.Check(element))
  if (index === -1) return value.slice(0, 1)
  moved.push({ pointer: `${pointer}/0`, index })
  return [shortenLists(items, value[index], `${pointer}/0`, moved)]
}

function shortenMembers(schema: SchemaNode, value: object, pointer: string, moved: Moved[]): object {
  const { properties } = schema.properties === undefined ? (schema.anyOf?.[0] ?? schema) : schema
  if (properties === undefined) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const node = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, node === undefined ? member : shortenLists(node, member, `${pointer}/${name}`, moved)]
  })
  return Object.fromEntries(members)
}

/** Restores original indexes in pointers. A pointer into a nested list has the outer list's index, too. */
function restorePath(mistake: SchemaMistake, moved: readonly Moved[]): SchemaMistake {
  const segments = mistake.instancePath.split('/')
  for (const { pointer, index } of moved) {
    if (mistake.instancePath !== pointer && !mistake.instancePath.startsWith(`${pointer}/`)) continue
    segments[pointer.split('/').length - 1] = String(index)
  }
  return { ...mistake, instancePath: segments.join('/') }
}
