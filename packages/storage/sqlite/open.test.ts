import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from '../open-storage.ts'

test.skipIf(process.platform === 'win32')('a new database is readable by its owner only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-modes-'))
  // As an operator would create one.
  chmodSync(folder, 0o755)
  const storage = await openStorage({ engine: 'sqlite', path: join(folder, 'turnpike.db') })
  try {
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    expect(Object.fromEntries(modes)).toEqual({
      'turnpike.db': 0o600,
      'turnpike.db-shm': 0o600,
      'turnpike.db-wal': 0o600,
    })
  } finally {
    await storage.close()
    rmSync(folder, { recursive: true })
  }
})
