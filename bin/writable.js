import { accessSync, constants } from 'node:fs'

/** Whether files can be made in a folder: false too on a disk that is mounted for reading alone. */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @throws {Error} says what to do where the checkout cannot be written */
export function requireWritable(root, why) {
  if (isWritable(root)) return
  throw new Error(
    `${root} cannot be written by this user, and the first start needs to: ${why}. ` +
      'Start it once as a user who may, or copy the folder to a place of your own.',
  )
}
