import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../../api/client.ts'

export type VendorKey = Schemas['VendorKey']

/** Shown again now and then: a key that a vendor has just refused says so. */
const refetchMs = 30_000

export const vendorKeysQuery = queryOptions({
  queryKey: ['vendor-keys', 'list'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/vendor-keys', { signal })),
  refetchInterval: refetchMs,
})

/** Whose keys may be added, and what requests by them cost. */
export const vendorKeyProvidersQuery = queryOptions({
  queryKey: ['vendor-keys', 'providers'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/vendor-keys/providers', { signal })),
})
