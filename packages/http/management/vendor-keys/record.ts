import { vendorKeyStatuses, type VendorKey } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const vendorKeySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('vendor_key'),
    provider: Type.String({ description: 'The provider that is called with it.' }),
    name: Type.String({ description: 'A label of your own.' }),
    last4: Type.String({ description: 'Its last four characters. The rest is never told again.' }),
    status: Type.Enum([...vendorKeyStatuses], { description: '`disabled`: it is not used.' }),
    allow_fallback_to_shared: Type.Boolean({
      description:
        'Whether a request goes on to the gateway’s own keys, for credit, where this one gives no answer. ' +
        'False: a model that this key serves is never answered for credit.',
    }),
    position: Type.Integer({ description: 'Keys of a model are asked by it, the lowest first.' }),
    created_at: timestamp,
    updated_at: timestamp,
    last_used_at: nullable(Type.Integer({ description: 'A few seconds late. Null: never.' })),
    refused_at: nullable(
      Type.Integer({
        description: 'When the vendor last refused it. Null: not since its secret was set.',
      }),
    ),
  },
  { title: 'VendorKey' },
)

export function vendorKeyRecord(key: VendorKey): Static<typeof vendorKeySchema> {
  return {
    id: key.id,
    object: 'vendor_key',
    provider: key.provider,
    name: key.name,
    last4: key.last4,
    status: key.status,
    allow_fallback_to_shared: key.allowsShared,
    position: key.position,
    created_at: epochSeconds(key.createdAtMs),
    updated_at: epochSeconds(key.updatedAtMs),
    last_used_at: epochSecondsOrNull(key.lastUsedAtMs),
    refused_at: epochSecondsOrNull(key.refusedAtMs),
  }
}
