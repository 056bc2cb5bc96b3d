import type { Admission, HealthReport } from '@turnpike/http'
import type { NoticeListener } from '@turnpike/storage'
import type { Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

export interface LoadSources {
  admission: Pick<Admission, 'requests' | 'refused' | 'bodies'>
  notices: Pick<NoticeListener, 'state' | 'sweptUp'>
  health: { report(): Promise<HealthReport> }
}

/** Metrics of a node's load, of the requests that it refused, and of the health of its dependencies. */
export function registerLoadMetrics(registry: Registry, { admission, notices, health }: LoadSources): void {
  registerGauge(registry, { name: 'turnpike_open_requests', help: 'Requests and streams in progress.' }, () =>
    alone(admission.requests),
  )
  registerGauge(
    registry,
    { name: 'turnpike_request_bodies_bytes', help: 'Memory held by bodies of requests in progress.' },
    () => alone(admission.bodies.bytes),
  )
  registerGauge(
    registry,
    {
      name: 'turnpike_notices_listening',
      help: 'Whether notices from other nodes arrive at once (1) or only by polling (0).',
    },
    () => alone(notices.state === 'listening' ? 1 : 0),
  )
  registerCounter(
    registry,
    { name: 'turnpike_notices_swept_total', help: 'Notices found by polling before they were pushed.' },
    () => alone(notices.sweptUp),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_requests_refused_total',
      help: 'Requests refused with 503 because of overload, by the resource that was short.',
      labelNames: ['reason'],
    },
    () => [...admission.refused].map(([reason, count]) => [{ reason }, count] as const),
  )
  registerGauge(
    registry,
    {
      name: 'turnpike_check_ok',
      help: 'Result of each check of `/readyz`: 1 if it passes, 0 if not.',
      labelNames: ['check'],
    },
    async () => {
      const { checks } = await health.report()
      return Object.entries(checks).map(
        ([check, { status }]) => [{ check }, status === 'ok' ? 1 : 0] as const,
      )
    },
  )
}
