import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { RangeFilter } from '../../../filters/range-filter.tsx'
import { AuditFilters } from './filters.tsx'
import { AuditList } from './list.tsx'
import type { OperatorView } from '../operator-search.ts'

const route = getRouteApi('/operator')

/** Who did what to which object, when, from where, and with which result. */
export function Audit() {
  const { days, from, to, cursor, actor, who, did, result, about } = route.useSearch()
  const navigate = route.useNavigate()
  const view = { days, from, to, actor, who, did, result, about }
  const change = (changed: OperatorView) =>
    void navigate({ search: { show: 'audit', ...view, ...changed }, replace: true })
  return (
    <Stack gap="sm">
      <RangeFilter
        range={{ days, from, to }}
        isOptional
        onChange={(range) => change({ days: undefined, from: undefined, to: undefined, ...range })}
      />
      <AuditFilters view={view} onChange={change} />
      <AuditList view={view} range={{ days, from, to }} cursor={cursor} />
    </Stack>
  )
}
