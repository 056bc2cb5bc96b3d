import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, identifier, secret } from './schema-values.ts'

/** Accounts' own keys of vendors. */
export const byok = closed('Keys of vendors that accounts bring along (docs/own-keys.md). Absent: none.', {
  encryption_keys: Type.Array(
    secret({
      format: 'key-256',
      description: '32 random bytes in base64, as `openssl rand -base64 32` makes them.',
    }),
    {
      minItems: 1,
      maxItems: 10,
      description:
        'The first one seals the keys in the database, and each one opens what it has sealed; the same ' +
        'on all nodes. To change it, put a new one last on all nodes, then first on all; the old one may ' +
        'go once `turnpike_vendor_keys_sealed` counts nothing for it.',
    },
  ),
  fee_percent: Type.Optional(
    Type.String({
      format: 'percent',
      default: defaults.byok.fee_percent,
      description:
        'What a request that an own key answers is charged, in percent of the list price, without ' +
        '`billing.markup`. With "0" nothing, also for models without a price.',
    }),
  ),
  providers: Type.Optional(
    Type.Array(identifier, {
      description:
        'The providers that are called with own keys. Default: those at their vendor’s own address, but ' +
        'for servers of one’s own, as `ollama`. Name others only if whoever runs what is at `base_url` ' +
        'may see customers’ keys, and asks for one.',
    }),
  ),
})
