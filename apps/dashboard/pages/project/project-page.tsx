import { Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useMay, useSeesAll } from '../../api/permissions.ts'
import { keysQuery } from '../../api/queries.ts'
import { BackLink } from '../../components/back-link.tsx'
import { Figure } from '../../components/figure.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { parseUsd, shareOf } from '../../format/money.ts'
import { countOf, wholeNumber } from '../../format/number.ts'
import { dateOf } from '../../format/time.ts'
import { ProjectActions } from './project-actions.tsx'
import { ProjectBudgets } from './project-budgets.tsx'
import { projectQuery, projectUsage } from './project-queries.ts'
import { SpendOverTime } from './spend-over-time.tsx'

type Project = Schemas['Project']

/** Below the first screen, so their code is loaded later. */
const ProjectLists = lazyPart(() => import('./project-lists.tsx'))

const route = getRouteApi('/projects/$projectId')

/** One project: its spend and budgets, by member and key. */
export function ProjectPage(): ReactNode {
  const { projectId } = route.useParams()
  const query = useQuery(projectQuery(projectId))
  return (
    <>
      <BackLink to="/projects">Projects</BackLink>
      {query.data === undefined && query.error !== null && <PageHeader title="Project" />}
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(project) => <Shown project={project} />}
      </Loaded>
    </>
  )
}

function Shown({ project }: { project: Project }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const navigate = route.useNavigate()
  const may = useMay()
  const seesAll = useSeesAll()
  return (
    <>
      <PageHeader
        title={project.name}
        description={describe(project) + (seesAll ? '' : ' You see only your own keys.')}
      >
        <ProjectActions project={project} />
      </PageHeader>
      <Stack gap="lg">
        {may('usage:read') && (
          <>
            <RangeFilter
              range={range}
              onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
            />
            <Figures project={project} />
            <SpendOverTime project={project} />
            {seesAll && <ProjectBudgets project={project} />}
          </>
        )}
        <Suspense fallback={<Skeleton height={480} radius="lg" />}>
          <ProjectLists project={project} />
        </Suspense>
      </Stack>
    </>
  )
}

function describe({ created_at: madeAt, archived_at: archivedAt }: Project): string {
  const made = `Created ${dateOf(madeAt)}`
  return archivedAt === null
    ? `${made}.`
    : `${made}, archived ${dateOf(archivedAt)}. No keys can be added; existing keys keep working.`
}

function Figures({ project }: { project: Project }) {
  const { days, from, to } = route.useSearch()
  const queries = projectUsage(project.id, { days, from, to })
  const { data: spent, isError } = useQuery(queries.spent)
  const { data: all } = useQuery(queries.all)
  const may = useMay()
  const { data: keys } = useQuery({ ...keysQuery, enabled: may('keys:read') })
  const own = keys?.data.filter(({ project_id: id }) => id === project.id) ?? []
  const share = spent && all && shareOf(parseUsd(spent.total_cost_usd), parseUsd(all.total_cost_usd))
  return (
    <SimpleGrid cols={{ base: 2, md: may('keys:read') ? 4 : 3 }} spacing={{ base: 'sm', md: 'lg' }}>
      <Figure
        label="Spend"
        isFailed={isError}
        value={spent && <Money amount={spent.total_cost_usd} />}
        note={spent && countOf(spent.range_days, 'day')}
      />
      <Figure
        label="Share of all spending"
        isFailed={isError}
        value={spent && all && (share === undefined ? '–' : `${share} %`)}
        note={all && <AllSpent amount={all.total_cost_usd} />}
      />
      <Figure
        label="Requests"
        isFailed={isError}
        value={spent && wholeNumber(spent.total_requests)}
        note="successful"
      />
      {may('keys:read') && (
        <Figure
          label="Active keys"
          value={keys && wholeNumber(own.filter(({ status }) => status === 'active').length)}
          note={keys && `${wholeNumber(own.length)} in total`}
        />
      )}
    </SimpleGrid>
  )
}

function AllSpent({ amount }: { amount: string }) {
  return (
    <Text span inherit>
      of <Money amount={amount} />
    </Text>
  )
}

function PageSkeleton() {
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Skeleton height={64} width={280} />
      </Group>
      <Skeleton height={126} radius="lg" />
      <Skeleton height={400} radius="lg" />
    </Stack>
  )
}
