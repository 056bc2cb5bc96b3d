import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { requestQuery } from '../../api/usage-queries.ts'
import { BackLink } from '../../components/back-link.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Figure } from '../../components/figure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { outcomeNames } from '../../filters/outcomes.ts'
import { exactUsd } from '../../format/money.ts'
import { duration, wholeNumber } from '../../format/number.ts'
import { exactTimeOf } from '../../format/time.ts'
import { parseSearch } from '../../search.ts'
import { ChargePanel } from './charge-panel.tsx'
import { FailurePanel } from './failure-panel.tsx'
import { requestSearch } from './request-search.ts'
import { RequestFacts } from './request-facts.tsx'
import { RequestLog } from './log/request-log.tsx'
import { RoutePanel } from './route-panel.tsx'
import { Waterfall } from './waterfall.tsx'

const route = getRouteApi('/requests/$requestId')

/** One request: its facts, the upstreams that were tried, and how its charge was computed. */
export function RequestPage() {
  const { requestId } = route.useParams()
  const query = useQuery({ ...requestQuery(requestId), placeholderData: undefined })
  const cameFrom = requestSearch(parseSearch(useLocation().state.cameFrom ?? ''))
  return (
    <>
      <BackLink to="/requests" search={cameFrom}>
        Requests
      </BackLink>
      <PageHeader
        title="Request"
        description={
          <Text component="span" size="sm" ff="monospace">
            {requestId}
          </Text>
        }
      />
      <Loaded query={query} skeleton={<Skeleton height={600} radius="lg" />}>
        {(request) => <RequestDetail request={request} />}
      </Loaded>
    </>
  )
}

interface RequestDetailProps {
  request: Schemas['RequestDetail']
  /** Another account's request, as an operator sees it: only the owner may see its prompt and answer. */
  isOthers?: boolean
}

/** Everything about a request that the viewer may see. */
export function RequestDetail({ request, isOthers = false }: RequestDetailProps) {
  const first = request.time_to_first_token_ms
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'lg' }}>
        <Figure
          label="Outcome"
          value={outcomeNames[request.outcome]}
          note={`${request.status}${request.error_type === null ? '' : ` ${request.error_type}`}`}
        />
        <Figure
          label="Cost"
          value={<Money amount={request.cost_usd} />}
          note={`exactly ${exactUsd(request.cost_usd)}`}
        />
        <Figure
          label="Tokens"
          value={`${wholeNumber(request.tokens_in)} / ${wholeNumber(request.tokens_out)}`}
          note="in / out"
        />
        <Figure
          label="Took"
          value={duration(request.latency_ms)}
          note={first === null ? 'no token received' : `first token after ${duration(first)}`}
        />
      </SimpleGrid>
      <FailurePanel request={request} isOthers={isOthers} />
      <Panel title="What happened" description={exactTimeOf(request.created_at)}>
        <Waterfall request={request} />
      </Panel>
      {!isOthers && <RequestLog request={request} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <RequestFacts request={request} />
        <ChargePanel request={request} />
      </SimpleGrid>
      {request.route !== null && <RoutePanel chosen={request.route} tier={request.tier} />}
      {request.usage?.['raw'] !== null && request.usage?.['raw'] !== undefined && (
        <Panel title="Usage as the vendor reported it">
          <CodeBlock label="Raw usage" code={JSON.stringify(request.usage['raw'], null, 2)} />
        </Panel>
      )}
    </Stack>
  )
}
