import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, headerName, secret, url, wholeNumber } from './schema-values.ts'

export const telemetry = closed('What the gateway tells of itself. No prompt and no answer is in it.', {
  metrics_port: Type.Optional(
    wholeNumber(1, 65_535, {
      description:
        'A port at `server.host` that serves `/metrics` alone, without a secret: for a network that ' +
        'callers do not reach. `/metrics` of the gateway itself asks for the internal secret.',
    }),
  ),
  access_log: Type.Optional(
    Type.Boolean({
      default: defaults.telemetry.access_log,
      description:
        'One line a request in the log: its id, account, key, model, status, tokens, cost, durations and ' +
        'attempts; no text.',
    }),
  ),
  traces: Type.Optional(
    closed('Traces, sent by OTLP over HTTP.', {
      url: url(['http', 'https'], {
        description: 'Where they are sent, as in `http://127.0.0.1:4318/v1/traces`.',
      }),
      headers: Type.Optional(
        Type.Record(headerName, secret({ description: 'Its value.' }), {
          additionalProperties: false,
          description: 'Headers sent along, as for a vendor of tracing.',
        }),
      ),
      sample_ratio: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          default: defaults.telemetry.traces.sample_ratio,
          description:
            'Share of the requests that are traced; a caller that sends a `traceparent` decides itself.',
        }),
      ),
    }),
  ),
})
