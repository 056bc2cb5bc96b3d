import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

const syncData = promisify(fdatasync)

/** One file of the log: frames one behind the other. */
export class Segment {
  readonly path: string
  readonly #descriptor: number
  /** Bytes of whole frames. */
  size: number
  /** Everything before is in the database. */
  readFrom = 0
  #unsynced = false

  constructor(path: string) {
    this.path = path
    this.#descriptor = openSync(path, 'a+', 0o600)
    this.size = fstatSync(this.#descriptor).size
  }

  /**
   * Adds a frame; where not all of it can be written, nothing of it stays.
   * @throws what the file system throws, as on a full disk
   */
  append(frame: Buffer): void {
    let written = 0
    try {
      while (written < frame.length) written += writeSync(this.#descriptor, frame, written)
    } catch (error) {
      if (written > 0) ftruncateSync(this.#descriptor, this.size)
      throw error
    }
    this.size += frame.length
    this.#unsynced = true
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

  /** Resolves once what was appended is on disk, as a thread of libuv's pool sees to. */
  async sync(): Promise<void> {
    if (!this.#unsynced) return
    this.#unsynced = false
    try {
      await syncData(this.#descriptor)
    } catch (error) {
      this.#unsynced = true
      throw error
    }
  }

  truncate(size: number): void {
    ftruncateSync(this.#descriptor, size)
    this.size = size
    this.readFrom = Math.min(this.readFrom, size)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
