import { errorEnvelope, GatewayError, retryHeaders } from '@turnpike/protocol'
import type { HealthReport } from '../services.ts'

const retryAfterSeconds = 1

export interface HealthAnswer {
  status: 200 | 503
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** Reports whether the process responds. */
export const liveness: HealthAnswer = { status: 200, headers: {}, body: { status: 'ok' } }

/** Reports whether the node should receive requests. */
export function readiness(report: HealthReport, requestId: string): HealthAnswer {
  const { status, checks } = report
  if (status === 'ok' || status === 'degraded') return { status: 200, headers: {}, body: { status, checks } }
  const error = new GatewayError('service_unavailable', `The gateway is ${status}.`)
  return {
    status: 503,
    headers: retryHeaders(retryAfterSeconds),
    body: { ...report, ...errorEnvelope(error, requestId) },
  }
}
