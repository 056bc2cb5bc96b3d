import type { Network } from './network/network.ts'
import type { Output } from './output/output.ts'
import type { Environment } from './settings.ts'

/** What stands around a command: everything that it reads or writes goes through here. */
export interface Context {
  environment: Environment
  /** Address of the gateway. @throws {Failure} where the environment names none that is one */
  readonly apiUrl: string
  /** Name or id of the organization that is acted for; undefined: the person's own account. */
  organization: string | undefined
  /** Folder of credentials and cached key. */
  directory: string
  network: Network
  output: Output
  readonly input: NodeJS.ReadStream
  /** Aborted by Ctrl-C, or by another signal to end. */
  signal: AbortSignal
  clock: () => number
}
