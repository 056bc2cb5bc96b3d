import { formatUsd, topupStatusOf } from '@turnpike/billing'
import { canonicalEmail, type Account, type OrganizationOfPerson } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { sessionsOf } from '../logins/account-sessions.ts'
import { removeMember } from '../organizations/remove-member.ts'
import type { ManagementApp } from '../management-app.ts'
import type { TokenScope } from '../scope.ts'
import { activeKeys, atOnce, close, closedSchema } from './close.ts'
import type { ManagementServices } from '../services.ts'
import { usd } from '../validation/fields.ts'

const amount = (description: string) => Type.Unsafe<string>({ ...usd, description })

const organization = Type.Object({ id: Type.String(), name: Type.String() })

const closingSchema = Type.Object(
  {
    object: Type.Literal('account_closing'),
    account_id: Type.String(),
    confirm: Type.String({ description: 'What is to be typed: the account’s email, else its identifier.' }),
    credit_usd: amount(
      'What is left, on keys and unassigned. It is not paid back by itself: it stays in the books, for the ' +
        'operator to refund.',
    ),
    active_keys: Type.Integer({ description: 'Keys that stop at once. More than 200 are told as 200.' }),
    sessions: Type.Integer({ description: 'Browsers, command lines, devices and apps that are signed out.' }),
    open_topups: Type.Integer({ description: 'Checkouts that are open, of the latest 200: they are ended.' }),
    organizations: Type.Array(organization, {
      description: 'What you leave with it. Your keys there go to the organization.',
    }),
    only_owner_of: Type.Array(organization, {
      description:
        'What keeps the account from being closed: make somebody else an owner there first, or close it.',
    }),
    erased: Type.Array(Type.String(), { description: 'What is erased, in words.' }),
    kept: Type.Array(Type.String(), { description: 'What is kept for the books, in words.' }),
  },
  { title: 'AccountClosing' },
)

const erased = [
  'your name and email, and your login',
  'your billing address',
  'every session, device and connected app',
  'kept answers, and the prompt log',
]
const kept = [
  'every movement of credit (the ledger), which is never changed',
  'top-ups, with the name and address that their receipts show',
  'requests without their contents: time, model, tokens, tags, cost, for as long as the operator keeps them',
  'names, prefixes and limits of keys, which serve nobody any more',
  'the log of actions on the account, with the addresses that they came from',
]

/** Closing one's own account: what it means is told before, and typed to be meant. */
export function registerClosing(
  app: ManagementApp,
  path: string,
  scope: TokenScope,
  services: ManagementServices,
): void {
  app.get(`${path}/closing`, { schema: { response: { 200: closingSchema } } }, async (request) =>
    closingOf(await scope.account(request), services),
  )

  const body = Type.Object(
    { confirm: Type.String({ maxLength: 320, description: 'As `GET /api/v1/me/closing` tells it.' }) },
    { additionalProperties: false },
  )
  app.post(`${path}/close`, { schema: { body, response: { 200: closedSchema } } }, async (request) => {
    const account = await scope.account(request)
    const expected = confirmationOf(account)
    if (canonicalEmail(request.body.confirm) !== canonicalEmail(expected))
      throw invalidRequest('confirm', `\`confirm\`: expected \`${expected}\`.`)
    await leaveAll(account.id, services)
    return close(account, services)
  })
}

function confirmationOf({ email, id }: Account): string {
  return email ?? id
}

async function closingOf(
  account: Account,
  services: ManagementServices,
): Promise<Static<typeof closingSchema>> {
  const [sessions, keys, topups, organizations] = await Promise.all([
    sessionsOf(services, account),
    activeKeys(account.id, services),
    services.checkout?.topups.list(account.id, { limit: atOnce }),
    services.organizations.ofPerson(account.id),
  ])
  const open = topups?.rows.filter((topup) => topupStatusOf(topup) === 'open') ?? []
  return {
    object: 'account_closing',
    account_id: account.id,
    confirm: confirmationOf(account),
    credit_usd: formatUsd(account.balancePico + account.unassignedPico),
    active_keys: keys.length,
    sessions: sessions.length,
    open_topups: open.length,
    organizations: organizations.map(named),
    only_owner_of: organizations.filter(({ isOnlyOwner }) => isOnlyOwner).map(named),
    erased,
    kept,
  }
}

function named({ id, name }: OrganizationOfPerson): { id: string; name: string } {
  return { id, name }
}

/** @throws {GatewayError} 409 where one would be left without an owner: then none is left */
async function leaveAll(personId: string, services: ManagementServices): Promise<void> {
  const organizations = await services.organizations.ofPerson(personId)
  const owned = organizations.filter(({ isOnlyOwner }) => isOnlyOwner).map(({ name }) => name)
  if (owned.length > 0)
    throw new GatewayError(
      'conflict_error',
      `You are the only owner of ${owned.join(', ')}: make somebody else an owner there first, or close it.`,
    )
  for (const { id: organizationId, memberId } of organizations)
    await removeMember({ organizationId, memberId, keysGo: 'organization', by: 'self' }, services)
}
