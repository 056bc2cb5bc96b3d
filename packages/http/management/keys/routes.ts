import { newApiKey } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type } from 'typebox'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import { requireLogAllowed } from '../prompt-log/routes.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, nullable, requestObject } from '../validation/fields.ts'
import { limitIsMissing, noSettings, settingChanges, settingFields } from './limits.ts'
import { newOwner, ownerFields, ownerFilter, ownerQuery } from './owner.ts'
import { createdKeySchema, keyRecord, keyRecords, keySchema } from './record.ts'
import { existing, keyRefusal } from './refusal.ts'

const keyName = Type.String({ minLength: 1, maxLength: 100 })
const drawsOn = Type.Optional(
  nullable(
    Type.Unsafe<string>({
      ...identifierOf('key'),
      description: 'The key whose credit it uses. Null: its own, added by a transfer or a top-up.',
    }),
  ),
)
const creationSchema = requestObject({ name: keyName, draws_on: drawsOn, ...ownerFields, ...settingFields })
const changesSchema = requestObject({ name: Type.Optional(keyName), draws_on: drawsOn, ...settingFields })

/** An operator may only turn a key's prompt log off. @throws {GatewayError} 403 */
function requireOwnWish(
  changes: { log_prompts?: boolean | null },
  scope: AccountScope,
  services: ManagementServices,
): void {
  requireLogAllowed(changes, services)
  if (scope.isOwn || changes.log_prompts === undefined || changes.log_prompts === false) return
  const message =
    '`log_prompts`: only the account itself can turn this on. An operator can only set it to false.'
  throw new GatewayError('permission_error', message, { param: 'log_prompts' })
}

function throwKeyRefusal(error: unknown): never {
  throw keyRefusal(error)
}

/** An account's API keys: created, listed, changed, revoked. */
export const registerKeys: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object(scope.params)

  app.post(
    path,
    { schema: { params, body: creationSchema, response: { 201: createdKeySchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      requireOwnWish(request.body, scope, services)
      const nowMs = services.clock()
      const owner = newOwner(request, request.body, scope)
      const settings = { ...noSettings, ...settingChanges(request.body, nowMs) }
      if (settings.spendLimitPico === null && settings.spendLimitPeriod !== null) throw limitIsMissing()
      if (settings.spendLimitPico !== null) settings.spendLimitPeriod ??= 'total'
      const { raw, prefix: keyPrefix, hash: keyHash } = newApiKey()
      const { name, draws_on: payerId = 'default' } = request.body
      const key = await scope
        .keys(request)
        .create({ accountId, name, keyPrefix, keyHash, ...owner, ...settings, drawsOn: payerId }, nowMs)
        .catch(throwKeyRefusal)
      services.onKeyCreated(keyHash)
      return reply.code(201).send({ ...(await keyRecord(key, services)), raw })
    },
  )

  app.get(
    path,
    {
      schema: {
        params,
        querystring: requestObject({ ...ownerQuery, ...pageQuery }),
        response: { 200: listOf(keySchema) },
      },
    },
    async (request) => {
      const { id } = await scope.account(request)
      const filter = await ownerFilter(id, request.query, scope.onlyOf(request), services)
      const page = await scope.keys(request).list(id, pageOf(request.query), filter)
      const rows = await keyRecords(page.rows, services)
      return listAnswer({ ...page, rows }, (record) => record)
    },
  )
  registerKey(app, `${path}/:key_id`, scope, services)
}

const registerKey: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object({ ...scope.params, key_id: identifierOf('key') })
  app.get(path, { schema: { params, response: { 200: keySchema } } }, async (request) => {
    const { id } = await scope.account(request)
    const key = await scope.keys(request).find(id, request.params.key_id)
    return keyRecord(existing(key), services)
  })

  app.patch(
    path,
    { schema: { params, body: changesSchema, response: { 200: keySchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const keyId = request.params.key_id
      const apiKeys = scope.keys(request)
      requireOwnWish(request.body, scope, services)
      const { name, draws_on: payerId, ...settings } = request.body
      const changes = {
        ...(name !== undefined && { name }),
        ...(payerId !== undefined && { drawsOn: payerId }),
        ...settingChanges(settings, services.clock()),
      }
      if (changes.spendLimitPeriod && changes.spendLimitPico === undefined) {
        const { spendLimitPico } = existing(await apiKeys.find(id, keyId))
        if (spendLimitPico === null) throw limitIsMissing()
      }
      // Leased credit moves with the key, so return all but what its running requests hold.
      if (payerId !== undefined && (await apiKeys.find(id, keyId)) !== undefined)
        await services.releaseCredit(keyId)
      const key = existing(await apiKeys.update(id, keyId, changes).catch(throwKeyRefusal))
      services.onKeyChanged(keyId)
      // What nodes have leased was within the old limit.
      if ('spendLimitPico' in changes || 'spendLimitPeriod' in changes) await services.releaseCredit(keyId)
      return keyRecord(key, services)
    },
  )

  app.delete(path, { schema: { params, response: { 200: keySchema } } }, async (request) => {
    const { id } = await scope.account(request)
    const keyId = request.params.key_id
    const apiKeys = scope.keys(request)
    existing(await apiKeys.find(id, keyId))
    existing(await apiKeys.revoke(id, keyId, services.clock()))
    services.onKeyChanged(keyId)
    // The node's lease follows the key's credit; what requests in flight hold follows when they end.
    await services.releaseCredit(keyId)
    return keyRecord(existing(await apiKeys.find(id, keyId)), services)
  })
}
