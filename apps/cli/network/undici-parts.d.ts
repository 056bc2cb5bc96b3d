/* Parts of undici that its index loads along with much that is not used here; typed as the index types them. */

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
