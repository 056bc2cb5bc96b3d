import { newApiKey } from '@turnpike/identity'
import { Type } from 'typebox'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { createdKeySchema, keyRecord } from './record.ts'
import { existing, inactive, keyRefusal, alreadyRotated, unknownKey } from './refusal.ts'

/** Thirty days: whoever has not changed the key by then has forgotten it. */
const maxGraceSeconds = 2_592_000

const rotationSchema = requestObject({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxGraceSeconds,
      description: 'How long the old key keeps working, charged to the new one. Default 0.',
    }),
  ),
})

/** Replaces a key with a new one that has its name, limits and credit. */
export const registerKeyRotation: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object({ ...scope.params, key_id: identifierOf('key') })
  app.post(
    `${path}/:key_id/rotate`,
    { schema: { params, body: rotationSchema, response: { 201: createdKeySchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const { key_id: keyId } = request.params
      const { raw, prefix: keyPrefix, hash: keyHash } = newApiKey()
      const graceMs = (request.body.grace_seconds ?? 0) * 1000
      const rotation = { accountId, keyId, keyPrefix, keyHash, graceMs }
      const result = await scope
        .keys(request)
        .rotate(rotation, services.clock())
        .catch((error: unknown) => {
          throw keyRefusal(error)
        })
      if ('replacedBy' in result) throw alreadyRotated(result.replacedBy)
      if ('refused' in result) throw result.refused === 'key-revoked' ? inactive('key_id') : unknownKey()
      services.onKeyCreated(keyHash)
      services.onKeyChanged(keyId)
      // The leases of the old key follow its credit.
      await services.releaseCredit(keyId)
      const key = existing(await services.apiKeys.find(accountId, result.key.id))
      return reply.code(201).send({ ...(await keyRecord(key, services)), raw })
    },
  )
}
