import type { Random } from '@turnpike/simulators'
import type { Admin, AdminAnswer } from './admin.ts'
import { readKeys } from '../comparison/books.ts'
import { oneOf, weighted } from '../chance.ts'
import { createKey, noteKey, ownerOf, type MadeKey } from './make-key.ts'
import type { Slot, World, WorldKey } from './world.ts'

/** The fields of a movement's plan that decide what happens to the organization. */
interface OrganizationPlan {
  id: string
  slot: number
  hasOwn: boolean
  negative: boolean
}

/** A key that was handed over, or that ended with its owner. */
interface Moved {
  keyId: string
  sentAtMs: number
  status: number
  attempts: number
}

const moves = { join: 20, role: 8, service: 6, project: 6, archive: 3, 'hand-over': 26, remove: 14, leave: 6 }

/** The member who never leaves. */
export const founder = 'founder'
const others = ['ada', 'ben', 'cleo', 'dora']
const firstProjects = 2
const mostProjects = 20
const mostServices = 10

const pathOf = ({ organization }: World): string => `/accounts/${organization.account.id}`

interface Member {
  id: string
  kind: 'person' | 'service'
  source: string
  status: string
}

/** Creates members and projects, before any disturbance. */
export async function furnish(world: World, admin: Admin, random: Random): Promise<void> {
  world.organization.memberIds.push(...(await members(world, admin, random)).map(({ id }) => id))
  await serve('service-first', world, admin, random)
  for (const person of others.slice(0, 2)) await join(`join-${person}`, person, world, admin, random)
  for (let number = 0; number < firstProjects; number++)
    await project(`project-${number}`, world, admin, random)
}

/** Changes members, and the owners of keys, while requests run. */
export async function moveOrganization(
  plan: OrganizationPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Moved[]> {
  const { organization } = world
  const move = weighted(random, moves)
  organization.moves.push(move)
  switch (move) {
    case 'join':
      await join(plan.id, oneOf(random, others), world, admin, random)
      return []
    case 'role':
      await changeRole(plan, world, admin, random)
      return []
    case 'service':
      if (organization.memberIds.length < mostServices + others.length)
        await serve(plan.id, world, admin, random)
      return []
    case 'project':
      if (organization.projectIds.length < mostProjects) await project(plan.id, world, admin, random)
      return []
    case 'archive': {
      // The first projects have budgets that last the whole run.
      const projectId = organization.projectIds[firstProjects + (plan.slot % mostProjects)]
      if (projectId !== undefined)
        await admin.call(random, 'DELETE', `${pathOf(world)}/projects/${projectId}`)
      return []
    }
    case 'hand-over':
      return handOver(plan, world, admin, random)
    case 'remove':
      return remove(plan, world, admin, random)
    case 'leave':
      return leave(plan, world, admin, random)
  }
}

/** Invites a person, who accepts; an existing member is refused. */
async function join(id: string, person: string, world: World, admin: Admin, random: Random): Promise<void> {
  const role = oneOf(random, ['owner', 'admin', 'developer', 'developer'])
  const path = `${pathOf(world)}/organization/invitations`
  const invited = await admin.call(random, 'POST', path, { role }, `${id}-invited`)
  if (invited.status !== 201) return
  const [, code] = (JSON.parse(invited.text) as { url: string }).url.split('#')
  const joining = world.organization.as(person, false)
  const accepting = '/organization-invitations/accept'
  const { status, text } = await joining.call(random, 'POST', accepting, { code }, `${id}-accepted`)
  if (status === 200) note(world, (JSON.parse(text) as { member_id: string }).member_id)
}

async function serve(id: string, world: World, admin: Admin, random: Random): Promise<void> {
  const path = `${pathOf(world)}/organization/members`
  const { status, text } = await admin.call(random, 'POST', path, { name: id }, id)
  if (status === 201) note(world, (JSON.parse(text) as Member).id)
}

function note({ organization }: World, memberId: string): void {
  if (!organization.memberIds.includes(memberId)) organization.memberIds.push(memberId)
}

async function project(id: string, world: World, admin: Admin, random: Random): Promise<void> {
  const { status, text } = await admin.call(random, 'POST', `${pathOf(world)}/projects`, { name: id }, id)
  if (status === 201) world.organization.projectIds.push((JSON.parse(text) as { id: string }).id)
}

/** All current members. */
async function members(world: World, admin: Admin, random: Random): Promise<Member[]> {
  const path = `${pathOf(world)}/organization/members?limit=200`
  const { data } = await admin.ask<{ data: Member[] }>(random, 'GET', path)
  return data.filter(({ status }) => status === 'active')
}

async function oneMember(
  { slot }: OrganizationPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Member | undefined> {
  const found = (await members(world, admin, random)).filter(({ source }) => source !== 'founder')
  return found[slot % Math.max(1, found.length)]
}

async function changeRole(plan: OrganizationPlan, world: World, admin: Admin, random: Random): Promise<void> {
  const member = await oneMember(plan, world, admin, random)
  if (member === undefined) return
  const role = oneOf(random, ['owner', 'admin', 'developer', 'viewer'])
  await admin.call(random, 'PATCH', `${pathOf(world)}/organization/members/${member.id}`, { role })
}

/** Hands a key over to another member or project: its secret then belongs to a new record. */
async function handOver(
  plan: OrganizationPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<Moved[]> {
  const slots = world.slots.filter((one) => one.account === world.organization.account)
  const slot = slots[plan.slot % slots.length]!
  const { key } = slot
  if (key === undefined) return []
  const { member_id = null, project_id = null } = ownerOf(world, random)
  const body = plan.hasOwn ? { member_id } : plan.negative ? { project_id } : { member_id, project_id }
  const sentAtMs = takeOut(slot, key)
  const path = `${pathOf(world)}/keys/${key.id}/hand-over`
  const { status, text, attempts } = await admin.call(random, 'POST', path, body, plan.id)
  if (status === 201) {
    slot.key = noteKey({ ...(JSON.parse(text) as MadeKey), raw: key.raw }, key.account, world)
    key.successor = slot.key
  } else slot.key = await stillThere(plan, key, world, admin, random)
  return [{ keyId: key.id, sentAtMs, status, attempts }]
}

function takeOut(slot: Slot, key: WorldKey): number {
  slot.key = undefined
  key.endingSinceMs = Date.now()
  return key.endingSinceMs
}

/**
 * The key that the secret now belongs to: the same one, or the record that replaced it, which has the same
 * name; a new key if it has ended.
 */
async function stillThere(
  plan: OrganizationPlan,
  key: WorldKey,
  world: World,
  admin: Admin,
  random: Random,
): Promise<WorldKey> {
  const keys = await readKeys(admin, key.account.id)
  const found = keys.find(({ name, status, replaced_by: next }) => {
    return name === key.name && status === 'active' && next === null
  })
  if (found?.id === key.id) return key
  if (found === undefined) {
    key.successor = 'untold'
    return createKey(`${plan.id}-of-${key.id}`, key.account, plan, world, admin, random)
  }
  key.successor = noteKey({ ...found, raw: key.raw }, key.account, world)
  return key.successor
}

async function remove(plan: OrganizationPlan, world: World, admin: Admin, random: Random): Promise<Moved[]> {
  const member = await oneMember(plan, world, admin, random)
  if (member === undefined) return []
  const path = `${pathOf(world)}/organization/members/${member.id}?keys=`
  return withKeys(plan, member.id, world, admin, random, (keysGo) =>
    admin.call(random, 'DELETE', path + keysGo),
  )
}

/** Like `remove`, but called by the person, who may have left already or never joined. */
async function leave(plan: OrganizationPlan, world: World, admin: Admin, random: Random): Promise<Moved[]> {
  const leaver = world.organization.as(oneOf(random, others), true)
  const { status, text } = await leaver.call(random, 'GET', '/me')
  if (status !== 200) return []
  const { member_id: memberId } = JSON.parse(text) as { member_id: string }
  return withKeys(plan, memberId, world, admin, random, (keys) =>
    leaver.call(random, 'POST', '/organization/leave', { keys }, plan.id),
  )
}

/** Removes a member, whose keys end too or go to the organization. */
async function withKeys(
  plan: OrganizationPlan,
  memberId: string,
  world: World,
  admin: Admin,
  random: Random,
  goes: (keys: 'organization' | 'revoked') => Promise<AdminAnswer>,
): Promise<Moved[]> {
  const keysGo = oneOf(random, ['organization', 'organization', 'revoked'] as const)
  const theirs = world.slots.flatMap((slot) =>
    slot.key?.memberId === memberId ? [{ slot, key: slot.key, sentAtMs: takeOut(slot, slot.key) }] : [],
  )
  const { status, attempts } = await goes(keysGo)
  const endedAtMs = Date.now()
  const moved: Moved[] = []
  for (const { slot, key, sentAtMs } of theirs) {
    if (status === 200 && keysGo === 'revoked') key.endedAtMs = endedAtMs
    slot.key = await stillThere(plan, key, world, admin, random)
    moved.push({ keyId: key.id, sentAtMs, status, attempts })
  }
  return moved
}
