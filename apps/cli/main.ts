#!/usr/bin/env node
import { run } from './run.ts'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second Ctrl-C does not wait for anything.
    if (interrupt.signal.aborted) process.exit(1)
    interrupt.abort()
  })
}
// A reader of our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

void run(process.argv.slice(2), {
  // Created on first use, since few commands need it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: interrupt.signal,
}).then((exitCode) => (process.exitCode = exitCode))
