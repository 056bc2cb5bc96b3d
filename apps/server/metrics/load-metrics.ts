import type { Admission } from '@turnpike/http'
import type { NoticeListener } from '@turnpike/storage'
import { Counter, Gauge, type Registry } from 'prom-client'

export interface LoadSources {
  admission: Pick<Admission, 'requests' | 'refused' | 'bodies'>
  notices: Pick<NoticeListener, 'state' | 'sweptUp'>
}

/** What a node has taken on, what it turned away, and whether it hears of the others. */
export function registerLoadMetrics(registry: Registry, { admission, notices }: LoadSources): void {
  const registers = [registry]
  gauge('turnpike_requests_open', 'Requests and streams under way.', () => admission.requests)
  gauge('turnpike_request_bodies_bytes', 'What their bodies hold in memory.', () => admission.bodies.bytes)
  gauge('turnpike_notices_listening', 'Whether notices of other nodes come at once (1) or late (0).', () =>
    notices.state === 'listening' ? 1 : 0,
  )
  counter('turnpike_notices_swept_total', 'Notices that were read before they were heard.', () => [
    [{}, notices.sweptUp],
  ])
  counter(
    'turnpike_requests_refused_total',
    'Requests turned away for want of room, by what was short.',
    () => [...admission.refused].map(([reason, count]) => [{ reason }, count]),
  )

  function gauge(name: string, help: string, value: () => number): void {
    const one: Gauge = new Gauge({ name, help, registers, collect: () => one.set(value()) })
  }

  /** Of what others count: it is taken over whenever somebody asks. */
  function counter(name: string, help: string, values: () => [Record<string, string>, number][]): void {
    const one: Counter<'reason'> = new Counter({
      name,
      help,
      labelNames: ['reason'],
      registers,
      collect() {
        one.reset()
        for (const [labels, value] of values()) one.inc(labels, value)
      },
    })
  }
}
