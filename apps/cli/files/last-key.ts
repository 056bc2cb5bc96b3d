import { join } from 'node:path'
import { corruptFile } from './file-failure.ts'
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts'

/** Safe in a header's value, and as a word in a shell script. */
const keyPattern = /^[\x21-\x7e]+$/

export function isKey(text: string): boolean {
  return keyPattern.test(text)
}

export function lastKeyPath(directory: string): string {
  return join(directory, 'last_key')
}

/** The key created last; undefined if none is cached. */
export async function readLastKey(directory: string): Promise<string | undefined> {
  const path = lastKeyPath(directory)
  const text = (await readPrivateFile(path))?.trim()
  if (text !== undefined && !isKey(text)) throw corruptFile(path, 'it holds no API key')
  return text
}

export async function writeLastKey(directory: string, raw: string): Promise<void> {
  await writePrivateFile(lastKeyPath(directory), `${raw}\n`)
}

/** @returns whether one was cached */
export function removeLastKey(directory: string): Promise<boolean> {
  return removePrivateFile(lastKeyPath(directory))
}
