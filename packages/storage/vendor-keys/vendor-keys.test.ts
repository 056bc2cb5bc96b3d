import type { NewVendorKey, SealedVendorKey, VendorKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { newAccount, newKey, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 10, 23)

onEachEngine((opened) => {
  const store = () => opened().storage.vendorKeys
  const account = async (): Promise<string> => (await newAccount(opened().storage)).id

  async function made(accountId: string, changes: Partial<NewVendorKey> = {}): Promise<VendorKey> {
    const result = await store().create(newOne(accountId, changes), nowMs)
    if ('refused' in result) throw new Error(result.refused)
    return result.key
  }

  const newOne = (accountId: string, changes: Partial<NewVendorKey> = {}): NewVendorKey => ({
    id: newIdentifier('vky', nowMs),
    accountId,
    provider: 'openai',
    name: 'prod',
    last4: 'aB3d',
    allowsShared: true,
    keyName: 'ring1',
    sealed: Buffer.from('sealed'),
    ...changes,
  })

  /** The keys as the request path sees them with one of the account's API keys. */
  async function known(accountId: string): Promise<readonly SealedVendorKey[] | undefined> {
    const { apiKeys, accounts } = opened().storage
    const key = await newKey(opened().storage, accountId)
    expect(await accounts.find(accountId)).toBeDefined()
    const hash = uniqueText()
    await opened().database.execute(`UPDATE api_keys SET key_hash = '${hash}' WHERE id = '${key.id}'`)
    return (await apiKeys.findByHashes([hash])).get(hash)!.vendorKeys?.keys
  }

  it('are read with the account’s API keys: the active ones, in order', async () => {
    const accountId = await account()
    expect(await known(accountId)).toBeUndefined()
    const first = await made(accountId)
    const second = await made(accountId, { name: 'other', provider: 'anthropic' })
    expect((await known(accountId))!.map(({ id }) => id)).toEqual([first.id, second.id])
    await store().update(accountId, first.id, { position: 9 }, nowMs)
    expect((await known(accountId))!.map(({ id }) => id)).toEqual([second.id, first.id])
    await store().update(accountId, second.id, { status: 'disabled' }, nowMs)
    expect(await known(accountId)).toMatchObject([{ id: first.id, version: 1, keyName: 'ring1' }])
    await store().remove(accountId, first.id, nowMs)
    expect(await known(accountId)).toEqual([])
  })

  it('belong to their account only', async () => {
    const [mine, other] = [await account(), await account()]
    const { id } = await made(mine)
    const secret = { keyName: 'ring1', sealed: Buffer.from('foreign'), last4: 'ugly' }
    expect(await store().find(other, id)).toBeUndefined()
    expect(await store().update(other, id, { name: 'x' }, nowMs)).toBeUndefined()
    expect(await store().replaceSecret(other, id, secret, nowMs)).toBeUndefined()
    expect(await store().remove(other, id, nowMs)).toBeUndefined()
    expect(await store().list(other)).toEqual([])
    expect(await known(other)).toBeUndefined()
    expect(await store().find(mine, id)).toMatchObject({ name: 'prod', last4: 'aB3d' })
    await expect(
      opened().database.execute(`UPDATE vendor_keys SET account_id = '${other}' WHERE id = '${id}'`),
    ).rejects.toThrow('never changes')
  })

  it('have unique names per provider, and are limited to fifty, even concurrently', async () => {
    const accountId = await account()
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        store().create(newOne(accountId, { name: `k${number % 55}` }), nowMs),
      ),
    )
    const refusals = results.flatMap((result) => ('refused' in result ? [result.refused] : []))
    expect(await store().list(accountId)).toHaveLength(50)
    expect(refusals).toHaveLength(10)
    const positions = (await store().list(accountId)).map(({ position }) => position)
    expect(new Set(positions).size).toBe(50)
    const [one, two] = await store().list(accountId)
    expect(await store().update(accountId, one!.id, { name: two!.name }, nowMs)).toEqual({
      refused: 'exists',
    })
  })

  it('are resealed unless they were replaced meanwhile', async () => {
    const accountId = await account()
    const { id } = await made(accountId, { keyName: 'old' })
    const found = async (): Promise<SealedVendorKey> =>
      (await store().listOutdatedSeals('new', '', 1_000)).find((one) => one.id === id)!
    const before = await found()
    const replaced = { last4: 'xY9z', keyName: 'old', sealed: Buffer.from('another') }
    await store().replaceSecret(accountId, id, replaced, nowMs)
    expect(await store().reseal(before, { keyName: 'new', sealed: Buffer.from('stale') })).toBe(false)
    const now = await found()
    expect([now.version, Buffer.from(now.sealed).toString()]).toEqual([2, 'another'])
    expect(await store().reseal(now, { keyName: 'new', sealed: Buffer.from('fresh') })).toBe(true)
    expect(await found()).toBeUndefined()
    expect((await store().countBySealingKey()).get('new')).toBeGreaterThan(0)
  })

  it('record the latest use and rejection of their current secret', async () => {
    const accountId = await account()
    const { id } = await made(accountId)
    const seen = (usedAtMs: number | null, refusedAtMs: number | null, version = 1) =>
      store().note([{ id, usedAtMs, refusedAtMs, version }])
    await seen(nowMs + 2, nowMs + 2)
    await seen(nowMs + 1, null)
    expect(await store().find(accountId, id)).toMatchObject({
      lastUsedAtMs: nowMs + 2,
      refusedAtMs: nowMs + 2,
    })
    const replaced = { last4: 'xY9z', keyName: 'ring1', sealed: Buffer.from('another') }
    await store().replaceSecret(accountId, id, replaced, nowMs)
    await seen(nowMs + 9, nowMs + 9)
    expect(await store().find(accountId, id)).toMatchObject({ lastUsedAtMs: nowMs + 2, refusedAtMs: null })
  })

  it('are deleted with their account', async () => {
    const accountId = await account()
    await made(accountId)
    await opened().storage.accounts.close(accountId, nowMs)
    expect(await store().list(accountId)).toEqual([])
  })

  it('cannot be added once their account is closed, in either order', async () => {
    for (let round = 0; round < 10; round++) {
      const accountId = await account()
      const { id } = await made(accountId)
      const secret = { keyName: 'ring1', sealed: Buffer.from('another'), last4: 'xY9z' }
      await Promise.all([
        store().create(newOne(accountId, { name: 'before' }), nowMs),
        opened().storage.accounts.close(accountId, nowMs),
        store().create(newOne(accountId, { name: 'after' }), nowMs),
        store().replaceSecret(accountId, id, secret, nowMs),
      ])
      expect(await store().list(accountId)).toEqual([])
      expect(await store().create(newOne(accountId), nowMs)).toEqual({ refused: 'account-closed' })
    }
  })

  it('are removed once, and not changed afterwards, even concurrently', async () => {
    const accountId = await account()
    const { id } = await made(accountId)
    const [one, other] = await Promise.all([
      store().remove(accountId, id, nowMs),
      store().remove(accountId, id, nowMs),
      store().update(accountId, id, { name: 'renamed' }, nowMs),
    ])
    expect([one, other].filter((removed) => removed !== undefined)).toHaveLength(1)
    expect(await store().list(accountId)).toEqual([])
  })

  it('are refused while a node runs that does not know them', async () => {
    const accountId = await account()
    const nodeId = `node_${uniqueText()}`
    await opened().storage.leases.heartbeat(nodeId, 60_000)
    await opened().database.execute(`UPDATE nodes SET knows_vendor_keys = 0 WHERE id = '${nodeId}'`)
    expect(await store().create(newOne(accountId), nowMs)).toEqual({ refused: 'older-nodes' })
    await opened().storage.leases.heartbeat(nodeId, 60_000)
    expect(await store().create(newOne(accountId), nowMs)).toHaveProperty('key')
  })
})
