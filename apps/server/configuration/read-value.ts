import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair } from 'yaml'
import {
  countProblem,
  describeExpected,
  describeFound,
  describePattern,
  isAmount,
  scalarProblem,
  type ValueSchema,
} from './mistakes/expectation.ts'
import { readFileValue, secretInFile } from './file-value.ts'
import type { Mistake, Path } from './mistakes/mistake.ts'
import { nearest } from './mistakes/nearest.ts'
import { secretFileKey } from './schema/values.ts'
import { substitute, type Environment } from './variables.ts'

export interface Reading {
  document: Document
  lines: LineCounter
  environment: Environment
  /** Base of relative paths. */
  directory: string
  mistakes: Mistake[]
  /** Offset of each value in the text, by its path as JSON. */
  offsets: Map<string, number>
}

/**
 * Reads a node's value and checks it against its schema. Every mistake is recorded with its place, and the
 * invalid value is left out: one key of a section, but the whole list for an invalid item, because
 * positions in a list matter. Returns undefined if the node has no usable value.
 */
export function readValue(reading: Reading, node: Node | null, schema: ValueSchema, path: Path): unknown {
  const resolved = isAlias(node) ? (node.resolve(reading.document) ?? node) : node
  const offset = (resolved ?? node)?.range?.[0]
  if (offset !== undefined) reading.offsets.set(JSON.stringify(path), offset)
  if (isAlias(resolved)) return note(reading, path, 'the anchor of this YAML alias is not defined before it')
  const alternatives = schema.anyOf
  if (alternatives !== undefined) {
    const fitting = alternatives.find((one) => (one.type === 'object') === isMap(resolved))
    if (fitting?.type === 'object' || isConstant(resolved, fitting))
      return readValue(reading, resolved, fitting!, path)
    return note(reading, path, `expected ${alternatives.map(describeExpected).join(' or ')}`)
  }
  if (schema.type === 'object') return readObject(reading, resolved, schema, path)
  if (schema.type === 'array') return readArray(reading, resolved, schema, path)
  return readScalar(reading, resolved, schema, path)
}

function isConstant(node: Node | null, schema: ValueSchema | undefined): boolean {
  return isScalar(node) && schema !== undefined && node.value === schema.const
}

function readObject(reading: Reading, node: Node | null, schema: ValueSchema, path: Path): unknown {
  // A section whose keys are all commented out.
  if (node === null || (isScalar(node) && node.value === null)) {
    return hasRequired(reading, schema, new Set(), path) ? {} : undefined
  }
  if (!isMap(node))
    return note(reading, path, `expected ${describeExpected(schema)}${describeFound(node, schema)}`)
  const result: Record<string, unknown> = {}
  const seen = new Set<string>()
  const files: { own: string; value: unknown; keyPath: Path }[] = []
  for (const pair of node.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : undefined
    if (key === undefined) {
      noteAt(reading, path, pair.key.range?.[0], 'expected a plain name as the key')
      continue
    }
    const keyPath = [...path, key]
    const keyOffset = pair.key.range?.[0]
    if (keyOffset !== undefined) reading.offsets.set(JSON.stringify(keyPath), keyOffset)
    seen.add(key)
    const valueSchema = schemaOfKey(schema, key)
    if (typeof valueSchema === 'string') {
      noteAt(reading, keyPath, keyOffset, valueSchema)
      continue
    }
    const value = readValue(reading, pair.value, valueSchema, keyPath)
    if (value === undefined) continue
    const own = secretOf(key, valueSchema, schema)
    if (own === undefined) result[key] = value
    else files.push({ own, value, keyPath })
  }
  for (const { own, value, keyPath } of files) {
    if (seen.has(own)) note(reading, keyPath, `cannot be combined with ${own}: remove one of them`)
    else result[own] = secretsIn(reading, value, schema.properties![own]!, keyPath)
  }
  return hasRequired(reading, schema, seen, path) ? result : undefined
}

/** The key whose secret is in the files that this key names; undefined if it names none. */
function secretOf(key: string, { format, items }: ValueSchema, section: ValueSchema): string | undefined {
  if (format !== 'secret-file' && items?.format !== 'secret-file') return undefined
  return Object.entries(section.properties!).find(([name, one]) => secretFileKey(name, one) === key)?.[0]
}

/** The content of the files: one text, or a list. */
function secretsIn(reading: Reading, files: unknown, schema: ValueSchema, path: Path): unknown {
  if (Array.isArray(files)) {
    const found = files.map((file, index) => secretsIn(reading, file, schema.items!, [...path, index]))
    return found.includes(undefined) ? undefined : found
  }
  const { text, problem } = secretInFile(files as string, schema)
  return problem === undefined ? text : note(reading, path, problem)
}

/** The schema of a key's value, or the error in the key. */
function schemaOfKey(schema: ValueSchema, key: string): ValueSchema | string {
  if (schema.patternProperties !== undefined) {
    const [[pattern, valueSchema] = ['', undefined]] = Object.entries(schema.patternProperties)
    if (valueSchema !== undefined && new RegExp(pattern, 'u').test(key)) return valueSchema
    return `expected ${describePattern(pattern)}`
  }
  const properties = schema.properties ?? {}
  if (Object.hasOwn(properties, key)) return properties[key]!
  const suggestion = nearest(key, Object.keys(properties))
  if (suggestion !== undefined) return `unknown key; did you mean "${suggestion}"?`
  return `unknown key; expected ${Object.keys(properties).join(', ')}`
}

/** Records an error for each required key that is missing. */
function hasRequired(reading: Reading, schema: ValueSchema, seen: ReadonlySet<string>, path: Path): boolean {
  const either = (schema.allOf ?? []).map(({ oneOf }) => oneOf.map(({ required: [name] }) => name!))
  const names = [
    ...(schema.required ?? []),
    ...either.filter((both) => !both.some((name) => seen.has(name))).map(([name]) => name!),
  ]
  const missing = names.filter((key) => !seen.has(key))
  for (const key of missing) {
    const expected = describeExpected(schema.properties![key]!)
    noteAt(
      reading,
      [...path, key],
      reading.offsets.get(JSON.stringify(path)),
      `missing; expected ${expected}`,
    )
  }
  return missing.length === 0
}

function readArray(reading: Reading, node: Node | null, schema: ValueSchema, path: Path): unknown {
  if (!isSeq(node))
    return note(reading, path, `expected ${describeExpected(schema)}${describeFound(node, schema)}`)
  const problem = countProblem(node.items.length, schema)
  if (problem !== undefined) return note(reading, path, problem)
  const items = node.items as (Node | null)[]
  const values = items.map((item, index) => readValue(reading, item, schema.items!, [...path, index]))
  return values.includes(undefined) ? undefined : values
}

function readScalar(reading: Reading, node: Node | null, schema: ValueSchema, path: Path): unknown {
  if (!isScalar(node))
    return note(reading, path, `expected ${describeExpected(schema)}${describeFound(node, schema)}`)
  let { value } = node
  let substituted = false
  if (typeof value === 'string') {
    const substitution = substitute(value, reading.environment)
    for (const problem of substitution.problems) note(reading, path, problem)
    if (substitution.problems.length > 0) return undefined
    substituted = substitution.substituted
    value = substituted ? toSchemaType(substitution.text, schema) : substitution.text
  } else if (typeof value === 'number' && schema.type === 'string' && isAmount(schema)) {
    // Amounts keep the text of the file: no amount is converted to a float.
    value = node.source ?? String(value)
  }
  const problem = scalarProblem(value, schema)
  if (problem === undefined) {
    const { format = '' } = schema
    if (!['file', 'key-file', 'secret-file'].includes(format)) return value
    const { path: file, problem: unread } = readFileValue(
      reading.directory,
      value as string,
      format === 'key-file',
    )
    return unread === undefined ? file : note(reading, path, unread)
  }
  return note(reading, path, substituted ? problem : problem + describeFound(node, schema))
}

/** Text from the environment may also stand for a number or a boolean. */
function toSchemaType(text: string, schema: ValueSchema): unknown {
  if ((schema.type === 'integer' || schema.type === 'number') && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

/** Records a mistake at the place of a path, or of the closest section around it. */
export function note(reading: Reading, path: Path, message: string): undefined {
  for (let length = path.length; length >= 0; length--) {
    const offset = reading.offsets.get(JSON.stringify(path.slice(0, length)))
    if (offset !== undefined) return noteAt(reading, path, offset, message)
  }
  return noteAt(reading, path, undefined, message)
}

function noteAt(reading: Reading, path: Path, offset: number | undefined, message: string): undefined {
  const place = offset === undefined ? { line: 1, col: 1 } : reading.lines.linePos(offset)
  reading.mistakes.push({ line: place.line, column: place.col, path, message })
}
