#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Modules are compiled once and then read back: half of the time that a start takes. The folder is the
// checkout's own: what others may write to must not be run. Where it cannot be written, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)))

const { runCommand } = await import('./command-line.ts')
process.exitCode = await runCommand(process.argv.slice(2))
