import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useBudgetsOn } from '../../budgets/budgets-on.ts'
import { DayChartSkeleton } from '../../charts/day-chart.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { usePlaces } from '../../filters/use-places.ts'
import { IconChartBar } from '../../icons/icons.ts'
import { TimeChart } from '../usage/time-chart.tsx'
import { projectUsage, seriesOfProject } from './project-queries.ts'

const route = getRouteApi('/projects/$projectId')
const chartHeight = 260

/** By member in an organization, with the limit of the project's budget. */
export function SpendOverTime({ project: { id } }: { project: Schemas['Project'] }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const series = seriesOfProject()
  const view = { ...range, project: id, by: series }
  const query = useQuery(projectUsage(id, range).overTime)
  const places = usePlaces(range)
  const budgets = useBudgetsOn(view, true)
  return (
    <Panel
      title="Spend over time"
      description={`By ${places.unit} and ${series}`}
      actions={
        <PageButton to="/usage" search={view} variant="default" size="xs">
          View usage
        </PageButton>
      }
    >
      <Loaded query={query} skeleton={<DayChartSkeleton height={chartHeight} />}>
        {({ data, by: [, shown] }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconChartBar} title="No spending in this range">
              The spending of keys in this project is shown here.
            </EmptyNote>
          ) : (
            <TimeChart
              groups={data}
              series={shown}
              places={places}
              view={view}
              budgets={budgets}
              height={chartHeight}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
