import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { embedFields } from './embeddings/fields.ts'
import { embedWords } from './embeddings/words.ts'
import { moderateFields } from './moderations/fields.ts'
import { moderateWords } from './moderations/words.ts'
import { embedFormats, generateFormats, moderateFormats, rerankFormats } from './registry.ts'
import { requestFields } from './requests/field-table.ts'
import { generateWords } from './requests/generate-words.ts'
import { rerankFields } from './rerank/fields.ts'
import { rerankWords } from './rerank/words.ts'
import type { RequestWords } from './requests/request-words.ts'
import { operationOf, type ServedOperation, type VendorFormat } from './vendor.ts'

/*
 * Writes the tables of docs/dialects.md from the formats' own. Run it after a change of one:
 * node packages/dialects/publish.ts
 */

export const guideFile = fileURLToPath(new URL('../../docs/dialects.md', import.meta.url))

const tablesStart = '<!-- fields: written by packages/dialects/publish.ts -->'
const tablesEnd = '<!-- end of fields -->'

/** The guide with its tables renewed. */
export function withTables(guide: string): string {
  const start = guide.indexOf(tablesStart)
  const end = guide.indexOf(tablesEnd)
  if (start === -1 || end === -1) throw new Error(`${guideFile} has lost the marks around its tables`)
  const tables = families.flatMap((family) => [
    overview(family),
    ...family.formats.map((one) => notesOf(one, family)),
  ])
  return `${guide.slice(0, start)}${tablesStart}\n\n${tables.join('\n\n')}\n\n${guide.slice(end)}`
}

/** The formats in which one operation is asked for: its requests have fields of their own. */
interface Family {
  operation: ServedOperation
  /** Absent: the guide has one before the tables. */
  title?: string
  fields: readonly string[]
  words: Pick<RequestWords, 'isOmittable'>
  formats: readonly VendorFormat[]
}

const families: readonly Family[] = [
  {
    operation: 'generate',
    fields: requestFields,
    words: generateWords,
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

/** Every field against every format, a word each. */
function overview({ operation, title, fields, words, formats }: Family): string {
  const names = formats.map(({ name }) => `\`${name}\``)
  const rows = fields.map((field) => {
    const treatments = formats.map((one) => wordOf(operationOf(one, operation).fields[field]!.treatment))
    return row([nameOf(field), ...treatments, words.isOmittable(field) ? 'yes' : ''])
  })
  const heads = ['field', ...names, 'may be left out']
  const table = [row(heads), row(heads.map(() => '---')), ...rows].join('\n')
  return title === undefined ? table : `${title}\n\n${table}`
}

/** What a format has to say of fields, where it has. */
function notesOf(format: VendorFormat, { operation, fields: all }: Family): string {
  const { fields } = operationOf(format, operation)
  const noted = all.filter((field) => fields[field]!.note !== '')
  const rows = noted.map((field) =>
    row([nameOf(field), wordOf(fields[field]!.treatment), fields[field]!.note.replaceAll('|', '\\|')]),
  )
  const heads = row(['field', 'is', 'how, or why'])
  return [`## ${format.name}`, '', heads, row(['---', '---', '---']), ...rows].join('\n')
}

/** What is refused should be seen at once. */
function wordOf(treatment: string): string {
  return treatment === 'refused' ? '**refused**' : treatment
}

function nameOf(field: string): string {
  return field === 'unknown' ? 'any other field' : `\`${field}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (import.meta.main) writeFileSync(guideFile, withTables(readFileSync(guideFile, 'utf8')))
