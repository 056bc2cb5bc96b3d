import { newApiKey } from '@turnpike/identity'
import { Type } from 'typebox'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { createdKeySchema, keyRecord } from './record.ts'
import { replacementOf, requireReplaced } from './replacement.ts'

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
      const newKeyId = await requireReplaced(scope.keys(request).rotate(rotation, services.clock()))
      services.onKeyCreated(keyHash)
      const key = await replacementOf(rotation, newKeyId, services)
      return reply.code(201).send({ ...(await keyRecord(key, services)), raw })
    },
  )
}
