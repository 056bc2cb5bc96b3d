import { readFileSync } from 'node:fs'

/**
 * How an agent uses the gateway, short and exact (https://llmstxt.org). `docs/agents.md` tells the same at
 * length; a test holds each path that either names to the routes, and each command to the command line.
 */
export const guide = readFileSync(new URL('llms.txt', import.meta.url), 'utf8')
