/** Loaded into the Node processes that are measured: memory is compared after a collection, not before. */
process.on('SIGUSR2', () => globalThis.gc?.())
