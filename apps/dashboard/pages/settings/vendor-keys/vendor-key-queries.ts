import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'

export type VendorKey = Schemas['VendorKey']

/** Refetched now and then, so that a key that its vendor has just rejected shows up. */
const refetchMs = 30_000

export const vendorKeysQuery = queryOptions({
  ...readQuery(['vendor-keys', 'list'], '/api/v1/vendor-keys'),
  refetchInterval: refetchMs,
})

/** The vendors whose keys can be added, and the gateway's price for requests with them. */
export const vendorKeyProvidersQuery = readQuery(
  ['vendor-keys', 'providers'],
  '/api/v1/vendor-keys/providers',
)
