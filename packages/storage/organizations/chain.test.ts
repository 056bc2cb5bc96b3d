import { KeyOwnerRefused, OrganizationRefused, PayerRefused, type ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../open-storage.ts'
import { grant, newRecord, uniqueText } from '../testing/fixtures.ts'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { invite, newOrganization, type TestOrganization } from './testing/organization.ts'

const seed = randomSeed()
const random = randomFrom(seed)
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
const rounds = 25
const atOnce = 4
const grantedPico = 1_000_000n

type Person = Awaited<ReturnType<TestOrganization['join']>>

/** Random concurrent operations on members' keys, and the invariants that must hold afterwards. */
describe(`members, keys and credit, seed ${seed}`, () => {
  onEachEngine((opened) => {
    it('agree after any interleaving', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      await grant(storage, id, grantedPico)
      const people: Person[] = [founder]
      for (const role of ['owner', 'admin', 'developer', 'developer'] as const)
        people.push(await organization.join(role))
      const secrets: string[] = []
      let chargedPico = 0n

      const anyKey = async (): Promise<ApiKey> => oneOf((await storage.apiKeys.list(id, { limit: 200 })).rows)
      const charge = async (): Promise<void> => {
        const { id: keyId } = await anyKey()
        await storage.leases.take('node_x', keyId, 10n, 50n, Date.now())
        await storage.requests.write('node_x', [newRecord({ id: keyId, accountId: id }, { chargePico: 10n })])
        chargedPico += 10n
      }
      const moves: (() => Promise<unknown>)[] = [
        async () => {
          const drawsOn = below(2) === 0 ? 'default' : null
          const key = await organization.key(oneOf([null, ...people.map((one) => one.memberId)]), { drawsOn })
          secrets.push(key.secret)
        },
        async () => {
          const { id: keyId } = await anyKey()
          const memberId = oneOf([null, undefined, ...people.map((one) => one.memberId)])
          await storage.apiKeys.handOver(
            { accountId: id, keyId, ...(memberId !== undefined && { memberId }) },
            Date.now(),
          )
        },
        async () => {
          const { id: keyId } = await anyKey()
          const keyHash = uniqueText()
          const graceMs = oneOf([0, 1, 600_000])
          const rotation = { accountId: id, keyId, keyPrefix: 'sk-turnpike-wxyz', keyHash, graceMs }
          await storage.apiKeys.rotate(rotation, Date.now())
          secrets.push(keyHash)
        },
        async () => storage.apiKeys.revoke(id, (await anyKey()).id, Date.now()),
        async () => storage.apiKeys.update(id, (await anyKey()).id, { drawsOn: null }),
        charge,
        charge,
        async () => {
          const { memberId } = oneOf(people)
          const keysGo = oneOf(['organization', 'revoked'] as const)
          await storage.organizations.removeMember(id, memberId, { keysGo, by: null }, Date.now())
        },
        async () => {
          const code = await invite(storage, id, oneOf(['owner', 'developer']), null)
          await storage.organizations.acceptInvitation(code, oneOf(people).personId, Date.now())
        },
        () => storage.organizations.finishRemovals(Date.now()),
        () => storage.apiKeys.revokeDue(Date.now()),
        () => storage.apiKeys.playgroundKeyHash(id, Date.now(), oneOf(people).memberId),
        () => storage.leases.giveBackAll('node_x'),
      ]

      secrets.push((await organization.key()).secret)
      await playOut(moves)
      await storage.organizations.finishRemovals(Date.now())
      await storage.apiKeys.revokeDue(Date.now() + 10)
      await storage.leases.giveBackAll('node_x')
      await expectTruth(storage, id, secrets, grantedPico - chargedPico)
    })
  })
})

async function playOut(moves: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const results = await Promise.allSettled(Array.from({ length: atOnce }, () => oneOf(moves)()))
    for (const result of results) if (result.status === 'rejected') expectRefusal(result.reason)
  }
}

/** Only the expected refusals may occur; nothing else goes wrong. */
function expectRefusal(reason: unknown): void {
  const known = [OrganizationRefused, KeyOwnerRefused, PayerRefused]
  if (!known.some((one) => reason instanceof one)) throw reason
}

async function expectTruth(
  storage: Storage,
  id: string,
  secrets: readonly string[],
  leftPico: bigint,
): Promise<void> {
  const account = (await storage.accounts.find(id))!
  expect(account.balancePico + account.unassignedPico).toBe(leftPico)
  expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  const { rows: members } = await storage.organizations.members(id, { limit: 100 })
  expect(members.filter(({ role, status }) => role === 'owner' && status === 'active')).not.toEqual([])
  const here = new Set<string | null>([null, ...members.map((one) => one.id)])
  const nowMs = Date.now() + 10
  for (const [secret, key] of await storage.apiKeys.findByHashes(secrets)) {
    if (key.status !== 'active' || (key.expiresAtMs ?? Infinity) <= nowMs) continue
    expect(here.has(key.memberId), `${secret} is a key of somebody who is gone`).toBe(true)
    // A secret that stands for another row permanently was handed over, and not rotated since.
    if (key.secretOf === key.id || key.expiresAtMs !== null) continue
    expect(await storage.apiKeys.find(id, key.id)).toMatchObject({ handedOver: true })
  }
}
