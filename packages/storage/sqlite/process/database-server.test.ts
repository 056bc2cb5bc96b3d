import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { publish, type Notice } from '../../notices.ts'
import { openStorage, type Storage } from '../../open-storage.ts'
import { fundedKey, newAccount, newRecord } from '../../testing/fixtures.ts'
import { inTransaction } from '../../database/transaction.ts'
import { openSqlite } from '../open.ts'
import type { Database } from '../../database/database.ts'
import { DatabaseServer } from './database-server.ts'

const onWindows = process.platform === 'win32'

describe('a database that workers share', () => {
  let folder: string
  let path: string
  let socketPath: string
  let server: DatabaseServer
  const opened: { close(): Promise<void> }[] = []

  const serve = (idleTransactionMs?: number): Promise<DatabaseServer> =>
    DatabaseServer.start({ path, socketPath, ...(idleTransactionMs && { idleTransactionMs }) })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-shared-'))
    path = join(folder, 'turnpike.db')
    socketPath = onWindows ? `\\\\.\\pipe\\${folder.replaceAll(/[\\:]/g, '-')}` : join(folder, 'socket')
    server = await serve()
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(): Promise<Database> {
    const database = await openSqlite({ engine: 'sqlite', path, socketPath })
    opened.push(database)
    return database
  }

  async function openStores(): Promise<Storage> {
    const storage = await openStorage({ engine: 'sqlite', path, socketPath })
    opened.push(storage)
    return storage
  }

  async function hear(database: Pick<Database, 'listen'>): Promise<{ heard: Notice[]; errors: Error[] }> {
    const [heard, errors]: [Notice[], Error[]] = [[], []]
    await database.listen(
      (notice) => heard.push(notice),
      (error) => errors.push(error),
    )
    return { heard, errors }
  }

  const rows = async ({ write }: Database): Promise<string[]> => {
    const found = await write
      .selectFrom('installation_secrets')
      .select('purpose')
      .orderBy('purpose')
      .execute()
    return found.map(({ purpose }) => purpose)
  }
  const insert = ({ write }: Pick<Database, 'write'>, purpose: string) =>
    write.insertInto('installation_secrets').values({ purpose, secret: 'x', created_at_ms: 1 }).execute()

  it('runs one transaction at a time, in the order of their beginnings', async () => {
    const [left, right] = [await open(), await open()]
    const order: string[] = []
    const one = inTransaction(left, async (write) => {
      order.push('left begins')
      await insert({ write }, 'left')
      await delay(50)
      order.push('left ends')
    })
    await vi.waitFor(() => expect(order).toEqual(['left begins']))
    const other = inTransaction(right, async (write) => {
      order.push('right begins')
      await insert({ write }, 'right')
    })
    const single = insert(await open(), 'single')
    await Promise.all([one, other, single])
    expect(order).toEqual(['left begins', 'left ends', 'right begins'])
    expect(await rows(left)).toEqual(['left', 'right', 'single'])
  })

  it('sends a notice to all once its transaction commits, and none if it is rolled back', async () => {
    const [left, right] = [await open(), await open()]
    const { heard } = await hear(right)
    const own = await hear(left)
    let heardBefore = -1
    await inTransaction(left, async (transaction) => {
      await publish(transaction, { about: 'key', keyId: 'key_1' })
      await rows(left === right ? left : { ...left, write: transaction })
      heardBefore = heard.length + own.heard.length
    })
    expect(heardBefore).toBe(0)
    expect(own.heard).toEqual([{ about: 'key', keyId: 'key_1' }])
    await vi.waitFor(() => expect(heard).toEqual([{ about: 'key', keyId: 'key_1' }]))
    const refused = inTransaction(left, async (transaction) => {
      await publish(transaction, { about: 'key', keyId: 'key_2' })
      throw new Error('thought better of it')
    })
    await expect(refused).rejects.toThrow('thought better of it')
    await publish(left.write, { about: 'deliveries' })
    await vi.waitFor(() => expect(heard).toContainEqual({ about: 'deliveries' }))
    expect(heard).not.toContainEqual({ about: 'key', keyId: 'key_2' })
  })

  it('rolls back the transaction of a worker that has disconnected', async () => {
    const [gone, other] = [await open(), await open()]
    let left: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      left = gone.write.transaction().execute(async (transaction) => {
        await insert({ write: transaction }, 'half done')
        resolve()
        await new Promise(() => undefined)
      })
    })
    left?.catch(() => undefined)
    const waiting = insert(other, 'whole')
    opened.splice(opened.indexOf(gone), 1)
    await gone.close()
    await waiting
    expect(await rows(other)).toEqual(['whole'])
  })

  it('ends an idle transaction, and executes none of its later statements', async () => {
    await server.close()
    server = await serve(1_000)
    const [halted, other] = [await open(), await open()]
    const { heard, errors } = await hear(halted)
    const transaction = halted.write.transaction().execute(async (write) => {
      await insert({ write }, 'before')
      await insert(other, 'meanwhile')
      // By then there is a new connection, on which this would be a transaction of its own.
      await vi.waitFor(() => expect(heard).toContainEqual({ about: 'missed' }))
      await insert({ write }, 'after')
    })
    await expect(transaction).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(errors).toHaveLength(1)
    expect(await rows(halted)).toEqual(['meanwhile'])
  })

  it('does not commit on a new connection what was begun on a lost one', async () => {
    const database = await open()
    const { heard } = await hear(database)
    const transaction = database.write.transaction().execute(async (write) => {
      await insert({ write }, 'lost')
      await server.close()
      server = await serve()
      await vi.waitFor(() => expect(heard).toContainEqual({ about: 'missed' }))
    })
    await expect(transaction).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await rows(database)).toEqual([])
    await insert(database, 'anew')
    expect(await rows(database)).toEqual(['anew'])
  })

  it('is waited for briefly while it is away, then rejects with 503; waiting requests are kept', async () => {
    const storage = await openStores()
    const { id } = await newAccount(storage)
    const listener = await storage.listen(
      () => undefined,
      () => undefined,
    )
    expect(listener.state).toBe('listening')
    await server.close()
    await vi.waitFor(() => expect(listener.state).toBe('deaf'))
    const early = storage.accounts.find(id)
    await delay(300)
    server = await serve()
    expect(await early).toMatchObject({ id })
    await server.close()
    await expect(storage.accounts.find(id)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 })
    server = await serve()
    await vi.waitFor(async () => expect(await storage.accounts.find(id)).toMatchObject({ id }))
  })

  it('counts as connected only after its greeting, so that no notice is missed', async () => {
    await server.close()
    const mute = createServer()
    await new Promise<void>((resolve) => mute.listen(socketPath, resolve))
    const database = await open()
    const { state } = await database.listen(
      () => undefined,
      () => undefined,
    )
    await expect(rows(database)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(state).toBe('deaf')
    opened.splice(opened.indexOf(database), 1)
    await database.close()
    await new Promise((resolve) => mute.close(resolve))
    server = await serve()
  })

  it('is not waited for forever if it does not respond', async () => {
    const { DatabaseClient } = await import('./database-client.ts')
    const client = new DatabaseClient({
      socketPath,
      onNotice: () => undefined,
      onLost: () => undefined,
      onBack: () => undefined,
      answerMs: 100,
    })
    const holder = await open()
    await inTransaction(holder, async (write) => {
      await insert({ write }, 'slow')
      const response = client.send({ kind: 'query', sql: 'SELECT 1', parameters: [] })
      await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' })
    })
    await client.close()
    expect(await rows(holder)).toEqual(['slow'])
  })

  it('disconnects a client that sends anything but messages', async () => {
    for (const bytes of [Buffer.alloc(8, 0xff), Buffer.from([4, 0, 0, 0, 1, 2, 3, 4])]) {
      const stranger = connect(socketPath)
      const closed = new Promise((resolve) => stranger.once('close', resolve))
      stranger.on('error', () => undefined).resume()
      stranger.write(bytes)
      await closed
    }
    expect(await rows(await open())).toEqual([])
  })

  it('writes everybody’s batches, each row once, and reports overdrawn accounts', async () => {
    const [left, right] = [await openStores(), await openStores()]
    const spender = await fundedKey(left, 10n)
    const { heard } = await hear(left)
    const records = Array.from({ length: 40 }, () => newRecord(spender, { chargePico: 1n }))
    await Promise.all([
      left.requests.write('node_a', records),
      right.requests.write('node_b', records.slice(20)),
      right.requests.write('node_b', records.slice(0, 30)),
    ])
    expect((await right.apiKeys.find(spender.accountId, spender.id))?.balancePico).toBe(-30n)
    expect((await left.ledger.verify()).differences).toEqual([])
    expect(heard).toEqual([])
  })
})
