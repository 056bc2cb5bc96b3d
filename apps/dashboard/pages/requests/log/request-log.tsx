import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { promptLogQuery } from '../../../api/log-queries.ts'
import { PageLink } from '../../../components/page-link.tsx'
import { Panel } from '../../../components/panel.tsx'

const LogPanel = lazy(() => import('./log-panel.tsx').catch(() => ({ default: NotLoaded })))

/** What was asked and answered, or how it would have been kept. */
export function RequestLog({ request }: { request: Schemas['RequestDetail'] }) {
  // What was deleted on this page is told to be, by who deleted it.
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
        Nothing is kept of this request.{' '}
        <PageLink to="/requests" search={{ action: 'log' }}>
          What is kept of prompts and answers
        </PageLink>
      </Text>
    </Panel>
  )
}

function NotLoaded() {
  return (
    <Panel title="Prompt and answer">
      <Text size="sm" role="alert">
        This part of the page did not arrive: load the page again.
      </Text>
    </Panel>
  )
}
