import { chmod, lstat, mkdir } from 'node:fs/promises'
import { fileFailure } from './file-failure.ts'

const ownerOnly = 0o700
const others = 0o077
const sticky = 0o1000

/** Creates the folder for our files if there is none, and makes it private. */
export async function ensureDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: ownerOnly })
    const { mode, uid } = await lstat(path)
    // Somebody chose a folder shared with others, such as /tmp, on purpose.
    const isOurs = uid === process.getuid?.() && (mode & sticky) === 0
    if (isOurs && (mode & others) !== 0) await chmod(path, ownerOnly)
  } catch (error) {
    throw fileFailure(error, path, 'made')
  }
}
