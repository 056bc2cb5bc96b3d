/** Preloaded into the Node processes under test, so that memory is compared after a collection. */
process.on('SIGUSR2', () => globalThis.gc?.())
