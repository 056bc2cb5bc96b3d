import type { ManagementApp } from '../management-app.ts'

/** The node's metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
}

export function registerMetrics(app: ManagementApp, path: string, metrics: Metrics): void {
  app.get(path, async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.text()),
  )
}
