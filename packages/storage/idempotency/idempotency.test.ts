import { describe, expect, it } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const answer = { status: 201, body: 'sealed' }
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const nowMs = Date.UTC(2026, 2, 15)

onEachEngine((opened) => {
  const store = () => opened().storage.idempotency

  describe('idempotency claims', () => {
    it('are granted once, even to concurrent requests', async () => {
      const id = uniqueText()
      const claims = await Promise.all(Array.from({ length: 30 }, () => store().claim(id, 'body', nowMs)))
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'running')).toHaveLength(29)
      expect(await store().claim(id, 'another body', nowMs)).toEqual({ state: 'reused' })
    })

    it('keep their answer for 24 hours', async () => {
      const id = uniqueText()
      await store().claim(id, 'body', nowMs)
      await store().keep(id, nowMs, answer)
      expect(await store().claim(id, 'body', nowMs + 24 * hourMs - 1)).toEqual({ state: 'answered', answer })
      expect(await store().claim(id, 'other', nowMs + 24 * hourMs - 1)).toEqual({ state: 'reused' })
      const laterMs = nowMs + 24 * hourMs
      expect(await store().claim(id, 'other', laterMs)).toEqual({ state: 'claimed', claimedAtMs: laterMs })
    })

    it('are free again after a failure', async () => {
      const id = uniqueText()
      await store().claim(id, 'body', nowMs)
      await store().release(id, nowMs)
      expect(await store().claim(id, 'other', nowMs + 1)).toMatchObject({ state: 'claimed' })
    })

    it('of a killed node go to the same request, and to no other', async () => {
      const id = uniqueText()
      await store().claim(id, 'body', nowMs)
      const laterMs = nowMs + 2 * minuteMs
      expect(await store().claim(id, 'body', laterMs - 1)).toEqual({ state: 'running' })
      expect(await store().claim(id, 'other', laterMs)).toEqual({ state: 'reused' })
      expect(await store().claim(id, 'body', laterMs)).toEqual({ state: 'claimed', claimedAtMs: laterMs })
      // The first request was only slow: it can neither answer nor release the claim that another has now.
      await store().keep(id, nowMs, { status: 201, body: 'late' })
      await store().release(id, nowMs)
      expect(await store().claim(id, 'body', laterMs + 1)).toEqual({ state: 'running' })
      await store().keep(id, laterMs, answer)
      expect(await store().claim(id, 'body', laterMs + 1)).toEqual({ state: 'answered', answer })
    })

    it('of a node that missed heartbeats or restarted are taken over at once', async () => {
      const { storage, database } = opened()
      const [id, other, answered] = [uniqueText(), uniqueText(), uniqueText()]
      const node = uniqueText()
      await storage.leases.heartbeat(node, 60_000)
      for (const one of [id, other, answered]) await store().claim(one, 'body', nowMs, node)
      await store().keep(answered, nowMs, answer)
      expect(await store().claim(id, 'body', nowMs + 1, 'another')).toEqual({ state: 'running' })
      await database.execute(
        `UPDATE nodes SET heartbeat_at_ms = heartbeat_at_ms - 31000 WHERE id = '${node}'`,
      )
      expect(await store().claim(id, 'other body', nowMs + 1, 'another')).toEqual({ state: 'reused' })
      const taken = await store().claim(id, 'body', nowMs + 1)
      expect(taken).toEqual({ state: 'claimed', claimedAtMs: nowMs + 1 })
      await storage.leases.heartbeat(node, 60_000)
      expect(await store().claim(other, 'body', nowMs + 1)).toEqual({ state: 'running' })
      await store().releaseAll(node)
      expect(await store().claim(other, 'body', nowMs + 1)).toMatchObject({ state: 'claimed' })
      expect(await store().claim(id, 'body', nowMs + 1)).toEqual({ state: 'running' })
      expect(await store().claim(answered, 'body', nowMs + 1)).toEqual({ state: 'answered', answer })
    })

    it('are seen by every node, and survive a restart', async () => {
      const id = uniqueText()
      await store().claim(id, 'body', nowMs)
      const options = opened().database.options
      if (options.engine === 'postgres') {
        const other = await openStorage(options)
        expect(await other.idempotency.claim(id, 'body', nowMs)).toEqual({ state: 'running' })
        await other.close()
      }
      await store().keep(id, nowMs, answer)
      await opened().storage.close()
      opened().storage = await openStorage(options)
      expect(await store().claim(id, 'body', nowMs + 1)).toEqual({ state: 'answered', answer })
    })

    it('are deleted once they expire', async () => {
      const id = uniqueText()
      await store().claim(id, 'body', nowMs)
      await store().keep(id, nowMs, answer)
      await store().claim(uniqueText(), 'body', nowMs + 24 * hourMs)
      // The fingerprint is deleted with the row: nothing is known even at the old time.
      expect(await store().claim(id, 'other', nowMs + 1)).toMatchObject({ state: 'claimed' })
    })
  })
})
