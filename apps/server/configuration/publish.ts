import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ValueSchema } from './mistakes/expectation.ts'
import { secretFileKey } from './schema/values.ts'
import { configurationSchema } from './schema/schema.ts'

/*
 * Writes the generated documentation of the configuration: the JSON Schema for editors, and the table of
 * docs/configuration.md. Run it after a change of the schema:
 * node apps/server/configuration/publish.ts
 */

export const schemaFile = fileURLToPath(new URL('../../../docs/turnpike.schema.json', import.meta.url))
export const guideFile = fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url))

const tableStart = '<!-- keys: written by apps/server/configuration/publish.ts -->'
const tableEnd = '<!-- end of keys -->'

export function jsonSchemaText(): string {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'turnpike.yaml' }
  return `${JSON.stringify({ ...head, ...configurationSchema }, null, 2)}\n`
}

/** Replaces the table in the guide. */
export function withTable(guide: string): string {
  const start = guide.indexOf(tableStart)
  const end = guide.indexOf(tableEnd)
  if (start === -1 || end === -1) throw new Error(`${guideFile} has lost the marks around its table`)
  const rows = [...keysOf(configurationSchema as unknown as ValueSchema, '', new Shown())].map(
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

/** What the table has shown so far. It refers to it instead of showing it again. */
class Shown {
  readonly #sections: { path: string; keys: Map<string, string> }[] = []
  readonly #kinds = new Map<string, string>()

  /** The section that shares the most keys with this one, if there are at least three. */
  sectionLike(keys: ReadonlyMap<string, string>): { path: string; shared: Set<string> } | undefined {
    const found = this.#sections
      .map(({ path, keys: known }) => ({
        path,
        shared: new Set([...keys].filter(([name, text]) => known.get(name) === text).map(([name]) => name)),
      }))
      .toSorted((a, b) => b.shared.size - a.shared.size)[0]
    return found !== undefined && found.shared.size >= 3 ? found : undefined
  }

  addSection(path: string, keys: Map<string, string>): void {
    this.#sections.push({ path, keys })
  }

  /** Shows a long list of values only once. */
  kind(key: string, kind: string): string {
    const first = this.#kinds.get(kind)
    if (first !== undefined && kind.length > 200) return `as for \`${first}\``
    if (first === undefined) this.#kinds.set(kind, key)
    return kind
  }
}

/** Every key of the schema; a section comes before its keys. */
function* keysOf(schema: ValueSchema, path: string, shown: Shown): Generator<KeyRow> {
  const keys = keyTexts(schema)
  const shared = path === '' ? undefined : shown.sectionLike(keys)?.shared
  if (path !== '') shown.addSection(path, keys)
  const required = new Set(schema.required)
  const either = new Set(schema.allOf?.map(({ oneOf: [own] }) => own!.required[0]!))
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    if (shared?.has(name) || isSecretFile(value)) continue
    const file = secretFileKey(name, value)
    const hasFile = isSecretFile(schema.properties?.[file] ?? {})
    const standard = required.has(name) ? 'required' : either.has(name) ? `this or \`${file}\`` : undefined
    const further = hasFile && !either.has(name) ? ` Or from a file: \`${file}\`.` : ''
    yield* rowsOf({ key: path === '' ? name : `${path}.${name}`, schema: value, standard, further, shown })
  }
  for (const value of Object.values(schema.patternProperties ?? {}))
    yield* keysOf(entryOf(value), entryPath(path), shown)
}

interface Described {
  key: string
  schema: ValueSchema
  /** Shown in place of the schema's default. */
  standard: string | undefined
  further: string
  shown: Shown
}

function* rowsOf({ key, schema, standard, further, shown }: Described): Generator<KeyRow> {
  const value = standard ?? (schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``)
  const inner = innerSection(schema)
  const like = inner === undefined ? undefined : shown.sectionLike(keyTexts(inner))
  const reference = like === undefined ? '' : ` Keys: see \`${like.path}\`.`
  const meaning = `${schema.description ?? ''}${further}${reference}`
  yield { key, kind: shown.kind(key, kindOf(schema)), standard: value, meaning }
  if (schema.type === 'object') yield* keysOf(schema, key, shown)
  if (schema.type === 'array' && schema.items?.type === 'object')
    yield* keysOf(schema.items, `${key}[]`, shown)
}

/** The section whose keys follow a row: its own, those of its list, or those of its named entries. */
function innerSection(schema: ValueSchema): ValueSchema | undefined {
  if (schema.type === 'array') return schema.items?.type === 'object' ? schema.items : undefined
  const [entry] = Object.values(schema.patternProperties ?? {})
  if (entry !== undefined) return entryOf(entry)
  return schema.type === 'object' ? schema : undefined
}

/** Everything that the table would show of each key of a section, by name. */
function keyTexts(schema: ValueSchema): Map<string, string> {
  return new Map(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, JSON.stringify(one)]))
}

function entryPath(path: string): string {
  return `${path}.<${path === 'models' || path.endsWith('.models') ? 'model' : 'name'}>`
}

function isSecretFile({ format, items }: ValueSchema): boolean {
  return (format ?? items?.format) === 'secret-file'
}

/** A provider may also be `false`; the keys are then those of the section. */
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
  integer: 'integer',
  boolean: 'boolean',
  usd: 'USD',
  price: 'USD per token',
  factor: 'decimal',
  'http-url': 'URL',
  'postgres-url': 'secret URL',
  'redis-url': 'secret URL',
  file: 'path',
  'key-file': 'path',
  'secret-file': 'path',
}

if (import.meta.main) {
  writeFileSync(schemaFile, jsonSchemaText())
  writeFileSync(guideFile, withTable(readFileSync(guideFile, 'utf8')))
}
