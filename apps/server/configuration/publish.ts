import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ValueSchema } from './expectation.ts'
import { configurationSchema } from './schema.ts'

/*
 * Writes what users read of the configuration: the JSON Schema for editors, and the table of
 * docs/configuration.md. Run it after a change of the schema: node apps/server/configuration/publish.ts
 */

export const schemaFile = fileURLToPath(new URL('../../../docs/turnpike.schema.json', import.meta.url))
export const guideFile = fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url))

const tableStart = '<!-- keys: written by apps/server/configuration/publish.ts -->'
const tableEnd = '<!-- end of keys -->'

export function jsonSchemaText(): string {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'turnpike.yaml' }
  return `${JSON.stringify({ ...head, ...configurationSchema }, null, 2)}\n`
}

/** The guide with its table renewed. */
export function withTable(guide: string): string {
  const start = guide.indexOf(tableStart)
  const end = guide.indexOf(tableEnd)
  if (start === -1 || end === -1) throw new Error(`${guideFile} has lost the marks around its table`)
  const rows = [...keysOf(configurationSchema as unknown as ValueSchema, '')].map(
    ({ key, kind, standard, meaning }) => `| \`${key}\` | ${kind} | ${standard} | ${meaning} |`,
  )
  const table = ['| key | value | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
  return `${guide.slice(0, start)}${tableStart}\n${table}\n${guide.slice(end)}`
}

interface KeyRow {
  key: string
  kind: string
  standard: string
  meaning: string
}

/** Every key of the schema, sections before what is in them. */
function* keysOf(schema: ValueSchema, path: string): Generator<KeyRow> {
  const required = new Set(schema.required)
  const either = new Set(schema.allOf?.map(({ oneOf: [own] }) => own!.required[0]!))
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    const standard = required.has(name)
      ? 'required'
      : either.has(name)
        ? `this or \`${name}_file\``
        : undefined
    yield* rowsOf(path === '' ? name : `${path}.${name}`, value, standard)
  }
  for (const value of Object.values(schema.patternProperties ?? {})) {
    yield* keysOf(
      entryOf(value),
      `${path}.<${path === 'models' || path.endsWith('.models') ? 'model' : 'name'}>`,
    )
  }
}

function* rowsOf(key: string, schema: ValueSchema, wanted: string | undefined): Generator<KeyRow> {
  const standard = wanted ?? (schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``)
  yield { key, kind: kindOf(schema), standard, meaning: schema.description ?? '' }
  if (schema.type === 'object') yield* keysOf(schema, key)
  if (schema.type === 'array' && schema.items?.type === 'object') yield* keysOf(schema.items, `${key}[]`)
}

/** `false` may stand in the place of a provider; its keys are those of the section. */
function entryOf(schema: ValueSchema): ValueSchema {
  return schema.anyOf?.find((one) => one.type === 'object') ?? schema
}

function kindOf(schema: ValueSchema): string {
  if (schema.writeOnly === true) return 'secret'
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  if (schema.type === 'array')
    return schema.items?.type === 'object' ? 'list' : `list of ${kindOf(schema.items ?? {})}`
  if (schema.type === 'object') return 'section'
  return kinds[schema.format ?? schema.type ?? ''] ?? schema.format ?? schema.type ?? ''
}

const kinds: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  boolean: '`true`, `false`',
  usd: 'USD',
  price: 'USD per token',
  factor: 'decimal',
  'http-url': 'address',
  'postgres-url': 'secret address',
  'redis-url': 'secret address',
  file: 'path',
  'key-file': 'path',
  'secret-file': 'path',
}

if (import.meta.main) {
  writeFileSync(schemaFile, jsonSchemaText())
  writeFileSync(guideFile, withTable(readFileSync(guideFile, 'utf8')))
}
