import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { HealthReport, ManagementServices } from '../services.ts'
import { liveness, readiness } from './report.ts'

const livenessSchema = Type.Unsafe<object>(Type.Object({ status: Type.Literal('ok') }))

const check = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'failed']),
  message: Type.Optional(Type.String()),
})
const readinessSchema = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  checks: Type.Unsafe<HealthReport['checks']>({
    type: 'object',
    additionalProperties: check,
    description: 'One entry per dependency of the node.',
  }),
})

/** Open to everybody: liveness (the process responds) and readiness (it should receive requests). */
export function registerHealth(app: ManagementApp, services: ManagementServices): void {
  app.get('/healthz', { schema: { response: { 200: livenessSchema } } }, async () => liveness.body)
  app.get(
    '/readyz',
    {
      schema: {
        response: {
          200: Type.Unsafe<object>(readinessSchema),
          503: Type.Unsafe<object>(Type.Object({})),
        },
      },
    },
    async (request, reply) => {
      const { status, headers, body } = readiness(await services.health(), request.id)
      return reply.code(status).headers(headers).send(body)
    },
  )
}
