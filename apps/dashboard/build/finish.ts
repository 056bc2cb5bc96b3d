import { readdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const packed = /\.(html|js|css|svg|json)$/
/** Smaller files gain nothing from compression. */
const minPackedBytes = 512

/**
 * Compresses the files, lists them in `manifest.json` and replaces the previous build. The manifest is only
 * there if the build is complete.
 * @param packages folders of the packages whose code is in the build; their licences are included
 */
export async function finish(
  staging: URL,
  target: URL,
  fingerprint: string,
  packages: string[],
): Promise<void> {
  const names = readdirSync(staging, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(staging.pathname.length)}/${entry.name}`.replace(/^\/+/, ''))
    .toSorted()
  const files = await Promise.all(
    names.map(async (path) => ({ path, encodings: await pack(new URL(path, staging)) })),
  )
  await writeFile(
    new URL('manifest.json', staging),
    JSON.stringify({ fingerprint, packages, files }, null, 2),
  )
  await rm(target, { recursive: true, force: true })
  await rename(staging, target)
}

async function pack(file: URL): Promise<string[]> {
  const body = await readFile(file)
  if (!packed.test(file.pathname) || body.length < minPackedBytes) return []
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(body, { level: 9 }),
  ])
  await writeFile(new URL(`${file.href}.br`), brotli)
  await writeFile(new URL(`${file.href}.gz`), zipped)
  return ['br', 'gzip']
}
