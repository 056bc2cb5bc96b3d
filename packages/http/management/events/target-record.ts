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
  description: 'The types that it is told; `*`: all, also those to come.',
  'x-expected':
    'event types: `*`, ' +
    [...accountEventTypes, ...operatorEventTypes].map((type) => `\`${type}\``).join(', '),
})

export const wantedRoles = Type.Array(Type.Enum([...toldRoles]), {
  minItems: 1,
  maxItems: toldRoles.length,
  uniqueItems: true,
  description: 'Mail to everybody who has one of these roles in the organization when something happens.',
})

const targetFields = {
  id: Type.String(),
  object: Type.Literal('event_target'),
  kind: Type.Enum(['webhook', 'mail']),
  name: Type.String({ description: 'A label of your own.' }),
  url: nullable(Type.String({ description: 'Of a webhook: where events are sent.' })),
  email: nullable(Type.String({ description: 'Of mail to one address.' })),
  roles: nullable(
    Type.Array(Type.Enum([...toldRoles]), {
      description: 'Of mail to everybody in the organization who has one of these, and a verified address.',
    }),
  ),
  people: nullable(
    Type.Integer({
      description: 'Of one for roles: how many that is now; without a verified address nobody is.',
    }),
  ),
  people_unreached: nullable(
    Type.Integer({ description: 'Of one for roles: how many more that would be with a verified address.' }),
  ),
  types: Type.Array(Type.String(), { description: 'What it is told; `*`: everything.' }),
  status: Type.Enum(['active', 'unconfirmed', 'disabled'], {
    description:
      '`unconfirmed`: an address that was asked and has not said yes yet, or that has unsubscribed.',
  }),
  disabled_reason: nullable(Type.String()),
  failures_in_row: Type.Integer({
    description: 'Events in a row that were given up; after ten over a day it is disabled.',
  }),
  previous_secret_until: nullable(
    Type.Integer({ description: 'Until when the secret before the current one signs, too.' }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
}

export const targetSchema = Type.Object(targetFields, { title: 'EventTarget' })

/** The answer to a creation and to a rotation, the only ones that ever hold the secret. */
export const targetWithSecretSchema = Type.Object(
  {
    ...targetFields,
    secret: nullable(
      Type.String({ description: 'What a webhook is signed with, in this answer only. Of mail: null.' }),
    ),
  },
  { title: 'CreatedEventTarget' },
)

/** As it is told: a secret that signs no more is not. */
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
