import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, encryptionKeys, identifier } from './values.ts'

/** Vendor keys that accounts bring themselves. */
export const byok = closed(
  'Vendor keys that accounts bring themselves (docs/own-keys.md). Without it: not available.',
  {
    encryption_keys: encryptionKeys(
      'The first key encrypts, each decrypts what it encrypted; the same on all nodes. To change ' +
        'it, put a new key last on all nodes, then first on all. Remove the old one once ' +
        '`turnpike_vendor_keys_sealed` is 0 for it.',
    ),
    fee_percent: Type.Optional(
      Type.String({
        format: 'percent',
        default: defaults.byok.fee_percent,
        description:
          'Fee for a request answered with an own key, in percent of the list price without ' +
          '`billing.markup`. "0": no fee, also for models without a price.',
      }),
    ),
    providers: Type.Optional(
      Type.Array(identifier, {
        description:
          "Providers that accept own keys. Default: those at their vendor's own address, except servers of " +
          'your own such as `ollama`. Name others only if whoever runs the server at `base_url` may see ' +
          "customers' keys, and it asks for one.",
      }),
    ),
  },
)
