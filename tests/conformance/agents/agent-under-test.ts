import { test } from 'vitest'
import { findAgent, type AgentPackage } from './agent-program.ts'

/**
 * The script that starts the agent; undefined if it is not installed, and then a test says so.
 * @param name of the agent, as in a sentence
 */
export function agentUnderTest(agent: AgentPackage, name: string): string | undefined {
  const program = findAgent(agent)
  test.runIf(program === undefined)(`${name} is not installed`, () => {
    process.stdout.write(
      `skipped: ${name} is not in .cache/agents; \`npm run agents\` brings it and runs this\n`,
    )
  })
  return program
}
