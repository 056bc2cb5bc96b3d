import { useLocation, useNavigate } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the earlier pages; null for the first page. */
    trail?: (string | null)[]
    /** The search of the list that this page was opened from. */
    cameFrom?: string
  }
}

interface Trail {
  /** Goes to the page with this cursor, which follows the current one; undefined: to the first. */
  go: (cursor: string | undefined) => void
  /** Undefined if the way here is not known. */
  back: (() => void) | undefined
}

/**
 * The pages of a list that the user came through, kept in the browser's history: cursors only lead forward.
 */
export function useTrail(cursor: string | undefined): Trail {
  const navigate = useNavigate()
  const { trail = [] } = useLocation().state
  const to = (next: string | undefined, further: (string | null)[]): void =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, cursor: next }),
      state: { trail: further },
    })
  const before = trail.at(-1)
  return {
    go: (next) => to(next, next === undefined ? [] : [...trail, cursor ?? null]),
    back: before === undefined ? undefined : () => to(before ?? undefined, trail.slice(0, -1)),
  }
}
