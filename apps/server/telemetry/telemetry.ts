import type { GatewayLog, RequestObserver } from '@turnpike/gateway'
import type { Metrics } from '@turnpike/http'
import type { Configuration } from '../configuration/configuration.ts'
import { MetricsListener } from '../metrics/metrics-listener.ts'
import { openTraces } from './open-traces.ts'

/** What the node tells the outside of itself: metrics at a port of their own, traces to a collector. */
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
  { metrics, all, nodeId, log }: { metrics: RequestObserver; all: Metrics; nodeId: string; log: GatewayLog },
): Promise<Telemetry> {
  const traces = await openTraces(telemetry, nodeId, log)
  const listener = telemetry.metricsPort === null ? undefined : new MetricsListener(all)
  return {
    observer: traces === undefined ? metrics : both(metrics, traces),
    async listen() {
      if (telemetry.metricsPort !== null) await listener?.listen(server.host, telemetry.metricsPort)
    },
    async close() {
      listener?.close()
      await traces?.close()
    },
  }
}

function both(first: RequestObserver, second: RequestObserver): RequestObserver {
  return {
    settled(record, headers) {
      first.settled(record, headers)
      second.settled(record, headers)
    },
  }
}
