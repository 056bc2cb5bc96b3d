import type { AccountFilter } from '@turnpike/identity'
import { beforeAll, describe, expect, it } from 'vitest'
import { newKey, newRecord } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 15, 12)

onEachEngine((opened) => {
  const ids: Record<string, string> = {}
  let keyId: string
  const keyPrefix = 'sk-turnpike-abcd'
  let requestId: string

  beforeAll(async () => {
    const { accounts, organizations, requests } = opened().storage
    const made = [
      { name: 'ada', email: 'Ada@Example.com', displayName: 'Ada Lovelace' },
      { name: 'grace', email: 'grace@navy.mil', displayName: 'Grace Brewster Hopper', tier: 'gold' },
      { name: 'hostile', email: "o'%_\\@example.com", displayName: `x' OR 1=1 --` },
      { name: 'umlaut', email: 'jörg@münchen.example', displayName: 'Jörg Ärmel' },
      { name: 'subject', subject: 'subject-1' },
    ]
    for (const [index, { name, tier = 'free', ...rest }] of made.entries()) {
      const { account } = await accounts.provision({ ...rest, tier }, nowMs + index)
      ids[name] = account.id
    }
    await accounts.update(ids['grace']!, { status: 'suspended' })
    const engines = { name: 'Engines', personId: ids['ada']!, tier: 'free', toldRoles: [], mostOfPerson: 1 }
    ids['engines'] = await organizations.create(engines, nowMs + made.length)
    keyId = (await newKey(opened().storage, ids['grace']!)).id
    const record = newRecord({ id: keyId, accountId: ids['grace']! })
    requestId = record.id
    await requests.write('node_x', [record])
  })

  const found = async (filter: AccountFilter, order: 'asc' | 'desc' = 'asc'): Promise<string[]> => {
    const { rows } = await opened().storage.accounts.list({ limit: 10, order }, filter)
    return rows.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
  }

  describe('finding accounts', () => {
    it.each([
      ['ada@example.com', ['ada']],
      ['ADA@EX', ['ada']],
      ['ada love', ['ada']],
      ['lovelace', ['ada']],
      ['brewster', ['grace']],
      ['@example.com', ['ada', 'hostile']],
      ['@navy', ['grace']],
      ['@münchen.example', ['umlaut']],
      ['jörg@münchen', ['umlaut']],
      ['subject-1', ['subject']],
      ["x' or", ['hostile']],
      ["o'%_\\", ['hostile']],
      ['%', []],
      ['_', []],
      ['nobody', []],
    ])('works by %s', async (search, expected) => {
      expect(await found({ search })).toEqual(expected)
    })

    it('works by identifier, key, key prefix and request', async () => {
      for (const search of [ids['grace']!, keyId, keyPrefix, `${keyPrefix}andthewholekey`, requestId])
        expect([search, await found({ search })]).toEqual([search, ['grace']])
    })

    it('combines status, kind, tier, role and time', async () => {
      expect(await found({ status: 'suspended' })).toEqual(['grace'])
      expect(await found({ tier: 'gold' })).toEqual(['grace'])
      expect(await found({ operator: true })).toEqual([])
      expect(await found({ fromMs: nowMs + 1, toMs: nowMs + 3 }, 'desc')).toEqual(['hostile', 'grace'])
      expect(await found({ search: '@example.com', fromMs: nowMs + 1, operator: false })).toEqual(['hostile'])
      expect(await found({ search: 'ada', status: 'closed' })).toEqual([])
      expect(await found({ kind: 'organization' })).toEqual(['engines'])
      expect(await found({ kind: 'organization', search: 'engin', status: 'active' })).toEqual(['engines'])
      expect(await found({ kind: 'person' }, 'desc')).toEqual([
        'subject',
        'umlaut',
        'hostile',
        'grace',
        'ada',
      ])
    })
  })

  it('pages in either order, with cursors that are valid for that order only', async () => {
    const { accounts } = opened().storage
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await accounts.list({ limit: 2, order, ...(cursor && { cursor }) })
        seen.push(...page.rows.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      const all = Object.values(ids)
      expect(seen).toEqual(order === 'asc' ? all : all.toReversed())
    }
    const { nextCursor } = await accounts.list({ limit: 1 })
    await expect(accounts.list({ limit: 1, order: 'desc', cursor: nextCursor! })).rejects.toThrow('cursor')
  })
})
