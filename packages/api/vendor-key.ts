import type { Schemas } from './schema.ts'

/** `GET /api/v1/vendor-keys/{id}`: an account's own vendor key, without its secret. */
export type VendorKey = Schemas['VendorKey']

export const vendorKeyFields = [
  'id',
  'provider',
  'name',
  'last4',
  'status',
  'allow_fallback_to_shared',
  'position',
  'created_at',
  'updated_at',
  'last_used_at',
  'refused_at',
] as const satisfies readonly (keyof VendorKey)[]
