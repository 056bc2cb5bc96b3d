import { invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { ownerFields } from './owner.ts'
import { keyRecord, keySchema } from './record.ts'
import { existing, inactive, keyRefusal, alreadyRotated, unknownKey } from './refusal.ts'

const handOverSchema = requestObject(ownerFields)

/** Hands a key over to another member or project. */
export const registerKeyHandOver: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object({ ...scope.params, key_id: identifierOf('key') })
  app.post(
    `${path}/:key_id/hand-over`,
    { schema: { params, body: handOverSchema, response: { 201: keySchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const { key_id: keyId } = request.params
      const { member_id: memberId, project_id: projectId } = request.body
      existing(await scope.keys(request).find(accountId, keyId))
      if (memberId === undefined && projectId === undefined)
        throw invalidRequest('member_id', 'Expected at least one of `member_id` and `project_id`.')
      const handOver = {
        accountId,
        keyId,
        ...(memberId !== undefined && { memberId }),
        ...(projectId !== undefined && { projectId }),
      }
      const result = await scope
        .keys(request)
        .handOver(handOver, services.clock())
        .catch((error: unknown) => {
          throw keyRefusal(error)
        })
      if ('replacedBy' in result) throw alreadyRotated(result.replacedBy)
      if ('refused' in result) throw result.refused === 'key-revoked' ? inactive('key_id') : unknownKey()
      services.onKeyChanged(keyId)
      // The leases of the old row follow its credit.
      await services.releaseCredit(keyId)
      const key = existing(await services.apiKeys.find(accountId, result.key.id))
      return reply.code(201).send(await keyRecord(key, services))
    },
  )
}
