import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { realDisk, type Disk } from './disk.ts'
import { FileOutboxLog, type Durability } from './file-outbox-log.ts'
import { readSetAside } from './set-aside.ts'

describe('the outbox log', () => {
  let folder: string
  let damaged: number[]
  const opened: FileOutboxLog[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-log-'))
    damaged = []
  })
  afterEach(() => {
    for (const log of opened.splice(0)) log.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function open(durability: Durability = 'process'): FileOutboxLog {
    const log = new FileOutboxLog(folder, durability, (_path, bytes) => damaged.push(bytes))
    opened.push(log)
    return log
  }

  /** A disk on which the next calls of a kind fail; other calls go to the real disk. */
  function failingDisk() {
    const failing = { write: 0, truncate: 0, sync: 0, writtenBefore: 0 }
    const fails = (what: keyof Disk): boolean => failing[what] > 0 && failing[what]-- > 0
    const disk: Disk = {
      write(descriptor, bytes, offset) {
        if (!fails('write')) return realDisk.write(descriptor, bytes, offset)
        const { writtenBefore } = failing
        if (writtenBefore === 0) throw new Error('ENOSPC: no space left on device')
        // The rest of the write fails, because the disk is full.
        Object.assign(failing, { write: 1, writtenBefore: 0 })
        return realDisk.write(descriptor, bytes.subarray(0, offset + writtenBefore), offset)
      },
      truncate(descriptor, size) {
        if (fails('truncate')) throw new Error('EIO: truncate')
        realDisk.truncate(descriptor, size)
      },
      sync: (descriptor) =>
        fails('sync') ? Promise.reject(new Error('EIO: fdatasync')) : realDisk.sync(descriptor),
    }
    return { disk, failing }
  }

  function openOn(disk: Disk, durability: Durability = 'power'): FileOutboxLog {
    const log = new FileOutboxLog(folder, durability, (_path, bytes) => damaged.push(bytes), disk)
    opened.push(log)
    return log
  }

  function close(log: FileOutboxLog): void {
    opened.splice(opened.indexOf(log), 1)
    log.close()
  }

  /** All rows, oldest first, removed in batches. */
  function drain(log: FileOutboxLog, atLeastRows = 3): string[] {
    const lines: string[] = []
    for (let batch = log.oldest(atLeastRows); batch !== undefined; batch = log.oldest(atLeastRows)) {
      const text = new TextDecoder().decode(batch.lines)
      const rows = text.split('\n').slice(0, -1)
      expect(rows).toHaveLength(batch.rows)
      lines.push(...rows)
      log.remove(batch)
    }
    return lines
  }

  const segments = (): string[] => readdirSync(folder).filter((name) => /^\d+\.log$/.test(name))

  it('returns rows in order, with any text', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.json(), { minLength: 1, maxLength: 5 })), (appends) => {
        const log = open()
        for (const rows of appends) log.append(rows)
        expect(log.rows).toBe(appends.flat().length)
        expect(drain(log)).toEqual(appends.flat())
        expect([log.rows, log.bytes]).toEqual([0, 0])
        close(log)
      }),
    )
  })

  it('returns the same rows until they are removed, and then those appended meanwhile', () => {
    const log = open()
    log.append(['1', '2'])
    const batch = log.oldest(10)!
    log.append(['3'])
    expect(log.oldest(1)!.rows).toBe(2)
    log.remove(batch)
    expect([log.rows, drain(log)]).toEqual([1, ['3']])
  })

  it('keeps everything appended and nothing removed when the process is killed', () => {
    const first = open()
    first.append(['1'])
    first.remove(first.oldest(1)!)
    first.append(['2', '3'])
    // The files now are what a killed process leaves.
    const left = segments().map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    close(first)
    for (const { name, bytes } of left) writeFileSync(join(folder, name), bytes)
    expect(drain(open())).toEqual(['2', '3'])
    expect(damaged).toEqual([])
  })

  it('keeps whole appends and sets cut ones apart, for a cut at every byte', () => {
    const first = open()
    first.append(['"one"'])
    first.append(['"two"', '"three"'])
    close(first)
    const path = join(folder, segments()[0]!)
    const bytes = readFileSync(path)
    const secondStarts = bytes.length - 16 - Buffer.byteLength('"two"\n"three"\n')
    for (let length = bytes.length - 1; length > secondStarts; length--) {
      truncateSync(path, length)
      const log = new FileOutboxLog(folder, 'process', (_path, count) => damaged.push(count))
      expect(log.rows).toBe(1)
      expect(damaged.pop()).toBe(length - secondStarts)
      log.append(['"two"', '"three"'])
      expect(log.rows).toBe(3)
      log.close()
    }
    expect(drain(open())).toEqual(['"one"', '"two"', '"three"'])
  })

  it('does not accept a changed byte as a row', () => {
    const first = open()
    first.append(['"a charge of 1"'])
    close(first)
    const path = join(folder, segments()[0]!)
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('1"')] = 0x39
    rmSync(path)
    appendFileSync(path, bytes)
    expect([open().rows, damaged]).toEqual([0, [bytes.length]])
    expect(readdirSync(folder).some((name) => name.startsWith('damaged-'))).toBe(true)
  })

  it('loses at most one append to a changed byte, and keeps it as evidence', () => {
    const first = open()
    const appends = [['"one"'], ['"two"', '"zwei"'], ['"TPO1 TPO1"'], ['"four"']]
    for (const rows of appends) first.append(rows)
    close(first)
    const path = join(folder, segments()[0]!)
    const sound = readFileSync(path)
    for (let at = 0; at < sound.length; at++) {
      const bytes = Buffer.from(sound)
      bytes[at] = bytes[at]! ^ 0xff
      writeFileSync(path, bytes)
      const log = new FileOutboxLog(folder, 'process', (_path, count) => damaged.push(count))
      const { rows } = log
      log.append(['"later"'])
      const lines = drain(log)
      expect(lines).toHaveLength(rows + 1)
      const lost = appends.filter((one) => !one.every((row) => lines.includes(row)))
      expect(lost.length, `byte ${at}`).toBeLessThanOrEqual(1)
      expect(lines).toEqual([...appends.filter((one) => !lost.includes(one)).flat(), '"later"'])
      const bytesLost = damaged.splice(0).reduce((sum, count) => sum + count, 0)
      expect(bytesLost > 0).toBe(lost.length > 0)
      expect(log.keptApart.damagedBytes).toBeGreaterThanOrEqual(bytesLost)
      log.close()
      for (const name of readdirSync(folder)) if (name.startsWith('damaged-')) rmSync(join(folder, name))
    }
  })

  it('skips damage while it runs, and counts what is left', () => {
    const log = open()
    for (const row of ['"one"', '"two"', '"three"']) log.append([row])
    const path = join(folder, segments()[0]!)
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('two')] = 0x54
    writeFileSync(path, bytes)
    expect(drain(log, 1)).toEqual(['"one"', '"three"'])
    expect([log.rows, log.bytes, damaged]).toEqual([0, 0, [16 + '"two"\n'.length]])
    log.append(['"four"'])
    expect(drain(log)).toEqual(['"four"'])
  })

  it('continues if its file became shorter', () => {
    const log = open()
    log.append(['"one"'])
    truncateSync(join(folder, segments()[0]!), 3)
    log.append(['"two"'])
    expect(log.rows).toBe(2)
    expect(drain(log)).toEqual(['"two"'])
    expect([log.rows, log.bytes]).toEqual([0, 0])
  })

  it('begins a new file when one is full, and deletes it once its rows are removed', () => {
    const log = open()
    const row = JSON.stringify('x'.repeat(3 * 1024 * 1024))
    for (let count = 0; count < 7; count++) log.append([row])
    expect(segments()).toHaveLength(3)
    close(log)
    const again = open()
    expect(again.rows).toBe(7)
    expect(drain(again)).toHaveLength(7)
    expect(segments()).toHaveLength(1)
    expect(statSync(join(folder, segments()[0]!)).size).toBe(0)
  })

  it('leaves no empty file behind', () => {
    const log = open()
    log.append(['1'])
    drain(log)
    close(log)
    expect(segments()).toEqual([])
  })

  it('belongs to one process at a time', () => {
    open()
    expect(() => open()).toThrow(/Another process is using the outbox/)
  })

  it('keeps rows that were set aside', () => {
    const log = open()
    log.setAside('{"id":"req_1"}', 'no such key')
    close(log)
    const again = open()
    expect(again.setAsideRows()).toMatchObject([{ payload: '{"id":"req_1"}', reason: 'no such key' }])
    // As after a crash before the file was cut.
    again.setAside('{"id":"req_1"}', 'no such key')
    again.setAside('{"id":"req_2","chargePico":"70"}', 'no such key')
    expect(again.keptApart).toEqual({ rows: 2, chargePico: 70n, damagedBytes: 0 })
    expect(readSetAside(folder).rows).toEqual(again.setAsideRows())
  })

  it('tells the request and the charge of a line that cannot be read', () => {
    const log = open()
    const id = `req_${'0'.repeat(26)}`
    log.setAside(`[1,"${id}","70",`, 'it is no record')
    expect(log.setAsideRows()).toMatchObject([{ requestId: id, chargePico: 70n }])
    expect(log.keptApart).toMatchObject({ rows: 1, chargePico: 70n })
  })

  it('reports when rows are on disk with `power`, even during another sync', async () => {
    expect(open().awaitSync()).toBeUndefined()
    close(opened[0]!)
    const log = open('power')
    const synced: number[] = []
    const waits = [1, 2, 3].map(async (row) => {
      log.append([String(row)])
      await log.awaitSync()
      synced.push(row)
    })
    drain(log)
    await Promise.all(waits)
    expect(synced.toSorted((left, right) => left - right)).toEqual([1, 2, 3])
  })

  describe('on a disk that fails', () => {
    it('moves nothing that is not known to be on disk', async () => {
      const log = open('power')
      log.append(['1', '2'])
      expect([log.rows, log.readyRows, log.oldest(1)]).toEqual([2, 0, undefined])
      await log.awaitSync()
      expect([log.readyRows, drain(log)]).toEqual([2, ['1', '2']])
    })

    it('withdraws what a failed sync covered and what came meanwhile, and nothing else', async () => {
      const { disk, failing } = failingDisk()
      const log = openOn(disk)
      log.append(['1'])
      await log.awaitSync()
      failing.sync = 1
      log.append(['2'])
      const second = log.awaitSync()
      log.append(['3'])
      const third = log.awaitSync()
      await expect(second).rejects.toThrow('EIO')
      await expect(third).rejects.toThrow('EIO')
      log.append(['4'])
      await log.awaitSync()
      expect([log.rows, log.readyRows]).toEqual([2, 2])
      // The next start does not see it either.
      close(log)
      expect(drain(open('power'))).toEqual(['1', '4'])
      expect(damaged).toEqual([])
    })

    it('withdraws it even if the file cannot be cut', async () => {
      const { disk, failing } = failingDisk()
      const log = openOn(disk)
      failing.sync = 1
      failing.truncate = 1
      log.append(['1'])
      await expect(log.awaitSync()).rejects.toThrow('EIO')
      log.append(['2'])
      await log.awaitSync()
      expect(drain(log)).toEqual(['2'])
      expect([log.rows, log.readyRows, log.bytes]).toEqual([0, 0, 0])
      close(log)
      expect(open('power').rows).toBe(0)
    })

    it('keeps nothing of a partly written row, and continues after it', () => {
      for (const cannotBeCut of [false, true]) {
        const { disk, failing } = failingDisk()
        const log = openOn(disk, 'process')
        log.append(['1'])
        Object.assign(failing, { write: 1, writtenBefore: 7, truncate: cannotBeCut ? 1 : 0 })
        expect(() => log.append(['"torn"'])).toThrow('ENOSPC')
        log.append(['2'])
        expect(log.rows).toBe(2)
        expect(drain(log)).toEqual(['1', '2'])
        close(log)
      }
      expect(damaged).toEqual([])
    })

    it('has each row once or not at all, whatever fails', async () => {
      const seed = randomSeed()
      const random = randomFrom(seed)
      const { disk, failing } = failingDisk()
      const log = openOn(disk)
      const kept = new Set<string>()
      const refused = new Set<string>()
      const moved: string[] = []
      const waits: Promise<void>[] = []
      for (let row = 0; row < 400; row++) {
        for (const what of ['write', 'sync', 'truncate'] as const) if (random() < 0.1) failing[what] = 1
        const payload = String(row)
        try {
          log.append([payload])
          const synced = log.awaitSync()!
          waits.push(
            synced.then(
              () => void kept.add(payload),
              () => void refused.add(payload),
            ),
          )
        } catch {
          refused.add(payload)
        }
        if (random() < 0.3) moved.push(...drain(log))
        if (random() < 0.3)
          await Promise.race([waits.at(-1), new Promise((resolve) => setImmediate(resolve))])
      }
      await Promise.all(waits)
      Object.assign(failing, { write: 0, sync: 0, truncate: 0 })
      await log.awaitSync()
      moved.push(...drain(log))
      const inOrder = (rows: Iterable<string>): string[] =>
        [...rows].toSorted((a, b) => Number(a) - Number(b))
      expect(inOrder(moved), `seed ${seed}`).toEqual(inOrder(kept))
      expect(kept.size + refused.size).toBe(400)
      expect([log.rows, log.bytes]).toEqual([0, 0])
    })
  })
})
