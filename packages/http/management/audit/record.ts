import { auditActors, type AuditEntryRead, type AuditPerson } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp } from '../validation/fields.ts'

const person = Type.Object(
  {
    account_id: Type.String(),
    display_name: nullable(Type.String({ description: 'Chosen by the user, so not verified.' })),
    email: nullable(Type.String()),
    email_verified: Type.Boolean(),
  },
  { title: 'AuditPerson', description: 'The current owner of the subject or account.' },
)

export const auditEntrySchema = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    request_id: Type.String({ description: 'The id of the request, as in its `x-request-id`.' }),
    created_at: timestamp,
    actor: Type.Enum([...auditActors]),
    subject: nullable(
      Type.String({
        description: 'Subject of the user’s or operator’s token; null if the internal secret was used.',
      }),
    ),
    by: nullable(person),
    action: Type.String({
      description: 'The `operationId`, such as `createKey`, the same for both surfaces.',
    }),
    account_id: nullable(Type.String({ description: 'The account it was about.' })),
    account: nullable(person),
    on_behalf_of: nullable(
      Type.String({
        description: 'The account of the person, if they acted for an organization.',
      }),
    ),
    target: nullable(Type.String({ description: 'Id of the created or changed resource.' })),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    details: nullable(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object({}, { description: 'The fields in the request, if it succeeded.' }),
      ),
    ),
    address: Type.String({
      description: 'IP address of the caller; behind a trusted proxy, as reported by the proxy.',
    }),
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
