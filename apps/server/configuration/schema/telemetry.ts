import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, headerName, secret, url, wholeNumber } from './values.ts'

export const telemetry = closed('Metrics, logs and traces. None contain prompts or answers.', {
  metrics_port: Type.Optional(
    wholeNumber(1, 65_535, {
      description:
        'A port on `server.host` that serves only `/metrics`, without a secret; keep it in an ' +
        "inner network. `/metrics` on the gateway's own port requires the internal secret.",
    }),
  ),
  access_log: Type.Optional(
    Type.Boolean({
      default: defaults.telemetry.access_log,
      description:
        'Whether to log a line per request: id, account, key, model, status, tokens, cost, ' +
        'durations and attempts; no text.',
    }),
  ),
  traces: Type.Optional(
    closed('Traces, sent as OTLP over HTTP.', {
      url: url(['http', 'https'], {
        description: 'Where to send them, such as `http://127.0.0.1:4318/v1/traces`.',
      }),
      headers: Type.Optional(
        Type.Record(headerName, secret({ description: 'Its value.' }), {
          additionalProperties: false,
          description: 'Headers to send along, for example credentials.',
        }),
      ),
      sample_ratio: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          default: defaults.telemetry.traces.sample_ratio,
          description:
            'Share of requests that are traced; a caller that sends `traceparent` decides for itself.',
        }),
      ),
    }),
  ),
})
