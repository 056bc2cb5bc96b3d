import type { ManagementApp } from './management-app.ts'
import type { AccountScope } from './access/scope.ts'
import type { ManagementServices } from './services.ts'

/** Registers routes at and below a path. The scope determines whose resources they serve. */
export type ScopedRoutes<Scope = AccountScope, Services = ManagementServices> = (
  app: ManagementApp,
  path: string,
  scope: Scope,
  services: Services,
) => void
