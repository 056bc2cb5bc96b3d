/** Parts of undici, with the types of its index, which would load much that is not used here. */

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici'

  export default EnvHttpProxyAgent
}

declare module 'undici/lib/api/index.js' {
  import type { Dispatcher } from 'undici'

  const api: {
    request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  }
  export default api
}
