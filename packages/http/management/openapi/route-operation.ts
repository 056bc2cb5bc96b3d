import type { ManagementApp } from '../management-app.ts'
import { permissionOf } from '../access/permissions.ts'
import { operationAt, type RouteOperation } from './operation-table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for routes outside the API: pages for people, and unknown paths. */
    operation?: RouteOperation
  }
}

/** Attaches its operation to each later route. @throws if a route of users has no permission */
export function registerOperations(app: ManagementApp): void {
  app.addHook('onRoute', (route) => {
    const operation = operationAt([route.method].flat()[0]!, route.url)
    if (operation?.surface === 'user' && permissionOf(operation.action) === undefined)
      throw new Error(`\`permissions.ts\` does not say who may use ${operation.action}`)
    if (operation !== undefined) route.config = { ...route.config, operation }
  })
}
