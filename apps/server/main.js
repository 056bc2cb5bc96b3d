#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Must run before any module. V8 allocates objects of some places in the code in the old generation once such
// objects have lived long, as those of streams do. Each one then keeps a finished request in memory until a
// major collection.
setFlagsFromString('--no-allocation-site-pretenuring')
// The heap may grow by half between two major collections. By default V8 lets it grow to several times its
// size: 57 MB of old objects after 150,000 requests, of which 20 MB were in use. A collection takes 7 ms.
setFlagsFromString('--heap-growing-percent=50')

// Once a process is idle, V8 collects everything. It also drops code that was compiled for objects of which
// none is left: for seconds, requests take 60 to 100 % more CPU. It waits for half a minute instead of eight
// seconds.
setFlagsFromString('--memory-reducer-delay-ms=30000')
// That collection makes the young generation small. It then grows in steps of eight instead of two: 62
// collections in the next two seconds of requests instead of 100, and 37 once it has grown.
setFlagsFromString('--semi-space-growth-factor=8')

// Compiled modules are cached, which halves the time of a start. The cache is in the checkout, because code
// from a folder that others can write to must not run. If the folder cannot be written, nothing is cached.
// This file is JavaScript, because the cache has no effect before it has run, and because Node takes 60 ms to
// load what strips types. Worker threads find the folder only through the environment.
const folder = fileURLToPath(new URL('../../.cache/compiled', import.meta.url))
process.env.NODE_COMPILE_CACHE ??= folder
enableCompileCache(process.env.NODE_COMPILE_CACHE)

const { runCommand } = await import('./commands/command-line.ts')
process.exitCode = await runCommand(process.argv.slice(2))
