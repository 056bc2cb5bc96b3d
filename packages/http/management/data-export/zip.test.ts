import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { textEntry } from './parts.ts'
import { zipOf, type ZipEntry } from './zip.ts'

const run = promisify(execFile)
const python = inject('pythonProgram')
const gigabyte = 1024 ** 3
const many = 70_000

/** Python's own reader: prints how many files it finds, where the last one is, and its content. */
const reader = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as found:
    files = found.infolist()
    last = files[-1]
    print(len(files), last.filename, last.header_offset, found.read(last).decode(), found.testzip())
`

// A sparse file takes no space, so the ZIP behind the hole starts as far in as in one of many gigabytes.
describe.skipIf(python === null)('a ZIP beyond what the old format has numbers for', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-zip-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['behind four gigabytes', 5 * gigabyte, 3],
    ['that begins before them and ends behind', 4 * gigabyte - 60, 3],
    ['of more than 65,535 files', 0, many],
  ])('%s is read by others', { timeout: 60_000 }, async (_what, startsAt, count) => {
    const path = join(folder, `${count}-${startsAt}.zip`)
    const parts = await Array.fromAsync(zipOf(entriesOf(count), Date.UTC(2026, 2, 10), startsAt))
    const file = await open(path, 'w')
    await file.write(Buffer.concat(parts), 0, undefined, startsAt)
    await file.close()
    const { stdout } = await run(python!, ['-c', reader, path])
    const [files, name, offset, content, damaged] = stdout.trim().split(' ')
    expect([files, name, content, damaged]).toEqual([
      `${count}`,
      `${count - 1}.txt`,
      `text-${count - 1}`,
      'None',
    ])
    expect(Number(offset)).toBeGreaterThan(startsAt)
  })
})

async function* entriesOf(count: number): AsyncGenerator<ZipEntry> {
  const nothing = async function* (): AsyncGenerator<Buffer> {}
  for (let index = 0; index < count - 1; index++) yield { name: `${index}.txt`, content: nothing() }
  yield textEntry(`${count - 1}.txt`, `text-${count - 1}`)
}
