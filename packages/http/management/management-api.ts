import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ApiRequest } from '@turnpike/api'
import { newIdentifier } from '@turnpike/protocol'
import Fastify from 'fastify'
import { registerAdmin } from './admin.ts'
import { registerCompression } from './answers/compression.ts'
import { registerDeviceOAuth } from './device-sign-ins/oauth-routes.ts'
import { registerDiscovery } from './discovery/routes.ts'
import { registerMailPages } from './events/mail-pages.ts'
import { registerErrors, sendError } from './errors.ts'
import { registerHealth } from './health/routes.ts'
import { InnerRequests, type InnerAnswer, type InnerCaller } from './inner-requests.ts'
import { internalSecretCheck } from './internal-secret.ts'
import { registerJsonBody } from './json-body.ts'
import { registerNewPassword } from './logins/new-password-routes.ts'
import type { ManagementApp } from './management-app.ts'
import { registerMcpMetadata } from './mcp/metadata-routes.ts'
import { providerFigures } from './models/provider-figures.ts'
import { registerPublicModels } from './models/public-routes.ts'
import { registerMetrics } from './metrics/routes.ts'
import { registerOperations } from './openapi/route-operation.ts'
import { registerDescription } from './openapi/routes.ts'
import { RouteTable, type Route } from './route-table.ts'
import type { ManagementServices } from './services.ts'
import { registerOpenTopups } from './topups/open-surfaces.ts'
import { registerExplanations, registerOwnLogins, registerUser } from './access/user.ts'
import { compileValidator } from './validation/validator.ts'
import { WorkUnderWay } from './work-under-way.ts'

/** The largest body of a management request. `/v1/*` has its own limit. */
const maxBodyBytes = 1024 * 1024
/** Path parameters are our own identifiers, of at most 31 characters, and links that contain two of them. */
const maxParamLength = 128

export interface ManagementApi {
  /** Handles one request; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Answers an account's request that comes from this process. */
  ask(caller: InnerCaller, request: ApiRequest): Promise<InnerAnswer>
  /** All routes, so that tests can cover every one. */
  routes: readonly Route[]
  /** Resolves when all requests are done, also those whose callers have left. */
  close(): Promise<void>
}

/** Serves every path outside `/v1/`: users, operators, health, and 404s. It does not listen itself. */
export async function createManagementApi(services: ManagementServices): Promise<ManagementApi> {
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength },
    requestIdHeader: false,
    genReqId: () => newIdentifier('req'),
    // The server handles draining: it responds with 503 in our envelope, Fastify with its own.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply, services.logger)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  const routes = new RouteTable()
  app.addHook('onRoute', (route) => routes.add(route.method, route.url))
  registerOperations(app)
  app.setValidatorCompiler(compileValidator)
  // Responses are built field by field, so there is nothing to filter out of them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  registerErrors(app, routes, services.logger)
  registerJsonBody(app)
  await registerCompression(app)
  await registerDescription(app, services)
  registerHealth(app, services)
  const { discovery, publicModels } = services
  if (discovery !== undefined)
    registerDiscovery(app, '/api/v1/auth/discovery', discovery, publicModels !== undefined)

  const underWay = new WorkUnderWay()
  const inner = new InnerRequests()
  await registerSurfaces(app, services, underWay, inner)
  await app.ready()
  return {
    handle: (request, response) => app.routing(request, response),
    ask: (caller, request) => inner.send(app, caller, request),
    routes: routes.all,
    async close() {
      await underWay.waitUntilIdle()
      await app.close()
    },
  }
}

/** Each surface is an app of its own, so that its hooks apply to its own routes only. */
async function registerSurfaces(
  app: ManagementApp,
  services: ManagementServices,
  underWay: WorkUnderWay,
  inner: InnerRequests,
): Promise<void> {
  const { internalSecret, operatorsByToken, accountOf, checkout, deviceSignIns, mcp, publicModels } = services
  const figures = providerFigures(services)
  if (internalSecret !== undefined) {
    await app.register(async (metrics) => {
      metrics.addHook('onRequest', internalSecretCheck(internalSecret))
      registerMetrics(metrics.withTypeProvider<TypeBoxTypeProvider>(), '/metrics', services.metrics)
    })
  }
  if (internalSecret !== undefined || operatorsByToken === true) {
    await app.register(async (plain) => {
      const admin = plain.withTypeProvider<TypeBoxTypeProvider>()
      underWay.watch(admin, () => registerAdmin(admin, services, { internalSecret, accountOf }))
    })
  }
  if (checkout !== undefined) await registerOpenTopups(app, checkout, services)
  if (services.notifications !== undefined) await registerMailPages(app, services)
  if (deviceSignIns !== undefined) {
    await app.register(async (devices) => {
      registerDeviceOAuth(devices.withTypeProvider<TypeBoxTypeProvider>(), deviceSignIns, services)
    })
  }
  if (mcp !== undefined) {
    await app.register(async (metadata) => {
      registerMcpMetadata(metadata.withTypeProvider<TypeBoxTypeProvider>(), mcp)
    })
  }
  const mailed = services.logins?.mailed
  if (mailed !== undefined) {
    await app.register(async (passwords) => {
      const open = passwords.withTypeProvider<TypeBoxTypeProvider>()
      registerNewPassword(open, '/api/v1/auth/new-password', mailed, services)
    })
  }
  if (publicModels !== undefined) await registerPublicModels(app, publicModels, { ...services, figures })
  if (accountOf !== undefined) {
    const userOf = inner.accountOf(accountOf)
    await app.register(async (explaining) => {
      registerExplanations(explaining.withTypeProvider<TypeBoxTypeProvider>(), services, userOf)
    })
    await app.register(async (logins) => {
      registerOwnLogins(logins.withTypeProvider<TypeBoxTypeProvider>(), services, userOf)
    })
    await app.register(async (plain) => {
      const user = plain.withTypeProvider<TypeBoxTypeProvider>()
      underWay.watch(user, () => registerUser(user, services, userOf, figures))
    })
  }
}
