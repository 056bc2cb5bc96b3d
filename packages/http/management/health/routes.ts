import { errorEnvelope, GatewayError } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { HealthReport, ManagementServices } from '../services.ts'

const retryAfterSeconds = '1'

const livenessSchema = Type.Object({ status: Type.Literal('ok') })

const check = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'failed']),
  message: Type.Optional(Type.String()),
})
const readinessSchema = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  checks: Type.Unsafe<HealthReport['checks']>({
    type: 'object',
    additionalProperties: check,
    description: 'One entry a thing that the node stands on.',
  }),
})

/** Open to everybody: liveness (the process answers) and readiness (it should be sent requests). */
export function registerHealth(app: ManagementApp, services: ManagementServices): void {
  app.get('/healthz', { schema: { response: { 200: livenessSchema } } }, async () => ({
    status: 'ok' as const,
  }))
  app.get(
    '/readyz',
    { schema: { response: { 200: readinessSchema, 503: Type.Unsafe<object>(Type.Object({})) } } },
    async (request, reply) => {
      const report = await services.health()
      const { status, checks } = report
      if (status === 'ok' || status === 'degraded') return reply.send({ status, checks })
      const error = new GatewayError('service_unavailable', `The gateway is ${status}.`)
      return reply
        .code(503)
        .header('retry-after', retryAfterSeconds)
        .send({ ...report, ...errorEnvelope(error, request.id) })
    },
  )
}
