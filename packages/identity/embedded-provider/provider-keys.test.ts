import { describe, expect, test } from 'vitest'
import { ProviderKeys } from './provider-keys.ts'
import type { ProviderSecret, ProviderSecretStore } from './stores.ts'

const hourMs = 3_600_000

describe('the keys of the embedded provider', () => {
  test('are created once, by whichever of several nodes is first', async () => {
    const { store, secrets } = memoryStore()
    const nodes = Array.from({ length: 4 }, () => new ProviderKeys(store, () => 0))
    const sets = await Promise.all(nodes.map((node) => node.current()))
    expect(secrets.map(({ purpose }) => purpose).toSorted()).toEqual(['cookies', 'signing'])
    expect(new Set(sets.map((set) => set.signing[0]!.kid)).size).toBe(1)
    expect(sets[0]!.signing[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', d: expect.any(String) })
  })

  test('stay the same object until they change', async () => {
    const clock = { nowMs: 0 }
    const { store } = memoryStore()
    const keys = new ProviderKeys(store, () => clock.nowMs)
    const before = await keys.current()
    clock.nowMs += hourMs
    expect(await keys.current()).toBe(before)
    await keys.rotate()
    expect(await keys.current()).not.toBe(before)
  })

  test('sign at once after a rotation, and the previous key stays published for a day', async () => {
    const clock = { nowMs: 0 }
    const { store } = memoryStore()
    const keys = new ProviderKeys(store, () => clock.nowMs)
    const [old] = (await keys.current()).signing
    clock.nowMs += hourMs
    const { keyId } = await keys.rotate()
    const header = (kid: string | undefined) => ({ alg: 'RS256', kid: kid! })
    expect((await keys.current()).signing.map(({ kid }) => kid)).toEqual([keyId, old!.kid])
    clock.nowMs += 24 * hourMs - 1
    expect(await keys.publicKey(header(old!.kid))).toBeDefined()
    clock.nowMs += 60_000
    expect(await keys.publicKey(header(old!.kid))).toBeUndefined()
    expect(await keys.publicKey(header(keyId))).toBeDefined()
  })

  test('are found if another node made them; unknown identifiers cause one read in 5 seconds', async () => {
    const clock = { nowMs: 0 }
    const { store, readings } = memoryStore()
    const one = new ProviderKeys(store, () => clock.nowMs)
    const other = new ProviderKeys(store, () => clock.nowMs)
    await other.current()
    await one.current()
    const { keyId } = await one.rotate()
    clock.nowMs += 6_000
    expect(await other.publicKey({ alg: 'RS256', kid: keyId })).toBeDefined()
    const before = readings.count
    for (let index = 0; index < 100; index++) await other.publicKey({ alg: 'RS256', kid: `unknown ${index}` })
    expect(readings.count - before).toBeLessThanOrEqual(1)
  })
})

function memoryStore() {
  const secrets: ProviderSecret[] = []
  const readings = { count: 0 }
  const store: ProviderSecretStore = {
    async list() {
      readings.count++
      return secrets.toSorted((a, b) => b.number - a.number)
    },
    async add(secret) {
      const isTaken = secrets.some(
        ({ purpose, number }) => purpose === secret.purpose && number === secret.number,
      )
      if (!isTaken) secrets.push(secret)
      return !isTaken
    },
  }
  return { store, secrets, readings }
}
