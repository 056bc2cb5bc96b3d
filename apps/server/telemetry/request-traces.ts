import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  trace,
  type Attributes,
  type Context,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { reasonsToPassOver, type AttemptRecord, type Exchange, type RequestRecord } from '@turnpike/gateway'

/** A caller's trace, as its request's headers tell it (https://www.w3.org/TR/trace-context/). */
const propagator = new W3CTraceContextPropagator()

/**
 * Makes the spans of a request once it is settled, from its row: while it runs, tracing costs nothing. Names
 * and attributes are OpenTelemetry's for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/); no prompt and no answer is in them.
 */
export function traceRequest(tracer: Tracer, record: RequestRecord, headers: Pick<Exchange, 'header'>): void {
  const parent = callersContext(headers)
  const startTime = record.startedAtMs
  const endTime = startTime + record.durationMs
  const span = tracer.startSpan(
    `chat ${record.modelServed ?? record.modelAsked ?? 'unknown'}`,
    { kind: SpanKind.SERVER, startTime, attributes: requestAttributes(record) },
    parent,
  )
  if (record.errorType !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: record.errorType })
  const within = trace.setSpan(parent, span)
  let atMs = startTime + beforeFirstCall(record)
  for (const attempt of record.attempts) {
    const untilMs = attempt.result === 'ok' ? endTime : atMs + attempt.durationMs
    traceAttempt(tracer, { attempt, startTime: atMs, endTime: untilMs, within, stream: record.stream })
    atMs = untilMs
  }
  span.end(endTime)
}

function traceAttempt(
  tracer: Tracer,
  {
    attempt,
    startTime,
    endTime,
    within,
    stream,
  }: { attempt: AttemptRecord; startTime: number; endTime: number; within: Context; stream: boolean },
): void {
  const { provider, model, status, result } = attempt
  const skipped = (reasonsToPassOver as readonly string[]).includes(result)
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.request.stream': stream,
    ...(status !== null && { 'http.response.status_code': status }),
    ...(result !== 'ok' && { 'error.type': result }),
    ...(skipped && { 'turnpike.attempt.skipped': true }),
  }
  const span = tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, startTime, attributes }, within)
  if (result !== 'ok' && !skipped) span.setStatus({ code: SpanStatusCode.ERROR, message: result })
  span.end(endTime)
}

function requestAttributes(record: RequestRecord): Attributes {
  const { usage } = record
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': record.provider ?? undefined,
    'gen_ai.request.model': record.modelAsked ?? undefined,
    'gen_ai.request.stream': record.stream,
    'gen_ai.response.model': record.modelServed ?? undefined,
    'gen_ai.response.id': `chatcmpl-${record.id}`,
    'gen_ai.usage.input_tokens': usage === null ? undefined : record.tokensIn,
    'gen_ai.usage.output_tokens': usage === null ? undefined : record.tokensOut,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
    'gen_ai.response.time_to_first_chunk':
      record.firstTokenMs === null ? undefined : record.firstTokenMs / 1_000,
    'http.response.status_code': record.status,
    'error.type': record.errorType ?? undefined,
    'turnpike.request.id': record.id,
    'turnpike.account.id': record.accountId,
    'turnpike.key.id': record.keyId,
    'turnpike.outcome': record.outcome,
    'turnpike.tags': record.tags,
    'turnpike.tier': record.tier ?? undefined,
    'turnpike.cost.pico_usd': String(record.chargePico),
  }
}

function callersContext(headers: Pick<Exchange, 'header'>): Context {
  const carrier = { traceparent: headers.header('traceparent'), tracestate: headers.header('tracestate') }
  if (carrier.traceparent === undefined) return ROOT_CONTEXT
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
}

/** What passed until the first attempt: the first token came with the last one's end. */
function beforeFirstCall({ attempts, firstTokenMs }: RequestRecord): number {
  if (firstTokenMs === null) return 0
  const callingMs = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return Math.max(0, firstTokenMs - callingMs)
}
