import { signInClients, type ConnectedApp, type LoginSession, type SignedInDevice } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp } from '../validation/fields.ts'

export const sessionKinds = ['browser', 'command_line', 'device', 'app'] as const

export const sessionSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('session'),
    kind: Type.Enum([...sessionKinds], {
      description:
        'A `browser` with all of its tabs, a `command_line`, a `device` that signed in with a code and ' +
        'uses a key, an `app` that may use the MCP server.',
    }),
    name: nullable(Type.String({ description: 'The name that a device or app gives itself; not verified.' })),
    user_agent: nullable(Type.String({ description: 'As sent in its requests.' })),
    address: nullable(
      Type.String({ description: 'Last seen IP address; for a device, where it requested its code.' }),
    ),
    created_at: timestamp,
    last_used_at: Type.Unsafe<number>({
      ...timestamp,
      description: 'Accurate to a few minutes; for devices and apps, when they last refreshed their tokens.',
    }),
    current: Type.Boolean({ description: 'The session of this request.' }),
    key_id: nullable(Type.String({ description: 'The key that a device uses.' })),
    scopes: nullable(Type.Array(Type.String(), { description: 'What an app may do.' })),
    organization_id: nullable(
      Type.String({ description: 'The organization that an app acts for; null: your own account.' }),
    ),
    organization_name: nullable(Type.String({ description: 'Also null if you are no longer a member.' })),
  },
  { title: 'Session' },
)

export type SessionRecord = Static<typeof sessionSchema>

const nothing = {
  name: null,
  user_agent: null,
  address: null,
  key_id: null,
  scopes: null,
  organization_id: null,
  organization_name: null,
  current: false,
}

export function loginRecord(session: LoginSession, currentId: string | undefined): SessionRecord {
  return {
    ...nothing,
    id: session.id,
    object: 'session',
    kind: session.kind,
    user_agent: session.userAgent === '' ? null : session.userAgent,
    address: session.address,
    created_at: epochSeconds(session.createdAtMs),
    last_used_at: epochSeconds(session.lastUsedAtMs),
    current: session.id === currentId,
  }
}

export function deviceRecord(device: SignedInDevice): SessionRecord {
  return {
    ...nothing,
    id: device.id,
    object: 'session',
    kind: 'device',
    name: signInClients[device.client],
    address: device.address,
    created_at: epochSeconds(device.createdAtMs),
    last_used_at: epochSeconds(device.refreshedAtMs),
    key_id: device.keyId,
  }
}

/** @param names names of organizations, by identifier */
export function appRecord(app: ConnectedApp, names: ReadonlyMap<string, string>): SessionRecord {
  return {
    ...nothing,
    id: app.id,
    object: 'session',
    kind: 'app',
    name: app.name,
    created_at: epochSeconds(app.grantedAtMs),
    last_used_at: epochSeconds(app.renewedAtMs),
    scopes: app.scopes,
    organization_id: app.organizationId,
    organization_name: names.get(app.organizationId ?? '') ?? null,
  }
}
