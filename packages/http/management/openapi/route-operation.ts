import type { ManagementApp } from '../management-app.ts'
import { operationAt, type RouteOperation } from './operation-table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for what is no part of the API: pages for people, and paths that are not there. */
    operation?: RouteOperation
  }
}

/** Tells every route that is registered from now on which operation it is. */
export function registerOperations(app: ManagementApp): void {
  app.addHook('onRoute', (route) => {
    const operation = operationAt([route.method].flat()[0]!, route.url)
    if (operation !== undefined) route.config = { ...route.config, operation }
  })
}
