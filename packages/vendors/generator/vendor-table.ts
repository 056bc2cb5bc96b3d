import type { Vendor } from '../vendor.ts'

export const guideFile = new URL('../../../docs/vendors.md', import.meta.url)

const start = '<!-- vendors: written by packages/vendors/generate.ts -->'
const end = '<!-- end of vendors -->'

/**
 * Renews the guide's table of vendors.
 * @throws {Error} if the marks around the table are missing
 */
export function withVendorTable(guide: string, vendors: readonly Vendor[]): string {
  const [from, to] = [guide.indexOf(start), guide.indexOf(end)]
  if (from === -1 || to === -1) throw new Error('docs/vendors.md has lost the marks around its table')
  const head = ['| provider | vendor | in `turnpike.yaml` |', '| --- | --- | --- |']
  const table = [start, ...head, ...vendors.map(rowOf)].join('\n')
  return `${guide.slice(0, from)}${table}\n${guide.slice(to)}`
}

function rowOf(vendor: Vendor): string {
  const { name, title, documentation, untried } = vendor
  const mark = untried === true ? ', untested' : ''
  return `| \`${name}\` | [${title}](${documentation})${mark} | \`${name}: ${settingsOf(vendor)}\` |`
}

function settingsOf({ baseUrl, exampleBaseUrl, variable }: Vendor): string {
  const settings = [
    ...(baseUrl === undefined ? [`base_url: "${exampleBaseUrl ?? ''}"`] : []),
    ...(variable === undefined ? [] : [`api_keys: ["\${${variable}}"]`]),
  ]
  return settings.length === 0 ? '{}' : `{ ${settings.join(', ')} }`
}
