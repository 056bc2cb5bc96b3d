/**
 * The parts of undici that calls go through, by their paths within it: they take 33 ms of CPU to load, the
 * whole of it 72 (Node 26.10, a fifth of a start). This is the only file that knows those paths, which hold
 * for the exact version in package.json. `export { Agent, buildConnector, errors } from 'undici'` is the
 * same.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as errors } from 'undici/lib/core/errors.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
