import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { embedFields } from './embeddings/fields.ts'
import { embedWords } from './embeddings/words.ts'
import { moderateFields } from './moderations/fields.ts'
import { moderateWords } from './moderations/words.ts'
import { embedFormats, generateFormats, moderateFormats, rerankFormats } from './registry.ts'
import { requestFields } from './requests/fields/field-table.ts'
import { generateFieldRules } from './requests/fields/generate-field-rules.ts'
import { rerankFields } from './rerank/fields.ts'
import { rerankWords } from './rerank/words.ts'
import type { FieldRules } from './requests/fields/field-rules.ts'
import { operationOf, type ServedOperation, type VendorFormat } from './vendor.ts'

/*
 * Writes the tables of docs/dialects.md from the formats' field tables. Run it after changing one: node
 * packages/dialects/publish.ts
 */

export const guideFile = fileURLToPath(new URL('../../docs/dialects.md', import.meta.url))

const tablesStart = '<!-- fields: written by packages/dialects/publish.ts -->'
const tablesEnd = '<!-- end of fields -->'

/** The guide with its tables rewritten. */
export function withTables(guide: string): string {
  const start = guide.indexOf(tablesStart)
  const end = guide.indexOf(tablesEnd)
  if (start === -1 || end === -1) throw new Error(`${guideFile} has lost the marks around its tables`)
  const tables = families.flatMap((family) => [
    overview(family),
    ...family.formats.map((one, index) => notesOf(one, family, family.formats.slice(0, index))),
  ])
  return `${guide.slice(0, start)}${tablesStart}\n\n${tables.join('\n\n')}\n\n${guide.slice(end)}`
}

/** The formats of one operation, whose requests share a set of fields. */
interface Family {
  operation: ServedOperation
  /** Absent: the guide itself has a title before the tables. */
  title?: string
  fields: readonly string[]
  words: Pick<FieldRules, 'isOmittable'>
  formats: readonly VendorFormat[]
}

const families: readonly Family[] = [
  {
    operation: 'generate',
    fields: requestFields,
    words: generateFieldRules,
    formats: Object.values(generateFormats),
  },
  {
    operation: 'embed',
    title: '## Embeddings at a glance',
    fields: embedFields,
    words: embedWords,
    formats: Object.values(embedFormats),
  },
  {
    operation: 'rerank',
    title: '## Rankings at a glance',
    fields: rerankFields,
    words: rerankWords,
    formats: Object.values(rerankFormats),
  },
  {
    operation: 'moderate',
    title: '## Moderations at a glance',
    fields: moderateFields,
    words: moderateWords,
    formats: Object.values(moderateFormats),
  },
]

/** A table of fields against formats, one sign each. Formats that treat all fields alike share a column. */
function overview(family: Family): string {
  const { title, fields, words, formats } = family
  const columns = new Map<string, { names: string[]; cells: string[] }>()
  for (const format of formats) {
    const own = operationFields(format, family)
    const cells = fields.map((field) => signOf(own[field]!.treatment))
    const column = columns.get(cells.join()) ?? { names: [], cells }
    column.names.push(`\`${format.name}\``)
    columns.set(cells.join(), column)
  }
  const shown = [...columns.values()]
  const rows = fields.map((field, index) => {
    const cells = shown.map((column) => column.cells[index]!)
    return row([nameOf(field), ...cells, words.isOmittable(field) ? 'yes' : ''])
  })
  const heads = ['field', ...shown.map(({ names }) => names.join(', ')), 'can be left out']
  const table = [row(heads), row(heads.map(() => '---')), ...rows].join('\n')
  return title === undefined ? table : `${title}\n\n${table}`
}

/**
 * Lists how a format passes or translates fields. The overview shows what it drops, and errors say why it
 * refuses a field. A format that is much like an earlier one lists only the differences.
 */
function notesOf(format: VendorFormat, family: Family, before: readonly VendorFormat[]): string {
  const notes = toldOf(format, family)
  const heading = `## ${format.name}`
  const like = before
    .map((base) => ({
      base,
      rows: differenceOf(notes, toldOf(base, family), operationFields(format, family)),
    }))
    .toSorted((a, b) => a.rows.length - b.rows.length)[0]
  if (like !== undefined && like.rows.length <= notes.size / 2) {
    const link = `[\`${like.base.name}\`](#${like.base.name})`
    if (like.rows.length === 0) return `${heading}\n\nAs ${link}.`
    return `${heading}\n\nAs ${link}, except:\n\n${noteTable(like.rows)}`
  }
  const rows = [...notes].map(([field, note]) => row([nameOf(field), note]))
  return rows.length === 0 ? `${heading}\n\nNothing to note.` : `${heading}\n\n${noteTable(rows)}`
}

function noteTable(rows: readonly string[]): string {
  return [row(['field', 'how']), row(['---', '---']), ...rows].join('\n')
}

/** The notes on fields that are passed or translated, by field. */
function toldOf(format: VendorFormat, family: Family): Map<string, string> {
  const fields = operationFields(format, family)
  const documented = family.fields.filter((field) => {
    const { treatment, note } = fields[field]!
    return note !== '' && (treatment === 'passed' || treatment === 'translated')
  })
  return new Map(documented.map((field) => [field, fields[field]!.note.replaceAll('|', '\\|')]))
}

function differenceOf(
  notes: ReadonlyMap<string, string>,
  base: ReadonlyMap<string, string>,
  fields: OperationFields,
): string[] {
  const changed = [...notes].filter(([field, note]) => base.get(field) !== note)
  const gone = [...base.keys()].filter((field) => !notes.has(field))
  return [...changed, ...gone.map((field) => [field, fields[field]!.treatment] as const)].map(
    ([field, note]) => row([nameOf(field), note]),
  )
}

type OperationFields = Readonly<Record<string, { treatment: string; note: string }>>

function operationFields(format: VendorFormat, { operation }: Family): OperationFields {
  return operationOf(format, operation).fields
}

/** Refused fields stand out in bold. */
const signs: Record<string, string> = { passed: '✓', translated: '→', dropped: '–', refused: '**✗**' }

function signOf(treatment: string): string {
  return signs[treatment]!
}

function nameOf(field: string): string {
  return field === 'unknown' ? 'any other field' : `\`${field}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (import.meta.main) writeFileSync(guideFile, withTables(readFileSync(guideFile, 'utf8')))
