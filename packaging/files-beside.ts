import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, PluginContext } from 'rolldown'

/** `new URL('style.css', import.meta.url)`, and what stands in the quotes. */
const reference = /new URL\(\s*(['"`])([^'"`]+)\1,\s*import\.meta\.url\)/g
const packageFile = /[\\/]package\.json$/

/**
 * Our modules find files that stand beside them by `import.meta.url`, which in a bundle is another place.
 * So each of these files goes into the bundle, too, and the reference leads to it:
 *
 * - a module (`worker.ts`), which is run as a thread, becomes an entry of its own;
 * - of a name that is known only when it runs (`data/${vendor}.json`), all files of the folder go along;
 * - a folder goes along whole.
 *
 * All modules of the bundle are in one folder, so that a reference may stand in any of them.
 * @param root of the checkout
 * @param staying folders of the checkout that the bundle reads where they are, as they change without it
 */
export function filesBeside(root: string, staying: readonly string[] = []): Plugin {
  // Not of a package, not hidden as caches are, and not beside the checkout, where recordings for tests are.
  const isOurs = (id: string): boolean =>
    id.startsWith(root) && !/(^|[\\/])(node_modules[\\/]|\.)/.test(relative(root, id))
  const nameOf = (file: string): string => relative(root, file).replaceAll(/[\\/]/g, '-')
  return {
    name: 'files-beside',
    async transform(code, id) {
      if (!isOurs(id)) return null
      // Of a manifest the version is wanted, and nobody's list of tools.
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

/** Puts it into the bundle. @returns where it is there; undefined where it is no file of ours */
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
