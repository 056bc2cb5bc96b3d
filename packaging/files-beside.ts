import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, PluginContext } from 'rolldown'

/** Matches `new URL('style.css', import.meta.url)` and captures the quoted name. */
const reference = /new URL\(\s*(['"`])([^'"`]+)\1,\s*import\.meta\.url\)/g
const packageFile = /[\\/]package\.json$/

/**
 * Our modules find files next to them by `import.meta.url`, which is another place in a bundle. So each of
 * these files is added to the bundle, and the reference is changed to point to it:
 *
 * - a module (`worker.ts`) that runs as a thread becomes a separate entry;
 * - for a name that is known only at run time (`data/${vendor}.json`), all files of the folder are added;
 * - a folder is added as a whole.
 *
 * All modules of the bundle are in one folder, so that a reference works from any of them.
 * @param root of the checkout
 * @param staying folders of the checkout that the bundle reads in place, since they change independently
 */
export function filesBeside(root: string, staying: readonly string[] = []): Plugin {
  // Excludes packages, hidden folders such as caches, and files outside the checkout (recordings).
  const isOurs = (id: string): boolean =>
    id.startsWith(root) && !/(^|[\\/])(node_modules[\\/]|\.)/.test(relative(root, id))
  const nameOf = (file: string): string => relative(root, file).replaceAll(/[\\/]/g, '-')
  return {
    name: 'files-beside',
    async transform(code, id) {
      if (!isOurs(id)) return null
      // Only a manifest's version is needed, not its list of tools.
      if (packageFile.test(id)) return JSON.stringify({ version: JSON.parse(code).version })
      const found = [...code.matchAll(reference)]
      if (found.length === 0) return null
      let changed = code
      for (const [whole, , path] of found) {
        const file = join(dirname(id), path!)
        if (staying.some((folder) => file.startsWith(join(root, folder)))) {
          changed = changed.replace(whole, whole.replace(path!, pathToFileURL(file).href))
          continue
        }
        if (!isOurs(file)) continue
        const target = await take(this, file, nameOf)
        if (target !== undefined) changed = changed.replace(whole, whole.replace(path!, target))
      }
      return changed
    },
  }
}

/** Adds the file to the bundle. @returns its place there; undefined if it is not one of our files */
async function take(
  context: PluginContext,
  file: string,
  nameOf: (file: string) => string,
): Promise<string | undefined> {
  if (file.includes('${')) {
    const folder = dirname(file)
    await takeFolder(context, folder, nameOf(folder))
    return `./${nameOf(folder)}/${basename(file)}`
  }
  if (!existsSync(file)) return undefined
  const name = nameOf(file)
  if (statSync(file).isDirectory()) {
    await takeFolder(context, file, name)
    return `./${name}`
  }
  if (file.endsWith('.ts')) {
    const fileName = name.replace(/\.ts$/, '.js')
    context.emitFile({ type: 'chunk', id: file, fileName })
    return `./${fileName}`
  }
  context.emitFile({ type: 'asset', fileName: name, originalFileName: file, source: await readFile(file) })
  return `./${name}`
}

async function takeFolder(context: PluginContext, folder: string, name: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const one of files) {
    const path = join(one.parentPath, one.name)
    const fileName = `${name}/${relative(folder, path).replaceAll('\\', '/')}`
    context.emitFile({ type: 'asset', fileName, originalFileName: path, source: await readFile(path) })
  }
}
