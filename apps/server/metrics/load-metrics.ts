import type { Admission, HealthReport } from '@turnpike/http'
import type { NoticeListener } from '@turnpike/storage'
import type { Registry } from 'prom-client'
import { alone, countedElsewhere, measured } from './counted.ts'

export interface LoadSources {
  admission: Pick<Admission, 'requests' | 'refused' | 'bodies'>
  notices: Pick<NoticeListener, 'state' | 'sweptUp'>
  health: { report(): Promise<HealthReport> }
}

/** What a node has taken on, what it turned away, and how what it depends on does. */
export function registerLoadMetrics(registry: Registry, { admission, notices, health }: LoadSources): void {
  measured(registry, { name: 'turnpike_open_requests', help: 'Requests and streams under way.' }, () =>
    alone(admission.requests),
  )
  measured(
    registry,
    { name: 'turnpike_request_bodies_bytes', help: 'What bodies of requests under way hold in memory.' },
    () => alone(admission.bodies.bytes),
  )
  measured(
    registry,
    {
      name: 'turnpike_notices_listening',
      help: 'Whether notices of other nodes come at once (1) or late (0).',
    },
    () => alone(notices.state === 'listening' ? 1 : 0),
  )
  countedElsewhere(
    registry,
    { name: 'turnpike_notices_swept_total', help: 'Notices that were read before they were heard.' },
    () => alone(notices.sweptUp),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_requests_refused_total',
      help: 'Requests turned away for want of room, by what was short.',
      labelNames: ['reason'],
    },
    () => [...admission.refused].map(([reason, count]) => [{ reason }, count] as const),
  )
  measured(
    registry,
    {
      name: 'turnpike_check_ok',
      help: "Whether what the node depends on is well (1) or not (0): `/readyz`'s checks.",
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
