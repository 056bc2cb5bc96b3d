import { queryOptions } from '@tanstack/react-query'
import { personApi } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'

export const sessionsQuery = readQuery(['sessions'], '/api/v1/me/sessions', {}, personApi)

export const billingQuery = readQuery(['billing'], '/api/v1/me/billing')

/** The current consequences of closing the account: never cached. */
export const closingQuery = queryOptions({
  ...readQuery(['closing'], '/api/v1/me/closing', {}, personApi),
  gcTime: 0,
})
