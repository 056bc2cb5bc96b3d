import { auditActors, type AuditEntry } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp } from '../validation/fields.ts'

export const auditEntrySchema = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    request_id: Type.String({ description: 'The request that did it, as in its answer’s `x-request-id`.' }),
    created_at: timestamp,
    actor: Type.Enum([...auditActors]),
    subject: nullable(
      Type.String({
        description:
          'Subject of the token, a user’s or an operator’s; null where the internal secret was used.',
      }),
    ),
    action: Type.String({ description: 'As in `createKey`: the `operationId`, the same for both surfaces.' }),
    account_id: nullable(Type.String({ description: 'The account it was about.' })),
    target: nullable(Type.String({ description: 'Identifier of what was made or changed.' })),
    status: Type.Integer({ description: 'HTTP status of the answer.' }),
    details: nullable(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object({}, { description: 'The fields that the request named, where it succeeded.' }),
      ),
    ),
    address: Type.String({ description: 'Where it came from; behind a trusted proxy, what that says.' }),
  },
  { title: 'AuditEntry' },
)

export function auditEntry(entry: AuditEntry): Static<typeof auditEntrySchema> {
  return {
    object: 'audit_entry',
    request_id: entry.requestId,
    created_at: epochSeconds(entry.atMs),
    actor: entry.actor,
    subject: entry.subject,
    action: entry.action,
    account_id: entry.accountId,
    target: entry.target,
    status: entry.status,
    details: entry.details === null ? null : (JSON.parse(entry.details) as Record<string, unknown>),
    address: entry.address,
  }
}
