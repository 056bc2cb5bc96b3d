import type { Admin } from './admin.ts'
import { makeLastingBudgets } from './budgets.ts'
import { randomOf } from './chance.ts'
import { createKey, type Movement } from './movements.ts'
import {
  accountCount,
  accountOfSlot,
  firstCreditUsd,
  sharesCredit,
  slotCount,
  wealthOf,
  type World,
} from './world.ts'

/** Accounts, their keys and what these begin with, before anything is disturbed. */
export async function buildWorld(
  seed: number,
  admin: Admin,
): Promise<{ world: World; movements: Movement[] }> {
  const random = randomOf(seed, 'world')
  const world: World = { accounts: [], slots: [], keys: [] }
  const movements: Movement[] = []
  for (let index = 0; index < accountCount; index++) {
    const email = `account-${index}@torture.test`
    const { id } = await admin.ask<{ id: string }>(random, 'POST', '/accounts', { email })
    world.accounts.push({ index, id, wealth: wealthOf(index) })
  }
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
