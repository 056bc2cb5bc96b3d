import { parentPort, workerData } from 'node:worker_threads'
import type { RequestStore } from '@turnpike/gateway'
import { errcodeOf, SqliteConnection } from './connection.ts'
import type { ToldNotice, WorkerAnswer, WorkerRequest, WorkerSettings } from './messages.ts'
import { stepBehindRequests } from './thread-priority.ts'

/** The thread of an SQLite connection: `node:sqlite` is synchronous, and must not block the event loop. */

if (parentPort === null) throw new Error('sqlite/worker.ts runs in a worker thread only')
const port = parentPort
const settings = workerData as WorkerSettings
// Nobody waits for the batches of finished requests that a writer writes, but callers wait for reads.
if (!settings.queryOnly) stepBehindRequests()
const connection = new SqliteConnection(settings, (notice) => send({ kind: 'notice', notice }))
let requests: Pick<RequestStore, 'writeLines'> | undefined

port.on('message', (request: WorkerRequest) => {
  if (request.kind === 'batch') {
    writeBatch(request).catch((error: unknown) => fail(request.id, error))
    return
  }
  try {
    send({ id: request.id, ...connection.answer(request) })
  } catch (error) {
    fail(request.id, error)
  }
})

/** The sender of the batch holds the connection, so nothing else uses it meanwhile. */
async function writeBatch({ id, nodeId, lines }: Extract<WorkerRequest, { kind: 'batch' }>): Promise<void> {
  // Most connections never write a batch, so the code for it is loaded only when needed.
  requests ??= (await import('./local-requests.ts')).localRequests(connection)
  send({ id, kind: 'batch', written: await requests.writeLines(nodeId, lines) })
}

function fail(id: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  send({ id, kind: 'error', message, errcode: errcodeOf(error) })
}

function send(answer: WorkerAnswer | ToldNotice): void {
  port.postMessage(answer)
}
