import { expect, test } from 'vitest'
import { startManagementServer } from './testing/management-server.ts'

test('a closing server completes the requests of callers who have left', async () => {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done: string[] = []
  const server = await startManagementServer(({ storage }) => ({
    apiKeys: {
      ...storage.apiKeys,
      async create(key, nowMs) {
        begun.resolve()
        await released.promise
        return storage.apiKeys.create(key, nowMs)
      },
    },
    audit: {
      ...storage.audit,
      async append(entry) {
        await storage.audit.append(entry)
        done.push(`${entry.action} ${entry.status}`)
      },
    },
  }))
  const leaving = new AbortController()
  const creation = fetch(`${server.origin}/api/v1/me/keys`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'late' }),
    signal: leaving.signal,
  })
  await begun.promise
  leaving.abort()
  await expect(creation).rejects.toThrow()
  const closing = server.close()
  // Long enough for a server that does not wait.
  setTimeout(released.resolve, 100)
  await closing
  expect(done).toEqual(['createKey 201'])
  expect(server.told.filter((line) => line.startsWith('log'))).toEqual([])
})
