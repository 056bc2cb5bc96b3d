import type { Configuration } from './configuration/configuration.ts'

/** Builds the services and listens. Resolves once the server listens. */
export async function start(configuration: Configuration): Promise<void> {
  await Promise.reject(new Error(`nothing to start yet at ${configuration.server.publicUrl}`))
}
