import type { ReactNode } from 'react'

type Page = (() => ReactNode) & { preload?: () => Promise<void> }

/**
 * A page whose code is loaded on demand. If that fails, the page says so in its own place, and what is in
 * this tab's memory stays: a raw key that was shown once exists nowhere else. (TanStack's own
 * `lazyRouteComponent` reloads the document, which shows the browser's error page while the gateway is
 * unreachable.)
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): Page {
  let page: (() => ReactNode) | undefined
  let loading: Promise<void> | undefined
  const preload = (): Promise<void> => {
    loading ??= load().then(
      (loaded) => {
        page = loaded[name]
      },
      (cause: unknown) => {
        loading = undefined
        throw new PartMissing(cause)
      },
    )
    return loading
  }
  const Lazy: Page = () => {
    if (page === undefined) throw preload()
    const Shown = page
    return <Shown />
  }
  Lazy.preload = preload
  return Lazy
}

/** The code of a page could not be loaded. */
class PartMissing extends Error {
  override readonly name = 'PartMissing'

  constructor(cause: unknown) {
    super('The gateway does not respond, or has been updated to a newer version.', { cause })
  }
}
