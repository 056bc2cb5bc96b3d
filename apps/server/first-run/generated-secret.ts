import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const fileMode = 0o600
const directoryMode = 0o700
/** Permission bits of other users on this machine. */
const othersBits = 0o077

/** Creates the directory of the embedded database and the generated secrets, accessible to its owner only. */
function ensureDataDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: directoryMode })
}

/**
 * Returns the secret in a file of `dataDir`, creating it if there is none. Two processes that create it at
 * once get the same secret.
 */
export function ensureSecret(dataDir: string, name: string, make: () => string = randomSecret): string {
  ensureDataDirectory(dataDir)
  const existing = readSecret(dataDir, name)
  if (existing !== undefined) return existing
  const file = join(dataDir, name)
  const draft = join(dataDir, `.${name}.${process.pid}.${randomBytes(4).toString('hex')}`)
  writeFileSync(draft, `${make()}\n`, { mode: fileMode, flag: 'wx', flush: true })
  try {
    // Unlike a rename, a link never replaces a file that another process has created meanwhile.
    linkSync(draft, file)
  } catch (error) {
    // Some file systems do not support links.
    if (hasCode(error, 'EPERM') || hasCode(error, 'ENOTSUP')) renameSync(draft, file)
    else if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecret(dataDir, name)!
}

/**
 * Undefined if there is no such file. Removes other users' access to the file, unless the file is a link,
 * because its target may belong to somebody else.
 */
export function readSecret(dataDir: string, name: string): string | undefined {
  const file = join(dataDir, name)
  try {
    const text = readFileSync(file, 'utf8').trim()
    const own = lstatSync(file)
    const isOpen = own.isFile() && (own.mode & othersBits) !== 0
    if (process.platform !== 'win32' && isOpen) chmodSync(file, fileMode)
    if (text === '') throw new Error(`${file} is empty: remove it, and a new one is made`)
    return text
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
