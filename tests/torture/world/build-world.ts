import type { Admin } from './admin.ts'
import { makeLastingBudgets } from './budgets.ts'
import { randomOf } from '../chance.ts'
import { send } from '../clients/clients.ts'
import { createKey } from './make-key.ts'
import type { Movement } from './movements.ts'
import { founder, furnish } from './organization.ts'
import type { People } from './people.ts'
import type { Sighting } from '../clients/sighting.ts'
import {
  accountCount,
  accountOfSlot,
  firstCreditUsd,
  sharesCredit,
  slotCount,
  wealthOf,
  type Organization,
  type World,
  type WorldAccount,
} from './world.ts'

interface Made {
  id: string
}

/** Creates accounts and keys with their initial credit, before any disturbance. */
export async function buildWorld(
  seed: number,
  admin: Admin,
  people: People,
  sightings: Sighting[],
): Promise<{ world: World; movements: Movement[] }> {
  const random = randomOf(seed, 'world')
  const accounts: WorldAccount[] = []
  for (let index = 0; index < accountCount; index++) {
    const wealth = wealthOf(index)
    const { id } =
      wealth === 'budgeted'
        ? await admin
            .as(people.caller(founder))
            .ask<Made>(random, 'POST', '/organizations', { name: 'Torture' })
        : await admin.ask<Made>(random, 'POST', '/accounts', { email: `account-${index}@torture.test` })
    accounts.push({ index, id, wealth })
  }
  const account = accounts.find(({ wealth }) => wealth === 'budgeted')!
  const as: Organization['as'] = (person, isForIt) =>
    admin.as(people.caller(person, isForIt ? account.id : undefined))
  const ask: Organization['ask'] = async (plan, key) => {
    sightings.push(await send(plan, key, admin))
  }
  const organization = { account, memberIds: [], projectIds: [], moves: [], as, ask }
  const world: World = { accounts, slots: [], keys: [], organization }
  await furnish(world, admin, random)
  const movements: Movement[] = []
  for (let index = 0; index < slotCount; index++) {
    const account = world.accounts[accountOfSlot(index)]!
    const shares = sharesCredit(index)
    const key = await createKey(`first-${index}`, account, { hasOwn: !shares }, world, admin, random)
    world.slots.push({ account, key, shares })
    if (shares) continue
    movements.push(await firstCredit(index, world, firstCreditUsd(random, account.wealth), admin, random))
  }
  await makeLastingBudgets(world, admin, random)
  return { world, movements }
}

async function firstCredit(
  index: number,
  world: World,
  amountUsd: string,
  admin: Admin,
  random: ReturnType<typeof randomOf>,
): Promise<Movement> {
  const { account, key } = world.slots[index]!
  const id = `first-credit-${index}`
  const sentAtMs = Date.now()
  const body = { amount_usd: amountUsd, key_id: key!.id, kind: 'grant', reason: 'torture' }
  const path = `/accounts/${account.id}/credits`
  const entry = await admin.ask<NonNullable<Movement['entry']>>(random, 'POST', path, body, id)
  return {
    plan: {
      id,
      kind: 'grant',
      slot: index,
      otherSlot: 0,
      amountUsd,
      namesKey: true,
      negative: false,
      hasOwn: false,
      graceSeconds: 0,
    },
    account,
    keyId: key!.id,
    toKeyId: undefined,
    sentAtMs,
    answeredAtMs: Date.now(),
    status: 201,
    attempts: 1,
    entry,
  }
}
