import { Group, Select, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import classes from './breakdown.module.css'
import { BreakdownTable } from './breakdown-table.tsx'
import { CrossTable } from './cross-table.tsx'
import { dimensionNames } from './group-names.ts'
import { TagRule } from './tag-rule.tsx'
import { defaultBy, defaultMeasure, dimensions, type UsageDimension } from './usage-search.ts'
import { viewQueries } from './view-queries.ts'

const route = getRouteApi('/usage')
const options = (names: readonly UsageDimension[]) =>
  names.map((value) => ({ value, label: dimensionNames[value] }))

/** The same figures by any dimension, or by two crossed. */
export function Breakdown() {
  const view = route.useSearch()
  const { by = defaultBy, against, measure = defaultMeasure } = view
  const query = useQuery(viewQueries(view).groups)
  const summary = useQuery(viewQueries(view).summary)
  return (
    <Panel p={0}>
      <Group p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <Choices by={by} against={against} />
      </Group>
      {(by === 'tag' || against === 'tag') && (
        <TagRule found={query.data} total={summary.data} isCrossed={against !== undefined} />
      )}
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {({ data, others }) => (
          <>
            {data.length === 0 && (
              <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="lg">
                There is nothing to break down.
              </Text>
            )}
            {data.length > 0 && against === undefined && (
              <BreakdownTable groups={data} others={others} by={by} />
            )}
            {data.length > 0 && against !== undefined && (
              <CrossTable groups={data} others={others} by={by} against={against} measure={measure} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Choices({ by, against }: { by: UsageDimension; against: UsageDimension | undefined }) {
  const navigate = route.useNavigate()
  const change = (changed: { by?: UsageDimension; against?: UsageDimension | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  return (
    <>
      <Select
        label="Broken down by"
        className={classes.choice}
        allowDeselect={false}
        data={options(dimensions)}
        value={by}
        onChange={(value) =>
          value !== null && change({ by: value, ...(value === against && { against: undefined }) })
        }
      />
      <Select
        label="Crossed with"
        placeholder="nothing"
        className={classes.choice}
        clearable
        data={options(dimensions.filter((one) => one !== by))}
        value={against ?? null}
        onChange={(value) => change({ against: value ?? undefined })}
      />
    </>
  )
}
