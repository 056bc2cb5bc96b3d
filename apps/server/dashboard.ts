import { fileURLToPath } from 'node:url'
import { Dashboard, type ManagementApi, type ManagementServices } from '@turnpike/http'

const directory = fileURLToPath(new URL('../dashboard/dist', import.meta.url))

/** Paths besides the management API's routes, some of which exist only with some configurations. */
const reserved = ['/v1', '/v1beta', '/api', '/oidc', '/metrics', '/webhooks', '/sandbox-checkout']

/** Opens the dashboard that `npm start` has built. */
export function openDashboard(
  { routes }: ManagementApi,
  { discovery }: Pick<ManagementServices, 'discovery'>,
): Dashboard {
  const otherPaths = new Set([...reserved, ...routes.map(({ path }) => `/${path.split('/', 2)[1] ?? ''}`)])
  return new Dashboard({
    directory,
    otherPaths,
    connectOrigins: async () => {
      const found = await discovery?.()
      if (found === undefined) return []
      return [...new Set([found.issuer, found.token_endpoint].map((address) => new URL(address).origin))]
    },
  })
}
