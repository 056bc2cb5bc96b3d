import type { ManagementApp } from '../management-app.ts'
import { permissionOf } from '../access/permissions.ts'
import { operationAt, type RouteOperation } from './operation-table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for what is no part of the API: pages for people, and paths that are not there. */
    operation?: RouteOperation
  }
}

/**
 * Tells every route that is registered from now on which operation it is.
 * @throws where nobody has said who may use one of users
 */
export function registerOperations(app: ManagementApp): void {
  app.addHook('onRoute', (route) => {
    const operation = operationAt([route.method].flat()[0]!, route.url)
    if (operation?.surface === 'user' && permissionOf(operation.action) === undefined)
      throw new Error(`\`permissions.ts\` does not say who may use ${operation.action}`)
    if (operation !== undefined) route.config = { ...route.config, operation }
  })
}
