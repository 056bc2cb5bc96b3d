import { accessSync, constants } from 'node:fs'

/** Whether files can be created in a folder; false also on a disk that is mounted read-only. */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @throws {Error} with advice, if the checkout cannot be written */
export function requireWritable(root, why) {
  if (isWritable(root)) return
  throw new Error(
    `${root} cannot be written by this user, and the first start needs to: ${why}. ` +
      'Start it once as a user who may, or copy the folder to a place of your own.',
  )
}
