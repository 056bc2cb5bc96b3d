import { PageClient } from '../../../apps/server/identity/testing/page-client.ts'
import { loginByDevice } from '../../../apps/server/identity/testing/device-login.ts'
import { newEmail } from '../../../apps/server/identity/testing/sign-in.ts'
import { internalSecret, startTestNode, type TestNode } from '../../nodes/test-node.ts'
import type { WebhookReceiver } from '../../../apps/server/notify/testing/webhook-receiver.ts'
import type { AnswerBody, DocumentedApi } from './documented-api.ts'

const key32 = (byte: number): string => Buffer.alloc(32, byte).toString('base64')

/** Starts a gateway with every feature enabled. */
export function startFurnishedNode(): Promise<TestNode> {
  return startTestNode({
    input: {
      server: { port: 0, trusted_proxies: ['127.0.0.1'] },
      byok: { encryption_keys: [key32(7)] },
      webhooks: { allowed_networks: ['127.0.0.1'], encryption_keys: [key32(5)] },
      dashboard: { public_models: true },
      providers: { openai: { api_keys: ['of the operator'] } },
    },
  })
}

/** A user who has one of everything; path parameters by their names. */
export interface Furnished {
  user: Record<string, string>
  organization: Record<string, string>
  operator: Record<string, string>
  parameters: Record<string, string>
}

/** Uses the API as a customer, and as an operator for the customer. */
export async function furnish(
  node: TestNode,
  api: DocumentedApi,
  { url }: WebhookReceiver,
): Promise<Furnished> {
  const { access_token: token } = await loginByDevice(node.origin, {
    email: newEmail(),
    name: 'Ada Lovelace',
  })
  const user = { authorization: `Bearer ${token}` }
  const operator = { 'x-internal-secret': internalSecret }
  const asUser = (method: string, path: string, body: object = {}, more: Record<string, string> = {}) =>
    api.ask(`/api/v1${path}`, { method, ...(method !== 'GET' && { body }), headers: { ...user, ...more } })
  const asOperator = (method: string, path: string, body: object = {}) =>
    api.ask(`/api/v1/admin${path}`, { method, body, headers: operator })

  const me = await api.ask('/api/v1/me', { headers: user })
  await asUser('PATCH', '/me', { log_prompts: true })
  const key = await asUser('POST', '/me/keys', { name: 'laptop' })
  const credit = { kind: 'grant', amount_usd: '25', key_id: key.id, reason: 'welcome' }
  await asOperator('POST', `/accounts/${me.id}/credits`, credit)
  const requestId = await callModels(node, { ...key, accountId: me.id })
  const limit = { name: 'all', scope: 'organization', period: 'month', limit_usd: '50' }
  const budget = await asUser('POST', '/budgets', limit)
  const vendorKey = await asUser('POST', '/vendor-keys', {
    provider: 'openai',
    name: 'ours',
    secret: 'sk-proj-0123456789abcdef',
  })
  const project = await asUser('POST', '/projects', { name: 'search' })
  const eventTarget = await asUser('POST', '/event-targets', { kind: 'webhook', name: 'ours', url })
  const delivery = await asUser('POST', `/event-targets/${eventTarget.id}/test`)
  const ofOperator = await asOperator('POST', '/event-targets', { kind: 'webhook', name: 'ours', url })
  const deliveryOfOperator = await asOperator('POST', `/event-targets/${ofOperator.id}/test`)
  const made = await asUser('POST', '/organizations', { name: 'Analytical Engines' })
  const organization = { ...user, 'x-turnpike-org': made.id }
  await asUser('POST', '/organization/invitations', { role: 'viewer', email: newEmail() }, organization)
  await asOperator('POST', '/identity/invites', { email: newEmail() })
  const verification = await asOperator('POST', '/ledger/verifications')
  return {
    user,
    organization,
    operator,
    parameters: {
      account_id: me.id,
      organization_id: made.id,
      key_id: key.id,
      request_id: requestId,
      budget_id: budget.id,
      vendor_key_id: vendorKey.id,
      project_id: project.id,
      target_id: eventTarget.id,
      event_id: delivery.event_id,
      delivery_id: delivery.id,
      session_id: await buyCredit(node, asUser, key.id),
      token: await payLink(node),
      member_id: made.member_id,
      verification_id: verification.id,
      user_code: await beginDevice(node),
      operator_target_id: ofOperator.id,
      operator_event_id: deliveryOfOperator.event_id,
      operator_delivery_id: deliveryOfOperator.id,
    },
  }
}

/** @returns the token of a link by which anyone can buy credit for the account */
async function payLink(node: TestNode): Promise<string> {
  const refused = await node.chat(await node.createKey({ creditUsd: '0' }), {
    model: 'sandbox/echo',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const { error } = (await refused.json()) as { error: { metadata: { poll_url: string } } }
  return error.metadata.poll_url.split('/').at(-1)!
}

/** @returns the code of a device that waits for approval */
async function beginDevice({ origin }: TestNode): Promise<string> {
  const body = new URLSearchParams({ surface: 'claude_code' })
  const answer = await fetch(`${origin}/oauth/device_authorization`, { method: 'POST', body })
  return ((await answer.json()) as { user_code: string }).user_code
}

type Ask = (method: string, path: string, body?: object) => ReturnType<DocumentedApi['ask']>

/** Pays with a saved card, for automatic top-ups. @returns the id of the checkout */
async function buyCredit(node: TestNode, ask: Ask, keyId: string): Promise<string> {
  const body = { amount_usd: '25', key_id: keyId, save_payment_method: true }
  const id = await pay(node, await ask('POST', '/topup', body))
  const { data } = await ask('GET', '/payment-methods')
  await ask('PUT', '/auto-topup', {
    threshold_usd: '1',
    amount_usd: '50',
    monthly_cap_usd: '200',
    payment_method_id: data[0]!.id,
  })
  return id
}

/** @returns the id of a request that a model answered */
async function callModels(
  node: TestNode,
  key: { id: string; raw: string; accountId: string },
): Promise<string> {
  const ask = (text: string, more: object = {}, path = '/chat/completions'): Promise<Response> =>
    node.post(
      key,
      path,
      { model: 'sandbox/echo', max_tokens: 50, messages: [{ role: 'user', content: text }], ...more },
      {
        headers: { 'x-turnpike-tags': 'team:research,env:prod', 'anthropic-version': '2023-06-01' },
      },
    )
  const answers = [
    await ask('Hello', { stream: true }),
    await ask('Hello', {}, '/messages'),
    await ask('[sandbox: error=500] Hello'),
    await ask('Hello', { model: 'turnpike/auto' }),
  ]
  for (const answer of answers) await answer.text()
  return answers[3]!.headers.get('x-request-id')!
}

/** @returns the id of the paid checkout */
async function pay(
  node: TestNode,
  { checkout_url: url, session_id: id }: Pick<AnswerBody, 'checkout_url' | 'session_id'>,
): Promise<string> {
  const client = new PageClient()
  const page = await client.get(url)
  await client.submit(page, new URL(url, node.origin).pathname, { decision: 'pay' })
  return id
}
