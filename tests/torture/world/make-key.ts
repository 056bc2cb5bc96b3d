import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { oneOf } from '../chance.ts'
import { smallAmountUsd, type World, type WorldAccount, type WorldKey } from './world.ts'

/** A key as the admin API returns it. */
export interface MadeKey {
  id: string
  name: string
  raw: string
  draws_on: string | null
  member_id: string | null
}

/**
 * Creates a new key of the account; retries by a new call if the response is lost. A key that the lost call
 * has created stays, and its raw text is unknown. In the organization, a random member and project own the
 * key.
 */
export async function createKey(
  name: string,
  account: WorldAccount,
  { hasOwn }: { hasOwn: boolean },
  world: World,
  admin: Admin,
  random: Random,
): Promise<WorldKey> {
  const limit = account.wealth === 'limited' && {
    spend_limit_usd: smallAmountUsd(random),
    spend_limit_period: 'total',
  }
  let owner = account === world.organization.account ? ownerOf(world, random) : {}
  for (let call = 1; ; call++) {
    const id = `${name}-call-${call}`
    const path = `/accounts/${account.id}/keys`
    const body = { name, ...limit, ...owner, ...(hasOwn && { draws_on: null }) }
    const { status, text } = await admin.call(random, 'POST', path, body, id)
    if (status === 201) return noteKey(JSON.parse(text) as MadeKey, account, world)
    // The intended owner may have left meanwhile, or the project may be archived.
    const isOfNobody = Object.keys(owner).length > 0 && (status === 404 || status === 400)
    if (status !== 409 && !isOfNobody) throw new Error(`${path}: ${status} ${text}`)
    owner = {}
  }
}

/** Picks a member or none, and a project or none. */
export function ownerOf(
  { organization }: Pick<World, 'organization'>,
  random: Random,
): { member_id?: string; project_id?: string } {
  const memberId = oneOf(random, [undefined, ...organization.memberIds])
  const projectId = oneOf(random, [undefined, ...organization.projectIds])
  return {
    ...(memberId !== undefined && { member_id: memberId }),
    ...(projectId !== undefined && { project_id: projectId }),
  }
}

export function noteKey(made: MadeKey, account: WorldAccount, world: World): WorldKey {
  const { id, name, raw, draws_on: drawsOn, member_id: memberId } = made
  const nothingYet = { endingSinceMs: undefined, endedAtMs: undefined, successor: undefined }
  const key: WorldKey = { id, name, raw, drawsOn, memberId, account, ...nothingYet }
  world.keys.push(key)
  return key
}
