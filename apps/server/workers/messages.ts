import type { DatabaseServerOptions } from '@turnpike/storage/database-server'

/** What prom-client says of a registry's metrics; only it looks into them. */
export type MetricsOfWorker = object[]

/** What a worker tells the primary process. */
export type FromWorker =
  /** It listens. */
  | { kind: 'ready'; banner: string }
  /** Somebody asks for the metrics of all. */
  | { kind: 'metrics-wanted'; question: number }
  | { kind: 'metrics'; question: string; metrics: MetricsOfWorker }

/** What the primary process tells a worker. */
export type ToWorker =
  | { kind: 'tell-metrics'; question: string }
  | { kind: 'all-metrics'; question: number; metrics: MetricsOfWorker[] }

/** What the primary process tells the database process. */
export type ToDatabase = { kind: 'open'; options: DatabaseServerOptions } | { kind: 'stop' }

/** What the database process tells the primary process. */
export type FromDatabase =
  | { kind: 'listening' }
  /** It ends. */
  | { kind: 'failed'; message: string; code: string | undefined; syscall: string | undefined }
