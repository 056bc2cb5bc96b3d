import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { pauseOf } from '../chance.ts'
import { createKey } from './make-key.ts'
import { founder } from './organization.ts'
import { nextRequest } from '../clients/requests.ts'
import type { Slot, World, WorldAccount, WorldKey } from './world.ts'

/** Small, since all accounts are compared one by one. */
const mostOfThem = 12
/** Keeps their requests' numbers apart from those of all clients. */
const firstNumber = 900_000_000
const requests = 8
const meanPauseMs = 60
/** Enough for a few answers. */
const budgetUsd = '0.02'

/** Creates an organization with credit, a key and a budget, and closes it while its key is in use. */
export async function liveBriefly<Given>(
  { id: name }: { id: string },
  world: World,
  admin: Admin,
  random: Random,
  give: (key: WorldKey, slot: Slot) => Promise<Given>,
): Promise<Given[]> {
  const count = world.accounts.filter(({ wealth }) => wealth === 'brief').length
  if (count >= mostOfThem) return []
  const person = world.organization.as(founder, false)
  const made = await person.call(random, 'POST', '/organizations', { name }, name)
  // An organization created by a lost call is empty and unknown.
  if (made.status !== 201) return []
  const { id } = JSON.parse(made.text) as { id: string }
  const account: WorldAccount = { index: world.accounts.length, id, wealth: 'brief' }
  world.accounts.push(account)
  const key = await createKey(`${name}-key`, account, { hasOwn: true }, world, admin, random)
  const given = await give(key, { account, key, shares: false })
  const budget = { name, scope: 'organization', period: 'day', limit_usd: budgetUsd }
  await admin.call(random, 'POST', `/accounts/${id}/budgets`, budget, `${name}-budget`)
  const asked = Array.from({ length: requests }, async (_, at) => {
    await delay(pauseOf(random, meanPauseMs))
    const number = firstNumber + account.index * requests + at
    await world.organization.ask(nextRequest(random, number, 1), key)
  })
  await delay(pauseOf(random, meanPauseMs))
  key.endingSinceMs = Date.now()
  const closing = `/accounts/${id}/organization/close`
  const { status } = await admin.call(random, 'POST', closing, { confirm: name }, `${name}-closed`)
  if (status === 200) key.endedAtMs = Date.now()
  world.organization.moves.push(`closed another ${status}`)
  await Promise.all(asked)
  return [given]
}
