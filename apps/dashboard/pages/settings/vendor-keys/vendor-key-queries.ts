import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'

export type VendorKey = Schemas['VendorKey']

/** Shown again now and then: a key that a vendor has just refused says so. */
const refetchMs = 30_000

export const vendorKeysQuery = queryOptions({
  ...readQuery(['vendor-keys', 'list'], '/api/v1/vendor-keys'),
  refetchInterval: refetchMs,
})

/** Whose keys may be added, and what requests by them cost. */
export const vendorKeyProvidersQuery = readQuery(
  ['vendor-keys', 'providers'],
  '/api/v1/vendor-keys/providers',
)
