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
import { FileOutboxLog, type Durability } from './file-outbox-log.ts'

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

  function close(log: FileOutboxLog): void {
    opened.splice(opened.indexOf(log), 1)
    log.close()
  }

  /** All rows from the oldest on, removed a batch at a time. */
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

  it('gives rows back in their order, whatever text they hold', () => {
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

  it('gives the same rows until they are removed, and more that came meanwhile', () => {
    const log = open()
    log.append(['1', '2'])
    const batch = log.oldest(10)!
    log.append(['3'])
    expect(log.oldest(1)!.rows).toBe(2)
    log.remove(batch)
    expect([log.rows, drain(log)]).toEqual([1, ['3']])
  })

  it('has after a killed process all that was appended, and nothing that was removed', () => {
    const first = open()
    first.append(['1'])
    first.remove(first.oldest(1)!)
    first.append(['2', '3'])
    // What is in the files at this moment is what a killed process leaves.
    const left = segments().map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    close(first)
    for (const { name, bytes } of left) writeFileSync(join(folder, name), bytes)
    expect(drain(open())).toEqual(['2', '3'])
    expect(damaged).toEqual([])
  })

  it('keeps whole appends and puts apart what was cut, at every byte', () => {
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

  it('does not take a changed byte for a row', () => {
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

  it('leaves no file behind that holds nothing', () => {
    const log = open()
    log.append(['1'])
    drain(log)
    close(log)
    expect(segments()).toEqual([])
  })

  it('belongs to one process at a time', () => {
    open()
    expect(() => open()).toThrow(/Another process uses the outbox/)
  })

  it('keeps what was set aside', () => {
    const log = open()
    log.setAside('{"id":"req_1"}', 'no such key')
    close(log)
    expect(open().setAsideRows()).toEqual([{ payload: '{"id":"req_1"}', reason: 'no such key' }])
  })

  it('says when rows are on disk where that is asked for, also while another sync is under way', async () => {
    expect(open().synced()).toBeUndefined()
    close(opened[0]!)
    const log = open('power')
    const synced: number[] = []
    const waits = [1, 2, 3].map(async (row) => {
      log.append([String(row)])
      await log.synced()
      synced.push(row)
    })
    drain(log)
    await Promise.all(waits)
    expect(synced.toSorted((left, right) => left - right)).toEqual([1, 2, 3])
  })
})
