import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

export type Encoding = 'br' | 'gzip'

/** A file of the dashboard in memory, uncompressed and compressed. */
export interface BuiltFile {
  type: string
  body: Buffer
  packed: Partial<Record<Encoding, Buffer>>
  etag: string
}

export interface Build {
  /** By path relative to the site's root: `assets/index-B2h0.js`. */
  files: ReadonlyMap<string, BuiltFile>
  /** Contains `__CSP_NONCE__` where each response inserts its nonce. */
  indexHtml: string
}

interface Manifest {
  files: { path: string; encodings: Encoding[] }[]
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/**
 * The dashboard's build, read into memory. Only files that its manifest lists are served, so no path leads
 * elsewhere. When a new build replaces it, the build is read again; files of the previous build stay for
 * pages that are still open.
 */
export class BuiltFiles {
  readonly #directory: string
  #builtAtMs: number | undefined
  #build: Build | undefined
  #reading: Promise<void> = Promise.resolve()

  /** @param directory where `manifest.json` is, or will be */
  constructor(directory: string) {
    this.#directory = directory
  }

  /** The build as it was last read, for the files of a page. */
  get known(): Build | undefined {
    return this.#build
  }

  /** The current build. @returns undefined if there is none */
  async current(): Promise<Build | undefined> {
    this.#reading = this.#reading.then(() => this.#refresh())
    await this.#reading
    return this.#build
  }

  async #refresh(): Promise<void> {
    const manifestFile = join(this.#directory, 'manifest.json')
    try {
      const { mtimeMs } = await stat(manifestFile)
      if (mtimeMs === this.#builtAtMs) return
      const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest
      this.#build = await readBuild(this.#directory, manifest, this.#build)
      this.#builtAtMs = mtimeMs
    } catch {
      // Not built, or just being replaced: the previous build stays in use, and the next page checks again.
      this.#builtAtMs = undefined
    }
  }
}

async function readBuild(directory: string, manifest: Manifest, before: Build | undefined): Promise<Build> {
  const files = new Map(before?.files)
  for (const { path, encodings } of manifest.files) {
    if (path !== 'index.html') files.set(path, await readBuiltFile(directory, path, encodings))
  }
  return { files, indexHtml: await readFile(join(directory, 'index.html'), 'utf8') }
}

async function readBuiltFile(directory: string, path: string, encodings: Encoding[]): Promise<BuiltFile> {
  const type = types[extname(path)]
  if (type === undefined) throw new Error(`${path} has a file type that the dashboard does not serve`)
  const body = await readFile(join(directory, path))
  const packed: BuiltFile['packed'] = {}
  for (const encoding of encodings)
    packed[encoding] = await readFile(join(directory, path + suffixes[encoding]))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type, body, packed, etag }
}
