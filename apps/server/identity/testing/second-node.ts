import { beforeAll } from 'vitest'
import type { SuiteDatabase } from '../../../../tests/nodes/suite.ts'
import { startTestNode, type TestNode } from '../../../../tests/nodes/test-node.ts'

/**
 * For a suite of tests: the origin of the node, and of a second node with the same public address, if the
 * database serves several.
 */
export function suiteOrigins(node: TestNode, database: SuiteDatabase): string[] {
  const origins: string[] = []
  beforeAll(async () => {
    origins.push(node.origin)
    if (database.url === undefined) return undefined
    const input = { server: { port: 0, public_url: node.origin } }
    const second = await startTestNode({ input, databaseUrl: database.url })
    origins.push(second.origin)
    return () => second.stop()
  })
  return origins
}
