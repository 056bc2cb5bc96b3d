import {
  hashLinkCode,
  newLinkCode,
  type EmbeddedProviderStores,
  type MailedCodePurpose,
} from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 10)
const dayMs = 24 * 60 * 60 * 1000
const plenty = { toAddress: 10_000, ofUser: 10_000 }
const seed = randomSeed()

/** A person who reads the mail of some addresses, and knows the passwords of some users. */
interface Person {
  addresses: readonly string[]
  /** Users that they created, or whose password they set. */
  users: string[]
  /** The codes in their mailboxes. */
  codeHashes: string[]
}

const newEmail = () => `${uniqueText()}@example.com`
const newPerson = (): Person => ({ addresses: [newEmail(), newEmail()], users: [], codeHashes: [] })

/** Two people and their possible actions, with their own mail and as their own users. */
function worldOf({ users, mailedCodes: codes }: EmbeddedProviderStores, random: () => number) {
  const chosen = <One>(many: readonly One[]): One | undefined => many[Math.floor(random() * many.length)]
  const people = [newPerson(), newPerson()]
  const addresses = people.flatMap((one) => one.addresses)
  const passwordOf = new Map<string, Person>()

  const mailTo = async (userId: string, purpose: MailedCodePurpose, email: string): Promise<void> => {
    const { loginGeneration } = (await users.find(userId))!
    const codeHash = hashLinkCode(newLinkCode())
    const code = { codeHash, userId, purpose, email, loginGeneration, createdAtMs: nowMs }
    await codes.add({ ...code, expiresAtMs: nowMs + dayMs }, plenty)
    people.find((one) => one.addresses.includes(email))?.codeHashes.push(codeHash)
  }
  const moves: ((one: Person) => Promise<void>)[] = [
    async function register(one) {
      const id = newIdentifier('usr')
      const user = { id, email: chosen(addresses)!, name: null, passwordHash: id }
      if ('refused' in (await users.create(user, undefined, nowMs))) return
      passwordOf.set(id, one)
      one.users.push(id)
      await mailTo(id, 'verify', user.email)
    },
    async function askToChange({ users: own }) {
      const userId = chosen(own.slice(-3))
      if (userId !== undefined) await mailTo(userId, 'change', chosen(addresses)!)
    },
    // Frees addresses.
    async function leaveAddress({ users: own }) {
      const userId = chosen(own.slice(-3))
      if (userId !== undefined) await users.changeEmail(userId, newEmail())
    },
    async function forget() {
      const user = await users.findByEmail(chosen(addresses)!)
      if (user?.email) await mailTo(user.id, 'password', user.email)
    },
    async function setPassword(one) {
      const hash = chosen(one.codeHashes.slice(-3))
      if (hash === undefined) return
      const password = { newUserId: newIdentifier('usr'), passwordHash: uniqueText() }
      const result = await codes.setPassword(hash, password, nowMs)
      if (result === undefined) return
      passwordOf.set(password.passwordHash, one)
      one.users.push(result.user.id)
    },
    ...[1, 2, 3].map(
      () =>
        async function press(one: Person) {
          const [hash, userId] = [chosen(one.codeHashes.slice(-3)), chosen(one.users.slice(-3))]
          if (hash !== undefined && userId !== undefined) await codes.prove(hash, userId, nowMs)
        },
    ),
  ]
  return { people, addresses, passwordOf, move: () => chosen(moves)!(chosen(people)!) }
}

onEachEngine((opened) => {
  describe(`people who compete for each other's addresses (seed ${seed})`, () => {
    test('verify only addresses whose mail they read', { timeout: 60_000 }, async () => {
      const { identity } = opened().storage
      const { people, addresses, passwordOf, move } = worldOf(identity, randomFrom(seed))
      for (let round = 0; round < 300; round++) {
        await Promise.all([move(), move(), move(), move()])
        for (const email of addresses) {
          const user = await identity.users.findByEmail(email)
          if (user === undefined || !user.emailVerified) continue
          const owner = people.find((one) => one.addresses.includes(email))!
          const having = people.filter((one) => one.users.includes(user.id))
          expect(having, `who has ${email} in round ${round}`).toEqual([owner])
          const knows = passwordOf.get(user.passwordHash)
          expect(knows === owner, `whose password ${email} has in round ${round}`).toBe(true)
        }
      }
    })
  })
})
