import type { buildConnector as undici } from 'undici'
import { buildConnector } from './undici.ts'

/**
 * undici's own connector without what it leaves on the connection: an error listener that only the connect
 * phase needs, and that keeps its timeout and address in memory as long as the connection lives.
 */
export function connector(options: undici.BuildOptions): undici.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...result) => {
      // The callback adds its own error listener before it returns.
      result[1]?.removeAllListeners('error')
      callback(...result)
    })
}
