import {
  accountEventTypes,
  eventTypes,
  operatorEventTypes,
  toldRoles,
  type EventTarget,
  type PeopleOfTarget,
} from '@turnpike/notify'
import { Type, type Static } from 'typebox'
import type { ManagementServices } from '../services.ts'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const wantedTypes = Type.Array(Type.Enum(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: eventTypes.length + 1,
  description: 'The event types it receives; `*`: all, including future ones.',
  'x-expected':
    'event types: `*`, ' +
    [...accountEventTypes, ...operatorEventTypes].map((type) => `\`${type}\``).join(', '),
})

export const wantedRoles = Type.Array(Type.Enum([...toldRoles]), {
  minItems: 1,
  maxItems: toldRoles.length,
  uniqueItems: true,
  description: 'Mail to everyone who has one of these roles in the organization at the time of the event.',
})

const targetFields = {
  id: Type.String(),
  object: Type.Literal('event_target'),
  kind: Type.Enum(['webhook', 'mail']),
  name: Type.String({ description: 'A label.' }),
  url: nullable(Type.String({ description: 'For a webhook: its URL.' })),
  email: nullable(Type.String({ description: 'For mail to one address.' })),
  roles: nullable(
    Type.Array(Type.Enum([...toldRoles]), {
      description: 'For mail to everyone in the organization with one of these roles and a verified address.',
    }),
  ),
  people: nullable(
    Type.Integer({
      description: 'For a target for roles: how many people receive it now. Only verified addresses count.',
    }),
  ),
  people_unreached: nullable(
    Type.Integer({
      description: 'For a target for roles: how many more would receive it with a verified address.',
    }),
  ),
  types: Type.Array(Type.String(), { description: 'The event types it receives; `*`: all.' }),
  status: Type.Enum(['active', 'unconfirmed', 'disabled'], {
    description: '`unconfirmed`: an address that has not confirmed yet, or has unsubscribed.',
  }),
  disabled_reason: nullable(Type.String()),
  failures_in_row: Type.Integer({
    description: 'Abandoned events in a row. After ten over a day, the target is disabled.',
  }),
  previous_secret_until: nullable(
    Type.Integer({ description: 'Until when the previous secret also signs.' }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
}

export const targetSchema = Type.Object(targetFields, { title: 'EventTarget' })

/** The response to a creation and to a rotation: the only ones that contain the secret. */
export const targetWithSecretSchema = Type.Object(
  {
    ...targetFields,
    secret: nullable(
      Type.String({ description: 'The signing secret of a webhook, only in this response. For mail: null.' }),
    ),
  },
  { title: 'CreatedEventTarget' },
)

/** A target as responses show it, without a previous secret that is no longer valid. */
export async function recordOf(
  target: EventTarget,
  { eventTargets, clock }: Pick<ManagementServices, 'eventTargets' | 'clock'>,
): Promise<Static<typeof targetSchema>> {
  return targetRecord(target, await eventTargets.peopleOf(target), clock())
}

function targetRecord(
  target: EventTarget,
  people: PeopleOfTarget | null,
  nowMs: number,
): Static<typeof targetSchema> {
  const { previousUntilMs } = target
  const previousSigns = previousUntilMs !== null && previousUntilMs > nowMs
  return {
    id: target.id,
    object: 'event_target',
    kind: target.kind,
    name: target.name,
    url: target.url,
    email: target.email,
    roles: target.roles === null ? null : [...target.roles],
    people: people?.reached ?? null,
    people_unreached: people?.unreached ?? null,
    types: [...target.types],
    status: target.status,
    disabled_reason: target.disabledReason,
    failures_in_row: target.failuresInRow,
    previous_secret_until: epochSecondsOrNull(previousSigns ? previousUntilMs : null),
    created_at: epochSeconds(target.createdAtMs),
    updated_at: epochSeconds(target.updatedAtMs),
  }
}
