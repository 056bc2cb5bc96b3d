import { invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { ownerFields } from './owner.ts'
import { keyRecord, keySchema } from './record.ts'
import { existing } from './refusal.ts'
import { replacementOf, requireReplaced } from './replacement.ts'

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
      const newKeyId = await requireReplaced(scope.keys(request).handOver(handOver, services.clock()))
      const key = await replacementOf(handOver, newKeyId, services)
      return reply.code(201).send(await keyRecord(key, services))
    },
  )
}
