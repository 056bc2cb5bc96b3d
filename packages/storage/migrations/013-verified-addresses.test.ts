import { newIdentifier } from '@turnpike/protocol'
import { expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { openDatabase } from '../testing/open-database.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { verifiedAddresses } from './013-verified-addresses.ts'

onEachEngine((opened) => {
  test('older addresses are rewritten in canonical spelling, unless that is already taken', async () => {
    const { storage, database } = opened()
    const [one, two] = [uniqueText(), uniqueText()]
    const before: Record<string, string> = {
      [`${one}@b\u00fccher.example`]: `${one}@xn--bcher-kva.example`,
      [`${one}jose\u0301@example.com`]: `${one}jos\u00e9@example.com`,
      [`${one}@example.com.`]: `${one}@example.com`,
      [`${one}@example.org`]: `${one}@example.org`,
      [`${two}@example.com`]: `${two}@example.com`,
      // Another user has this address.
      [`${two}@example.com.`]: `${two}@example.com.`,
    }
    const ids = new Map<string, string>()
    for (const email of Object.keys(before)) {
      const user = { id: newIdentifier('usr'), email, name: null, passwordHash: '' }
      await storage.identity.users.create(user, undefined, 0)
      ids.set(email, user.id)
    }
    const { account } = await storage.accounts.provision({ email: `${two}@b.example`, tier: 'free' }, 0)
    await database.execute(`UPDATE accounts SET email = '${two}@b.example.' WHERE id = '${account.id}'`)

    const raw = await openDatabase(database.options)
    await raw.write.transaction().execute((transaction) => verifiedAddresses.rewrite!(transaction))
    await raw.close()

    for (const [email, id] of ids) expect((await storage.identity.users.find(id))?.email).toBe(before[email])
    expect((await storage.accounts.find(account.id))?.email).toBe(`${two}@b.example`)
  })
})
