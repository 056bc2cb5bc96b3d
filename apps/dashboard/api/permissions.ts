import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from './acting.ts'
import type { Schemas } from './client.ts'
import { accountQuery } from './queries.ts'

export type Permission = Schemas['Me']['permissions'][number]

/** What the person may do with the account they act for. With their own account they may do everything. */
export function useMay(): (permission: Permission) => boolean {
  const { data: account } = useQuery(accountQuery)
  if (currentOrganization() === undefined) return () => true
  return (permission) => account?.permissions.includes(permission) === true
}

/** Whether usage, keys and budgets of all members are visible. Developers only see their own. */
export function useSeesAll(): boolean {
  const { data: account } = useQuery(accountQuery)
  return currentOrganization() === undefined || account?.role !== 'developer'
}
