import { randomBytes } from 'node:crypto'
import { newIdentifier } from '@turnpike/protocol'
import type { ConfigurationInput } from '../../configuration/schema/schema.ts'
import { SealedVendorKeys } from '../../own-keys/sealed-vendor-keys.ts'
import {
  startTestNode,
  type TestKey,
  type TestNode,
  type TestNodeOptions,
} from '../../../../tests/nodes/test-node.ts'
import type { KeyedVendor } from './keyed-vendor.ts'

/** List prices: an answer of the keyed vendor costs 0.00012 USD. */
export const pricing = { prompt: '0.000001', completion: '0.000002' }
export const sharedKeys = { one: 'shared-key-of-one-0123456789', two: 'shared-key-of-two-0123456789' }

export interface OwnKeyNodeOptions extends Pick<TestNodeOptions, 'databaseUrl' | 'dataDir'> {
  vendor: KeyedVendor
  ring: readonly Buffer[]
  feePercent?: string
  more?: ConfigurationInput
}

/** A node with two providers that both accept own keys; `one/both` is a model at both. */
export function startOwnKeyNode({
  vendor: { baseUrl: base_url },
  ring,
  feePercent = '5',
  more,
  ...where
}: OwnKeyNodeOptions): Promise<TestNode> {
  const upstreams = ['one', 'two'].map((provider) => ({ provider, model: 'm' }))
  return startTestNode({
    ...where,
    input: {
      billing: { markup: '1.2' },
      byok: {
        encryption_keys: ring.map((key) => key.toString('base64')),
        fee_percent: feePercent,
        providers: ['one', 'two'],
      },
      providers: {
        one: { style: 'openai', base_url, api_keys: [sharedKeys.one] },
        two: { style: 'openai', base_url, api_keys: [sharedKeys.two] },
      },
      models: {
        'one/m': { pricing },
        'two/m': { pricing },
        'one/both': { pricing, upstreams },
      },
      ...more,
    },
  })
}

export interface AddedKey {
  id: string
  accountId: string
  secret: string
}

/** Adds a key as the API does. The API's routes have tests of their own. */
export async function addOwnKey(
  node: TestNode,
  { accountId }: Pick<TestKey, 'accountId'>,
  {
    ring,
    provider = 'one',
    allowsShared = true,
    name,
    secret = newSecret(),
  }: { ring: readonly Buffer[]; provider?: string; allowsShared?: boolean; name?: string; secret?: string },
): Promise<AddedKey> {
  const nowMs = Date.now()
  const id = newIdentifier('vky', nowMs)
  const made = await node.storage.vendorKeys.create(
    {
      id,
      accountId,
      provider,
      name: name ?? id,
      last4: secret.slice(-4),
      allowsShared,
      ...new SealedVendorKeys(ring).seal(secret, { id, accountId }),
    },
    nowMs,
  )
  if ('refused' in made) throw new Error(made.refused)
  await changeOwnKey(node, { id, accountId }, {})
  return { id, accountId, secret }
}

/** Changes the key through the API, so that the node knows of it at once. */
export function changeOwnKey(
  node: TestNode,
  { id, accountId }: Pick<AddedKey, 'id' | 'accountId'>,
  changes: object,
): Promise<{ refused_at: number | null; last_used_at: number | null }> {
  return node.admin(`/accounts/${accountId}/vendor-keys/${id}`, { method: 'PATCH', body: changes })
}

export const newSecret = (): string => `sk-own-${randomBytes(18).toString('hex')}`

export interface Asked {
  status: number
  isByok: boolean
  text: string
  body: { usage?: { cost_usd: string }; error?: { message: string; type: string } }
}

/** Sends a request that tells the vendor the account's id. */
export async function ask(node: TestNode, key: TestKey, model = 'one/m', more: object = {}): Promise<Asked> {
  const response = await node.chat(key, {
    model,
    max_completion_tokens: 20,
    messages: [{ role: 'user', content: key.accountId }],
    ...more,
  })
  const text = await response.text()
  return {
    status: response.status,
    isByok: response.headers.get('x-turnpike-byok') === 'true',
    text,
    body: JSON.parse(text) as Asked['body'],
  }
}
