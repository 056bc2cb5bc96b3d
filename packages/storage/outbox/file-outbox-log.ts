import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutboxBatch, OutboxLog } from '@turnpike/gateway'
import { FrameWriter, joinedRows, wholeFrames } from './frame.ts'
import { Segment } from './segment.ts'
import { SetAside } from './set-aside.ts'

/**
 * `process`: rows survive a killed process. `power`: also a power cut, for a sync to disk behind each turn.
 */
export type Durability = 'process' | 'power'

/** A full file is followed by a new one: those whose rows are all in the database are deleted. */
const maxSegmentBytes = 8 * 1024 * 1024

/** Read at a time; a larger frame is read by itself. */
const readBytes = 1024 * 1024

const segmentName = /^\d{10}\.log$/

/**
 * The outbox in files of its own, written on the thread that serves requests: one write a turn of the event
 * loop, of all rows that ended in it. Decision 004 says why it is no database.
 */
export class FileOutboxLog implements OutboxLog {
  readonly #folder: string
  readonly #durability: Durability
  readonly #setAside: SetAside
  readonly #writer = new FrameWriter()
  /** Oldest first; the last one is written to. */
  readonly #segments: Segment[] = []
  #lastNumber = 0
  #syncing: Promise<void> | undefined
  #nextSync: Promise<void> | undefined
  rows = 0

  /**
   * @param onDamage told of bytes that are no rows; they are kept in the file named
   * @throws where another process has the outbox
   */
  constructor(folder: string, durability: Durability, onDamage: (path: string, bytes: number) => void) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#durability = durability
    this.#setAside = new SetAside(join(folder, 'refused.db'))
    for (const name of readdirSync(folder).toSorted()) {
      if (segmentName.test(name)) this.#recover(name, onDamage)
    }
    if (this.#segments.length === 0) this.#addSegment()
  }

  get bytes(): number {
    let bytes = 0
    for (const segment of this.#segments) bytes += segment.size - segment.readFrom
    return bytes
  }

  append(payloads: readonly string[]): void {
    if (this.#current.size >= maxSegmentBytes) this.#addSegment()
    this.#current.append(this.#writer.frame(payloads))
    this.rows += payloads.length
  }

  synced(): Promise<void> | undefined {
    if (this.#durability === 'process') return undefined
    if (this.#syncing === undefined) return this.#sync()
    // The one under way may have begun before the last append.
    this.#nextSync ??= this.#syncing.catch(ignoredByOthers).then(() => this.#sync())
    return this.#nextSync
  }

  oldest(atLeastRows: number): OutboxBatch | undefined {
    const segment = this.#segments.find((one) => one.readFrom < one.size)
    if (segment === undefined) return undefined
    for (let length = readBytes; ; length *= 4) {
      const bytes = segment.read(segment.readFrom, length)
      const frames = wholeFrames(bytes, atLeastRows)
      if (frames.rows > 0)
        return { lines: joinedRows(frames), rows: frames.rows, end: segment.readFrom + frames.bytes }
      if (bytes.length < length)
        throw new Error(`${segment.path} was damaged behind byte ${segment.readFrom}`)
    }
  }

  remove({ rows, end }: OutboxBatch): void {
    const segment = this.#segments.find((one) => one.readFrom < one.size)
    if (segment === undefined) throw new Error('rows were removed that are not there')
    segment.readFrom = end
    this.rows -= rows
    if (segment.readFrom < segment.size) return
    // A row that stayed would be sent again after a restart: the database would know it, but need not be
    // asked.
    if (segment === this.#current) segment.truncate(0)
    else this.#drop(segment)
  }

  setAside(payload: string, reason: string): void {
    this.#setAside.add(payload, reason)
  }

  /** What was set aside so far. */
  setAsideRows(): { payload: string; reason: string }[] {
    return this.#setAside.rows()
  }

  close(): void {
    for (const segment of this.#segments) segment.close()
    if (this.rows === 0) for (const segment of this.#segments) unlinkSync(segment.path)
    this.#segments.length = 0
    this.#setAside.close()
  }

  get #current(): Segment {
    return this.#segments[this.#segments.length - 1]!
  }

  #addSegment(): void {
    const name = `${String(++this.#lastNumber).padStart(10, '0')}.log`
    this.#segments.push(new Segment(join(this.#folder, name)))
    if (this.#durability === 'power') syncFolder(this.#folder)
  }

  #drop(segment: Segment): void {
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    unlinkSync(segment.path)
    if (this.#syncing === undefined) segment.close()
    else void this.#syncing.catch(ignoredByOthers).then(() => segment.close())
  }

  /** Counts what an earlier run left. Bytes behind the last whole frame were never acknowledged as rows. */
  #recover(name: string, onDamage: (path: string, bytes: number) => void): void {
    this.#lastNumber = Number.parseInt(name, 10)
    const segment = new Segment(join(this.#folder, name))
    const frames = wholeFrames(segment.read(0, segment.size), Number.POSITIVE_INFINITY)
    this.rows += frames.rows
    if (frames.bytes < segment.size) {
      const rest = segment.read(frames.bytes, segment.size)
      const path = join(this.#folder, `damaged-${name}-${frames.bytes}`)
      writeFileSync(path, rest, { mode: 0o600 })
      segment.truncate(frames.bytes)
      onDamage(path, rest.length)
    }
    this.#segments.push(segment)
  }

  #sync(): Promise<void> {
    this.#nextSync = undefined
    const syncing = this.#syncAll().finally(() => {
      if (this.#syncing === syncing) this.#syncing = undefined
    })
    this.#syncing = syncing
    return syncing
  }

  async #syncAll(): Promise<void> {
    await Promise.all(this.#segments.map((segment) => segment.sync()))
  }
}

/** A new file is only there after a power cut if its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Those who waited for that sync are told; the next one speaks for itself. */
function ignoredByOthers(): void {}
