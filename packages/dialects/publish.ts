import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateFormats } from './registry.ts'
import { requestFields, type RequestField } from './requests/field-table.ts'
import { isOmittable } from './requests/omissions.ts'
import type { GenerateFormat } from './vendor.ts'

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
  const spoken = Object.values(generateFormats)
  const tables = [overview(spoken), ...spoken.map(notesOf)].join('\n\n')
  return `${guide.slice(0, start)}${tablesStart}\n\n${tables}\n\n${guide.slice(end)}`
}

/** Every field against every format, a word each. */
function overview(spoken: readonly GenerateFormat[]): string {
  const names = spoken.map(({ name }) => `\`${name}\``)
  const rows = requestFields.map((field) => {
    const treatments = spoken.map(({ operations }) => wordOf(operations.generate.fields[field].treatment))
    return row([nameOf(field), ...treatments, isOmittable(field) ? 'yes' : ''])
  })
  const heads = ['field', ...names, 'may be left out']
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n')
}

/** What a format has to say of fields, where it has. */
function notesOf({ name, operations }: GenerateFormat): string {
  const { fields } = operations.generate
  const noted = requestFields.filter((field) => fields[field].note !== '')
  const rows = noted.map((field) =>
    row([nameOf(field), wordOf(fields[field].treatment), fields[field].note.replaceAll('|', '\\|')]),
  )
  return [`## ${name}`, '', row(['field', 'is', 'how, or why']), row(['---', '---', '---']), ...rows].join(
    '\n',
  )
}

/** What is refused should be seen at once. */
function wordOf(treatment: string): string {
  return treatment === 'refused' ? '**refused**' : treatment
}

function nameOf(field: RequestField): string {
  return field === 'unknown' ? 'any other field' : `\`${field}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (import.meta.main) writeFileSync(guideFile, withTables(readFileSync(guideFile, 'utf8')))
