/**
 * The parts of undici that calls use, by their paths within it: loading them takes 33 ms of CPU, all of
 * undici 72 (Node 26.10, a fifth of a start). This is the only file that knows these paths, which are valid
 * for the exact version in package.json. `export { Pool, buildConnector, errors } from 'undici'` is
 * equivalent.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as errors } from 'undici/lib/core/errors.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
