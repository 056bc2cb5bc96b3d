import { Code, Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { PageLink } from '../../../components/page-link.tsx'
import { wholeNumber } from '../../../format/number.ts'
import { exactTimeOf, relativeTo } from '../../../format/time.ts'

type Result = Schemas['UpstreamAttempts']['results'][number]

/** Only the newest ones are shown. */
const mostShown = 4

/** The results of failed attempts, the newest first, each with a link to its request. */
export function UpstreamResults({ results }: { results: Result[] }) {
  const others = results
    .filter(({ result }) => result !== 'ok')
    .toSorted((left, right) => right.last_at - left.last_at)
  if (others.length === 0)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <div>
      {others.slice(0, mostShown).map(({ result, attempts, last_at: at, last_request_id: id }) => (
        <Text key={result} size="xs" component="div" c="dimmed">
          <Code fz={11}>{result}</Code> {wholeNumber(attempts)}×,{' '}
          <PageLink
            to="/operator/requests/$requestId"
            params={{ requestId: id }}
            size="xs"
            underline="always"
            title={`${exactTimeOf(at)}, ${id}`}
          >
            {relativeTo(at, Date.now())}
          </PageLink>
        </Text>
      ))}
      {others.length > mostShown && (
        <Text size="xs" c="dimmed">
          and {others.length - mostShown} other results
        </Text>
      )}
    </div>
  )
}
