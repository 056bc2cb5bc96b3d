import { auditActors, type AuditFilter } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, lastTimestamp } from '../validation/fields.ts'
import { auditEntry, auditEntrySchema } from './record.ts'

const time = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: lastTimestamp,
      description,
      'x-expected': 'a time in Unix epoch seconds',
    }),
  )

const auditFilter = {
  account_id: Type.Optional(identifierOf('acct')),
  target: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of what was made or changed.' }),
  ),
  actor: Type.Optional(Type.Enum([...auditActors])),
  subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Subject of the user’s token.' }),
  ),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'As in `createKey`.' })),
  from: time('From this time on, in Unix epoch seconds.'),
  to: time('Until before this time, in Unix epoch seconds.'),
}

const auditFilterSchema = Type.Object(auditFilter)

/** What operators and users did, newest first. */
export function registerAuditLog(
  app: ManagementApp,
  path: string,
  { audit }: Pick<ManagementServices, 'audit'>,
): void {
  const schema = {
    querystring: Type.Object({ ...auditFilter, ...pageQuery }, { additionalProperties: false }),
    response: { 200: listOf(auditEntrySchema) },
  }
  app.get(path, { schema }, async (request) =>
    listAnswer(await audit.list(filterOf(request.query), pageOf(request.query)), auditEntry),
  )
}

function filterOf(query: Static<typeof auditFilterSchema>): AuditFilter {
  const { from, to } = query
  if (from !== undefined && to !== undefined && from >= to)
    throw invalidRequest('to', '`to`: expected a time after `from`.')
  return {
    ...(query.account_id !== undefined && { accountId: query.account_id }),
    ...(query.target !== undefined && { target: query.target }),
    ...(query.actor !== undefined && { actor: query.actor }),
    ...(query.subject !== undefined && { subject: query.subject }),
    ...(query.action !== undefined && { action: query.action }),
    ...(from !== undefined && { fromMs: from * 1000 }),
    ...(to !== undefined && { toMs: to * 1000 }),
  }
}
