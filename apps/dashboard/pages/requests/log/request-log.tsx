import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../components/lazy-part.tsx'
import type { Schemas } from '../../../api/client.ts'
import { promptLogQuery } from '../../../api/log-queries.ts'
import { PageLink } from '../../../components/page-link.tsx'
import { Panel } from '../../../components/panel.tsx'

const LogPanel = lazyPart(() => import('./log-panel.tsx'))

/** The stored prompt and answer, or how to store them. */
export function RequestLog({ request }: { request: Schemas['RequestDetail'] }) {
  // If the log is deleted on this page, `LogPanel` stays and says so.
  const [hadLog] = useState(request.has_log)
  if (!hadLog) return <NotKept />
  return (
    <Suspense fallback={<Skeleton height={420} radius="lg" />}>
      <LogPanel requestId={request.id} />
    </Suspense>
  )
}

function NotKept() {
  const { data } = useQuery(promptLogQuery)
  if (data?.available !== true) return null
  return (
    <Panel title="Prompt and answer">
      <Text size="sm" c="dimmed">
        The prompt and answer of this request are not stored.{' '}
        <PageLink to="/requests" search={{ action: 'log' }} underline="always">
          Prompt log settings
        </PageLink>
      </Text>
    </Panel>
  )
}
