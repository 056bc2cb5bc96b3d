import { registerHooks } from 'node:module'

/* Preloaded into the gateway of a test: reports on stderr which cloud libraries are loaded. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (/^(@aws-sdk\/|@smithy\/|google-auth-library|@azure\/)/.test(specifier))
      process.stderr.write(`loads ${specifier}\n`)
    return nextResolve(specifier, context)
  },
})
