import Fastify, { type FastifySchema, type HTTPMethods } from 'fastify'
import type { GeneratedOperation } from './describe-operation.ts'

export type GeneratedPaths = Record<string, Record<string, GeneratedOperation>>

/** A route and what it takes and answers. */
export interface SchemaRoute {
  method: HTTPMethods
  path: string
  schema: FastifySchema
}

/**
 * What the routes' schemas say, in OpenAPI's words. @fastify/swagger must see routes as they are registered,
 * and takes 0.1 s to load: it is shown them on an app of its own once somebody asks, so that no start waits.
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
