import type { DatabaseServerOptions } from '@turnpike/storage/database-server'

/** prom-client's JSON of a registry's metrics. Only prom-client reads what is in it. */
export type MetricsOfWorker = object[]

/** Messages of a worker to the primary process. */
export type FromWorker =
  /** The worker listens. */
  | { kind: 'ready'; banner: string }
  /** A scraper requested the metrics of all workers. */
  | { kind: 'metrics-wanted'; question: number }
  | { kind: 'metrics'; question: string; metrics: MetricsOfWorker }

/** Messages of the primary process to a worker. */
export type ToWorker =
  | { kind: 'tell-metrics'; question: string }
  | { kind: 'all-metrics'; question: number; metrics: MetricsOfWorker[] }

/** Messages of the primary process to the database process. */
export type ToDatabase = { kind: 'open'; options: DatabaseServerOptions } | { kind: 'stop' }

/** Messages of the database process to the primary process. */
export type FromDatabase =
  | { kind: 'listening' }
  /** The database process exits. */
  | { kind: 'failed'; message: string; code: string | undefined; syscall: string | undefined }
