#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Before any module runs. V8 moves objects of some places in the code to the old generation once they have
// lived long, as those of streams do; each then keeps a finished request alive until a major collection.
setFlagsFromString('--no-allocation-site-pretenuring')

// Modules are compiled once and then read back: half of the time that a start takes. The folder is the
// checkout's own: what others may write to must not be run. Where it cannot be written, nothing is kept.
// This file alone is JavaScript: nothing is read back before it has run, and to take the types out of a
// file Node loads its TypeScript, 60 ms. Worker threads find the folder in the environment only.
const folder = fileURLToPath(new URL('../../.cache/compiled', import.meta.url))
process.env.NODE_COMPILE_CACHE ??= folder
enableCompileCache(process.env.NODE_COMPILE_CACHE)

const { runCommand } = await import('./commands/command-line.ts')
process.exitCode = await runCommand(process.argv.slice(2))
