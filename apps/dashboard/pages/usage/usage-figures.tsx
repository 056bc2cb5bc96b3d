import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FailureNote } from '../../components/failure-note.tsx'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { parseUsd, sumUsd } from '../../format/money.ts'
import { countOf, shortNumber, wholeNumber } from '../../format/number.ts'
import type { UsageView } from './usage-search.ts'
import { viewQueries } from './view-queries.ts'

export function UsageFigures({ view }: { view: UsageView }) {
  const { data, error, refetch } = useQuery(viewQueries(view).summary)
  const saved = useSaved(view)
  if (data === undefined && error !== null)
    return <FailureNote error={error} onRetry={() => void refetch()} />
  const mean =
    data && data.total_requests > 0 ? parseUsd(data.total_cost_usd) / BigInt(data.total_requests) : undefined
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'lg' }}>
      <Figure
        label="Spend"
        value={data && <Money amount={data.total_cost_usd} />}
        note={
          data &&
          (saved > 0n ? <>routing saved {<Money amount={saved} />}</> : countOf(data.range_days, 'day'))
        }
      />
      <Figure
        label="Requests"
        value={data && wholeNumber(data.total_requests)}
        note={
          mean === undefined ? (
            ''
          ) : (
            <>
              <Money amount={mean} /> each
            </>
          )
        }
      />
      <Figure
        label="Tokens in"
        value={data && shortNumber(data.total_tokens_in)}
        note={each(data?.total_tokens_in, data?.total_requests)}
      />
      <Figure
        label="Tokens out"
        value={data && shortNumber(data.total_tokens_out)}
        note={each(data?.total_tokens_out, data?.total_requests)}
      />
    </SimpleGrid>
  )
}

/** The savings of auto-routing, compared with the account's baseline model: each tier has its own. */
function useSaved(view: UsageView): bigint {
  const { data } = useQuery(viewQueries(view).byTier)
  return sumUsd(data?.data.flatMap(({ total_saved_usd: saved }) => saved ?? []) ?? [])
}

function each(tokens: number | undefined, requests: number | undefined): string {
  if (tokens === undefined || requests === undefined || requests === 0) return ''
  return `${shortNumber(Math.round(tokens / requests))} per request`
}
