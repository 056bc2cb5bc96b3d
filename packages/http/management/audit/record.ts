import { auditActors, type AuditEntryRead, type AuditPerson } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp } from '../validation/fields.ts'

const person = Type.Object(
  {
    account_id: Type.String(),
    display_name: nullable(Type.String({ description: 'As the user chose it: no proof of anything.' })),
    email: nullable(Type.String()),
    email_verified: Type.Boolean(),
  },
  { title: 'AuditPerson', description: 'Whose subject, or account, it is by now.' },
)

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
    by: nullable(person),
    action: Type.String({ description: 'As in `createKey`: the `operationId`, the same for both surfaces.' }),
    account_id: nullable(Type.String({ description: 'The account it was about.' })),
    account: nullable(person),
    on_behalf_of: nullable(
      Type.String({
        description: 'The account of the person who acted, where they acted for an organization.',
      }),
    ),
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

function personRecord(one: AuditPerson | null): Static<typeof person> | null {
  if (one === null) return null
  const { accountId, displayName, email, emailVerified } = one
  return { account_id: accountId, display_name: displayName, email, email_verified: emailVerified }
}

export function auditEntry(entry: AuditEntryRead): Static<typeof auditEntrySchema> {
  return {
    object: 'audit_entry',
    request_id: entry.requestId,
    created_at: epochSeconds(entry.atMs),
    actor: entry.actor,
    subject: entry.subject,
    by: personRecord(entry.by),
    action: entry.action,
    account_id: entry.accountId,
    account: personRecord(entry.of),
    on_behalf_of: entry.onBehalfOf ?? null,
    target: entry.target,
    status: entry.status,
    details: entry.details === null ? null : (JSON.parse(entry.details) as Record<string, unknown>),
    address: entry.address,
  }
}
