import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretFile } from './secret-file.ts'

const patience = { timeout: 10_000, interval: 5 }
const soon = { lookEveryMs: 5, settleMs: 2 }

let folder: string
let path: string
let file: SecretFile
let changes: string[]
let troubles: (string | null)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
  path = join(folder, 'key')
  changes = []
  troubles = []
})
afterEach(() => {
  file.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(): void {
  file = new SecretFile(path, {
    ...soon,
    onChange: (text) => changes.push(text),
    onTrouble: (problem) => troubles.push(problem),
  })
}

describe('a secret file', () => {
  it('is read without the line break at its end', () => {
    writeFileSync(path, 'one\r\n')
    open()
    expect(file.current()).toBe('one')
  })

  it.each(['', '\n'])('is rejected if it is empty (%j)', (text) => {
    writeFileSync(path, 'one')
    open()
    writeFileSync(path, text)
    expect(() => new SecretFile(path)).toThrow(`the file ${path} is empty`)
  })

  it('is read again when it changes', async () => {
    writeFileSync(path, 'one')
    open()
    writeFileSync(path, 'two\n')
    await expect.poll(() => changes, patience).toEqual(['two'])
    expect(file.current()).toBe('two')
  })

  it('is read again when a link to it changes, as Kubernetes does it', async () => {
    const version = (name: string, text: string): void => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'key'), text)
      symlinkSync(name, join(folder, 'next'))
      renameSync(join(folder, 'next'), join(folder, '..data'))
    }
    version('..1', 'one')
    symlinkSync(join('..data', 'key'), path)
    open()
    expect(file.current()).toBe('one')
    version('..2', 'two')
    rmSync(join(folder, '..1'), { recursive: true })
    await expect.poll(() => file.current(), patience).toBe('two')
    expect(troubles).toEqual([])
  })

  it('keeps its secret while it is emptied and written', async () => {
    writeFileSync(path, 'one')
    open()
    truncateSync(path)
    await expect.poll(() => troubles, patience).toEqual(['is empty'])
    expect(file.current()).toBe('one')
    writeFileSync(path, 'two')
    await expect.poll(() => file.current(), patience).toBe('two')
    expect(troubles).toEqual(['is empty', null])
  })

  it('keeps its secret while it does not exist, and reports that once', async () => {
    writeFileSync(path, 'one')
    open()
    rmSync(path)
    await expect.poll(() => troubles, patience).toEqual(['cannot be read (ENOENT)'])
    expect(file.current()).toBe('one')
    writeFileSync(path, 'one')
    await expect.poll(() => troubles, patience).toEqual(['cannot be read (ENOENT)', null])
    expect(changes).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('keeps its secret while it cannot be read', async () => {
    writeFileSync(path, 'one')
    open()
    chmodSync(path, 0)
    await expect.poll(() => troubles, patience).toEqual(['cannot be read (EACCES)'])
    expect(file.current()).toBe('one')
    chmodSync(path, 0o600)
    await expect.poll(() => troubles, patience).toEqual(['cannot be read (EACCES)', null])
  })

  it('keeps a key if the new text is not a key', async () => {
    writeFileSync(path, 'one')
    file = new SecretFile(path, { ...soon, isKey: true, onTrouble: (problem) => troubles.push(problem) })
    writeFileSync(path, 'one\ntwo\n')
    await expect.poll(() => troubles, patience).toEqual(['contains more than a key'])
    expect(file.current()).toBe('one')
  })

  it('is rejected if it is a directory', async () => {
    writeFileSync(path, 'one')
    open()
    rmSync(path)
    mkdirSync(path)
    await expect.poll(() => troubles.at(-1), patience).toBe('cannot be read (EISDIR)')
    expect(file.current()).toBe('one')
  })
})
