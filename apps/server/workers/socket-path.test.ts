import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSocketPath, removeSocketPath } from './socket-path.ts'

describe.skipIf(process.platform === 'win32')('the socket of the database process', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'turnpike-socket-path-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('is in a directory that only its owner can access, and is removed with it', async () => {
    const path = await makeSocketPath(join(dataDir, 'new'))
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    removeSocketPath(path)
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('is removed if its gateway was killed, but not if somebody listens on it', async () => {
    const abandoned = await makeSocketPath(dataDir)
    const used = await makeSocketPath(dataDir)
    expect(existsSync(dirname(abandoned))).toBe(false)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(used, resolve))
    await makeSocketPath(dataDir)
    expect(existsSync(used)).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('is elsewhere if the directory has a long path, because systems limit its length', async () => {
    const path = await makeSocketPath(join(dataDir, 'long'.repeat(30)))
    expect(path.startsWith(dataDir)).toBe(false)
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    removeSocketPath(path)
  })
})
