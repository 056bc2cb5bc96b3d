import type { Configuration } from '../configuration/configuration.ts'

/** In a worker's environment: which one it is, from 1 on. It keeps its number, and with it its folder. */
export const workerVariable = 'TURNPIKE_WORKER'

/** In a worker's environment: where the process is asked that has the embedded database. */
export const databaseVariable = 'TURNPIKE_DATABASE_SOCKET'

/** The configuration for so many, with what their operator should know. */
export function withWorkers(configuration: Configuration, workers: number): Configuration {
  const { server, redis, warnings } = configuration
  const apart = `each of the ${workers} workers counts limits separately: set redis.url`
  return {
    ...configuration,
    server: { ...server, workers },
    warnings: workers > 1 && redis === null ? [...warnings, apart] : warnings,
  }
}
