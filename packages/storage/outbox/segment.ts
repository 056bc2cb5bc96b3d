import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Disk } from './disk.ts'

/** The content of a file when a sync to disk began. */
export interface SyncMark {
  size: number
  rows: number
  /** How often the file had been cut by then. */
  cuts: number
}

/** One file of the log: a sequence of frames. */
export class Segment {
  readonly path: string
  readonly #disk: Disk
  readonly #descriptor: number
  /** Bytes of valid frames. */
  size: number
  /** Bytes that are known to be on disk. Those of an earlier run are assumed to be. */
  syncedSize: number
  /** Rows after `syncedSize`. */
  unsyncedRows = 0
  /** Everything before this offset is in the database. */
  readFrom = 0
  /** The file still contains invalid bytes, so nothing can be appended. */
  #isTorn = false
  #isUnsynced = false
  #cuts = 0

  constructor(path: string, disk: Disk) {
    this.path = path
    this.#disk = disk
    this.#descriptor = openSync(path, 'a+', 0o600)
    this.size = fstatSync(this.#descriptor).size
    this.syncedSize = this.size
  }

  get isTorn(): boolean {
    return this.#isTorn
  }

  /**
   * Appends a frame. If it cannot be written completely, none of it counts.
   * @throws errors of the file system, such as a full disk
   */
  append(frame: Buffer, rows: number): void {
    let written = 0
    try {
      while (written < frame.length) written += this.#disk.write(this.#descriptor, frame, written)
    } catch (error) {
      if (written > 0) this.truncate(this.size)
      throw error
    }
    this.size += frame.length
    this.unsyncedRows += rows
    this.#isUnsynced = true
  }

  /** Reads up to `length` bytes from an offset on. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)))
    let read = 0
    while (read < bytes.length) {
      const more = readSync(this.#descriptor, bytes, read, bytes.length - read, offset + read)
      if (more === 0) break
      read += more
    }
    return bytes.subarray(0, read)
  }

  /** Undefined if everything is on disk, as far as known. */
  get syncMark(): SyncMark | undefined {
    return this.#isUnsynced ? { size: this.size, rows: this.unsyncedRows, cuts: this.#cuts } : undefined
  }

  async sync(): Promise<void> {
    this.#isUnsynced = false
    try {
      await this.#disk.sync(this.#descriptor)
    } catch (error) {
      this.#isUnsynced = true
      throw error
    }
  }

  /** Records that everything up to the mark is on disk, unless the file was cut since. */
  markSynced({ size, rows, cuts }: SyncMark): void {
    if (cuts !== this.#cuts) return
    this.syncedSize = size
    this.unsyncedRows -= rows
  }

  /** Withdraws everything that is not known to be on disk. Returns the number of rows. */
  withdraw(): number {
    const rows = this.unsyncedRows
    this.unsyncedRows = 0
    if (this.size > this.syncedSize) this.truncate(this.syncedSize)
    return rows
  }

  /** Invalidates everything after `size`, even if the disk cannot cut the file now. */
  truncate(size: number): void {
    this.size = size
    this.syncedSize = Math.min(this.syncedSize, size)
    this.readFrom = Math.min(this.readFrom, size)
    this.#cuts++
    this.#isTorn = true
    this.mend()
  }

  /** Cuts invalid bytes off the file. If the disk fails, this is retried later. */
  mend(): void {
    if (!this.#isTorn) return
    try {
      this.#disk.truncate(this.#descriptor, this.size)
    } catch {
      // The disk fails: nothing is appended to the file until it can be cut.
      return
    }
    this.#isTorn = false
    this.#isUnsynced = true
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
