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

  it('is in a folder that only its owner can enter, which goes with it', async () => {
    const path = await makeSocketPath(join(dataDir, 'new'))
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    removeSocketPath(path)
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('of a gateway that was killed is removed, not one at which somebody listens', async () => {
    const abandoned = await makeSocketPath(dataDir)
    const used = await makeSocketPath(dataDir)
    expect(existsSync(dirname(abandoned))).toBe(false)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(used, resolve))
    await makeSocketPath(dataDir)
    expect(existsSync(used)).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('of a folder with a long name is elsewhere: systems bound its length', async () => {
    const path = await makeSocketPath(join(dataDir, 'long'.repeat(30)))
    expect(path.startsWith(dataDir)).toBe(false)
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    removeSocketPath(path)
  })
})
