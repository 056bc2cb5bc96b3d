import { useLocation, useNavigate } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the pages before this one; the first has none. */
    trail?: (string | null)[]
    /** The search of the list that this page was opened from. */
    cameFrom?: string
  }
}

interface Trail {
  /** To the page of this cursor, which is behind the one that is shown; undefined: to the first. */
  go: (cursor: string | undefined) => void
  /** Undefined: the way here is not known. */
  back: (() => void) | undefined
}

/** The way along the pages of a list, as the browser's history keeps it: its cursors lead onward alone. */
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
