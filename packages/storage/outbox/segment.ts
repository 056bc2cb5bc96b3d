import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Disk } from './disk.ts'

/** What was in a file when a sync to disk began. */
export interface SyncMark {
  size: number
  rows: number
  /** How often the file had been cut. */
  cuts: number
}

/** One file of the log: frames one behind the other. */
export class Segment {
  readonly path: string
  readonly #disk: Disk
  readonly #descriptor: number
  /** Bytes of frames that count. */
  size: number
  /** So many of them are known to be on disk, as those that an earlier run left are taken to be. */
  syncedSize: number
  /** Rows of the rest. */
  unsyncedRows = 0
  /** Everything before is in the database. */
  readFrom = 0
  /** Bytes that do not count are still in the file: nothing can be appended behind them. */
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
   * Adds a frame; where not all of it can be written, nothing of it counts.
   * @throws what the file system throws, as on a full disk
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

  /** So many bytes from an offset on, fewer where it ends before. */
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

  /** Undefined where everything is on disk, as far as anybody knows. */
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

  /** What was there at the mark is on disk, unless the file was emptied since. */
  markSynced({ size, rows, cuts }: SyncMark): void {
    if (cuts !== this.#cuts) return
    this.syncedSize = size
    this.unsyncedRows -= rows
  }

  /** Takes back what is not known to be on disk; answers how many rows that were. */
  withdraw(): number {
    const rows = this.unsyncedRows
    this.unsyncedRows = 0
    if (this.size > this.syncedSize) this.truncate(this.syncedSize)
    return rows
  }

  /** What is behind does not count any more, even where the disk does not let go of it. */
  truncate(size: number): void {
    this.size = size
    this.syncedSize = Math.min(this.syncedSize, size)
    this.readFrom = Math.min(this.readFrom, size)
    this.#cuts++
    this.#isTorn = true
    this.mend()
  }

  /** Takes the bytes that do not count out of the file; where the disk refuses, it is tried again later. */
  mend(): void {
    if (!this.#isTorn) return
    try {
      this.#disk.truncate(this.#descriptor, this.size)
    } catch {
      // A disk that failed before: the file is not appended to until it can be cut.
      return
    }
    this.#isTorn = false
    this.#isUnsynced = true
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
