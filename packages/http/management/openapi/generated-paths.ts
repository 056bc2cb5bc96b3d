import Fastify, { type FastifySchema, type HTTPMethods } from 'fastify'
import type { GeneratedOperation } from './describe-operation.ts'

export type GeneratedPaths = Record<string, Record<string, GeneratedOperation>>

/** A route with its schemas. */
export interface SchemaRoute {
  method: HTTPMethods
  path: string
  schema: FastifySchema
}

/**
 * Translates the routes' schemas to OpenAPI. @fastify/swagger must see routes as they are registered, and
 * takes 0.1 s to load, so the routes are registered on a separate app when somebody first asks; that keeps
 * starts fast.
 */
export async function generatePaths(routes: readonly SchemaRoute[]): Promise<GeneratedPaths> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, convertConstToEnum: false })
  for (const { method, path, schema } of routes)
    app.route({ method, url: path, schema, handler: async () => undefined })
  await app.ready()
  const { paths } = app.swagger() as { paths: GeneratedPaths }
  await app.close()
  return paths
}
