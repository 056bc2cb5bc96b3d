import { Agent } from 'node:http'
import { findPostgres } from '../../../packages/storage/testing/find-postgres.ts'
import { startCluster, type TestCluster } from '../../../packages/storage/testing/postgres.ts'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { Database } from './database.ts'
import { Node } from './node.ts'
import { NodesClock } from './nodes-clock.ts'
import { People } from '../world/people.ts'
import { models, thinkingModel } from '../world/prices.ts'
import { VendorCalls } from './vendor-calls.ts'

export type Engine = 'sqlite' | 'postgres'

export interface FleetOptions {
  engine: Engine
  /** How long leases outlive their node. */
  leaseSeconds: number
  /** How long a vendor may be silent. */
  upstreamSeconds: number
  /** Time until a day, a week and a month end at once by the nodes' clock; absent: the machine's clock. */
  periodsEndInMs?: number
  /** Processes of the node with the embedded database, each a node of its own; absent: one process. */
  workers?: number
  /** Further configuration of the nodes. */
  configure?: (input: ConfigurationInput, vendorPort: number) => Promise<ConfigurationInput>
}

/** Shorter than the time within which a row must exist. */
const readOnSeconds = 2

export const internalSecret = 'secret of the torture test'

/** Every process of a run. `end` leaves none of them running, however the run ends. */
export class Fleet {
  readonly engine: Engine
  /** Number of workers of its one node; absent: each node is one process. */
  readonly workers: number | undefined
  readonly vendor: VendorCalls
  readonly clock: NodesClock
  readonly people: People
  /** Absent with SQLite. */
  readonly database: Database | undefined
  readonly nodes: Node[] = []
  readonly agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

  private constructor(
    { engine, workers }: Pick<FleetOptions, 'engine' | 'workers'>,
    { vendor, clock, people }: { vendor: VendorCalls; clock: NodesClock; people: People },
    database: Database | undefined,
  ) {
    this.engine = engine
    this.workers = workers
    this.vendor = vendor
    this.clock = clock
    this.people = people
    this.database = database
    process.on('exit', this.#killAll)
  }

  /** Starts PostgreSQL with two nodes, or one node with its embedded database. */
  static async start(options: FleetOptions): Promise<Fleet> {
    const { engine } = options
    const vendor = await VendorCalls.start()
    const cluster = engine === 'postgres' ? await durableCluster() : undefined
    const clock = new NodesClock(options.periodsEndInMs)
    const people = await People.start(() => clock.at(Date.now()))
    const database = cluster === undefined ? undefined : new Database(cluster)
    const fleet = new Fleet(options, { vendor, clock, people }, database)
    try {
      const usual = { ...configuration(vendor, cluster?.url, options), identity: people.identity }
      const vendorPort = Number(new URL(vendor.server.origin).port)
      const input = (await options.configure?.(usual, vendorPort)) ?? usual
      for (let index = 0; index < (engine === 'postgres' ? 2 : 1); index++)
        fleet.nodes.push(await Node.start(index, input, clock.environment))
    } catch (error) {
      await fleet.end()
      throw error
    }
    return fleet
  }

  get ports(): number[] {
    return this.nodes.map((node) => node.gateway.port)
  }

  /** Folders with the logs of the run. */
  get folders(): string[] {
    const { database } = this
    return [
      ...this.nodes.map((node) => node.gateway.directory),
      ...(database === undefined ? [] : [database.cluster.home]),
    ]
  }

  /** The last resort if the run itself dies, when nothing can be awaited any more. */
  readonly #killAll = (): void => {
    for (const { gateway } of this.nodes) if (gateway.isRunning) process.kill(gateway.pid, 'SIGKILL')
    void this.database?.cluster.kill()
  }

  /** Ends all processes. @param keep leaves the folders for inspection */
  async end(keep: boolean = false): Promise<void> {
    process.off('exit', this.#killAll)
    this.agent.destroy()
    for (const node of this.nodes) await node.remove(keep)
    if (this.database !== undefined) await this.database.end(keep)
    await this.vendor.close()
    await this.people.stop()
  }
}

/** @throws if the machine has no PostgreSQL */
async function durableCluster(): Promise<TestCluster> {
  const directory = findPostgres()
  if (directory === undefined) throw new Error('PostgreSQL 15 or newer was not found.')
  return startCluster(directory, { durable: true })
}

function configuration(
  vendor: VendorCalls,
  databaseUrl: string | undefined,
  { leaseSeconds, upstreamSeconds, workers }: FleetOptions,
): ConfigurationInput {
  return {
    server: { drain_seconds: 5, ...(workers !== undefined && { workers }) },
    admin: { internal_secret: internalSecret },
    ...(databaseUrl !== undefined && { database: { url: databaseUrl } }),
    providers: {
      vendor: { style: 'openai', base_url: vendor.server.baseUrl(), api_keys: ['sk-vendor'] },
      sandbox: false,
    },
    models: Object.fromEntries(
      Object.entries(models).map(([name, pricing]) => [
        name,
        {
          pricing,
          max_output_tokens: 50_000,
          ...(name === thinkingModel && { supported_parameters: ['reasoning'] }),
        },
      ]),
    ),
    upstream: {
      connect_seconds: upstreamSeconds,
      first_byte_seconds: upstreamSeconds,
      idle_seconds: upstreamSeconds,
      total_seconds: 60,
    },
    // Overload is not under test here, and the node shares the machine with all other processes.
    overload: { max_event_loop_delay_seconds: 30 },
    // The vendor fails when a client requests it, which must not stop other clients' calls.
    routing: { breaker: { enabled: false } },
    billing: { lease_seconds: leaseSeconds, read_on_seconds: readOnSeconds },
  }
}
