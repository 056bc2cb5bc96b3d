import { VendorServer, type VendorServerOptions } from '@turnpike/simulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import type { NodeDatabase } from './databases.ts'
import { TestNode, type TestKey } from './test-node.ts'

/*
 * What a suite of tests runs against. Call these inside the suite's `describe`, in the order in which things
 * start: each one starts before the suite's first test, and stops after its last test in reverse order.
 */

/**
 * Starts something before the suite's tests, and stops it after them if it can be stopped.
 * @returns an object that gets the members of what was started
 */
export function suiteStart<Started extends object>(start: () => Promise<Started>): Started {
  const started = {} as Started & { stop?: () => Promise<void> }
  beforeAll(async () => {
    Object.assign(started, await start())
    return () => started.stop?.()
  })
  return started
}

/** Starts and closes any server. */
export function suiteServer<Server extends { listen(): Promise<unknown>; close(): Promise<void> }>(
  server: Server,
): Server {
  beforeAll(async () => {
    await server.listen()
    return () => server.close()
  })
  return server
}

/** A simulated vendor. */
export function suiteVendor(options: VendorServerOptions = {}): VendorServer {
  return suiteServer(new VendorServer(options))
}

export interface SuiteDatabase {
  /** Absent for the embedded engine. */
  readonly url: string | undefined
}

/** Creates an empty database. */
export function suiteDatabase(create: NodeDatabase['create']): SuiteDatabase {
  const suite: { url: string | undefined } = { url: undefined }
  beforeAll(async () => {
    const { url, drop } = await create()
    suite.url = url
    return drop
  })
  return suite
}

/**
 * Starts a gateway.
 * @param input as in `turnpike.yaml`; a function, if it needs what starts before the gateway
 * @param database default: SQLite in the node's own folder
 */
export function suiteNode(
  input: ConfigurationInput | (() => ConfigurationInput) = {},
  { database }: { database?: SuiteDatabase } = {},
): TestNode {
  const node = new TestNode()
  beforeAll(async () => {
    await node.start({ input: typeof input === 'function' ? input() : input, databaseUrl: database?.url })
    return () => node.stop()
  })
  return node
}

/** Creates a key of a new account, with credit. */
export function suiteKey(node: TestNode, options: Parameters<TestNode['createKey']>[0] = {}): TestKey {
  return suiteStart(() => node.createKey(options))
}

/** Awaits a world that starts at once, and stops it after all tests of the calling file. */
export async function suiteWorld<World extends { stop(): Promise<void> }>(
  starting: Promise<World>,
): Promise<World> {
  const world = await starting
  afterAll(() => world.stop())
  return world
}

/** Declares a test that the ledger finds no differences. */
export function testBooks(world: { node: TestNode }): void {
  test('the books balance', async () => {
    expect(await world.node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })
}
