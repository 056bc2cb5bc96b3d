import type { RequestStore } from '@turnpike/gateway'
import { Kysely } from 'kysely'
import { requestStore } from '../requests/requests.ts'
import { StorableText } from '../database/storable-text.ts'
import type { Connection, Schema } from '../schema.ts'
import { errcodeOf, type SqliteConnection } from './connection.ts'
import { workerDialect, type Client } from './dialect.ts'
import { SqliteError } from './worker-client.ts'

/** The store of requests on a connection of this thread: the same code, without messages. */
export function localRequests(connection: SqliteConnection): RequestStore {
  return requestStore({ write: localDatabase(connection) })
}

/** Queries on a connection of this thread. */
export function localDatabase(connection: SqliteConnection): Connection {
  const client: Client = {
    async send(request) {
      if (request.kind === 'batch') throw new Error('a batch is not handed on')
      try {
        return { id: 0, ...connection.answer(request) }
      } catch (error) {
        const errcode = errcodeOf(error)
        if (errcode === null || !(error instanceof Error)) throw error
        throw new SqliteError(error.message, errcode)
      }
    },
  }
  return new Kysely<Schema>({ dialect: workerDialect(client), plugins: [new StorableText()] })
}
