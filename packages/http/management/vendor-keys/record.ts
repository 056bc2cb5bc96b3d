import { vendorKeyStatuses, type VendorKey } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const vendorKeySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('vendor_key'),
    provider: Type.String({ description: 'The provider that it is used with.' }),
    name: Type.String({ description: 'A label.' }),
    last4: Type.String({ description: 'Its last four characters. The rest is never returned.' }),
    status: Type.Enum([...vendorKeyStatuses], { description: '`disabled`: it is not used.' }),
    allow_fallback_to_shared: Type.Boolean({
      description:
        'Whether requests fall back to the gateway’s own keys, for credit, if this one fails. ' +
        'False: models that this key serves never use credit.',
    }),
    position: Type.Integer({ description: 'Keys of a model are used in this order, lowest first.' }),
    created_at: timestamp,
    updated_at: timestamp,
    last_used_at: nullable(Type.Integer({ description: 'Accurate to a few seconds. Null: never.' })),
    refused_at: nullable(
      Type.Integer({
        description: 'When the vendor last rejected it. Null: not since its secret was set.',
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
