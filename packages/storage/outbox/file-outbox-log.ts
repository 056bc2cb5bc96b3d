import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { OutboxBatch, OutboxLog } from '@turnpike/gateway'
import { realDisk, type Disk } from './disk.ts'
import { FrameWriter, joinRows, nextFrame, wholeFrames } from './frame.ts'
import { Segment } from './segment.ts'
import { listDamagedFiles, SetAside, type SetAsideTotals, type SetAsideRow } from './set-aside.ts'

/**
 * `process`: rows survive a killed process. `power`: rows also survive a power cut, at the cost of a sync to
 * disk per turn of the event loop.
 */
export type Durability = 'process' | 'power'

/** A full file is followed by a new one. A file whose rows are all in the database is deleted. */
const maxSegmentBytes = 8 * 1024 * 1024

/** Bytes per read. A larger frame is read separately. */
const readBytes = 1024 * 1024

const segmentName = /^\d{10}\.log$/

/**
 * The outbox in files of its own. They are written on the thread that serves requests, with one write per
 * turn of the event loop for all rows that ended in it. Decision 004 says why the outbox is not a database.
 */
export class FileOutboxLog implements OutboxLog {
  readonly folder: string
  readonly #durability: Durability
  readonly #onDamage: (path: string, bytes: number) => void
  readonly #disk: Disk
  readonly #setAside: SetAside
  readonly #writer = new FrameWriter()
  /** Oldest first; the last one is written to. */
  readonly #segments: Segment[] = []
  #lastNumber = 0
  #syncing: Promise<void> | undefined
  #nextSync: Promise<void> | undefined
  #damagedBytes: number
  rows = 0

  /**
   * @param onDamage called for bytes that are not rows, with the file that keeps them
   * @throws if another process uses the outbox
   */
  constructor(
    folder: string,
    durability: Durability,
    onDamage: (path: string, bytes: number) => void,
    disk: Disk = realDisk,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.folder = folder
    this.#durability = durability
    this.#onDamage = onDamage
    this.#disk = disk
    this.#setAside = new SetAside(folder)
    this.#damagedBytes = listDamagedFiles(folder).reduce((sum, { bytes }) => sum + bytes, 0)
    for (const name of readdirSync(folder).toSorted()) {
      if (segmentName.test(name)) this.#recover(name)
    }
    if (this.#segments.length === 0) this.#addSegment()
  }

  get bytes(): number {
    let bytes = 0
    for (const segment of this.#segments) bytes += segment.size - segment.readFrom
    return bytes
  }

  get readyRows(): number {
    if (this.#durability === 'process') return this.rows
    return this.#segments.reduce((rows, { unsyncedRows }) => rows - unsyncedRows, this.rows)
  }

  get keptApart(): SetAsideTotals {
    return { ...this.#setAside.totals, damagedBytes: this.#damagedBytes }
  }

  append(lines: readonly string[]): void {
    if (this.#current.size >= maxSegmentBytes || this.#current.isTorn) this.#addSegment()
    this.#current.append(this.#writer.frame(lines), lines.length)
    this.rows += lines.length
  }

  awaitSync(): Promise<void> | undefined {
    if (this.#durability === 'process') return undefined
    if (this.#syncing === undefined) return this.#sync()
    // The running sync may have begun before the last append. If it fails, that append is withdrawn too.
    this.#nextSync ??= this.#syncing.then(() => this.#sync())
    return this.#nextSync
  }

  oldest(atLeastRows: number): OutboxBatch | undefined {
    for (;;) {
      const segment = this.#unread
      if (segment === undefined) return undefined
      const left = this.#readyEnd(segment) - segment.readFrom
      for (let length = readBytes; ; length *= 4) {
        const bytes = segment.read(segment.readFrom, Math.min(length, left))
        const frames = wholeFrames(bytes, atLeastRows)
        if (frames.rows > 0)
          return { lines: joinRows(frames), rows: frames.rows, end: segment.readFrom + frames.bytes }
        if (bytes.length >= left || bytes.length < length) break
      }
      this.#passDamage(segment)
    }
  }

  remove({ rows, end }: OutboxBatch): void {
    const segment = this.#unread
    if (segment === undefined) throw new Error('rows were removed that are not there')
    this.rows -= rows
    this.#readUpTo(segment, end)
  }

  setAside(payload: string, reason: string): void {
    this.#setAside.add(payload, reason)
  }

  /** The rows set aside so far. */
  setAsideRows(): SetAsideRow[] {
    return this.#setAside.rows()
  }

  /** The rows set aside, for an operator to resolve. */
  get refused(): Pick<SetAside, 'rows' | 'remove' | 'keepReason'> {
    return this.#setAside
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

  /** The oldest file with rows that are ready and not yet in the database. */
  get #unread(): Segment | undefined {
    return this.#segments.find((segment) => segment.readFrom < this.#readyEnd(segment))
  }

  /** With `power`, a row that is not known to be on disk must not be charged. */
  #readyEnd({ size, syncedSize }: Segment): number {
    return this.#durability === 'power' ? syncedSize : size
  }

  #readUpTo(segment: Segment, end: number): void {
    segment.readFrom = end
    if (segment.readFrom < segment.size) return
    // A row left in the file would be sent again after a restart: harmless, but unnecessary.
    if (segment === this.#current) segment.truncate(0)
    else this.#drop(segment)
  }

  #addSegment(): void {
    const name = `${String(this.#lastNumber + 1).padStart(10, '0')}.log`
    const segment = new Segment(join(this.folder, name), this.#disk)
    try {
      if (this.#durability === 'power') syncFolder(this.folder)
    } catch (error) {
      segment.close()
      throw error
    }
    this.#lastNumber++
    this.#segments.push(segment)
  }

  #drop(segment: Segment): void {
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    unlinkSync(segment.path)
    if (this.#syncing === undefined) segment.close()
    else void this.#syncing.catch(ignoreFailure).then(() => segment.close())
  }

  /** Counts the rows of an earlier run. A damaged frame does not invalidate the frames after it. */
  #recover(name: string): void {
    this.#lastNumber = Number.parseInt(name, 10)
    const segment = new Segment(join(this.folder, name), this.#disk)
    const bytes = segment.read(0, segment.size)
    for (let start = 0; start < bytes.length;) {
      const frames = wholeFrames(bytes.subarray(start), Number.POSITIVE_INFINITY)
      this.rows += frames.rows
      start += frames.bytes
      if (start === bytes.length) break
      const end = nextFrame(bytes, start + 1)
      this.#keepApart(segment, start, bytes.subarray(start, end))
      if (end === bytes.length) segment.truncate(start)
      start = end
    }
    this.#segments.push(segment)
  }

  /** Keeps damaged bytes for inspection and continues with the next whole frame. */
  #passDamage(segment: Segment): void {
    const { readFrom } = segment
    const bytes = segment.read(readFrom, this.#readyEnd(segment) - readFrom)
    const next = nextFrame(bytes, 1)
    this.#keepApart(segment, readFrom, bytes.subarray(0, next))
    // The file may also have become shorter.
    this.#readUpTo(segment, next < bytes.length ? readFrom + next : this.#readyEnd(segment))
    this.rows = this.#countRows()
  }

  #countRows(): number {
    let rows = 0
    for (const segment of this.#segments) {
      const bytes = segment.read(segment.readFrom, segment.size)
      for (let start = 0; start < bytes.length; start = nextFrame(bytes, start + 1)) {
        const frames = wholeFrames(bytes.subarray(start), Number.POSITIVE_INFINITY)
        rows += frames.rows
        start += frames.bytes
      }
    }
    return rows
  }

  /** Keeps the same bytes of the same place only once, and different ones beside them. */
  #keepApart(segment: Segment, offset: number, bytes: Buffer): void {
    const sum = crc32(bytes).toString(16).padStart(8, '0')
    const path = join(this.folder, `damaged-${basename(segment.path)}-${offset}-${sum}`)
    if (existsSync(path)) return
    writeFileSync(path, bytes, { mode: 0o600, flush: true })
    this.#damagedBytes += bytes.length
    this.#onDamage(path, bytes.length)
  }

  #sync(): Promise<void> {
    this.#nextSync = undefined
    const syncing = this.#syncAll().finally(() => {
      if (this.#syncing === syncing) this.#syncing = undefined
    })
    this.#syncing = syncing
    return syncing
  }

  /**
   * Syncs all files, all or nothing. After a failed sync nobody knows what is on disk, and the next sync
   * would not tell. So everything it covered, and everything appended meanwhile, is withdrawn, and all
   * callers that wait for either get a rejection.
   */
  async #syncAll(): Promise<void> {
    const marked = this.#segments.flatMap((segment) => {
      segment.mend()
      const mark = segment.syncMark
      return mark === undefined ? [] : [{ segment, mark }]
    })
    try {
      await Promise.all(marked.map(({ segment }) => segment.sync()))
    } catch (error) {
      for (const segment of this.#segments) this.rows -= segment.withdraw()
      this.#nextSync = undefined
      throw error
    }
    for (const { segment, mark } of marked) segment.markSynced(mark)
  }
}

/** Without this, a new file may be missing after a power cut. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The callers that wait for that sync get its rejection. The next sync reports its own. */
function ignoreFailure(): void {}
