import type { BigIntStats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { judge, readSecretText, unreadable, type SecretText } from './secret-text.ts'

/** The file is polled: Kubernetes replaces a link to it, which not every file system reports. */
const lookEveryMs = 5_000
/** The writer may not have finished yet. */
const settleMs = 500

export interface SecretFileOptions {
  /** Whether the secret is sent in a header. */
  isKey?: boolean
  /** Called with each new text. */
  onChange?: (text: string) => void
  /** Called once with the reason why the current text cannot be used, and with null once it can again. */
  onTrouble?: (problem: string | null) => void
  lookEveryMs?: number
  settleMs?: number
}

/** A secret's file cannot be used at the start. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * A file that holds a secret and is read again when it changes. While the file is empty, unreadable or
 * missing, the earlier secret stays in use.
 */
export class SecretFile {
  readonly path: string
  readonly #options: SecretFileOptions
  #text: string
  /** Identifies the version of the file that was read; undefined: it has to be read again. */
  #stamp: string | undefined
  #problem: string | null = null
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** @throws {SecretFileError} the file cannot be read, or is empty */
  constructor(path: string, options: SecretFileOptions = {}) {
    this.path = path
    this.#options = options
    const { text, problem } = readSecretText(path, options.isKey)
    if (problem !== undefined) throw new SecretFileError(`the file ${path} ${problem}`)
    this.#text = text
    this.#lookIn(options.lookEveryMs ?? lookEveryMs)
  }

  current(): string {
    return this.#text
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #lookIn(ms: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#look(), ms).unref()
  }

  /** A change counts once two successive checks have seen the same stamp. */
  async #look(seen?: string): Promise<void> {
    const { lookEveryMs: every = lookEveryMs, settleMs: settle = settleMs } = this.#options
    const found = await stampOf(this.path)
    if (this.#isClosed) return
    if (found instanceof Error) this.#take(unreadable(found))
    else if (found !== this.#stamp && found !== seen) {
      this.#timer = setTimeout(() => void this.#look(found), settle).unref()
      return
    } else if (found !== this.#stamp) {
      const read = await readNow(this.path, this.#options.isKey)
      if (this.#isClosed) return
      this.#take(read)
      if (read.problem === undefined) this.#stamp = found
    }
    this.#lookIn(every)
  }

  #take({ text, problem }: SecretText): void {
    // The file may come back with the same stamp as before.
    if (problem !== undefined) this.#stamp = undefined
    this.#tell(problem ?? null)
    if (text === undefined || text === this.#text) return
    this.#text = text
    this.#options.onChange?.(text)
  }

  #tell(problem: string | null): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#options.onTrouble?.(problem)
  }
}

/** Changes whenever the text may have changed. For a link, it is the stamp of the link's target. */
async function stampOf(path: string): Promise<string | Error> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return error as Error
  }
}

async function readNow(path: string, isKey: boolean | undefined): Promise<SecretText> {
  try {
    return judge(await readFile(path), isKey)
  } catch (error) {
    return unreadable(error)
  }
}
