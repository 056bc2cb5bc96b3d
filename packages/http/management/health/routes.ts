import { errorEnvelope, GatewayError } from '@turnpike/protocol'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'

const retryAfterSeconds = '1'

/** Open to everybody: liveness (the process answers) and readiness (it should be sent requests). */
export function registerHealth(app: ManagementApp, services: ManagementServices): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const report = await services.health()
    if (report.status === 'ok' || report.status === 'degraded') return report
    const error = new GatewayError('service_unavailable', `The gateway is ${report.status}.`)
    return reply
      .code(error.status)
      .header('retry-after', retryAfterSeconds)
      .send({ ...report, ...errorEnvelope(error, request.id) })
  })
}
