import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secret, wholeNumber } from './schema-values.ts'

export const mail = closed('How the gateway sends mail: alerts, invitations, and links about sign-ins.', {
  smtp: closed('The mail server that takes it.', {
    host: Type.String({ minLength: 1, description: 'Name or address.' }),
    port: Type.Optional(
      wholeNumber(1, 65_535, { description: 'Default: 465 with `tls: implicit`, else 587.' }),
    ),
    tls: Type.Optional(
      Type.Enum(['starttls', 'implicit', 'none'], {
        default: defaults.mail.smtp.tls,
        description:
          '`starttls`: nothing is sent where the server offers none. `none`: within one’s own network.',
      }),
    ),
    user: Type.Optional(Type.String({ minLength: 1, description: 'Absent: without a login.' })),
    password: Type.Optional(secret({ description: 'Of the user.' })),
  }),
  from: Type.String({
    format: 'email',
    description: 'The address that it is from, as in `alerts@example.com`.',
  }),
  from_name: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.mail.from_name,
      description: 'The name that stands before it.',
    }),
  ),
})

export const webhooks = closed('How events reach the servers of accounts (docs/webhooks.md).', {
  allowed_networks: Type.Optional(
    Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'Networks of one’s own whose addresses may be called besides those of the public internet, by http ' +
        'as well. Whoever may make webhooks can then have anything called there.',
    }),
  ),
  encryption_keys: Type.Optional(
    Type.Array(
      secret({
        format: 'key-256',
        description: '32 random bytes in base64, as `openssl rand -base64 32` makes them.',
      }),
      {
        minItems: 1,
        maxItems: 10,
        description:
          'The first one encrypts the secrets of webhooks in the database, and each one decrypts what it ' +
          'has encrypted. Absent: they are in the database as they are. Before a key is left out, the ' +
          'secrets of its time must have been rotated.',
      },
    ),
  ),
})
