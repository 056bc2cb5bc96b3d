import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

let module: typeof import('node:sqlite') | undefined

/**
 * A connection by `node:sqlite`. Node 22 and 24 warn, in each thread, that the module is experimental: what we
 * use of it is the same from there on, our tests run on them, and a first screen full of it helps nobody. It
 * says so as it is loaded, which an `import` does before any line of ours runs.
 */
export function openSqlite(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  module ??= withoutWarnings(() => process.getBuiltinModule('node:sqlite'))
  return new module.DatabaseSync(path, options)
}

function withoutWarnings<Value>(load: () => Value): Value {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
