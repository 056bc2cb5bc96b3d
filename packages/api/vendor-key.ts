/** `GET /api/v1/vendor-keys/{id}`: an account's own key of a vendor, without its secret. */
export interface VendorKey {
  id: string
  provider: string
  name: string
  last4: string
  /** `active` or `disabled`. */
  status: string
  /** Whether requests go on to the gateway's own keys, for credit, where it gives no answer. */
  allow_fallback_to_shared: boolean
  /** Keys are asked by it, the lowest first. */
  position: number
  created_at: number
  updated_at: number
  /** Unix epoch seconds; null: never. */
  last_used_at: number | null
  refused_at: number | null
}

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
] as const
