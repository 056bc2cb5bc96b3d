import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

let module: typeof import('node:sqlite') | undefined

/**
 * A connection by `node:sqlite`. Node 22 and 24 warn, in each thread, that the module is experimental, which
 * fills a first screen and helps nobody. They do as it is loaded, and an `import` loads it before any line of
 * ours runs.
 */
export function openSqlite(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  module ??= withoutWarnings(() => process.getBuiltinModule('node:sqlite'))
  return new module.DatabaseSync(path, options)
}

function withoutWarnings<Value>(load: () => Value): Value {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
