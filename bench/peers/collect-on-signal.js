import { GCProfiler } from 'node:v8'

/**
 * Preloaded into the Node processes under test. SIGUSR2 collects garbage, so that memory is compared after a
 * collection. SIGWINCH, which Node ignores, starts to note what minor collections move to the old generation;
 * the next one ends that and prints the number of bytes.
 */
process.on('SIGUSR2', () => globalThis.gc?.())

let profiler
let profiles = 0

process.on('SIGWINCH', () => {
  if (profiler === undefined) {
    profiler = new GCProfiler()
    profiler.start()
    return
  }
  const { statistics } = profiler.stop()
  profiler = undefined
  process.stdout.write(`promoted ${++profiles}: ${promotedBytes(statistics)} bytes\n`)
})

const oldSpaces = new Set(['old_space', 'large_object_space'])

function promotedBytes(collections) {
  let bytes = 0
  for (const { gcType, beforeGC, afterGC } of collections)
    if (gcType === 'Scavenge') bytes += oldBytes(afterGC) - oldBytes(beforeGC)
  return bytes
}

function oldBytes({ heapSpaceStatistics }) {
  let bytes = 0
  for (const { spaceName, spaceUsedSize } of heapSpaceStatistics)
    if (oldSpaces.has(spaceName)) bytes += spaceUsedSize
  return bytes
}
