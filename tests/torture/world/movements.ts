import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { moveBudget } from './budgets.ts'
import { liveBriefly } from './brief-organization.ts'
import { oneOf, weighted } from '../chance.ts'
import { createKey, noteKey, type MadeKey } from './make-key.ts'
import { moveOrganization } from './organization.ts'
import { debtUsd, smallAmountUsd, type Slot, type World, type WorldAccount, type WorldKey } from './world.ts'

const kinds = {
  grant: 40,
  adjustment: 15,
  refund: 8,
  transfer: 20,
  'moved-refund': 8,
  revoke: 8,
  rotate: 6,
  draw: 14,
  creation: 3,
  budget: 16,
  organization: 30,
  'brief-organization': 3,
}
export type MovementKind = keyof typeof kinds

/** One operation on credit or keys, drawn from the seed; only the keys in the slots by then are not. */
export interface MovementPlan {
  id: string
  kind: MovementKind
  slot: number
  /** The slot of the same account that a transfer goes to, as an offset. */
  otherSlot: number
  amountUsd: string
  /** Whether a credit names its key, or goes to the account's default key. */
  namesKey: boolean
  negative: boolean
  /** Whether a key that is created, or whose payer changes, gets credit of its own. */
  hasOwn: boolean
  graceSeconds: number
}

/** An operation, for the comparison: a call that was sent may have counted; one with a response has. */
export interface Movement {
  plan: MovementPlan
  account: WorldAccount
  keyId: string | undefined
  toKeyId: string | undefined
  sentAtMs: number
  answeredAtMs: number
  status: number
  attempts: number
  /** As posted, from the response. */
  entry: { amount_usd: string; change_usd: string; debit_account: string; credit_account: string } | undefined
}

/** The credit of an organization that is closed soon. */
const briefGrant = { kind: 'grant' as const, amountUsd: '5', namesKey: true, negative: false }

/** How many keys may be created besides those in the slots. */
const mostExtraKeys = 30

export function nextMovement(random: Random, id: string, world: Pick<World, 'slots'>): MovementPlan {
  return {
    id,
    kind: weighted(random, kinds),
    slot: Math.floor(random() * world.slots.length),
    otherSlot: random() < 0.5 ? 1 : 2,
    amountUsd: smallAmountUsd(random),
    namesKey: random() < 0.6,
    negative: random() < 0.4,
    hasOwn: random() < 0.4,
    graceSeconds: oneOf(random, [0, 0, 1, 3]),
  }
}

/**
 * Performs the plan. Moving credit to a sibling and refunding it at its old place are two movements: one key
 * may not spend what the other owes.
 */
export async function perform(
  plan: MovementPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Movement[]> {
  const plans: MovementPlan[] =
    plan.kind === 'moved-refund'
      ? [
          { ...plan, id: `${plan.id}-moved`, kind: 'transfer' },
          { ...plan, id: `${plan.id}-refund`, kind: 'refund', namesKey: true },
        ]
      : [plan]
  const movements: Movement[] = []
  for (const one of plans) {
    const movement = await performOne(one, world, admin, random)
    if (movement !== undefined) movements.push(...[movement].flat())
  }
  return movements
}

/** Takes more from one key than its whole account has, as a payment dispute does. */
export async function fallIntoDebt(
  world: World,
  seed: number,
  admin: Admin,
  random: Random,
): Promise<Movement[]> {
  const movements: Movement[] = []
  for (const [slot, { account, key }] of world.slots.entries()) {
    const isFirst = world.slots.findIndex((one) => one.account === account) === slot
    if (account.wealth !== 'owing' || !isFirst || key === undefined) continue
    const plan = { id: `debt-${seed}-${slot}`, kind: 'refund' as const, slot, amountUsd: debtUsd }
    const details = { otherSlot: 0, namesKey: false, negative: false, hasOwn: false, graceSeconds: 0 }
    movements.push(await credit({ ...plan, ...details }, world.slots[slot]!, key, admin, random))
  }
  return movements
}

/** Undefined if the slot has no key, or the account does not allow this kind. */
async function performOne(
  plan: MovementPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Movement | Movement[] | undefined> {
  const slot = world.slots[plan.slot]!
  const { account, key } = slot
  if (key === undefined) return undefined
  switch (plan.kind) {
    case 'moved-refund':
      return undefined
    case 'organization': {
      const moved = await moveOrganization(plan, world, admin, random)
      return moved.map((one) => done(plan, { account: world.organization.account, ...one }))
    }
    case 'brief-organization':
      return liveBriefly(plan, world, admin, random, (given, into) =>
        credit({ ...plan, ...briefGrant }, into, given, admin, random),
      )
    case 'grant':
    case 'adjustment':
    case 'refund':
      return credit(plan, slot, key, admin, random)
    case 'draw':
      return draw(plan, world, key, admin, random)
    case 'transfer':
      return staysShared(slot) ? undefined : transfer(plan, world, key, admin, random)
    case 'creation':
      if (world.keys.length > world.slots.length + mostExtraKeys) return undefined
      await createKey(plan.id, account, plan, world, admin, random)
      return undefined
    case 'budget':
      await moveBudget(plan, world, admin, random)
      return undefined
    case 'revoke':
    case 'rotate':
      // A revoked key's credit may be moved elsewhere; then the key might not always have had enough.
      if (account.wealth === 'ample') return undefined
      return plan.kind === 'revoke'
        ? revoke(plan, slot, key, world, admin, random)
        : rotate(plan, slot, key, world, admin, random)
  }
}

async function credit(
  plan: MovementPlan,
  slot: Slot,
  key: WorldKey,
  admin: Admin,
  random: Random,
): Promise<Movement> {
  const { account } = slot
  const taken = plan.kind === 'adjustment' && plan.negative
  const namesKey = plan.namesKey && (taken || plan.kind === 'refund' || !staysShared(slot))
  const body = {
    amount_usd: taken ? `-${plan.amountUsd}` : plan.amountUsd,
    kind: plan.kind,
    reason: 'torture',
    ...(namesKey && { key_id: key.id }),
  }
  const keyId = namesKey ? key.id : undefined
  return post(plan, account, { keyId, path: `/accounts/${account.id}/credits`, body }, admin, random)
}

async function transfer(
  plan: MovementPlan,
  { slots }: World,
  key: WorldKey,
  admin: Admin,
  random: Random,
): Promise<Movement | undefined> {
  const siblings = slots.filter(
    (slot) => slot.account === key.account && slot.key !== key && !staysShared(slot),
  )
  const target = siblings[plan.otherSlot % siblings.length]?.key
  if (target === undefined) return undefined
  const path = `/accounts/${key.account.id}/keys/${key.id}/transfer`
  const body = { to_key_id: target.id, amount_usd: plan.amountUsd }
  return post(plan, key.account, { keyId: key.id, toKeyId: target.id, path, body }, admin, random)
}

/** Changes whose credit the key uses; refused if others draw on it, or if its target draws on another. */
async function draw(
  plan: MovementPlan,
  { slots }: World,
  key: WorldKey,
  admin: Admin,
  random: Random,
): Promise<Movement | undefined> {
  const { account } = key
  const slot = slots[plan.slot]!
  const isAmple = account.wealth === 'ample'
  // A key with its own credit would not have the ample credit of the account.
  if (isAmple && !slot.shares) return undefined
  const siblings = slots.filter((one) => one.account === account && one.key !== key && !staysShared(one))
  const payer = plan.hasOwn && !isAmple ? null : siblings[plan.otherSlot % siblings.length]?.key?.id
  if (payer === undefined) return undefined
  const sentAtMs = Date.now()
  const path = `/accounts/${account.id}/keys/${key.id}`
  const { status, attempts } = await admin.call(random, 'PATCH', path, { draws_on: payer })
  return done(plan, { account, keyId: key.id, sentAtMs, status, attempts })
}

/** Whether the key must get no credit by name, which would leave it with less than it may spend. */
function staysShared({ account, shares }: Slot): boolean {
  return shares && account.wealth === 'ample'
}

async function post(
  plan: MovementPlan,
  account: WorldAccount,
  call: { keyId?: string | undefined; toKeyId?: string; path: string; body: object },
  admin: Admin,
  random: Random,
): Promise<Movement> {
  const sentAtMs = Date.now()
  const { status, text, attempts } = await admin.call(random, 'POST', call.path, call.body, plan.id)
  return {
    plan,
    account,
    keyId: call.keyId,
    toKeyId: call.toKeyId,
    sentAtMs,
    answeredAtMs: Date.now(),
    status,
    attempts,
    entry: status === 201 ? (JSON.parse(text) as Movement['entry']) : undefined,
  }
}

/** Revokes the key; a new one takes its place, so the slot is empty for a moment. */
async function revoke(
  plan: MovementPlan,
  slot: Slot,
  key: WorldKey,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Movement> {
  slot.key = undefined
  key.endingSinceMs = Date.now()
  const { account } = slot
  const { status, attempts } = await admin.call(random, 'DELETE', `/accounts/${account.id}/keys/${key.id}`)
  if (status === 200) key.endedAtMs = Date.now()
  slot.key = await createKey(`${plan.id}-next`, account, plan, world, admin, random)
  return ended(plan, key, status, attempts)
}

async function rotate(
  plan: MovementPlan,
  slot: Slot,
  key: WorldKey,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Movement> {
  const path = `/accounts/${key.account.id}/keys/${key.id}/rotate`
  slot.key = undefined
  key.endingSinceMs = Date.now()
  const body = { grace_seconds: plan.graceSeconds }
  const { status, text, attempts } = await admin.call(random, 'POST', path, body, plan.id)
  if (status === 201) {
    key.endedAtMs = Date.now() + plan.graceSeconds * 1000
    slot.key = noteKey(JSON.parse(text) as MadeKey, key.account, world)
    key.successor = slot.key
  } else {
    // The response is lost: neither the old key's end nor the new key is known.
    key.successor = 'untold'
    slot.key = await createKey(`${plan.id}-next`, key.account, plan, world, admin, random)
  }
  return ended(plan, key, status, attempts)
}

function ended(plan: MovementPlan, key: WorldKey, status: number, attempts: number): Movement {
  const { account, id: keyId, endingSinceMs: sentAtMs = Date.now() } = key
  return done(plan, { account, keyId, sentAtMs, status, attempts })
}

type Done = Pick<Movement, 'account' | 'keyId' | 'sentAtMs' | 'status' | 'attempts'>

/** An operation on a key, which creates no ledger entry of its own. */
function done(plan: MovementPlan, movement: Done): Movement {
  return { plan, ...movement, toKeyId: undefined, answeredAtMs: Date.now(), entry: undefined }
}
