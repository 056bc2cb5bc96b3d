import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

let module: typeof import('node:sqlite') | undefined

/**
 * Opens a connection with `node:sqlite`. Node 22 and 24 warn in each thread that the module is experimental,
 * which fills a first screen and helps nobody. They warn when the module is loaded, which an `import` does
 * before any of our code runs.
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
