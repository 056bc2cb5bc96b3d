import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The separator between two licences. */
export const between = `\n${'-'.repeat(80)}\n\n`

/** The licences of the packages whose code is in the bundle, as they require. */
export function licencesOf(moduleIds: readonly string[]): string {
  const packages = new Set(moduleIds.map(packageFolderOf).filter((folder) => folder !== undefined))
  return [...packages].sort().map(licenceOf).join(between)
}

/** `…/node_modules/open`; undefined for our own modules. */
function packageFolderOf(moduleId: string): string | undefined {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(moduleId)?.[1]
}

interface Manifest {
  name: string
  version: string
  license?: string
  author?: string | { name: string }
}

function licenceOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text =
    file === undefined ? describeLicence(manifest) : readFileSync(join(folder, file), 'utf8').trim()
  return `${manifest.name} ${manifest.version}\n\n${text}\n`
}

/** For a package that names its licence without including the text. */
function describeLicence({ name, license, author }: Manifest): string {
  if (license === undefined) throw new Error(`${name} has no licence file`)
  const by = typeof author === 'object' ? author.name : author
  return `License: ${license} (https://spdx.org/licenses/${license})${by === undefined ? '' : `\nby ${by}`}`
}
