import { expect, test } from 'vitest'
import { MailedCodes, type LoginLetter } from './mailed-codes.ts'
import type { ProviderUser } from '../stores.ts'

const hourMs = 60 * 60 * 1000

function opened() {
  const clock = { nowMs: 0 }
  const letters: LoginLetter[] = []
  const lookedUp: string[] = []
  const failures: unknown[] = []
  const mailed = new MailedCodes({
    users: {
      find: async (id) => ({ ...user, id }),
      async findByEmail(email) {
        lookedUp.push(email)
        return { ...user, emailVerified: true }
      },
    },
    codes: {
      add: async () => 0,
      remove: async () => undefined,
      pendingEmail: async () => null,
      prove: async () => ({ refused: 'unknown' }),
      maySetPassword: async () => false,
      setPassword: async () => undefined,
      removeExpired: async () => undefined,
    },
    send: async (letter) => void letters.push(letter),
    registration: 'open',
    publicUrl: () => 'https://gateway.example',
    clock: () => clock.nowMs,
    onFailure: (error) => failures.push(error),
  })
  return { mailed, letters, lookedUp, failures, clock }
}

const user: ProviderUser = {
  id: 'usr_a',
  email: 'ada@example.com',
  emailVerified: false,
  name: null,
  passwordHash: '',
  loginGeneration: 0,
}

test('the address is looked up only after the response was sent', async () => {
  const { mailed, lookedUp, letters } = opened()
  expect(mailed.requestNewPassword('Ada@example.com', '198.51.100.1')).toBe(0)
  // The response waits for promises only; a database in this thread would delay it.
  for (let turn = 0; turn < 100; turn++) await Promise.resolve()
  expect(lookedUp).toEqual([])
  await mailed.waitUntilIdle()
  expect([lookedUp, letters.length]).toEqual([['ada@example.com'], 1])
})

test('one network may cause 60 mails an hour to unverified addresses', async () => {
  const { mailed, letters, failures, clock } = opened()
  const address = '198.51.100.1'
  for (let count = 0; count < 20; count++) {
    mailed.welcome({ id: `usr_${count}`, emailVerified: false }, address)
    await mailed.waitUntilIdle()
    expect(await mailed.askToVerify(`usr_${count}`, address)).toHaveProperty('sentTo')
    expect(await mailed.askToChange(user, `${count}@example.com`, address)).toHaveProperty('sentTo')
  }
  expect(letters).toHaveLength(60)
  mailed.welcome({ id: 'usr_more', emailVerified: false }, address)
  await mailed.waitUntilIdle()
  expect(await mailed.askToVerify('usr_more', address)).toEqual({ waitSeconds: 3600 })
  expect(await mailed.askToChange(user, 'more@example.com', address)).toEqual({ waitSeconds: 3600 })
  expect(letters).toHaveLength(60)
  expect(await mailed.askToVerify('usr_more', '198.51.100.2')).toHaveProperty('sentTo')
  clock.nowMs += hourMs
  expect(await mailed.askToVerify('usr_more', address)).toHaveProperty('sentTo')
  expect(failures).toEqual([])
})

test('all networks of one customer together may cause 200', async () => {
  const { mailed, letters } = opened()
  for (let network = 0; network < 250; network++)
    await mailed.askToVerify('usr_a', `2001:db8:1:${network.toString(16)}::1`)
  expect(letters).toHaveLength(200)
  expect(await mailed.askToVerify('usr_a', '2001:db8:2::1')).toHaveProperty('sentTo')
})
