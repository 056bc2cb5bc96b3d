import type { UsageDimension, UsageView } from './usage-search.ts'

/** The view of one group of this one. */
export function narrowedTo(view: UsageView, by: UsageDimension, group: string): UsageView {
  if (by === 'day') {
    const { days: _days, ...others } = view
    return { ...others, from: group, to: group }
  }
  if (by === 'tag') return { ...view, tag: [...new Set([...(view.tag ?? []), group])] }
  return { ...view, [by]: group }
}
