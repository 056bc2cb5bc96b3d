import type { Configuration } from '../configuration/configuration.ts'

/** In a worker's environment: which one it is, from 1 on. It keeps its number, and with it its folder. */
export const workerVariable = 'TURNPIKE_WORKER'

export const needsDatabase =
  'several processes cannot share the embedded database: set database.url to a PostgreSQL'

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

/** Why so many workers cannot be had; undefined where they can. */
export function refusalOfWorkers({ server, databaseUrl }: Configuration): string | undefined {
  return server.workers > 1 && databaseUrl === null ? `workers: ${needsDatabase}, or use 1` : undefined
}
