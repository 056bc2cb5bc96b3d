import { Progress, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { nameOf, type Breakdown } from '../../api/usage-queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { parseUsd, shareOf } from '../../format/money.ts'
import { countOf } from '../../format/number.ts'
import { homeDays } from './home-days.ts'
import classes from './top-list.module.css'

interface TopListProps {
  title: string
  by: 'model' | 'tag'
  query: Pick<UseQueryResult<Breakdown>, 'data' | 'error' | 'refetch'>
  nameless: string
  /** The total cost of all requests, in pico-USD. */
  all: bigint
}

/** The groups that cost the most. */
export function TopList({ title, by, query, nameless, all }: TopListProps) {
  return (
    <Panel
      title={title}
      actions={
        <PageLink to="/usage" search={{ days: homeDays, by }}>
          All
        </PageLink>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={230} />}>
        {(found) => (
          <Stack component="ul" gap="md" m={0} p={0} className={classes.list}>
            {found.data.map((group) => (
              <Row key={nameOf(group) ?? ''} group={group} all={all} nameless={nameless} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

interface RowProps {
  group: Breakdown['data'][number]
  /** The total cost of all requests, in pico-USD. */
  all: bigint
  nameless: string
}

function Row({ group, all, nameless }: RowProps) {
  const share = shareOf(parseUsd(group.total_cost_usd), all) ?? 0
  const name = nameOf(group)
  return (
    <li>
      <div className={classes.words}>
        <Text size="sm" fw={500} truncate c={name === null ? 'dimmed' : undefined}>
          {name ?? nameless}
        </Text>
        <Text size="sm" c="dimmed" className={classes.count}>
          {countOf(group.total_requests, 'request')}
        </Text>
        <Text size="sm" fw={600}>
          <Money amount={group.total_cost_usd} />
        </Text>
      </div>
      <Progress value={share} size={5} mt={6} color="var(--chart-1)" aria-hidden />
    </li>
  )
}
