import { parseUsd, sandboxSession } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { newRecord } from '../../../storage/testing/fixtures.ts'
import { nowMs, type ManagementServer } from './management-server.ts'

/** A user with at least one of everything. */
export interface FurnishedAccount {
  subject: string
  account_id: string
  key_id: string
  session_id: string
  request_id: string
  /** The code of a device whose sign-in they have denied: until it is decided, it belongs to nobody. */
  user_code: string
  /** An app that they have allowed to use the MCP server. */
  app_id: string
  /** A browser in which they are signed in. */
  login_session_id: string
  /** A webhook of theirs, an event it received, and its delivery. */
  target_id: string
  event_id: string
  delivery_id: string
  /** A card that automatic top-ups are charged to. */
  payment_method_id: string
  /** An organization of theirs, and its things. */
  organization_id: string
  member_id: string
  invitation_id: string
  /** Of their own account. */
  project_id: string
  budget_id: string
  vendor_key_id: string
  /** The identifiers of all its things. */
  identifiers: string[]
}

/** The account to act for on a path: for paths about an organization, the user's organization. */
export function actedFor(
  path: string,
  { account_id, organization_id }: FurnishedAccount,
): { accountId: string; headers: Record<string, string> } {
  if (!/\/organization(?:\/|$)/.test(path)) return { accountId: account_id, headers: {} }
  return { accountId: organization_id, headers: { 'x-turnpike-org': organization_id } }
}

/** Signs in a new user, who creates keys, opens top-ups and makes requests. */
export async function furnishedAccount(server: ManagementServer, subject: string): Promise<FurnishedAccount> {
  const as = subject
  const { id: accountId } = (await server.call('GET', '/api/v1/me', { as })).json
  const keys: string[] = []
  const sessions: string[] = []
  const requests: string[] = []
  for (const name of ['first', 'second']) {
    keys.push((await server.call('POST', '/api/v1/me/keys', { as, body: { name } })).json.id)
    const credit = { kind: 'grant', amount_usd: '50', reason: name }
    await server.call('POST', `/api/v1/admin/accounts/${accountId}/credits`, { body: credit })
    const topup = await server.call('POST', '/api/v1/topup', { as, body: { amount_usd: '5' } })
    sessions.push(String(topup.json['session_id']))
    const tags = [`of ${subject}`, name]
    const record = newRecord({ id: keys[0]!, accountId }, { startedAtMs: nowMs, tags })
    await server.write(record)
    requests.push(record.id)
  }
  const { userCode } = await server.services.deviceSignIns!.signIns.begin('claude_code', '203.0.113.7')
  await server.call('POST', `/api/v1/me/device-sign-ins/${userCode}/deny`, { as })
  const appId = await connectApp(server, subject)
  const loginSessionId = await signInBrowser(server, subject)
  const delivery = await tellOfTest(server, subject)
  const paymentMethodId = await saveCard(server, subject, accountId)
  const { organizationId, memberId, invitationId } = await makeOrganization(server, subject)
  const { projects, budgets, vendorKeys } = await makeThings(server, subject)
  return {
    subject,
    account_id: accountId,
    key_id: keys[0]!,
    session_id: sessions[0]!,
    request_id: requests[0]!,
    user_code: userCode,
    app_id: appId,
    login_session_id: loginSessionId,
    ...delivery,
    payment_method_id: paymentMethodId,
    organization_id: organizationId,
    member_id: memberId,
    invitation_id: invitationId,
    project_id: projects[0]!,
    budget_id: budgets[0]!,
    vendor_key_id: vendorKeys[0]!,
    identifiers: [
      ...budgets,
      ...vendorKeys,
      ...Object.values(delivery),
      organizationId,
      memberId,
      invitationId,
      ...projects,
      accountId,
      ...keys,
      ...sessions,
      ...requests,
      appId,
      loginSessionId,
      paymentMethodId,
    ],
  }
}

async function makeThings(server: ManagementServer, as: string) {
  const make = async (path: string, bodies: object[]): Promise<string[]> => {
    const ids: string[] = []
    for (const body of bodies) ids.push((await server.call('POST', `/api/v1/${path}`, { as, body })).json.id)
    return ids
  }
  const names = ['first', 'second'].map((name) => `${name} of ${as}`)
  const budget = { name: `of ${as}`, scope: 'organization', limit_usd: '5' }
  const secret = `sk-${as}-0123456789abcdef`
  return {
    projects: await make(
      'projects',
      names.map((name) => ({ name })),
    ),
    budgets: await make(
      'budgets',
      ['day', 'month'].map((period) => ({ ...budget, period })),
    ),
    vendorKeys: await make(
      'vendor-keys',
      names.map((name) => ({ provider: 'openai', name, secret })),
    ),
  }
}

async function makeOrganization(
  server: ManagementServer,
  as: string,
): Promise<{ organizationId: string; memberId: string; invitationId: string }> {
  const made = await server.call('POST', '/api/v1/organizations', { as, body: { name: `org of ${as}` } })
  const headers = { 'x-turnpike-org': made.json.id }
  const post = (path: string, body: object) =>
    server.call('POST', `/api/v1/organization/${path}`, { as, headers, body })
  const invited = await post('invitations', { role: 'viewer' })
  await post('invitations', { role: 'admin' })
  await post('members', { name: `service of ${as}` })
  return {
    organizationId: made.json.id,
    memberId: String(made.json['member_id']),
    invitationId: invited.json.id,
  }
}

/** Creates a grant with a refresh token, as the embedded provider stores them. */
async function connectApp({ storage }: ManagementServer, subject: string): Promise<string> {
  const id = `grant-of-${subject}-000000000001`
  const iat = Math.floor(nowMs / 1000)
  const clientId = 'https://agent.example/client.json'
  const common = { payload: { clientId, accountId: subject, iat }, userCode: null }
  const expiresAtMs = nowMs + 365 * 24 * 60 * 60 * 1000
  const { state } = storage.identity
  await state.write({ ...common, kind: 'Grant', id, uid: subject, grantId: null, expiresAtMs })
  const token = { ...common, kind: 'RefreshToken', id: `token-of-${id}`, uid: null, grantId: id }
  await state.write({ ...token, expiresAtMs })
  return id
}

async function signInBrowser({ storage }: ManagementServer, subject: string): Promise<string> {
  const user = { id: subject, email: `${subject}@example.com`, name: null, passwordHash: '' }
  await storage.identity.users.create(user, undefined, nowMs)
  const common = { userAgent: 'Browser/1', address: '203.0.113.7', nowMs }
  return storage.identity.sessions.begin({
    ...common,
    id: newIdentifier('ses', nowMs),
    userId: subject,
    loginGeneration: 0,
    kind: 'browser',
    browserUid: `browser-of-${subject}`,
    expiresAtMs: nowMs + 1_000_000,
  })
}

/** Saves a card at the sandbox checkout, and sets what to charge to it. */
async function saveCard(server: ManagementServer, as: string, accountId: string): Promise<string> {
  const { topups, auto } = server.services.checkout!
  const amountPico = parseUsd('5')
  const bought = { accountId, keyId: null, amountPico, idempotencyKey: null, savesMethod: true }
  const topup = await topups.open(bought)
  await topups.settle({ about: 'session', session: sandboxSession(topup, 'paid', 'accepted') })
  const [method] = await auto!.store.methods(accountId)
  const body = { threshold_usd: '1', amount_usd: '5', monthly_cap_usd: '5', payment_method_id: method!.id }
  await server.call('PUT', '/api/v1/auto-topup', { as, body })
  return method!.id
}

/** Creates a webhook with two pending test events. */
async function tellOfTest(server: ManagementServer, as: string) {
  const body = { kind: 'webhook', url: `https://hooks.example.com/${as}`, name: `of ${as}` }
  const { id: targetId } = (await server.call('POST', '/api/v1/event-targets', { as, body })).json
  const test = `/api/v1/event-targets/${targetId}/test`
  await server.call('POST', test, { as })
  const { json } = await server.call('POST', test, { as })
  return { target_id: targetId, event_id: String(json['event_id']), delivery_id: json.id }
}
