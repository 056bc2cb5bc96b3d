import { formatUsd, topupStatusOf } from '@turnpike/billing'
import { canonicalEmail, type Account, type OrganizationOfPerson } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { sessionsOf } from '../logins/account-sessions.ts'
import { removeMember } from '../organizations/remove-member.ts'
import type { TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { activeKeys, atOnce, close, closedSchema } from './close.ts'
import type { ManagementServices } from '../services.ts'
import { usd, requestObject } from '../validation/fields.ts'

const amount = (description: string) => Type.Unsafe<string>({ ...usd, description })

const organization = Type.Object({ id: Type.String(), name: Type.String() })

const closingSchema = Type.Object(
  {
    object: Type.Literal('account_closing'),
    account_id: Type.String(),
    confirm: Type.String({
      description: 'What must be entered to confirm: the account’s email, or its id if it has none.',
    }),
    credit_usd: amount(
      'Remaining credit, on keys and unassigned. It is not refunded automatically. It stays on record ' +
        'for the operator to refund.',
    ),
    active_keys: Type.Integer({ description: 'Keys that stop at once, counted up to 200.' }),
    sessions: Type.Integer({ description: 'Browsers, command lines, devices and apps that are signed out.' }),
    open_topups: Type.Integer({ description: 'Open checkouts among the latest 200; they are cancelled.' }),
    organizations: Type.Array(organization, {
      description: 'Organizations that you leave. Your keys there go to the organization.',
    }),
    only_owner_of: Type.Array(organization, {
      description: 'What prevents closing: make somebody else an owner there first, or close it.',
    }),
    erased: Type.Array(Type.String(), { description: 'What is deleted, as text.' }),
    kept: Type.Array(Type.String(), { description: 'What is kept for accounting, as text.' }),
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
  'every ledger entry; the ledger is never changed',
  'top-ups, with the name and address on their receipts',
  'requests without their content: time, model, tokens, tags, cost, for as long as the operator keeps them',
  'names, prefixes and limits of keys, which no longer work',
  'the audit log of the account, with IP addresses',
]

/** Lets users close their own account. They first read what it means, and must type a confirmation. */
export const registerClosing: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  app.get(`${path}/closing`, { schema: { response: { 200: closingSchema } } }, async (request) =>
    closingOf(await scope.account(request), services),
  )

  const body = requestObject({
    confirm: Type.String({ maxLength: 320, description: 'As returned by `GET /api/v1/me/closing`.' }),
  })
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
    organizations: organizations.map(toOrganization),
    only_owner_of: organizations.filter(({ isOnlyOwner }) => isOnlyOwner).map(toOrganization),
    erased,
    kept,
  }
}

function toOrganization({ id, name }: OrganizationOfPerson): { id: string; name: string } {
  return { id, name }
}

/** @throws {GatewayError} 409 if an organization would have no owner; the person then leaves none */
async function leaveAll(personId: string, services: ManagementServices): Promise<void> {
  const organizations = await services.organizations.ofPerson(personId)
  const owned = organizations.filter(({ isOnlyOwner }) => isOnlyOwner).map(({ name }) => name)
  if (owned.length > 0)
    throw new GatewayError(
      'conflict_error',
      `You are the only owner of ${owned.join(', ')}. Make somebody else an owner first, or close it.`,
    )
  for (const { id: organizationId, memberId } of organizations)
    await removeMember({ organizationId, memberId, keysGo: 'organization', by: 'self' }, services)
}
