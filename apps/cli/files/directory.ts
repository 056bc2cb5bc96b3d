import { chmod, lstat, mkdir } from 'node:fs/promises'
import { fileFailure } from './file-failure.ts'

const ownerOnly = 0o700
const others = 0o077
const sticky = 0o1000

/** Makes the folder of our files where there is none, and keeps other users out of it. */
export async function ensureDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: ownerOnly })
    const { mode, uid } = await lstat(path)
    // A folder that others share with us, as /tmp is, was chosen by somebody who knows why.
    const isOurs = uid === process.getuid?.() && (mode & sticky) === 0
    if (isOurs && (mode & others) !== 0) await chmod(path, ownerOnly)
  } catch (error) {
    throw fileFailure(error, path, 'made')
  }
}
