import { formatUsd, topupStatusOf } from '@turnpike/billing'
import { canonicalEmail, type Account } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { sessionsOf } from '../logins/account-sessions.ts'
import type { ManagementApp } from '../management-app.ts'
import type { TokenScope } from '../scope.ts'
import type { ManagementServices } from '../services.ts'
import { usd } from '../validation/fields.ts'

/** Revoked before the answer, and looked through for open checkouts; more are revoked by the nodes' own sweep. */
const atOnce = 200

const amount = (description: string) => Type.Unsafe<string>({ ...usd, description })

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
    open_topups: Type.Integer({ description: 'Checkouts that could still be paid, of the latest 200.' }),
    erased: Type.Array(Type.String(), { description: 'What is erased, in words.' }),
    kept: Type.Array(Type.String(), { description: 'What is kept for the books, in words.' }),
  },
  { title: 'AccountClosing' },
)

const closedSchema = Type.Object({
  object: Type.Literal('closed_account'),
  account_id: Type.String(),
  credit_usd: amount('What was left, and stays in the books.'),
})

const erased = [
  'your name and email, and your login',
  'your billing address',
  'every session, device and connected app',
  'kept answers',
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
    await close(account, services)
    const { balancePico, unassignedPico } = (await services.accounts.find(account.id)) ?? account
    return {
      object: 'closed_account' as const,
      account_id: account.id,
      credit_usd: formatUsd(balancePico + unassignedPico),
    }
  })
}

function confirmationOf({ email, id }: Account): string {
  return email ?? id
}

async function closingOf(
  account: Account,
  services: ManagementServices,
): Promise<Static<typeof closingSchema>> {
  const [sessions, keys, topups] = await Promise.all([
    sessionsOf(services, account),
    activeKeys(account.id, services),
    services.checkout?.topups.list(account.id, { limit: atOnce }),
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
    erased,
    kept,
  }
}

/**
 * No key serves from the first step on, on any node. What requests in flight hold is charged as they end, to
 * the credit that their keys left to the account.
 */
async function close({ id }: Account, services: ManagementServices): Promise<void> {
  const keyIds = await activeKeys(id, services)
  if (!(await services.accounts.close(id, services.clock())))
    throw new GatewayError('conflict_error', 'The account is not active any more.')
  services.onAccountChanged(id)
  for (const keyId of keyIds) {
    await services.apiKeys.revoke(id, keyId, services.clock())
    services.onKeyChanged(keyId)
    await services.releaseCredit(keyId)
  }
}

async function activeKeys(accountId: string, { apiKeys }: ManagementServices): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page = { limit: atOnce, ...(cursor !== null && { cursor }) }
    const found: Awaited<ReturnType<typeof apiKeys.list>> = await apiKeys.list(accountId, page)
    for (const { id, status } of found.rows) if (status === 'active') ids.push(id)
    cursor = found.nextCursor
  } while (cursor !== null && ids.length < atOnce)
  return ids.slice(0, atOnce)
}
