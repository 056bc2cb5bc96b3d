import { auditActors, type AuditFilter } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ManagementServices } from '../services.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { auditEntry, auditEntrySchema } from './record.ts'

const auditFilter = {
  account_id: Type.Optional(identifierOf('acct')),
  target: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Id of the created or changed resource.' }),
  ),
  actor: Type.Optional(Type.Enum([...auditActors])),
  subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Subject of the user’s token.' }),
  ),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'As in `createKey`.' })),
  who: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Who acted: a subject, an account, or an email address, verified or not.',
    }),
  ),
  refused: Type.Optional(Type.Boolean({ description: 'Whether it failed.' })),
  ...timeQuery,
}

const auditFilterSchema = Type.Object(auditFilter)

/** The actions of operators and users, newest first. */
export function registerAuditLog(
  app: ManagementApp,
  path: string,
  { audit }: Pick<ManagementServices, 'audit'>,
): void {
  const schema = {
    querystring: requestObject({ ...auditFilter, ...pageQuery }),
    response: { 200: listOf(auditEntrySchema) },
  }
  app.get(path, { schema }, async (request) =>
    listAnswer(await audit.list(filterOf(request.query), pageOf(request.query)), auditEntry),
  )
}

function filterOf(query: Static<typeof auditFilterSchema>): AuditFilter {
  return {
    ...(query.account_id !== undefined && { accountId: query.account_id }),
    ...(query.target !== undefined && { target: query.target }),
    ...(query.actor !== undefined && { actor: query.actor }),
    ...(query.subject !== undefined && { subject: query.subject }),
    ...(query.action !== undefined && { action: query.action }),
    ...(query.who !== undefined && { who: query.who }),
    ...(query.refused !== undefined && { refused: query.refused }),
    ...timeRange(query),
  }
}
