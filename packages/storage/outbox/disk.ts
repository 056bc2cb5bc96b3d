import { fdatasync, ftruncateSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** What the outbox asks of a disk where that may fail: tests let it. */
export interface Disk {
  /** Appends some of the bytes from an offset in them on; answers how many. */
  write(descriptor: number, bytes: Buffer, offset: number): number
  truncate(descriptor: number, size: number): void
  /** Resolves once what was written is on disk, as a thread of libuv's pool sees to. */
  sync(descriptor: number): Promise<void>
}

export const realDisk: Disk = {
  write: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset),
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
}
