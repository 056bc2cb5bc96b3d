import { fdatasync, ftruncateSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** The disk operations of the outbox that may fail; tests replace them. */
export interface Disk {
  /** Appends some of the bytes, starting at an offset in them. Returns how many. */
  write(descriptor: number, bytes: Buffer, offset: number): number
  truncate(descriptor: number, size: number): void
  /** Resolves once everything written is on disk. Runs in a thread of libuv's pool. */
  sync(descriptor: number): Promise<void>
}

export const realDisk: Disk = {
  write: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset),
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
}
