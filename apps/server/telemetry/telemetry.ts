import type { RequestObserver } from '@turnpike/gateway'
import type { Metrics } from '@turnpike/http'
import type { Configuration } from '../configuration/configuration.ts'
import { MetricsListener } from '../metrics/metrics-listener.ts'
import { accessLog } from './access-log.ts'
import { openTraces } from './open-traces.ts'
import type { NodeLog } from './redacting-log.ts'

/** What the node tells of itself: metrics at a port of their own, traces to a collector, a line a request. */
export interface Telemetry {
  observer: RequestObserver
  listen(): Promise<void>
  close(): Promise<void>
}

/**
 * @param metrics what is told of each request
 * @param all of this node and its fellow workers, as scrapers are to read them
 */
export async function openTelemetry(
  { server, telemetry }: Configuration,
  { metrics, all, nodeId, log }: { metrics: RequestObserver; all: Metrics; nodeId: string; log: NodeLog },
): Promise<Telemetry> {
  const traces = await openTraces(telemetry, nodeId, log)
  const listener = telemetry.metricsPort === null ? undefined : new MetricsListener(all)
  return {
    observer: allOf([metrics, ...(traces ? [traces] : []), ...(telemetry.accessLog ? [accessLog(log)] : [])]),
    async listen() {
      if (telemetry.metricsPort !== null) await listener?.listen(server.host, telemetry.metricsPort)
    },
    async close() {
      listener?.close()
      await traces?.close()
    },
  }
}

function allOf(observers: readonly RequestObserver[]): RequestObserver {
  const [only, ...others] = observers
  if (only !== undefined && others.length === 0) return only
  return {
    settled(record, headers) {
      for (const observer of observers) observer.settled(record, headers)
    },
  }
}
