import type { Exchange, GatewayLog, RequestObserver, RequestRecord } from '@turnpike/gateway'
import packageManifest from '../../../package.json' with { type: 'json' }
import type { Configuration } from '../configuration/configuration.ts'

/** How long, and how many, spans wait at most. Further ones are dropped to bound the memory. */
const batchMs = 2_000
const maxWaiting = 8_192
const exportTimeoutMs = 10_000

export interface Traces extends RequestObserver {
  /** Sends the waiting spans; always resolves. */
  close(): Promise<void>
}

/**
 * Sends a trace of each sampled request to the configured collector. Undefined if there is none; then
 * nothing of OpenTelemetry is loaded.
 */
export async function openTraces(
  { traces }: Configuration['telemetry'],
  nodeId: string,
  log: GatewayLog,
): Promise<Traces | undefined> {
  if (traces === null) return undefined
  const [sdk, { resourceFromAttributes }, { OTLPTraceExporter }, { traceRequest }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('./request-traces.ts'),
  ])
  const exporter = new OTLPTraceExporter({
    url: traces.url,
    headers: traces.headers,
    timeoutMillis: exportTimeoutMs,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'turnpike',
      'service.version': packageManifest.version,
      'service.instance.id': nodeId,
    }),
    // A caller that samples its trace expects our spans in it.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(traces.sampleRatio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: batchMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('turnpike', packageManifest.version)
  return {
    settled(record: RequestRecord, headers: Pick<Exchange, 'header'>) {
      traceRequest(tracer, record, headers)
    },
    async close() {
      try {
        await provider.shutdown()
      } catch (error) {
        log.warn({ error: String(error) }, 'the last traces could not be sent')
      }
    },
  }
}
