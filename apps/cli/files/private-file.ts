import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ensureDirectory } from './directory.ts'
import { fileFailure, isMissing } from './file-failure.ts'

const ownerOnly = 0o600

/** A file's text; undefined if there is no file. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw fileFailure(error, path, 'read')
  }
}

/** Writes a file that only its owner can read, completely or not at all, however this process ends. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await ensureDirectory(dirname(path))
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}`
  try {
    const file = await open(draft, 'wx', ownerOnly)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw fileFailure(error, path, 'written')
  }
}

/** @returns whether there was one */
export async function removePrivateFile(path: string): Promise<boolean> {
  try {
    await rm(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw fileFailure(error, path, 'removed')
  }
}
