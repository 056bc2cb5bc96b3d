import { beforeAll, expect } from 'vitest'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { CliHome } from './cli-home.ts'
import { BuiltProgram } from './program.ts'
import { logIn } from './signed-in.ts'

/*
 * Set-ups for suites of acceptance tests, like `tests/nodes/suite.ts`: each starts before the suite's first
 * test, and ends after its last one.
 */

/** The program, built from the current sources. */
export function suiteProgram(): BuiltProgram {
  const program = new BuiltProgram()
  beforeAll(async () => {
    await program.build()
    return () => program.remove()
  })
  return program
}

/** Makes homes that are removed after the suite. */
export function suiteHomes(program: BuiltProgram): (server: CliHome['server']) => CliHome {
  const homes: CliHome[] = []
  beforeAll(() => () => {
    for (const home of homes) home.remove()
  })
  return (server) => {
    const home = new CliHome(server, program)
    homes.push(home)
    return home
  }
}

/**
 * A gateway, and the home of a user who is logged in to it.
 * @param input must have `server.port` 0: the sign-in then uses the address at which the gateway listens
 */
export function suiteUser(input: Parameters<typeof suiteNode>[0] = { server: { port: 0 } }): {
  node: TestNode
  home: CliHome
} {
  const program = suiteProgram()
  const node = suiteNode(input)
  const home = suiteHomes(program)(node)
  beforeAll(async () => expect((await logIn(home, node.origin)).code).toBe(0))
  return { node, home }
}
