import { getRouteApi } from '@tanstack/react-router'
import type { OrganizationView } from './organization-search.ts'

const route = getRouteApi('/organization')

/** The dialog that the address names, and the member it is about. */
export function useDialog() {
  const { action, member } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: Pick<OrganizationView, 'action' | 'member'>): void =>
    void navigate({
      search: ({ show, cursor }) => ({ show, cursor, ...next }),
      replace: true,
      resetScroll: false,
    })
  return { action, member, open: go, close: () => go({}) }
}
