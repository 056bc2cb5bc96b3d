import { GatewayError } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { withUnreachableErrors } from './unreachable.ts'

const lost: [string, Error][] = [
  ['the port is closed', coded('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' })],
  [
    'the Unix socket is gone',
    coded('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
  ],
  ['the server is starting', coded('the database system is starting up', { code: '57P03' })],
  ['the connection broke', new Error('Connection terminated unexpectedly')],
  ['it had broken before', new Error('Client has encountered a connection error and is not queryable')],
  ['it was closed', new Error('Client was closed and is not queryable')],
]

const other: [string, Error][] = [
  ['a file is missing', coded('ENOENT: no such file', { code: 'ENOENT', syscall: 'open' })],
  ['a constraint', coded('duplicate key', { code: '23505' })],
]

describe('a store whose database is unreachable', () => {
  it.each(lost)('rejects with 503: %s', async (_name, error) => {
    const store = withUnreachableErrors({ find: () => Promise.reject(error) })
    await expect(store.find()).rejects.toMatchObject({ type: 'service_unavailable', status: 503 })
  })

  it.each(other)('passes on any other error: %s', async (_name, error) => {
    const store = withUnreachableErrors({ find: () => Promise.reject(error) })
    await expect(store.find()).rejects.toBe(error)
    await expect(store.find()).rejects.not.toBeInstanceOf(GatewayError)
  })
})

function coded(message: string, fields: { code: string; syscall?: string }): Error {
  return Object.assign(new Error(message), fields)
}
