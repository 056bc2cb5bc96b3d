import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from './acting.ts'
import type { Schemas } from './client.ts'
import { accountQuery } from './queries.ts'

export type Permission = Schemas['Me']['permissions'][number]

/** What whoever is here may do with the account that they act for: with their own all there is. */
export function useMay(): (permission: Permission) => boolean {
  const { data: account } = useQuery(accountQuery)
  if (currentOrganization() === undefined) return () => true
  return (permission) => account?.permissions.includes(permission) === true
}

/** Whether usage, keys and budgets are told of all members; developers are told of their own alone. */
export function useSeesAll(): boolean {
  const { data: account } = useQuery(accountQuery)
  return currentOrganization() === undefined || account?.role !== 'developer'
}
