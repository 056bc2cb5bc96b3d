import type { Network } from './network/network.ts'
import type { Output } from './output/output.ts'
import type { Environment } from './settings.ts'

/** A command's environment: everything that it reads or writes goes through here. */
export interface Context {
  environment: Environment
  /**
   * The gateway's address.
   * @throws {Failure} if the environment contains an invalid one
   */
  readonly apiUrl: string
  /** Name or id of the organization to act for; undefined for the user's own account. */
  organization: string | undefined
  /** The folder of the credentials and the cached key. */
  directory: string
  network: Network
  output: Output
  readonly input: NodeJS.ReadStream
  /** Aborted by Ctrl-C, or by another signal to end. */
  signal: AbortSignal
  clock: () => number
}
