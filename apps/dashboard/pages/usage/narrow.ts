import { tagKeyOf, type NamedDimension, type UsageDimension, type UsageView } from './usage-search.ts'

/** The view, filtered by one of its groups. */
export function narrowView(view: UsageView, by: UsageDimension, group: string): UsageView {
  const key = tagKeyOf(by)
  if (by === 'day' || by === 'hour') {
    const { days: _days, ...others } = view
    const day = group.slice(0, '2026-11-21'.length)
    return { ...others, from: day, to: day }
  }
  if (by === 'tag' || key !== undefined) {
    const tag = key === undefined ? group : `${key}:${group}`
    return { ...view, tag: [...new Set([...(view.tag ?? []), tag])] }
  }
  return { ...view, [by as NamedDimension]: group }
}
