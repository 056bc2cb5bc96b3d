import { randomBytes } from 'node:crypto'
import type { Event, MailRecipient, PeopleOfTarget } from '@turnpike/notify'
import { newIdentifier } from '@turnpike/protocol'
import { sql, type Selectable } from 'kysely'
import type { Connection, Schema } from '../schema.ts'
import { cancelPending } from './cancel-pending.ts'

/** The value of `member_id` in a target that is for roles. */
export const everyMember = '*'
/** Members per target. A larger organization has its people subscribe to a mailing list of its own. */
const mostMembers = 200
const codeBytes = 32

type TargetRow = Selectable<Schema['event_targets']>

/**
 * The targets that an event for this target goes to: the target itself or, if it is for roles, one target per
 * member who has such a role now. Those are created when first needed. Members who unsubscribed are left out.
 */
export async function resolveTargets(
  transaction: Connection,
  { id, account_id: accountId, name, roles }: Pick<TargetRow, 'id' | 'account_id' | 'name' | 'roles'>,
  nowMs: number,
): Promise<string[]> {
  if (roles === null || accountId === null) return [id]
  const members = await reachable(transaction, accountId, JSON.parse(roles) as string[])
    .select('memberships.id')
    .orderBy('memberships.id')
    .limit(mostMembers)
    .execute()
  if (members.length === 0) return []
  const memberIds = members.map((member) => member.id)
  const known = await targetsOf(transaction, id, memberIds)
  const missing = memberIds.filter((memberId) => !known.some((row) => row.member_id === memberId))
  if (missing.length === 0) return activeIds(known)
  await transaction
    .insertInto('event_targets')
    .values(
      missing.map((memberId) => ({
        id: newIdentifier('tgt', nowMs),
        account_id: accountId,
        kind: 'mail',
        name,
        url: null,
        email: null,
        member_id: memberId,
        parent_id: id,
        types: '[]',
        secret: null,
        unsubscribe_code: newUnsubscribeCode(),
        status: 'active',
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['parent_id', 'member_id']).where('parent_id', 'is not', null).doNothing(),
    )
    .execute()
  return activeIds(await targetsOf(transaction, id, memberIds))
}

function targetsOf(transaction: Connection, parentId: string, memberIds: readonly string[]) {
  return transaction
    .selectFrom('event_targets')
    .select(['id', 'member_id', 'status'])
    .where('parent_id', '=', parentId)
    .where('member_id', 'in', memberIds)
    .orderBy('id')
    .execute()
}

const activeIds = (rows: { id: string; status: string }[]): string[] =>
  rows.filter(({ status }) => status === 'active').map(({ id }) => id)

/** Members with these roles who have not left and have a verified address. */
function reachable(connection: Connection, organizationId: string, roles: readonly string[]) {
  return peopleWith(connection, organizationId, roles)
    .where('accounts.email', 'is not', null)
    .where('accounts.email_verified', '=', 1n)
}

function peopleWith(connection: Connection, organizationId: string, roles: readonly string[]) {
  return connection
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.person_id')
    .where('organization_id', '=', organizationId)
    .where('role', 'in', roles)
    .where('memberships.status', '=', 'active')
    .where('accounts.status', '=', 'active')
}

export async function countPeople(
  connection: Connection,
  organizationId: string,
  roles: readonly string[],
): Promise<PeopleOfTarget> {
  const count = async (query: ReturnType<typeof peopleWith>): Promise<number> => {
    const row = await query
      .select((select) => select.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  const reached = await count(reachable(connection, organizationId, roles))
  return { reached, unreached: (await count(peopleWith(connection, organizationId, roles))) - reached }
}

/**
 * The address that a mail target's mail goes to now.
 * @returns undefined if there is none, because the member has left or changed roles
 */
export async function recipientOf(
  transaction: Connection,
  target: TargetRow,
  about: Event,
): Promise<MailRecipient | undefined> {
  const email = target.parent_id === null ? target.email : await addressOf(transaction, target)
  if (email === null) return undefined
  const account =
    target.account_id === null
      ? undefined
      : await transaction
          .selectFrom('accounts')
          .select(['display_name', 'kind'])
          .where('id', '=', target.account_id)
          .executeTakeFirst()
  const accountName = account?.kind === 'organization' ? account.display_name : null
  const memberName = await nameOfMember(transaction, about)
  return { email, accountName, memberName, unsubscribeCode: await unsubscribeCode(transaction, target) }
}

/** Events contain identifiers only. The mail shows the current name; a closed account has none. */
async function nameOfMember(transaction: Connection, { accountId, data }: Event): Promise<string | null> {
  const memberId = data['member_id']
  if (typeof memberId !== 'string' || accountId === null) return null
  const member = await transaction
    .selectFrom('memberships')
    .leftJoin('accounts', 'accounts.id', 'memberships.person_id')
    .select(['memberships.name', 'accounts.display_name'])
    .where('memberships.id', '=', memberId)
    .where('organization_id', '=', accountId)
    .executeTakeFirst()
  return member?.name ?? member?.display_name ?? null
}

async function addressOf(
  transaction: Connection,
  { account_id: accountId, parent_id: parentId, member_id: memberId }: TargetRow,
): Promise<string | null> {
  const parent = await transaction
    .selectFrom('event_targets')
    .select('roles')
    .where('id', '=', parentId!)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (parent === undefined) return null
  const roles = JSON.parse(parent.roles ?? '[]') as string[]
  const member = await reachable(transaction, accountId!, roles)
    .select('accounts.email')
    .where('memberships.id', '=', memberId!)
    .executeTakeFirst()
  return member?.email ?? null
}

export function newUnsubscribeCode(): string {
  return randomBytes(codeBytes).toString('base64url')
}

/** The same code in every mail of this target. A target from before there were codes gets one now. */
async function unsubscribeCode(transaction: Connection, target: TargetRow): Promise<string> {
  if (target.unsubscribe_code !== null) return target.unsubscribe_code
  const stored = await transaction
    .updateTable('event_targets')
    .set({ unsubscribe_code: sql<string>`coalesce(unsubscribe_code, ${newUnsubscribeCode()})` })
    .where('id', '=', target.id)
    .returning('unsubscribe_code')
    .executeTakeFirstOrThrow()
  return stored.unsubscribe_code!
}

/** Ends the mail that an organization sends to a member's own address, when that member leaves. */
export async function dropOwnAddress(
  transaction: Connection,
  organizationId: string,
  memberId: string,
  nowMs: number,
): Promise<void> {
  const dropped = await transaction
    .updateTable('event_targets')
    .set({
      status: 'disabled',
      disabled_reason: 'its address belongs to a member who has left',
      confirm_hash: null,
      updated_at_ms: nowMs,
    })
    .where('account_id', '=', organizationId)
    .where('kind', '=', 'mail')
    .where('status', '<>', 'disabled')
    .where('email', '=', (of) =>
      of
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.person_id')
        .select('accounts.email')
        .where('memberships.id', '=', memberId),
    )
    .returning('id')
    .execute()
  for (const { id } of dropped) await cancelPending(transaction, id)
}
