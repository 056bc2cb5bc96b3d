import { multiplyDecimals } from '@turnpike/billing'
import type { VendorKey, VendorKeyRefusal } from '@turnpike/identity'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf } from '../validation/fields.ts'
import {
  changesSchema,
  creationSchema,
  lastOf,
  providerOf,
  replacementSchema,
  vendorKeyChanges,
} from './body.ts'
import { vendorKeyRecord, vendorKeySchema } from './record.ts'
import type { VendorKeyServices } from './services.ts'
import { requireFound } from '../not-found.ts'

/** When to retry: nodes of an older version may be gone by then. */
const retrySeconds = 60
const usualName = 'default'

type Services = Pick<ManagementServices, 'clock' | 'onAccountChanged'>

/**
 * An account's own vendor keys. Operators and the account list, change and delete them; only the account
 * itself adds them and replaces their secrets. No response contains a secret.
 */
export function registerVendorKeys(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  services: Services,
  vendorKeys: VendorKeyServices,
): void {
  const params = Type.Object(scope.params)

  app.get(path, { schema: { params, response: { 200: listOf(vendorKeySchema) } } }, async (request) => {
    const { id } = await scope.account(request)
    const rows = await vendorKeys.store.list(id)
    return listAnswer({ rows, nextCursor: null }, vendorKeyRecord)
  })
  registerVendorKey(app, `${path}/:vendor_key_id`, scope, services, vendorKeys)
  if (!scope.isOwn) return
  registerProviders(app, `${path}/providers`, vendorKeys)
  registerSecrets(app, path, scope, services, vendorKeys)
}

function registerVendorKey(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  { clock, onAccountChanged }: Services,
  { store }: VendorKeyServices,
): void {
  const params = Type.Object({ ...scope.params, vendor_key_id: identifierOf('vky') })

  app.get(path, { schema: { params, response: { 200: vendorKeySchema } } }, async (request) => {
    const { id } = await scope.account(request)
    return vendorKeyRecord(requireFound(await store.find(id, request.params.vendor_key_id), 'Vendor key'))
  })

  app.patch(
    path,
    { schema: { params, body: changesSchema, response: { 200: vendorKeySchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const changes = vendorKeyChanges(request.body)
      const result = await store.update(id, request.params.vendor_key_id, changes, clock())
      const key = requireAccepted(requireFound(result, 'Vendor key'))
      onAccountChanged(id)
      return vendorKeyRecord(key)
    },
  )

  app.delete(path, { schema: { params, response: { 200: vendorKeySchema } } }, async (request) => {
    const { id } = await scope.account(request)
    const key = requireFound(await store.remove(id, request.params.vendor_key_id, clock()), 'Vendor key')
    onAccountChanged(id)
    return vendorKeyRecord(key)
  })
}

function registerSecrets(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  { clock, onAccountChanged }: Services,
  vendorKeys: VendorKeyServices,
): void {
  app.post(
    path,
    {
      schema: {
        params: Type.Object(scope.params),
        body: creationSchema,
        response: { 201: vendorKeySchema },
      },
    },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const {
        provider,
        name = usualName,
        secret,
        allow_fallback_to_shared: allowsShared = true,
      } = request.body
      const nowMs = clock()
      const id = newIdentifier('vky', nowMs)
      const key = {
        id,
        accountId,
        provider: providerOf(provider, vendorKeys),
        name,
        last4: lastOf(secret),
        allowsShared,
        ...vendorKeys.seal(secret, { id, accountId }),
      }
      const made = requireAccepted(await vendorKeys.store.create(key, nowMs))
      onAccountChanged(accountId)
      return reply.code(201).send(vendorKeyRecord(made))
    },
  )

  const params = Type.Object({ ...scope.params, vendor_key_id: identifierOf('vky') })
  app.post(
    `${path}/:vendor_key_id/replace`,
    { schema: { params, body: replacementSchema, response: { 200: vendorKeySchema } } },
    async (request) => {
      const { id: accountId } = await scope.account(request)
      const { vendor_key_id: id } = request.params
      const { secret } = request.body
      const sealed = { last4: lastOf(secret), ...vendorKeys.seal(secret, { id, accountId }) }
      const key = requireFound(
        await vendorKeys.store.replaceSecret(accountId, id, sealed, clock()),
        'Vendor key',
      )
      onAccountChanged(accountId)
      return vendorKeyRecord(key)
    },
  )
}

const providersSchema = Type.Object(
  {
    object: Type.Literal('vendor_key_providers'),
    fee_percent: Type.String({
      description: 'The fee for requests with an own key, in percent of the list price.',
    }),
    data: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As `provider` of a key.' }),
        title: Type.String({ description: 'The name of the vendor.' }),
      }),
    ),
  },
  { title: 'VendorKeyProviders' },
)

function registerProviders(
  app: ManagementApp,
  path: string,
  { providers, fee }: Pick<VendorKeyServices, 'providers' | 'fee'>,
): void {
  app.get(path, { schema: { response: { 200: providersSchema } } }, async () => ({
    object: 'vendor_key_providers' as const,
    fee_percent: multiplyDecimals(fee, '100'),
    data: [...providers],
  }))
}

function requireAccepted(result: { key: VendorKey } | VendorKeyRefusal): VendorKey {
  if ('key' in result) return result.key
  switch (result.refused) {
    case 'exists':
      throw new GatewayError('conflict_error', 'A key of this provider with this name already exists.', {
        param: 'name',
      })
    case 'too-many':
      throw new GatewayError('conflict_error', `An account can have at most ${result.most} vendor keys.`)
    case 'account-closed':
      throw new GatewayError('permission_error', 'The account is closed.')
    case 'older-nodes':
      throw new GatewayError(
        'service_unavailable',
        'Some nodes still run an older version, which would not use the key. Try again once all of them ' +
          'have been updated.',
        { retryAfterSeconds: retrySeconds },
      )
  }
}
