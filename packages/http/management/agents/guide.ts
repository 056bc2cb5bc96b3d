import { readFileSync } from 'node:fs'

/**
 * How an agent uses the gateway, short and exact (https://llmstxt.org). `docs/agents.md` explains the same at
 * length. A test checks the paths in both against the routes, and the commands against the command line.
 */
export const guide = readFileSync(new URL('llms.txt', import.meta.url), 'utf8')
