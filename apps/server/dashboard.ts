import { fileURLToPath } from 'node:url'
import { Dashboard, type ManagementApi, type ManagementServices } from '@turnpike/http'

const directory = fileURLToPath(new URL('../dashboard/dist', import.meta.url))

/** Paths beside the management API's; that has some of its own only with some configuration. */
const reserved = ['/v1', '/v1beta', '/api', '/oidc', '/metrics', '/webhooks', '/sandbox-checkout']

/** The dashboard as `npm start` builds it. */
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
