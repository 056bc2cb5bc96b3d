import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/settings')

/** The dialog that the address names. */
export function useDialog() {
  const { action } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: typeof action): void =>
    void navigate({ search: (before) => ({ ...before, action: next }), replace: true, resetScroll: false })
  return { action, open: go, close: () => go(undefined) }
}
