import type { RequestObserver } from '@turnpike/gateway'
import type { HostRules, Metrics } from '@turnpike/http'
import type { Configuration } from '../configuration/configuration.ts'
import { MetricsListener } from '../metrics/metrics-listener.ts'
import { NodeMetrics, type MetricSources } from '../metrics/node-metrics.ts'
import type { WorkerChannel } from '../workers/worker.ts'
import { accessLog } from './access-log.ts'
import { openTraces } from './open-traces.ts'
import type { NodeLog } from './redacting-log.ts'

/** The node's telemetry: metrics at a port of their own, traces to a collector, a log line per request. */
export interface Telemetry {
  metrics: NodeMetrics
  /** The metrics of this node and its fellow workers, for scrapers. */
  all: Metrics
  observer: RequestObserver
  /** @param hosts names by which the node may be called */
  listen(hosts: HostRules): Promise<void>
  close(): Promise<void>
}

/** @param sources what the metrics are read from, and the channel to the other workers, if there are any */
export async function openTelemetry(
  configuration: Configuration,
  sources: MetricSources & { nodeId: string; channel: WorkerChannel | undefined; log: NodeLog },
): Promise<Telemetry> {
  const { server, telemetry } = configuration
  const { nodeId, channel, log } = sources
  const metrics = new NodeMetrics(configuration, sources)
  const all = channel?.metricsOfAll(metrics) ?? metrics
  const traces = await openTraces(telemetry, nodeId, log)
  const listener = telemetry.metricsPort === null ? undefined : new MetricsListener(all)
  return {
    metrics,
    all,
    observer: allOf([metrics, ...(traces ? [traces] : []), ...(telemetry.accessLog ? [accessLog(log)] : [])]),
    async listen(hosts) {
      if (telemetry.metricsPort !== null) await listener?.listen(server.host, telemetry.metricsPort, hosts)
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
    unauthenticated(reason) {
      for (const observer of observers) observer.unauthenticated?.(reason)
    },
    tokensCounted(counter) {
      for (const observer of observers) observer.tokensCounted?.(counter)
    },
  }
}
