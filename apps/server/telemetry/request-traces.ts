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
import { callerFormats } from '@turnpike/dialects'
import {
  operations,
  reasonsToPassOver,
  type AttemptRecord,
  type Exchange,
  type RequestRecord,
} from '@turnpike/gateway'
import { operationByEndpoint, type Usage } from '@turnpike/protocol'

/** Reads the caller's trace from the request's headers (https://www.w3.org/TR/trace-context/). */
const propagator = new W3CTraceContextPropagator()

/** The name in OpenTelemetry's conventions for the operation of an endpoint. */
function operationName({ endpoint }: RequestRecord): string {
  return operations[operationByEndpoint[endpoint]].spanName
}

const idPrefixes = new Map(callerFormats.map(({ endpoint, idPrefix }) => [endpoint, idPrefix]))

/**
 * Creates a request's spans from its row once it is settled, so that tracing costs nothing while the
 * request runs. Names and attributes are OpenTelemetry's for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/). They contain no prompt and no answer.
 */
export function traceRequest(tracer: Tracer, record: RequestRecord, headers: Pick<Exchange, 'header'>): void {
  const parent = callersContext(headers)
  const startTime = record.startedAtMs
  const endTime = startTime + record.durationMs
  const span = tracer.startSpan(
    `${operationName(record)} ${record.modelServed ?? record.modelAsked ?? 'unknown'}`,
    { kind: SpanKind.SERVER, startTime, attributes: requestAttributes(record) },
    parent,
  )
  if (record.errorType !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: record.errorType })
  const within = trace.setSpan(parent, span)
  let atMs = startTime + beforeFirstCall(record)
  for (const attempt of record.attempts) {
    const untilMs = attempt.result === 'ok' ? endTime : atMs + attempt.durationMs
    traceAttempt(tracer, { attempt, startTime: atMs, endTime: untilMs, within, record })
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
    record,
  }: { attempt: AttemptRecord; startTime: number; endTime: number; within: Context; record: RequestRecord },
): void {
  const { provider, model, status, result } = attempt
  const operation = operationName(record)
  const skipped = (reasonsToPassOver as readonly string[]).includes(result)
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.request.stream': record.stream,
    ...(status !== null && { 'http.response.status_code': status }),
    ...(result !== 'ok' && { 'error.type': result }),
    ...(skipped && { 'turnpike.attempt.skipped': true }),
  }
  const name = `${operation} ${model}`
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, within)
  if (result !== 'ok' && !skipped) span.setStatus({ code: SpanStatusCode.ERROR, message: result })
  span.end(endTime)
}

function requestAttributes(record: RequestRecord): Attributes {
  const { usage } = record
  return {
    'gen_ai.operation.name': operationName(record),
    'gen_ai.provider.name': record.provider ?? undefined,
    'gen_ai.request.model': record.modelAsked ?? undefined,
    'gen_ai.request.stream': record.stream,
    'gen_ai.response.model': record.modelServed ?? undefined,
    'gen_ai.response.id': `${idPrefixes.get(record.endpoint)}${record.id}`,
    'gen_ai.usage.input_tokens': usage === null ? undefined : record.tokensIn,
    'gen_ai.usage.output_tokens': usage === null ? undefined : record.tokensOut,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage === null ? undefined : cacheWriteTokens(usage),
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
    'gen_ai.response.time_to_first_chunk':
      record.firstTokenMs === null ? undefined : record.firstTokenMs / 1_000,
    'http.response.status_code': record.status,
    'error.type': record.errorType ?? undefined,
    'turnpike.request.id': record.id,
    'turnpike.account.id': record.accountId,
    'turnpike.key.id': record.keyId,
    'turnpike.endpoint': record.endpoint,
    'turnpike.operation': operationByEndpoint[record.endpoint],
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

/** The time before the first attempt: the first token arrived at the end of the last attempt. */
function beforeFirstCall({ attempts, firstTokenMs }: RequestRecord): number {
  if (firstTokenMs === null) return 0
  const callingMs = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return Math.max(0, firstTokenMs - callingMs)
}

/** The sum of five-minute and one-hour cache writes; undefined if the vendor reported neither. */
function cacheWriteTokens({ cacheWriteTokens: short, cacheWrite1hTokens: long }: Usage): number | undefined {
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0)
}
