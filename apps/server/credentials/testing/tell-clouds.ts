import { registerHooks } from 'node:module'

/*
 * Loaded before a gateway of a test: it says on stderr which of the clouds' libraries are loaded.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (/^(@aws-sdk\/|@smithy\/|google-auth-library|@azure\/)/.test(specifier))
      process.stderr.write(`loads ${specifier}\n`)
    return nextResolve(specifier, context)
  },
})
