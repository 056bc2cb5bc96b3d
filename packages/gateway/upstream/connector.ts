import type { buildConnector as undici } from 'undici'
import { buildConnector } from './undici.ts'

/**
 * undici's own way to an origin, without what it leaves at the connection: a listener for errors that is for
 * the connecting alone, and holds its time-out and its address for as long as the connection lives.
 */
export function connector(options: undici.BuildOptions): undici.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...result) => {
      // Who is called back listens for errors before it returns.
      result[1]?.removeAllListeners('error')
      callback(...result)
    })
}
