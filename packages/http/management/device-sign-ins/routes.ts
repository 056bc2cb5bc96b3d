import {
  networkOf,
  newApiKey,
  signInClients,
  Throttle,
  type ApiKey,
  type DeviceRequest,
} from '@turnpike/identity'
import { GatewayError, invalidRequest, newIdentifier } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { settingChanges, limitIsMissing, settingFields, noSettings } from '../keys/limits.ts'
import { keyRecord, keySchema } from '../keys/record.ts'
import { existing } from '../keys/refusal.ts'
import { moveCredit } from '../keys/move-credit.ts'
import type { ManagementApp } from '../management-app.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import {
  epochSeconds,
  identifierOf,
  nullable,
  timestamp,
  usdAmount,
  requestObject,
} from '../validation/fields.ts'
import type { DeviceSignInServices } from './services.ts'

const windowMs = 600_000
/** Wrong codes allowed; there are 2.5 · 10¹⁰ codes (RFC 8628, section 5.1). */
const wrongCodes = 20

const signInSchema = Type.Object(
  {
    object: Type.Literal('device_sign_in'),
    user_code: Type.String({ description: 'As shown by the device.' }),
    status: Type.Enum(['pending', 'approved', 'denied']),
    client: Type.Enum(Object.keys(signInClients), { description: 'The program, as it identifies itself.' }),
    client_name: Type.String(),
    address: Type.String({ description: 'IP address that requested the code.' }),
    created_at: timestamp,
    expires_at: timestamp,
    key: nullable(keySchema),
  },
  { title: 'DeviceSignIn' },
)

const approvalSchema = requestObject({
  spend_limit_usd: nullable(usdAmount),
  spend_limit_period: settingFields.spend_limit_period,
  credit_usd: Type.Optional(
    Type.Unsafe<Static<typeof usdAmount>>({
      ...usdAmount,
      description: 'Credit that moves to the key, from `from_key_id`.',
    }),
  ),
  from_key_id: Type.Optional(identifierOf('key')),
})

type Approval = Static<typeof approvalSchema>

/**
 * Shows people a device's sign-in and lets them decide. An approved device uses one of the person's API keys,
 * made for it or for an earlier device with the same program, within the limit that is chosen here.
 */
export function registerDeviceSignIns(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  services: ManagementServices,
  { signIns }: DeviceSignInServices,
): void {
  const params = Type.Object({ user_code: Type.String({ pattern: '^[A-Za-z]{4}[ -]?[A-Za-z]{4}$' }) })
  const answer = { 200: signInSchema }
  const wrong = new Throttle(wrongCodes, windowMs, () => services.clock())

  /** Counts an attempt before the look-up, so that simultaneous ones count too. */
  const waiting = async (request: FastifyRequest, accountId: string): Promise<DeviceRequest> => {
    const address = services.callerAddress?.(request.raw) ?? request.ip
    const counted = [accountId, networkOf(address)]
    const waits = counted.map((name) => wrong.take(name))
    const waitSeconds = Math.max(...waits)
    if (waitSeconds > 0) throw tooMany(waitSeconds)
    const found = await signIns.waiting((request.params as { user_code: string }).user_code)
    if (found === undefined) throw unknownCode()
    for (const name of counted) wrong.giveBack(name)
    return found
  }
  const keyOf = async (
    accountId: string,
    found: DeviceRequest,
    memberId: string | null,
  ): Promise<ApiKey | undefined> => {
    const keyId = await signIns.keyFor(accountId, found.client, memberId)
    return keyId === undefined ? undefined : services.apiKeys.find(accountId, keyId)
  }

  app.get(`${path}/:user_code`, { schema: { params, response: answer } }, async (request) => {
    const { id: accountId } = await scope.account(request)
    const found = await waiting(request, accountId)
    return record(found, 'pending', await keyOf(accountId, found, memberOf(request, scope)), services)
  })

  app.post(
    `${path}/:user_code/approve`,
    { schema: { params, body: approvalSchema, response: answer } },
    async (request) => {
      const { id: accountId } = await scope.account(request)
      const limits = limitsOf(request.body, services.clock())
      if (request.body.credit_usd !== undefined) scope.require(request, 'credit:move', 'credit_usd')
      const memberId = memberOf(request, scope)
      const credit = await creditOf(request.body, accountId, { apiKeys: scope.keys(request) })
      const found = await waiting(request, accountId)
      let key: ApiKey | undefined
      const readyKey = async (): Promise<ApiKey> => {
        const before = await keyOf(accountId, found, memberId)
        key = before ?? (await makeKey({ accountId, memberId }, found, limits, services))
        // First the step that can fail because of the person's own input.
        if (credit !== undefined) await fund(key, credit, services)
        // A key that was just created already has these limits, unless a simultaneous approval created it.
        await limitKey(key, limits, services)
        return key
      }
      if (!(await signIns.approve(found, accountId, readyKey)) || key === undefined) throw decisionConflict()
      return record(found, 'approved', await services.apiKeys.find(accountId, key.id), services)
    },
  )

  app.post(`${path}/:user_code/deny`, { schema: { params, response: answer } }, async (request) => {
    const { id: accountId } = await scope.account(request)
    const found = await waiting(request, accountId)
    if (!(await signIns.deny(found))) throw decisionConflict()
    return record(found, 'denied', undefined, services)
  })
}

/** A person who approves gets a key of their own for it, also within an organization. */
function memberOf(request: FastifyRequest, scope: AccountScope): string | null {
  return scope.changer(request)?.memberId ?? null
}

type Limits = Pick<ApiKey, 'spendLimitPico' | 'spendLimitPeriod'>

function limitsOf(body: Approval, nowMs: number): Limits {
  const { spend_limit_usd: usd, spend_limit_period: period } = body
  const changes = settingChanges(
    { spend_limit_usd: usd, ...(period !== undefined && { spend_limit_period: period }) },
    nowMs,
  )
  const { spendLimitPico = null, spendLimitPeriod = null } = changes
  if (spendLimitPico === null && spendLimitPeriod !== null) throw limitIsMissing()
  return { spendLimitPico, spendLimitPeriod: spendLimitPico === null ? null : (spendLimitPeriod ?? 'total') }
}

/** Nobody knows the key's secret: devices have tokens of their own. */
async function makeKey(
  owner: { accountId: string; memberId: string | null },
  { client }: DeviceRequest,
  limits: Limits,
  { apiKeys, clock }: Pick<ManagementServices, 'apiKeys' | 'clock'>,
): Promise<ApiKey> {
  const { prefix: keyPrefix, hash: keyHash } = newApiKey()
  const name = signInClients[client]
  return apiKeys.create(
    { ...owner, name, keyPrefix, keyHash, ...noSettings, ...limits, drawsOn: 'default', madeFor: client },
    clock(),
  )
}

async function limitKey(key: ApiKey, limits: Limits, services: ManagementServices): Promise<void> {
  const { spendLimitPico, spendLimitPeriod } = key
  if (spendLimitPico === limits.spendLimitPico && spendLimitPeriod === limits.spendLimitPeriod) return
  existing(await services.apiKeys.update(key.accountId, key.id, limits))
  services.onKeyChanged(key.id)
  // What nodes have leased was within the old limit.
  await services.releaseCredit(key.id)
}

interface Credit {
  fromKeyId: string
  pico: bigint
}

async function creditOf(
  { credit_usd: usd, from_key_id: fromKeyId }: Approval,
  accountId: string,
  { apiKeys }: Pick<ManagementServices, 'apiKeys'>,
): Promise<Credit | undefined> {
  if (fromKeyId !== undefined && (await apiKeys.find(accountId, fromKeyId)) === undefined)
    throw new GatewayError('not_found_error', 'Key not found.', { param: 'from_key_id' })
  if (usd === undefined && fromKeyId === undefined) return undefined
  if (usd === undefined)
    throw invalidRequest('credit_usd', '`credit_usd` is missing: expected the amount to move.')
  const pico = positiveAmountOf(usd, 'credit_usd')
  if (fromKeyId === undefined)
    throw invalidRequest('from_key_id', '`from_key_id` is missing: expected the key to move the credit from.')
  return { fromKeyId, pico }
}

async function fund(key: ApiKey, { fromKeyId, pico }: Credit, services: ManagementServices): Promise<void> {
  await moveCredit(services, {
    accountId: key.accountId,
    from: { keyId: fromKeyId, param: 'from_key_id' },
    to: { keyId: key.id, param: 'from_key_id' },
    amount: { pico, param: 'credit_usd' },
    movement: newIdentifier('led', services.clock()),
  })
}

async function record(
  { userCode, client, address, createdAtMs, expiresAtMs }: DeviceRequest,
  status: 'pending' | 'approved' | 'denied',
  key: ApiKey | undefined,
  services: Pick<ManagementServices, 'apiKeys' | 'clock'>,
): Promise<Static<typeof signInSchema>> {
  return {
    object: 'device_sign_in',
    user_code: userCode,
    status,
    client,
    client_name: signInClients[client],
    address,
    created_at: epochSeconds(createdAtMs),
    expires_at: epochSeconds(expiresAtMs),
    key: key === undefined ? null : await keyRecord(key, services),
  }
}

function unknownCode(): GatewayError {
  const message = 'This code is not valid. Compare it with the one on your device, or start again there.'
  return new GatewayError('not_found_error', message, { param: 'user_code' })
}

function decisionConflict(): GatewayError {
  return new GatewayError(
    'conflict_error',
    'This sign-in has already been approved or refused, or has expired.',
  )
}

function tooMany(retryAfterSeconds: number): GatewayError {
  return new GatewayError('rate_limit_error', 'Too many wrong codes. Try again later.', { retryAfterSeconds })
}
