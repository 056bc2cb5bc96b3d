import { EnvHttpProxyAgent, fetch } from 'undici'

/**
 * `fetch` through the proxies that the environment names. Node's own knows of them from version 24 on, and
 * only
 * where NODE_USE_ENV_PROXY is set.
 */
export function proxiedFetch(): typeof globalThis.fetch {
  // Proxies commonly tunnel to port 443 alone, so plain HTTP is handed to them as such.
  const dispatcher = new EnvHttpProxyAgent({ proxyTunnel: false })
  const send = (url: string, init: object): unknown => fetch(url, { ...init, dispatcher })
  return send as unknown as typeof globalThis.fetch
}
