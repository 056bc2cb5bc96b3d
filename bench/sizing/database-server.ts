import { openDatabase } from '@turnpike/storage/testing/open-database.ts'
import { startCluster, type TestCluster } from '@turnpike/storage/testing/postgres.ts'
import { bytesOfRow, logBytes } from '@turnpike/storage/testing/written.ts'
import { treeMicroseconds } from '../process-table.ts'

/** A durable PostgreSQL with counters of what it has used and written. */
export class DatabaseServer {
  readonly url: string
  readonly #cluster: TestCluster
  readonly #database: Awaited<ReturnType<typeof openDatabase>>

  private constructor(cluster: TestCluster, database: Awaited<ReturnType<typeof openDatabase>>) {
    this.url = cluster.url
    this.#cluster = cluster
    this.#database = database
  }

  /** @param programs the directory of PostgreSQL's programs */
  static async start(programs: string): Promise<DatabaseServer> {
    const cluster = await startCluster(programs, { durable: true })
    return new DatabaseServer(cluster, await openDatabase({ engine: 'postgres', url: cluster.url }))
  }

  /** CPU time of all its processes. */
  cpuMicroseconds(): number {
    return treeMicroseconds(this.#cluster.pid)
  }

  /** Bytes written to its log since it started. */
  logBytes(): Promise<number> {
    return logBytes(this.#database)
  }

  /** Bytes per row, including indexes. */
  bytesOfRow(table: string): Promise<number> {
    return bytesOfRow(this.#database, table)
  }

  async remove(): Promise<void> {
    await this.#database.close()
    await this.#cluster.remove()
  }
}
