import type { Admission, HealthReport } from '@turnpike/http'
import type { NoticeListener } from '@turnpike/storage'
import type { Meters } from './register.ts'

export interface LoadSources {
  admission: Pick<Admission, 'requests' | 'refused' | 'bodies'>
  notices: Pick<NoticeListener, 'state' | 'sweptUp'>
  health: { report(): Promise<HealthReport> }
}

/** Metrics of a node's load, of the requests that it refused, and of the health of its dependencies. */
export function registerLoadMetrics(
  { counter, gauge }: Meters,
  { admission, notices, health }: LoadSources,
): void {
  gauge('turnpike_open_requests', 'Requests and streams in progress.', [], () => admission.requests)
  gauge(
    'turnpike_request_bodies_bytes',
    'Memory held by bodies of requests in progress.',
    [],
    () => admission.bodies.bytes,
  )
  gauge(
    'turnpike_notices_listening',
    'Whether notices from other nodes arrive at once (1) or only by polling (0).',
    [],
    () => (notices.state === 'listening' ? 1 : 0),
  )
  counter(
    'turnpike_notices_swept_total',
    'Notices found by polling before they were pushed.',
    [],
    () => notices.sweptUp,
  )
  counter(
    'turnpike_requests_refused_total',
    'Requests refused with 503 because of overload, by the resource that was short.',
    ['reason'],
    () => [...admission.refused].map(([reason, count]) => [{ reason }, count] as const),
  )
  gauge(
    'turnpike_check_ok',
    'Result of each check of `/readyz`: 1 if it passes, 0 if not.',
    ['check'],
    async () => {
      const { checks } = await health.report()
      return Object.entries(checks).map(
        ([check, { status }]) => [{ check }, status === 'ok' ? 1 : 0] as const,
      )
    },
  )
}
