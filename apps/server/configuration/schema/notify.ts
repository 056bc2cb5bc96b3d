import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, encryptionKeys, secret, wholeNumber } from './values.ts'

export const mail = closed('Outgoing mail: alerts, invitations, and sign-in links.', {
  smtp: closed('The mail server.', {
    host: Type.String({ minLength: 1, description: 'Host name or address.' }),
    port: Type.Optional(
      wholeNumber(1, 65_535, { description: 'Default: 465 with `tls: implicit`, else 587.' }),
    ),
    tls: Type.Optional(
      Type.Enum(['starttls', 'implicit', 'none'], {
        default: defaults.mail.smtp.tls,
        description:
          '`starttls`: nothing is sent if the server does not offer it. `none`: only for your own ' +
          'network.',
      }),
    ),
    user: Type.Optional(Type.String({ minLength: 1, description: 'Without it: no login.' })),
    password: Type.Optional(secret({ description: "The user's password." })),
  }),
  from: Type.String({
    format: 'email',
    description: 'Sender address, such as `alerts@example.com`.',
  }),
  from_name: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.mail.from_name,
      description: 'Sender name.',
    }),
  ),
})

export const webhooks = closed('Delivery of events to servers of accounts (docs/webhooks.md).', {
  allowed_networks: Type.Optional(
    Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'Networks of your own that webhooks may call besides the public internet, also by http. ' +
        'Whoever can create webhooks can then call anything there.',
    }),
  ),
  encryption_keys: Type.Optional(
    encryptionKeys(
      'The first key encrypts webhook secrets in the database, each decrypts what it ' +
        'encrypted. Without it: secrets are stored in plain text. Before you remove a key, ' +
        'rotate the secrets of its time.',
    ),
  ),
})
